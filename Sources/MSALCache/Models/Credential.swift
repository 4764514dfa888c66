// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// A token as MSAL keeps it: access, refresh or ID token, in MSAL's words.
///
/// Fields are the strings of the JSON payload, spelled as they are there; times are Unix seconds in
/// text. IdentityCore cache/token/MSIDCredentialCacheItem.m; msal-cache-format §2.2.
package struct Credential: Sendable, Hashable {
  /// What kind of token it is; the raw value is what `credential_type` says.
  package enum Kind: String, Sendable, CaseIterable {
    case accessToken = "AccessToken"
    case refreshToken = "RefreshToken"
    case idToken = "IdToken"
    case legacySingleResourceToken = "LegacySingleResourceToken"
    case primaryRefreshToken = "PrimaryRefreshToken"
    case v1IDToken = "V1IdToken"
    case accessTokenWithAuthScheme = "AccessToken_With_AuthScheme"
    case familyRefreshToken = "FamilyRefreshToken"
    case boundRefreshToken = "BoundRefreshToken"

    /// The kind that `credential_type` says, in any case, or nil when MSAL knows none of that name.
    package init?(anyCase text: String) {
      guard let kind = Self.byLowerCaseName[text.lowercasedLikeNSString] else { return nil }
      self = kind
    }

    /// The kind of an item by its kSecAttrType; nil when it is the type of no credential.
    package init?(typeNumber: Int) {
      guard let kind = Self.allCases.first(where: { $0.typeNumber == typeNumber }) else {
        return nil
      }
      self = kind
    }

    private static let byLowerCaseName = Dictionary(
      uniqueKeysWithValues: allCases.map { ($0.lowerCaseName, $0) })

    /// The name as it stands in keys.
    var lowerCaseName: String {
      switch self {
      case .accessToken: "accesstoken"
      case .refreshToken: "refreshtoken"
      case .idToken: "idtoken"
      case .legacySingleResourceToken: "legacysingleresourcetoken"
      case .primaryRefreshToken: "primaryrefreshtoken"
      case .v1IDToken: "v1idtoken"
      case .accessTokenWithAuthScheme: "accesstoken_with_authscheme"
      case .familyRefreshToken: "familyrefreshtoken"
      case .boundRefreshToken: "boundrefreshtoken"
      }
    }

    /// kSecAttrType.
    package var typeNumber: Int {
      switch self {
      case .accessToken: 2001
      case .refreshToken: 2002
      case .idToken: 2003
      case .legacySingleResourceToken: 2004
      case .primaryRefreshToken: 2005
      case .v1IDToken: 2006
      case .accessTokenWithAuthScheme: 2007
      case .familyRefreshToken: 2008
      case .boundRefreshToken: 2009
      }
    }
  }

  /// MSAL, on every platform, serves no access token that has fewer seconds left
  /// (IdentityCore oauth2/token/MSIDAccessToken.m; MSAL Python application.py).
  package static let expiryBuffer = 300.0

  /// `credential_type`.
  package var kind: Kind
  /// `home_account_id`: `uid.utid`.
  package var homeAccountID: String
  /// `environment`: the host of the authority.
  package var environment: String
  /// `client_id`; on a family refresh token, the client that got it.
  package var clientID: String
  /// `secret`: the token.
  package var secret: Secret
  /// `realm`: the tenant, of access and ID tokens.
  package var realm: String?
  /// `target`: the scopes of an access token, separated by spaces.
  package var target: String?
  /// `expires_on`.
  package var expiresOn: String?
  /// `extended_expires_on`.
  package var extendedExpiresOn: String?
  /// `cached_at`.
  package var cachedAt: String?
  /// `refresh_on`.
  package var refreshOn: String?
  /// `family_id`: makes a refresh token one of its family.
  package var familyID: String?
  /// `token_type`: absent for bearer tokens in a keychain.
  package var tokenType: String?
  /// `requested_claims`.
  package var requestedClaims: String?
  /// `enrollment_id` (Intune).
  package var enrollmentID: String?
  /// `application_cache_identifier`: the app's bundle identifier (Intune).
  package var applicationIdentifier: String?
  /// Every other field, and known ones whose value is not a string.
  package var additional: [String: JSONValue]

  /// A credential; what is not said is absent.
  package init(
    kind: Kind, homeAccountID: String, environment: String, clientID: String, secret: Secret,
    realm: String? = nil, target: String? = nil, expiresOn: String? = nil,
    extendedExpiresOn: String? = nil, cachedAt: String? = nil, refreshOn: String? = nil,
    familyID: String? = nil, tokenType: String? = nil, requestedClaims: String? = nil,
    enrollmentID: String? = nil, applicationIdentifier: String? = nil,
    additional: [String: JSONValue] = [:]
  ) {
    self.kind = kind
    self.homeAccountID = homeAccountID
    self.environment = environment
    self.clientID = clientID
    self.secret = secret
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
    self.additional = additional
  }

  /// The credential that this keychain item holds. Its attributes are not looked at: they follow
  /// from the payload.
  ///
  /// - Throws: ``MSALItemError`` when the data is no JSON object, or `credential_type`, `secret`,
  ///   `client_id`, `environment` or `home_account_id` is missing.
  package init(item: KeychainItem) throws(MSALItemError) {
    try self.init(payload: Payload(of: item))
  }

  /// The credential of these fields; where `credential_type` is absent it is `defaultKind`.
  init(payload: Payload, defaultKind: Kind? = nil) throws(MSALItemError) {
    var payload = payload
    if let type = payload.take("credential_type") {
      guard let kind = Kind(anyCase: type) else {
        throw MSALItemError(.unknownType, "MSAL knows no credential type of this name")
      }
      self.kind = kind
    } else if let defaultKind {
      self.kind = defaultKind
    } else {
      throw .missing("credential_type")
    }
    secret = Secret(try payload.require("secret"))
    clientID = try payload.require("client_id")
    environment = try payload.require("environment")
    homeAccountID = try payload.require("home_account_id")
    realm = payload.take("realm")
    target = payload.take("target")
    expiresOn = payload.take("expires_on")
    extendedExpiresOn = payload.take("extended_expires_on")
    cachedAt = payload.take("cached_at")
    refreshOn = payload.take("refresh_on")
    familyID = payload.take("family_id")
    tokenType = payload.take("token_type")
    requestedClaims = payload.take("requested_claims")
    enrollmentID = payload.take("enrollment_id")
    applicationIdentifier = payload.take("application_cache_identifier")
    additional = payload.rest
  }

  /// The fields of the JSON payload.
  var fields: Payload.Fields {
    let known: [JSONField] = [
      JSONField("application_cache_identifier", applicationIdentifier),
      JSONField("cached_at", cachedAt),
      JSONField("client_id", clientID),
      JSONField("credential_type", kind.rawValue),
      JSONField("enrollment_id", enrollmentID),
      JSONField("environment", environment),
      JSONField("expires_on", expiresOn),
      JSONField("extended_expires_on", extendedExpiresOn),
      JSONField("family_id", familyID),
      JSONField("home_account_id", homeAccountID),
      JSONField("realm", realm),
      JSONField("refresh_on", refreshOn),
      JSONField("requested_claims", requestedClaims),
      // Reveal: the payload is the token's place.
      JSONField("secret", String(decoding: secret.reveal(), as: UTF8.self)),
      JSONField("target", target),
      JSONField("token_type", tokenType),
    ]
    return Payload.Fields(known: known, others: additional)
  }

  /// The keychain item of this credential, every attribute derived from the payload.
  ///
  /// - Parameters:
  ///   - accessGroup: with its team prefix.
  ///   - instant: when the item is made, in Unix seconds; nil where a store says so itself.
  package func item(accessGroup: String, at instant: Double?) -> KeychainItem {
    attributes.item(
      accessGroup: accessGroup, data: fields.encoded, at: instant)
  }
}
