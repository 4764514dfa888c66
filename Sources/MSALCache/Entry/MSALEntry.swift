// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// One entry of MSAL's cache as it is read: a token, an account, or app metadata.
///
/// Every field is absent where the entry has none or where it is no text; ``flaw`` says what an entry lacks
/// that MSAL could use. Fields are spelled as the payload spells them; times are Unix seconds in text
/// (IdentityCore cache/token/MSIDCredentialCacheItem.m, MSIDAccountCacheItem.m, MSIDAppMetadataCacheItem.m;
/// msal-cache-format §2).
package struct MSALEntry: Sendable, Equatable {
  /// The kind of the entry; nil for a token of a type that MSAL does not know.
  package var kind: Kind?
  /// `secret`: the token; nil for an entry without one.
  var token: TokenSecret?
  // One of each field; a copy of an entry costs no copy of them.
  private var texts: [String?]
  /// All other fields, and known ones whose value is not a string.
  package var additional: [String: JSONValue]

  init(_ kind: Kind?, token: TokenSecret? = nil, additional: [String: JSONValue] = [:]) {
    self.kind = kind
    self.token = token
    // A list that is shared would be copied by the first field that is set.
    texts = [String?](repeating: nil, count: Field.count)
    self.additional = additional
  }

  subscript(field: Field) -> String? {
    get { texts[field.rawValue] }
    set { texts[field.rawValue] = newValue }
  }

  /// A token. A parameter that is left out is absent.
  package init(
    kind: Kind, homeAccountID: String, environment: String, clientID: String, secret: TokenSecret,
    realm: String? = nil, target: String? = nil, expiresOn: String? = nil,
    extendedExpiresOn: String? = nil, cachedAt: String? = nil, refreshOn: String? = nil,
    familyID: String? = nil, tokenType: String? = nil, requestedClaims: String? = nil,
    enrollmentID: String? = nil, applicationIdentifier: String? = nil,
    additional: [String: JSONValue] = [:]
  ) {
    self.init(kind, token: secret, additional: additional)
    self.homeAccountID = homeAccountID
    self.environment = environment
    self.clientID = clientID
    self.realm = realm
    self.target = target
    self.expiresOn = expiresOn
    self.extendedExpiresOn = extendedExpiresOn
    self.cachedAt = cachedAt
    self.refreshOn = refreshOn
    self.familyID = familyID
    self.tokenType = tokenType
    self.requestedClaims = requestedClaims
    self.enrollmentID = enrollmentID
    self.applicationIdentifier = applicationIdentifier
  }

  /// A user in one tenant, as MSAL lists accounts. A parameter that is left out is absent.
  package init(
    accountOf homeAccountID: String, environment: String, realm: String? = nil,
    localAccountID: String? = nil, username: String? = nil, authorityType: String = "MSSTS",
    name: String? = nil, givenName: String? = nil, middleName: String? = nil,
    familyName: String? = nil, clientInfo: String? = nil, additional: [String: JSONValue] = [:]
  ) {
    self.init(.account, additional: additional)
    self.homeAccountID = homeAccountID
    self.environment = environment
    self.realm = realm
    self.localAccountID = localAccountID
    self.username = username
    self.authorityType = authorityType
    self[.name] = name
    self[.givenName] = givenName
    self[.middleName] = middleName
    self[.familyName] = familyName
    self.clientInfo = clientInfo
  }

  /// MSAL's metadata of a client in one environment: whether the client belongs to a family.
  ///
  /// No entry at all means unknown, and family `1` is tried; an empty `familyID` means that the client belongs
  /// to none.
  package init(
    metadataOf clientID: String, environment: String, familyID: String? = nil,
    additional: [String: JSONValue] = [:]
  ) {
    self.init(.appMetadata, additional: additional)
    self.clientID = clientID
    self.environment = environment
    self.familyID = familyID
  }
}

extension MSALEntry {
  /// MSAL, on every platform, serves no access token that has fewer seconds left
  /// (IdentityCore oauth2/token/MSIDAccessToken.m; MSAL Python application.py).
  package static let expiryBuffer = 300.0

