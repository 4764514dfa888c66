// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache

/// One token of ADAL's with what it means: its kind, its authority, its user.
///
/// Everything here follows from the row alone; whose account it is needs the other rows and is decided
/// by ``AccountResolution``. A class without a variable, which is a value that costs nothing to hand on: as
/// a struct a quarter of a run went into copying its sixty parts.
final class LegacyRow: Sendable {
  /// The number of the row in the inventory.
  let number: Int
  /// The access group that the row is planned for; empty for a document.
  let group: String
  let token: LegacyToken
  let kind: RowKind
  let authority: Authority?
  let idToken: IDToken?
  /// Why the row is never converted, for any user. Empty when it can be.
  let blockingReasons: [Reason]
  /// The tenant that a row says which has no ID token; nil for rows of ADAL for iOS and macOS.
  let storedTenant: String?
  /// Whether the refresh token may belong to another user (``PeerRows``).
  let isOverwritten: Bool
  /// The client id by which rows of one client are found; empty for none.
  let client: ExactText
  /// The family of a family row, or the one that the service put the client in.
  let family: String?
  /// The user that the row is filed under in ADAL's cache.
  let keyUserName: String?
  /// The row's cloud, or an empty name when its authority is malformed.
  let cloud: String
  /// The home account id that the service gave for this very row.
  let storedHomeAccountID: StoredHomeAccountID?
  /// What the row says by itself about its home account id.
  let derivation: Derivation
  /// The scope that stands for the row's resource: nothing is trimmed but white space around it, so
  /// that a resource that ends in `/` gives `//.default` (mapping-rules §3.1).
  let scope: String?

  /// What other rows say of a row.
  struct PeerFacts: Sendable {
    /// The tenant of a user whom the row keeps without one.
    var tenant: String?
    /// Whether its refresh token may belong to another user.
    var isOverwritten = false
  }

  /// - Parameters:
  ///   - authority: what the token's authority says.
  ///   - idToken: what its ID token says.
  ///   - peers: what other rows say.
  init(
    number: Int, group: String, token: consuming LegacyToken, authority: Authority?,
    idToken: IDToken?, policy: borrowing Policy, peers: PeerFacts = PeerFacts()
  ) {
    self.number = number
    self.group = group
    self.authority = authority
    self.idToken = idToken
    kind = Self.kind(of: token, authority)
    let blockingReasons = Self.blockingReasons(of: token, kind, authority, policy)
    let tenant = token.ownTenant(authority)
    client = ExactText(token.clientID.nonBlank?.identifier ?? "")
    family = FamilyClient.family(of: token.clientID) ?? token.familyID.nonBlank
    keyUserName = token.userID.nonBlank?.foldedUserName
    cloud = authority?.cloud ?? ""
    storedHomeAccountID = StoredHomeAccountID(token)
    scope = token.resource.nonBlank.map { "\($0)/.default" }
    // Of a row without a user more is to be said than that its token may be another's.
    let hasUser = token.userID != nil || token.objectID != nil
    let saysOverwritten = peers.isOverwritten && blockingReasons.isEmpty && hasUser
    self.blockingReasons = saysOverwritten ? [.rtOverwritten] : blockingReasons
    isOverwritten = peers.isOverwritten
    storedTenant = tenant ?? peers.tenant
    derivation = Derivation(
      token, authority: authority, idToken: idToken, userName: idToken?.userID ?? keyUserName,
      storedTenant: storedTenant)
    self.token = token
  }

