// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// A cloud of the made world: its hosts, the one that caches are keyed by first, and its tenants.
public struct TrueCloud: Sendable {
  public let hosts: [String]
  public let tenants: [TrueTenant]
  /// Whether a migration may write for it without being told.
  public let isKnown: Bool

  public var environment: String { hosts[0] }

  /// The hosts of each cloud, the one that caches are keyed by first.
  public static let hostsOfClouds: [(hosts: [String], isKnown: Bool)] = [
    (["login.windows.net", "login.microsoftonline.com", "sts.windows.net"], true),
    (["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"], true),
    (["login.microsoftonline.us", "login.usgovcloudapi.net"], true),
    (["login.sovcloud-identity.fr"], true),
    (["login.microsoftonline.de"], true),
    (["login.contoso.example"], false),
  ]
}

/// A tenant: its id and a domain name of it.
public struct TrueTenant: Sendable, Hashable {
  public let id: String
  public let domain: String
}

/// Somebody of the made world, as nobody but its maker knows: the oracle of the laws.
public struct TruePerson: Sendable {
  public let number: Int
  public let cloud: TrueCloud
  /// The object in the home tenant.
  public let uid: String
  public let utid: String
  /// A personal Microsoft account.
  public let isPersonal: Bool
  /// The user names, the newest last.
  public internal(set) var names: [String]
  /// The object in each tenant, the home tenant among them.
  public internal(set) var objects: [String: String]
  /// By what other tenants tell that this is a guest.
  var guestMark = GuestMark.issuer

  /// The home account id, which no row need hold.
  public var home: String { "\(uid).\(utid)" }

  static let personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

  /// By what an ID token tells that it is a guest's (mapping-rules §2.3).
  enum GuestMark: CaseIterable {
    /// `idp` names the home tenant.
    case issuer
    /// The UPN is made of the home tenant's, with `#EXT#`.
    case external
    /// The same with `_EXT_`, as the service also writes it.
    case plainExternal
    /// `acct` is 1.
    case accountStatus
  }

  /// The user's name in a tenant. A guest may have a UPN that the tenant made up.
  func userName(_ name: String, in tenant: String) -> String {
    guard !isPersonal, tenant != utid, let mark = externalMark else { return name }
    let domain = cloud.tenants.first { $0.id == tenant }?.domain ?? "tenant.example.com"
    return name.replacingOccurrences(of: "@", with: "_") + mark + "@" + domain
  }

  private var externalMark: String? {
    switch guestMark {
    case .external: "#EXT#"
    case .plainExternal: "_EXT_"
    case .issuer, .accountStatus: nil
    }
  }

  /// Every user name, in lower case, those that tenants made among them.
  public var allNames: Set<String> {
    Set(
      names.flatMap { name in
        objects.keys.map { userName(name, in: $0).lowercased() }
      })
  }

  /// The claims of an ID token for one tenant, as the v1.0 endpoint makes them.
  func claims(in tenant: String, named name: String, issuedAt: Double) -> [String: Any] {
    var claims: [String: Any] = [
      "ver": "1.0", "aud": "synthetic", "sub": "sub-\(number)-\(tenant.prefix(8))",
      "oid": objects[tenant] ?? uid, "tid": tenant, "name": "Person \(number)",
      "given_name": "Person", "family_name": "N\(number)", "iat": Int(issuedAt),
    ]
    if isPersonal {
      claims["email"] = name
      claims["unique_name"] = "live.com#\(name)"
      claims["idp"] = "live.com"
      claims["altsecid"] = "1:live.com:0003BFFD00000\(number)"
      if tenant == utid {
        // The consumers' tenant knows nobody as a guest.
        for claim in ["idp", "altsecid"] { claims[claim] = nil }
        claims["unique_name"] = name
      }
    } else if tenant == utid {
      claims["upn"] = name
      claims["unique_name"] = name
    } else {
      claims["email"] = name
      claims["unique_name"] = name
      switch guestMark {
      case .issuer: claims["idp"] = "https://sts.windows.net/\(utid)/"
      case .accountStatus: claims["acct"] = 1
      case .external, .plainExternal: claims["upn"] = userName(name, in: tenant)
      }
    }
    return claims
  }
}

/// A client of the made world: an app with one generation of ADAL.
public struct TrueClient: Sendable {
  /// As the app spells it.
  public let id: String
  public let generation: SyntheticRow.Generation
  public let isInFamily: Bool
  public let accessGroup: String
}

/// A row with whose it is.
public struct TrueRow: Sendable {
  public let row: SyntheticRow
  /// The row as a keychain item, made once.
  public let item: KeychainItem
  /// The user of the token; nil for users of AD FS and B2C, who have no home account.
  public let owner: Int?
  /// The client that the refresh token was given to.
  public let client: String
  /// Whether the row itself proves the home account id, and its refresh token can be used by MSAL.
  public let isCertain: Bool
  /// Whether ADAL could still use its refresh token for an app.
  public let isUsable: Bool
}

extension SplitMix64 {
  /// A GUID in lower case.
  mutating func guid() -> String {
    let digits = hexDigits(32)
    var groups: [Substring] = []
    var start = digits.startIndex
    for length in [8, 4, 4, 4, 12] {
      let end = digits.index(start, offsetBy: length)
      groups.append(digits[start..<end])
      start = end
    }
    return groups.joined(separator: "-")
  }

  mutating func hexDigits(_ count: Int) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: (0..<count).map { _ in digits[Int.random(in: 0..<16, using: &self)] },
      as: UTF8.self)
  }

  /// A token that no window of eight bytes of is anywhere else.
  mutating func secret() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    let count = Int.random(in: 24...60, using: &self)
    return String(
      decoding: (0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &self)] },
      as: UTF8.self)
  }

  /// One of these, of which there is at least one.
  mutating func one<T>(of choices: [T]) -> T {
    choices[Int.random(in: 0..<choices.count, using: &self)]
  }
}
