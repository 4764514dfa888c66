// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// A row of ADAL's to be written into a keychain or a macOS blob, field by field.
public struct SyntheticRow: Sendable {
  /// Which fields the archive has: what ADAL of that age knew.
  public enum Generation: Sendable, CaseIterable {
    /// 1.0–1.2: no families, no answers of the server.
    case one
    /// 2.2–2.5: tombstones, families.
    case twoTwo
    /// 2.6.
    case twoSix
    /// 2.7.4 and later: `cachedAt` and `homeAccountId`.
    case twoSeven
  }

  public var generation = Generation.twoSix
  /// Whether one of the betas of 2.1 wrote it: under a class name of its own, with the user as plain text.
  public var isBeta = false
  public var authority: String? = "https://login.windows.net/common"
  public var resource: String?
  public var clientID: String? = "27922004-5251-4030-b22d-91ecd9a37ea4"
  public var accessToken: String?
  public var accessTokenType: String? = "Bearer"
  public var refreshToken: String?
  public var expiresOn: Double?
  public var cachedAt: Double?
  public var familyID: String?
  public var homeAccountID: String?
  public var clientInfo: String?
  public var idToken: String?
  public var sessionKey: [UInt8]?
  public var isTombstone = false
  public var extendedExpiresOn: Double?
  public var applicationIdentifier: String?
  public var enrollmentID: String?
  /// Whom the keychain account names; nil writes the account of nobody.
  public var userID: String?
  public var modified: Double?
  public var accessGroup = "ABCDE12345.com.microsoft.adalcache"
  /// The client part of the service, where it is not the client id: the nil placeholder of a primary
  /// refresh token.
  public var clientSlot: String?

  public init() {}

  public static let nilPlaceholder = "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132"

  /// The row as a keychain item.
  public var item: KeychainItem {
    let service = [
      Self.library + (applicationIdentifier.map { "-" + Self.base64URL($0) } ?? ""),
      Self.base64URL((authority ?? "").lowercased()),
      resource.map { Self.base64URL($0.lowercased()) } ?? Self.nilPlaceholder,
      clientSlot ?? Self.base64URL((clientID ?? "").lowercased()),
    ].joined(separator: "|")
    let nobody = generation == .one ? Self.nilPlaceholder : ""
    return KeychainItem(
      accessGroup: accessGroup,
      account: userID.map { isBeta ? $0 : Self.base64URL($0) } ?? nobody,
      service: service, generic: Array(Self.library.utf8), accessibility: "cku",
      created: modified, modified: modified, data: TokenSecret(archive))
  }

  private static let library = "MSOpenTech.ADAL.1"

  /// The archived item.
  public var archive: [UInt8] { ArchiveWriter.archive(archivedItem) }

  private var archivedItem: ArchiveWriter.Value {
    func text(_ string: String?) -> ArchiveWriter.Value { string.map { .string($0) } ?? .null }
    func date(_ seconds: Double?) -> ArchiveWriter.Value { seconds.map { .date($0) } ?? .null }
    var fields: [(String, ArchiveWriter.Value)] = [
      ("resource", text(resource)), ("authority", text(authority)), ("clientId", text(clientID)),
      ("accessToken", text(accessToken)), ("accessTokenType", text(accessTokenType)),
      ("refreshToken", isTombstone ? .string("<tombstone>") : text(refreshToken)),
      ("expiresOn", date(expiresOn)), ("userInformation", userInformation),
    ]
    if generation != .one {
      fields += [
        ("familyId", text(familyID)), ("additionalServer", additionalServer),
        ("additionalClient", .null),
      ]
    }
    switch generation {
    case .one: break
    case .twoTwo, .twoSix:
      fields.append(("sessionKey", sessionKey.map { .data($0) } ?? .null))
      if generation == .twoTwo {
        fields.append(
          (
            "tombstone",
            isTombstone ? .dictionary([("errorDetails", .string("rejected"))]) : .null
          ))
      }
    case .twoSeven:
      fields += [
        ("cachedAt", date(cachedAt)), ("homeAccountId", text(homeAccountID)),
        ("enrollmentId", text(enrollmentID)),
        ("applicationIdentifier", text(applicationIdentifier)),
      ]
    }
    return .object(isBeta ? "ADTokenCacheItem" : "ADTokenCacheStoreItem", fields)
  }

  private var userInformation: ArchiveWriter.Value {
    guard idToken != nil || generation == .twoSeven else { return .null }
    return .object(
      "ADUserInformation",
      [
        ("rawIdToken", idToken.map { .string($0) } ?? .null),
        ("userId", userID.map { .mutableString($0) } ?? .null),
        ("userIdDisplayable", .bool(userID != nil)),
      ])
  }

  private var additionalServer: ArchiveWriter.Value {
    var members: [(String, ArchiveWriter.Value)] = []
    if let clientInfo { members.append(("client_info", .string(clientInfo))) }
    if let extendedExpiresOn {
      let name = generation == .twoSeven ? "extended_expires_on" : "ext_expires_on"
      members.append((name, .date(extendedExpiresOn)))
    }
    return .dictionary(members)
  }

  /// These rows as ADAL for macOS serialised them.
  public static func blob(_ rows: [SyntheticRow]) -> [UInt8] {
    let byUser = Dictionary(grouping: rows) { $0.userID ?? "" }
    let users = byUser.sorted { $0.key < $1.key }.map { user, rows in
      (
        ArchiveWriter.Value.string(user),
        ArchiveWriter.Value.keyed(rows.map { ($0.blobKey, $0.archivedItem) })
      )
    }
    return ArchiveWriter.archive(
      .keyed([
        (.string("version"), .integer(1)),
        (.string("tokenCache"), .keyed([(.string("tokens"), .keyed(users))])),
      ]))
  }

  private var blobKey: ArchiveWriter.Value {
    func text(_ string: String?) -> ArchiveWriter.Value {
      string.map { .string($0.lowercased()) } ?? .null
    }
    return .object(
      "ADTokenCacheKey",
      [("authority", text(authority)), ("resource", text(resource)), ("clientId", text(clientID))])
  }

  /// base64url without padding.
  public static func base64URL(_ text: String) -> String {
    let digits = Data(text.utf8).base64EncodedData().prefix { $0 != UInt8(ascii: "=") }.map {
      switch $0 {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: $0
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// An unsigned ID token with these claims, in the order of their names.
  public static func idToken(_ claims: [String: Any]) -> String {
    let payload =
      (try? JSONSerialization.data(withJSONObject: claims, options: [.sortedKeys])) ?? Data()
    let header = base64URL(#"{"typ":"JWT","alg":"none"}"#)
    return "\(header).\(base64URL(String(decoding: payload, as: UTF8.self)))."
  }

  /// The value of the service's `client_info`.
  public static func clientInfo(uid: String, utid: String) -> String {
    base64URL(#"{"uid":"\#(uid)","utid":"\#(utid)"}"#)
  }
}
