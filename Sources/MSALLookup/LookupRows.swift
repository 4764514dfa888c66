// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache

/// An item that MSAL reads as a credential: any JSON object with a secret. Fields are absent where they
/// are not strings, and nothing else is required. A class without a variable: as a struct of twenty parts it is
/// copied at each step of a search.
final class CredentialRow: Sendable {
  let index: Int
  let item: KeychainItem.Key
  let type: Int?
  let generic: [UInt8]?
  /// Nil for a type that MSAL does not know.
  let kind: Credential.Kind?
  let secret: Secret
  let homeAccountID: String?
  let environment: String?
  let clientID: String?
  let realm: String?
  let target: String?
  let familyID: String?
  let requestedClaims: String?
  let expiresOn: String?
  let cachedAt: String?
  let refreshOn: String?
  /// Whether the secret is ADAL's way of saying that a token is gone.
  let isTombstone: Bool
  private let hasKeyID: Bool
  private let hasTokenType: Bool
  private let hasSessionKey: Bool
  private let isBoundToDevice: Bool
  /// As they are compared.
  let normalizedHomeAccountID: String?
  let normalizedEnvironment: String?
  let normalizedClientID: String?

  convenience init?(_ item: KeychainItem, index: Int, members: [String: JSONValue]) {
    guard let secret = members["secret"]?.string else { return nil }
    let text = { (field: String) in members[field]?.string }
    self.init(
      index: index, item: item.key, type: item.type, generic: item.generic,
      kind: text("credential_type").flatMap { Credential.Kind(anyCase: $0) },
      secret: Secret(secret), homeAccountID: text("home_account_id"),
      environment: text("environment"), clientID: text("client_id"), realm: text("realm"),
      target: text("target"), familyID: text("family_id"),
      requestedClaims: text("requested_claims"), expiresOn: text("expires_on"),
      cachedAt: text("cached_at"), refreshOn: text("refresh_on"), hasKeyID: text("kid") != nil,
      hasTokenType: text("token_type") != nil, sessionKey: text("session_key"),
      boundDeviceID: text("bound_device_id"))
  }

  init(
    index: Int, item: KeychainItem.Key, type: Int?, generic: [UInt8]?, kind: Credential.Kind?,
    secret: Secret, homeAccountID: String?, environment: String?, clientID: String?,
    realm: String?, target: String?, familyID: String?, requestedClaims: String?,
    expiresOn: String?, cachedAt: String?, refreshOn: String?, hasKeyID: Bool,
    hasTokenType: Bool, sessionKey: String?, boundDeviceID: String?
  ) {
    self.index = index
    self.item = item
    self.type = type
    self.generic = generic
    self.kind = kind
    self.secret = secret
    self.homeAccountID = homeAccountID
    self.environment = environment
    self.clientID = clientID
    self.realm = realm
    self.target = target
    self.familyID = familyID
    self.requestedClaims = requestedClaims
    self.expiresOn = expiresOn
    self.cachedAt = cachedAt
    self.refreshOn = refreshOn
    self.hasKeyID = hasKeyID
    self.hasTokenType = hasTokenType
    hasSessionKey = sessionKey.flatMap { Base64.bytes(of: $0, .lenientURL) } != nil
    isBoundToDevice = boundDeviceID.map { !$0.isBlank } ?? false
    isTombstone = secret == .tombstone
    normalizedHomeAccountID = homeAccountID?.normalized
    normalizedEnvironment = environment?.normalized
    normalizedClientID = clientID?.normalized
  }

  /// Whether MSAL makes a token of this kind of it (`tokenWithType:`): the payload names the same
  /// kind, and what that kind needs is there.
  func isToken(of kind: Credential.Kind?) -> Bool {
    guard environment != nil, clientID != nil else { return false }
    if kind == .legacySingleResourceToken {
      return (self.kind == kind || self.kind == .accessToken) && target != nil
    }
    guard self.kind == kind else { return false }
    return switch kind {
    case .accessToken: target != nil
    case .accessTokenWithAuthScheme: target != nil && hasKeyID && hasTokenType
    case .primaryRefreshToken: hasSessionKey
    case .boundRefreshToken: isBoundToDevice
    case .refreshToken, .familyRefreshToken, .idToken, .v1IDToken, .legacySingleResourceToken, nil:
      true
    }
  }

  /// Whether an access token is no longer served at `now`: cached in the future, or less than
  /// ``Credential/expiryBuffer`` left. Without an expiry it never expires (MSIDAccessToken.m).
  func isExpired(at now: Double) -> Bool {
    isCachedInFuture(at: now) || isTooOld(at: now)
  }

  func isTooOld(at now: Double) -> Bool {
    guard let expiresOn else { return false }
    return Self.date(Timestamp.number(of: expiresOn)) < Self.date(now) + Credential.expiryBuffer
  }

  func isCachedInFuture(at now: Double) -> Bool {
    guard let cachedAt else { return false }
    return Self.date(now) < Self.date(Timestamp.number(of: cachedAt))
  }

  /// Whether MSAL wants a new one before it uses this one.
  func needsRefresh(at now: Double) -> Bool {
    guard let refreshOn else { return false }
    return Self.date(Timestamp.number(of: refreshOn)) < Self.date(now)
  }

  /// NSDate counts from 2001, which decides how a fraction is rounded.
  private static func date(_ seconds: Double) -> Double { seconds - 978_307_200 }
}

/// An item of an account's type that MSAL reads as an account.
struct AccountRow: Sendable, Equatable {
  let index: Int
  let item: KeychainItem.Key
  let type: Int?
  let generic: [UInt8]?
  /// The number of the authority type in the payload; 1003 is MSSTS.
  let accountType: Int
  let homeAccountID: String?
  let environment: String?
  let realm: String?
  let localAccountID: String?
  let username: String?
  let alternativeAccountID: String?
  let normalizedHomeAccountID: String?

  init?(_ item: KeychainItem, index: Int, members: [String: JSONValue]) {
    let text = { (field: String) in members[field]?.string }
    guard let type = text("authority_type").flatMap(Account.typeNumber(of:)) else { return nil }
    self.init(
      index: index, item: item.key, type: item.type, generic: item.generic, accountType: type,
      homeAccountID: text("home_account_id"), environment: text("environment"),
      realm: text("realm"), localAccountID: text("local_account_id"), username: text("username"),
      alternativeAccountID: text("alternative_account_id"))
  }

  init(
    index: Int, item: KeychainItem.Key, type: Int?, generic: [UInt8]?, accountType: Int,
    homeAccountID: String?, environment: String?, realm: String?, localAccountID: String?,
    username: String?, alternativeAccountID: String?
  ) {
    self.index = index
    self.item = item
    self.type = type
    self.generic = generic
    self.accountType = accountType
    self.homeAccountID = homeAccountID
    self.environment = environment
    self.realm = realm
    self.localAccountID = localAccountID
    self.username = username
    self.alternativeAccountID = alternativeAccountID
    normalizedHomeAccountID = homeAccountID?.normalized
  }
}

/// An item of the type of app metadata.
struct AppMetadataRow: Sendable, Equatable {
  let service: String
  let clientID: String?
  let environment: String?
  let familyID: String?

  init(service: String, clientID: String?, environment: String?, familyID: String?) {
    self.service = service
    self.clientID = clientID
    self.environment = environment
    self.familyID = familyID
  }

  init(_ item: KeychainItem, members: [String: JSONValue]) {
    self.init(
      service: item.service, clientID: members["client_id"]?.string,
      environment: members["environment"]?.string, familyID: members["family_id"]?.string)
  }
}
