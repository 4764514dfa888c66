// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache

/// The kind of a row, and the reason if it is not converted for any user.
struct RowNature {
  let kind: RowKind
  let blockingReason: Reason?

  init(
    _ token: borrowing LegacyToken, _ authority: (kind: Authority.Kind?, isTrusted: Bool),
    _ client: RowClient?, isOverwritten: Bool
  ) {
    kind = Self.kind(of: token, authority.kind)
    // A row without a user has reasons that say more than that its token may belong to another user.
    let hasUser = token.hasUser
    blockingReason =
      Self.blockingReason(of: token, kind, authority, client)
      ?? (isOverwritten && hasUser ? .rtOverwritten : nil)
  }

  /// Asked in the order of mapping-rules §1.
  private static func kind(of token: LegacyToken, _ authority: Authority.Kind?) -> RowKind {
    if token.isTombstone { return .tombstone }
    if token.isAppOnly { return .appOnly }
    if token.assertionHash.nonBlank != nil { return .onBehalfOf }
    if token.sessionKey.map({ !$0.isEmpty }) ?? false || token.hasPrimaryRefreshTokenKey {
      return .primaryRefreshToken
    }
    switch authority {
    case .adfs: return .adfs
    case .b2c: return .b2c
    case .aad, nil: break
    }
    switch (token.access, token.refresh) {
    case (nil, nil): return .empty
    case (_?, nil): return .accessToken
    case (_, _?) where token.isForSeveralResources: return .multiResourceRefreshToken
    case (_?, _?): return .singleResourceToken
    case (nil, _?):
      if FamilyClient.isOne(token.clientID) { return .familyRefreshToken }
      return token.resource.nonBlank == nil ? .multiResourceRefreshToken : .singleResourceToken
    }
  }

  private static func blockingReason(
    of token: LegacyToken, _ kind: RowKind, _ authority: (kind: Authority.Kind?, isTrusted: Bool),
    _ client: RowClient?
  ) -> Reason? {
    switch kind {
    case .tombstone: return .rtTombstone
    case .appOnly: return .rowAppOnly
    case .onBehalfOf: return .rowOnBehalfOf
    // Every row in a broker's group is the broker's (mapping-rules §4.c).
    case _ where token.isOfBroker: return .rtBroker
    case .primaryRefreshToken: return token.hasPrimaryRefreshTokenKey ? .rtPRT : .rtSessionKey
    case .adfs: return .adfsUnsupported
    case .b2c: return .b2cUnsupported
    case .empty: return .rowEmpty
    default: break
    }
    guard authority.kind != nil else { return .authorityMalformed }
    if !authority.isTrusted { return .envUnknownHost }
    guard let client, client.id != .none else {
      return token.refresh == nil ? .atNotCarried : .rtMalformed
    }
    if kind != .familyRefreshToken {
      if client.family != .none { return .rtMalformed }
      if !client.isIncluded { return .clientNotInSet }
    }
    return nil
  }
}

extension LegacyToken {
  /// The access token, unless it is blank.
  var access: TokenSecret? { accessToken.flatMap { $0.isEmpty ? nil : $0 } }
  /// The refresh token, unless it is blank.
  var refresh: TokenSecret? {
    // A tombstone's text is no secret that two users could share.
    isTombstone ? nil : refreshToken.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the row names a user.
  fileprivate var hasUser: Bool { userID != nil || objectID != nil }

  /// Whether the item is in the group of a broker app.
  fileprivate var isOfBroker: Bool { place.accessGroup.map(Broker.owns) ?? false }
}

/// The apps that hold tokens for all apps of a device, in access groups and caches of their own.
enum Broker {
  private static let groups = ["com.microsoft.azureauthenticator", "com.microsoft.workplacejoin"]

  /// Whether an access group is a broker's.
  static func owns(_ accessGroup: String) -> Bool { groups.contains { accessGroup.hasSuffix($0) } }
}