  /// What kind of row it is, asked in the order of mapping-rules §1.
  private static func kind(of token: LegacyToken, _ authority: Authority?) -> RowKind {
    if token.isTombstone { return .tombstone }
    if token.isAppOnly { return .appOnly }
    if token.assertionHash.nonBlank != nil { return .onBehalfOf }
    if token.sessionKey.map({ !$0.isEmpty }) ?? false || token.hasPrimaryRefreshTokenKey {
      return .primaryRefreshToken
    }
    switch authority?.kind {
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

  private static func blockingReasons(
    of token: LegacyToken, _ kind: RowKind, _ authority: Authority?, _ policy: Policy
  ) -> [Reason] {
    switch kind {
    case .tombstone: return [.rtTombstone]
    case .appOnly: return [.rowAppOnly]
    case .onBehalfOf: return [.rowOnBehalfOf]
    // What is in a broker's group is the broker's, whatever it is (mapping-rules §4.c).
    case _ where token.isOfBroker: return [.rtBroker]
    case .primaryRefreshToken: return token.hasPrimaryRefreshTokenKey ? [.rtPRT] : [.rtSessionKey]
    case .adfs: return [.adfsUnsupported]
    case .b2c: return [.b2cUnsupported]
    case .empty: return [.rowEmpty]
    default: break
    }
    guard let authority else { return [.authorityMalformed] }
    if !authority.isKnown && !policy.allows(authority) { return [.envUnknownHost] }
    guard let client = token.clientID.nonBlank else {
      return [token.refresh == nil ? .atNotCarried : .rtMalformed]
    }
    if kind != .familyRefreshToken {
      if FamilyClient.isOne(client) { return [.rtMalformed] }
      if !policy.includes(client: client) { return [.clientNotInSet] }
    }
    return []
  }
}

extension LegacyRow {
  /// Whether the row can be converted once its account is known.
  var isConvertible: Bool { blockingReasons.isEmpty }

  var claims: IDTokenClaims? { idToken?.claims }

  /// The user as the tenant of the ID token knows it.
  var object: ObjectID? {
    isStoredWithoutIDToken
      ? ObjectID(tid: storedTenant, oid: token.storedObject) : idToken?.object
  }

  /// The name of the user: the ID token's, which MSAL lists the row under, else the one of the key
  /// (D16).
  var userName: String? { idToken?.userID ?? keyUserName }

  /// The tenant that the tokens are of; nil when neither an ID token nor the row itself says it.
  var realm: String? { isStoredWithoutIDToken ? storedTenant : idToken?.realm }

  /// Whether the row holds a refresh token that ADAL could still use.
  var hasUsableRefreshToken: Bool { kind != .tombstone && token.refresh != nil }

  /// Whether MSAL's fallback lists the row by user name, and finds its refresh token by the same
  /// authority (msal-cache-format §6): a refresh token alone, under `common` or a tenant id.
  var isVisibleToFallback: Bool {
    guard kind == .multiResourceRefreshToken || kind == .familyRefreshToken,
      let authority, let user = idToken?.userID, token.isReadByMSAL, !isOfPreview
    else { return false }
    switch authority.tenant {
    case .common, .id: return keyUserName == user
    case .organizations, .consumers, .domain: return false
    }
  }

  /// Whether 0.5-alpha wrote the row, in whose service no library is named. MSAL does not ask for those.
  var isOfPreview: Bool {
    if case .keychain(let key) = token.place {
      !key.service.hasPrefix(LegacyItem.library)
    } else {
      false
    }
  }

  /// When the tokens were issued at the latest, as far as the row says: its modification date; else
  /// the latest of `cachedAt` and the ID token's `iat` (mapping-rules §4.c).
  var evidenceOfAge: Double? {
    token.origin == .apple ? ageOfItem : token.issuedAt ?? idToken?.issuedAt
  }

  private var ageOfItem: Double? {
    token.place.modified ?? [token.cachedAt, idToken?.issuedAt].compactMap { $0 }.max()
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

  /// Whether the item is in the group of a broker app.
  fileprivate var isOfBroker: Bool { place.accessGroup.map(Broker.owns) ?? false }
}

/// The apps that hold tokens for all apps of a device, in access groups and caches of their own.
enum Broker {
  private static let groups = ["com.microsoft.azureauthenticator", "com.microsoft.workplacejoin"]

  /// Whether an access group is a broker's.
  static func owns(_ accessGroup: String) -> Bool { groups.contains { accessGroup.hasSuffix($0) } }
}
