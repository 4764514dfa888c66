// SPDX-License-Identifier: MIT
import KeyedArchive

/// A key of ADAL's objects: items, macOS dictionary keys and users. Other archived data, such as all claims of a user,
/// repeats one of these keys or is not used.
package enum ItemField: Int, CaseIterable, Sendable {
  case authority, resource, clientID, accessToken, refreshToken, sessionKey, accessTokenType
  case familyID, homeAccountID, clientInfo, enrollmentID, applicationIdentifier
  case expiresOn, cachedAt, additionalServer, tombstone, userInformation, userID, rawIDToken

  enum Kind {
    /// A text that MSAL decodes too (`MSIDLegacyTokenCacheItem.m`, `MSIDUserInformation.m`).
    case text
    /// A text that only ADAL reads.
    case ownText
    /// A text that is a token.
    case token
    case key
    case date
    /// The service's answer, or another object.
    case object
  }

  /// One line for each key: its name in the archive, its kind, and whether reports may show its value.
  private var line: (name: String, kind: Kind, isShown: Bool) {
    switch self {
    case .authority: ("authority", .text, true)
    case .resource: ("resource", .text, true)
    case .clientID: ("clientId", .text, true)
    case .accessToken: ("accessToken", .token, false)
    case .refreshToken: ("refreshToken", .token, false)
    case .sessionKey: ("sessionKey", .key, false)
    case .accessTokenType: ("accessTokenType", .text, true)
    case .familyID: ("familyId", .text, true)
    case .homeAccountID: ("homeAccountId", .text, true)
    case .clientInfo: ("clientInfo", .ownText, false)
    case .enrollmentID: ("enrollmentId", .text, true)
    case .applicationIdentifier: ("applicationIdentifier", .text, true)
    case .expiresOn: ("expiresOn", .date, false)
    case .cachedAt: ("cachedAt", .date, false)
    case .additionalServer: ("additionalServer", .object, false)
    case .tombstone: ("tombstone", .object, false)
    case .userInformation: ("userInformation", .object, false)
    case .userID: ("userId", .ownText, true)
    case .rawIDToken: ("rawIdToken", .token, false)
    }
  }

  /// The key as the archive and reports name it.
  package var name: String { line.name }
  private var kind: Kind { line.kind }
  var isTextToMSAL: Bool { kind == .text || kind == .token }

  /// The fields of an item alone, with their kinds.
  static let ofItem = allCases.filter { $0 != .userID && $0 != .rawIDToken }.map { ($0, $0.kind) }
  static let shown = allCases.filter(\.line.isShown)
  package static let secrets = allCases.filter { $0.kind == .token || $0.kind == .key }
  package static let dates = allCases.filter { $0.kind == .date }
  /// The names that the archive's reader knows by number: the fields, and the classes of ADAL's objects.
  static let names = Names(allCases.map(\.name) + ItemClass.allCases.map(\.name))
}

/// A class of ADAL's objects, under each name that it was ever archived by (adal-cache-format §1.11, §2.1).
enum ItemClass: Int, CaseIterable {
  case item, olderItem, primaryRefreshToken
  // 2.7 and 6.x map their own classes to the first name; an archive without the mapping has the others.
  case user, userOfADAL, userOfMSAL
  case key

  var name: String {
    switch self {
    case .item: LegacyToken.releaseClass
    case .olderItem: "ADTokenCacheItem"
    case .primaryRefreshToken: "ADBrokerPRTCacheItem"
    case .user: "ADUserInformation"
    case .userOfADAL: "ADALUserInformation"
    case .userOfMSAL: "MSIDUserInformation"
    case .key: "ADTokenCacheKey"
    }
  }

  /// The class that has this name; nil for one that is not ADAL's.
  init?(_ className: KeyedArchiveReader.ClassName) {
    switch className {
    case .known(let position): self.init(rawValue: position - ItemField.allCases.count)
    case .other(let text):
      // One that is spelled in UTF-16 has no number.
      guard let known = Self.allCases.first(where: { $0.name == text }) else { return nil }
      self = known
    }
  }

  var isItem: Bool { rawValue <= Self.primaryRefreshToken.rawValue }
  var isUser: Bool { !isItem && self != .key }
  /// Whether MSAL knows the name (MSIDKeyedArchiverSerializer.m): its own, or the one that it maps.
  var isUserOfMSAL: Bool { self == .user || self == .userOfMSAL }
}