  /// The token; empty for an entry without one.
  package var secret: TokenSecret {
    get { token ?? TokenSecret([]) }
    set { token = newValue }
  }

  /// `home_account_id`: `uid.utid`.
  package var homeAccountID: String? {
    get { self[.homeAccountID] }
    set { self[.homeAccountID] = newValue }
  }
  /// `environment`: the host of the authority.
  package var environment: String? {
    get { self[.environment] }
    set { self[.environment] = newValue }
  }
  /// `client_id`; on a family's refresh token, the client that got it.
  package var clientID: String? {
    get { self[.clientID] }
    set { self[.clientID] = newValue }
  }
  /// `realm`: the tenant, of accounts, access and ID tokens.
  package var realm: String? {
    get { self[.realm] }
    set { self[.realm] = newValue }
  }
  /// `target`: the scopes of an access token, separated by spaces.
  package var target: String? {
    get { self[.target] }
    set { self[.target] = newValue }
  }
  /// `expires_on`.
  package var expiresOn: String? {
    get { self[.expiresOn] }
    set { self[.expiresOn] = newValue }
  }
  /// `extended_expires_on`.
  package var extendedExpiresOn: String? {
    get { self[.extendedExpiresOn] }
    set { self[.extendedExpiresOn] = newValue }
  }
  /// `cached_at`.
  package var cachedAt: String? {
    get { self[.cachedAt] }
    set { self[.cachedAt] = newValue }
  }
  /// `refresh_on`.
  package var refreshOn: String? {
    get { self[.refreshOn] }
    set { self[.refreshOn] = newValue }
  }
  /// `family_id`: makes a refresh token one of its family.
  package var familyID: String? {
    get { self[.familyID] }
    set { self[.familyID] = newValue }
  }
  /// `token_type`: absent for bearer tokens in a keychain.
  package var tokenType: String? {
    get { self[.tokenType] }
    set { self[.tokenType] = newValue }
  }
  /// `requested_claims`.
  package var requestedClaims: String? {
    get { self[.requestedClaims] }
    set { self[.requestedClaims] = newValue }
  }
  /// `enrollment_id` (Intune).
  package var enrollmentID: String? {
    get { self[.enrollmentID] }
    set { self[.enrollmentID] = newValue }
  }
  /// `application_cache_identifier`: the app's bundle identifier (Intune).
  package var applicationIdentifier: String? {
    get { self[.applicationIdentifier] }
    set { self[.applicationIdentifier] = newValue }
  }
  /// `local_account_id`: the user's object id in the tenant.
  package var localAccountID: String? {
    get { self[.localAccountID] }
    set { self[.localAccountID] = newValue }
  }
  /// `username`.
  package var username: String? {
    get { self[.username] }
    set { self[.username] = newValue }
  }
  /// `authority_type`: `MSSTS` for every account that MSAL finds again.
  package var authorityType: String? {
    get { self[.authorityType] }
    set { self[.authorityType] = newValue }
  }
  /// `client_info` of an account as the token response gave it: base64url of JSON.
  package var clientInfo: String? {
    get { self[.clientInfo] }
    set { self[.clientInfo] = newValue }
  }
}

extension MSALEntry {
  /// Whether a client gets new tokens with it.
  package var isRefreshToken: Bool { kind == .refreshToken || kind == .familyRefreshToken }

  /// Whether the client's own refresh token also names a family: MSAL for Python stores the family in the client's own
  /// token.
  ///
  /// - Parameter key: its key in a document.
  package func ownToken(under key: String) -> MSALEntry? {
    guard isRefreshToken, familyID.nonBlank != nil else { return nil }
    var own = self
    own.familyID = nil
    return key.hasPrefix(own.documentKey) ? own : nil
  }

  /// The cloud of the environment.
  package var cloud: String { Cloud.key(of: environment ?? "") }

  /// The account of the entry: an empty account for app metadata.
  package var account: AccountKey { AccountKey(cloud: cloud, spelled: homeAccountID ?? "") }

  /// The same entry under another host.
  package func moved(to environment: String) -> MSALEntry {
    var moved = self
    moved.environment = environment
    return moved
  }
}
