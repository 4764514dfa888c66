// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The sections of a cache document that hold entries (msal-cache-format §7.1).
public enum DocumentSection: String, Sendable, CaseIterable {
  case accessToken = "AccessToken"
  case account = "Account"
  case appMetadata = "AppMetadata"
  case idToken = "IdToken"
  case refreshToken = "RefreshToken"

  /// The kind of a credential whose entry does not say it.
  var defaultKind: Credential.Kind? {
    switch self {
    case .accessToken: .accessToken
    case .idToken: .idToken
    case .refreshToken: .refreshToken
    case .account, .appMetadata: nil
    }
  }
}

/// Something that a cache document keeps under a key of its own.
protocol DocumentEntry {
  /// The section, or nil when documents have none for it.
  var documentSection: DocumentSection? { get }
  /// The key in the shape of MSAL.NET and MSAL for Java, which Python's equals where it matters.
  var documentKey: String { get }
  /// What makes two entries the same whatever their keys are.
  var identity: DocumentIdentity { get }
  var payload: [String: JSONValue] { get }
}

/// What an entry is about, so that the same entry is known again under another library's key.
struct DocumentIdentity: Hashable {
  let section: DocumentSection?
  let kind: Credential.Kind?
  let homeAccountID: String
  let environment: String
  let clientOrFamily: String
  let realm: String
  let target: Set<String>

  init(
    section: DocumentSection?, kind: Credential.Kind? = nil, homeAccountID: String = "",
    environment: String, clientOrFamily: String = "", realm: String = "", target: String = ""
  ) {
    self.section = section
    self.kind = kind
    self.homeAccountID = homeAccountID.normalized
    self.environment = Cloud.of(host: environment)?.preferredCache ?? environment.normalized
    self.clientOrFamily = clientOrFamily.normalized
    self.realm = realm.normalized
    self.target = Scopes.set(of: target)
  }
}

extension Credential: DocumentEntry {
  /// The section of a cache document that holds this kind; nil for kinds that are Apple's alone.
  public var documentSection: DocumentSection? {
    switch kind {
    case .accessToken, .accessTokenWithAuthScheme: .accessToken
    case .refreshToken: .refreshToken
    case .idToken: .idToken
    case .familyRefreshToken, .boundRefreshToken, .primaryRefreshToken, .v1IDToken,
      .legacySingleResourceToken:
      nil
    }
  }

  /// The key in a cache document, in the shape of MSAL.NET and MSAL for Java
  /// (msal-cache-format §7.2).
  public var documentKey: String {
    // What is in lower case already is told at once.
    let id = "\(homeAccountID)-\(environment)-\(kind.rawValue.lowercased())-"
    let rest =
      switch kind {
      case .refreshToken, .familyRefreshToken, .boundRefreshToken, .primaryRefreshToken:
        "\(nonEmptyFamily ?? clientID)--"
      case .idToken, .v1IDToken: "\(clientID)-\(realm ?? "")-"
      case .accessToken, .legacySingleResourceToken:
        "\(clientID)-\(realm ?? "")-\(target ?? "")"
      case .accessTokenWithAuthScheme:
        "\(clientID)-\(realm ?? "")-\(target ?? "")-\(tokenType ?? "")"
      }
    return (id + rest).lowercasedLikeNSString
  }

  private var nonEmptyFamily: String? { familyID.flatMap { $0.isBlank ? nil : $0 } }

  var identity: DocumentIdentity {
    switch documentSection {
    case .refreshToken:
      DocumentIdentity(
        section: .refreshToken, kind: kind, homeAccountID: homeAccountID, environment: environment,
        clientOrFamily: nonEmptyFamily.map { "family \($0)" } ?? clientID)
    case .accessToken:
      DocumentIdentity(
        section: .accessToken, kind: kind, homeAccountID: homeAccountID, environment: environment,
        clientOrFamily: clientID, realm: realm ?? "", target: target ?? "")
    default:
      DocumentIdentity(
        section: documentSection, kind: kind, homeAccountID: homeAccountID,
        environment: environment, clientOrFamily: clientID, realm: realm ?? "")
    }
  }
}

extension Account: DocumentEntry {
  /// The section of a cache document that holds accounts.
  public var documentSection: DocumentSection? { .account }

  /// The key in a cache document (msal-cache-format §7.2).
  public var documentKey: String {
    "\(homeAccountID)-\(environment)-\(realm ?? "")".lowercasedLikeNSString
  }

  var identity: DocumentIdentity {
    DocumentIdentity(
      section: .account, homeAccountID: homeAccountID, environment: environment,
      realm: realm ?? "")
  }
}

extension AppMetadata: DocumentEntry {
  /// The section of a cache document that holds app metadata.
  public var documentSection: DocumentSection? { .appMetadata }

  /// The key in a cache document (msal-cache-format §7.2), in its own letter case: MSAL for Python finds
  /// app metadata by this key alone, and the other libraries read it whatever its case.
  public var documentKey: String { "appmetadata-\(environment)-\(clientID)" }

  var identity: DocumentIdentity {
    DocumentIdentity(section: .appMetadata, environment: environment, clientOrFamily: clientID)
  }
}

/// Scopes as MSAL compares them: words between spaces, trimmed and lower-cased, in no order.
package enum Scopes {
  package static func set(of target: String) -> Set<String> { Set(words(of: target)) }

  // No request has room for more; the words of a longer text are not taken apart.
  private static let longest = 1 << 16

  package static func words(of target: String) -> [String] {
    guard target.utf8.count <= longest else { return [target] }
    // Most often there is one.
    if target.isOneWord { return [target.normalized] }
    return target.unicodeScalars.split(separator: " ").lazy
      .map { String($0).normalized }
      .filter { !$0.isEmpty }
  }
}
