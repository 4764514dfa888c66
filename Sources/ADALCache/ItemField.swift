// SPDX-License-Identifier: MIT
import KeyedArchive

/// A key of ADAL's objects: items, macOS dictionary keys and users. What is archived beside these, such as
/// all claims of a user, is in one of them or not used.
enum ItemField: Int, CaseIterable {
  case userID
  case resource, clientID, familyID, cachedAt
  case authority, expiresOn, tombstone
  case sessionKey, clientInfo, rawIDToken
  case accessToken
  case refreshToken, enrollmentID
  case homeAccountID
  case accessTokenType, userInformation
  case additionalServer
  case applicationIdentifier

  static let names = Names(allCases.map(\.spelling))

  /// The key as reports name it.
  var name: String { spelling.description }

  /// Whether MSAL decodes it as a text (`MSIDLegacyTokenCacheItem.m`, `MSIDUserInformation.m`).
  var isTextToMSAL: Bool {
    switch self {
    case .authority, .resource, .clientID, .accessToken, .refreshToken, .accessTokenType, .familyID,
      .homeAccountID, .enrollmentID, .applicationIdentifier, .rawIDToken:
      true
    case .sessionKey, .clientInfo, .expiresOn, .cachedAt, .additionalServer, .tombstone,
      .userInformation, .userID:
      false
    }
  }

  private var spelling: StaticString {
    switch self {
    case .authority: "authority"
    case .resource: "resource"
    case .clientID: "clientId"
    case .accessToken: "accessToken"
    case .refreshToken: "refreshToken"
    case .sessionKey: "sessionKey"
    case .accessTokenType: "accessTokenType"
    case .familyID: "familyId"
    case .homeAccountID: "homeAccountId"
    case .clientInfo: "clientInfo"
    case .enrollmentID: "enrollmentId"
    case .applicationIdentifier: "applicationIdentifier"
    case .expiresOn: "expiresOn"
    case .cachedAt: "cachedAt"
    case .additionalServer: "additionalServer"
    case .tombstone: "tombstone"
    case .userInformation: "userInformation"
    case .userID: "userId"
    case .rawIDToken: "rawIdToken"
    }
  }
}

/// The fields of one object that have a known name.
struct ItemFields {
  private var references = Self.noReferences
  private static let noReferences = ItemField.allCases.map { _ in KeyedArchiveReader.Reference?.none
  }
  /// Whether a name cannot be read, be it a known one or not.
  private(set) var hasDamagedName = false

  /// What the field refers to; nil when there is no such field.
  subscript(_ field: ItemField) -> KeyedArchiveReader.Reference? { references[field.rawValue] }

  /// Takes the fields of `object` in place of those that are here.
  mutating func read(
    _ object: KeyedArchiveReader.Value, of archive: inout KeyedArchiveReader
  ) throws(KeyedArchiveError) {
    hasDamagedName = try archive.readFields(of: object, into: &references)
  }
}
