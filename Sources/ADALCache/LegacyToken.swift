// SPDX-License-Identifier: MIT
import KeychainItems

/// One row of an ADAL's cache in its own words: raw facts, nothing interpreted.
///
/// ``origin`` names the library. In rows of ADAL for .NET, Python and Node the access token works for ``resource``, and
/// ``isMultiResource`` tells whether the refresh token works for other resources too.
///
/// In rows of ADAL for iOS and macOS a string that was archived as a number is that number's decimal text; a field of any other kind
/// than the expected one is nil and named in ``droppedFields``. Tokens and the resource are nil when
/// blank, as ADAL treats them.
///
/// Source: adal-cache-format §2; `ADTokenCacheItem.m`, `MSIDLegacyTokenCacheItem.m`; other-adals §2, §3, §5.
package struct LegacyToken: Sendable, Equatable {
  /// The authority URL, in its archived spelling.
  package var authority: String?
  /// The resource, in its archived spelling; nil for a token good for several resources.
  package var resource: String?
  /// The client id in its archived spelling, or `foci-` and the family's id.
  package var clientID: String?
  /// Whom the keychain account (decoded) or the macOS dictionary key names; `DisplayableId` of ADAL.NET,
  /// `userId` of the lists; nil when the row has none.
  package var userID: String?
  /// `userInformation.userId`, which can differ from ``userID`` (2.7.0–2.7.6).
  package var archivedUserID: String?
  /// `userInformation.rawIdToken`, a JWT of one to three parts.
  package var rawIDToken: TokenSecret?
  /// Nil for a refresh token alone.
  package var accessToken: TokenSecret?
  /// Nil for an access token alone.
  package var refreshToken: TokenSecret?
  /// The key that a refresh request must be signed with (2.0.2–2.6).
  package var sessionKey: TokenSecret?
  /// Usually `Bearer`.
  package var accessTokenType: String?
  /// Unix seconds with the archived fraction.
  package var expiresOn: Double?
  /// Unix seconds (2.7+).
  package var cachedAt: Double?
  /// Unix seconds: `ext_expires_on` or `extended_expires_on` of the server's answer, as a date.
  package var extendedExpiresOn: Double?
  /// The family of clients that share refresh tokens, such as `1`.
  package var familyID: String?
  /// Whether the archive has the key `familyId`, even with a null: older ADAL did not know it.
  package var knowsFamilyID = false
  /// `uid.utid` as stored (2.7+).
  package var homeAccountID: String?
  /// Raw base64url: the key `clientInfo` (2.7.0–2.7.3) or `client_info` of the server's answer;
  /// `RawClientInfo` of ADAL.NET 4 and 5.
  package var clientInfo: String?
  /// Whether ADAL took the token back: the refresh token is `<tombstone>`, or there are details.
  package var isTombstone = false
  /// Intune's enrollment id (2.7.13+).
  package var enrollmentID: String?
  /// The bundle id that the access token is bound to (2.7.13+): archived, or from the service.
  package var applicationIdentifier: String?
  /// Whether the row is a primary refresh token's: class, five service parts, or no client.
  package var hasPrimaryRefreshTokenKey = false
  /// The archived fields that were of a wrong kind or damaged, in the archive's order; entries of
  /// `additionalServer` as `additionalServer.NAME`.
  package var droppedFields: [String] = []
  /// The place of the row.
  package var place: LegacyPlace
  /// The class under which ADAL's releases archive an item.
  package static let releaseClass = "ADTokenCacheStoreItem"
  /// The first name in the class record, such as ``releaseClass``; empty for a row that is not
  /// archived.
  package var className = releaseClass

  /// Whether a value that MSAL decodes is of another class than its decoder names. MSAL of today decodes with
  /// secure coding, so that such a row is unreadable to it (`MSIDLegacyTokenCacheItem.m`, initWithCoder).
  package var failsSecureCoding = false

  /// The library that wrote the row.
  package var origin = Origin.apple
  /// The object id that was kept without its ID token: `UniqueId`, which is the subject when there was no
  /// object id; `oid`.
  package var objectID: String?
  /// The tenant's id that was kept: `TenantId`, `tenantId`.
  package var tenantID: String?
  /// `IdentityProvider`, `identityProvider`. The meaning of its absence depends on ``origin``.
  package var identityProvider: String?
  /// `GivenName`, `givenName`.
  package var givenName: String?
  /// `FamilyName`, `familyName`.
  package var familyName: String?
  /// `isUserIdDisplayable` of the lists: whether ``userID`` is a name, not a subject or a random id. Azure
  /// CLI does not keep it.
  package var hasDisplayableUserID: Bool?
  /// `expiresIn` of the lists: the lifetime of the access token when it was issued, in seconds.
  package var expiresIn: Int?
  /// The kind of subject for which ADAL.NET got the row, from its key.
  package var subjectType: SubjectType?
  /// `UserAssertionHash`: base64 of the SHA-256 of the assertion of the user on whose behalf the row was
  /// acquired.
  package var assertionHash: String?
  /// `ResourceInResponse`: the resource in the answer; in MSAL.NET's own rows, the scopes.
  package var resourceInResponse: String?
  /// Whether the refresh token is for other resources too, as ADAL would have it:
  /// `IsMultipleResourceRefreshToken`, `isMRRT`, or in schema 3 that the answer named a resource.
  package var isMultiResource: Bool?

  /// A library that wrote rows, as far as they differ.
  package enum Origin: Sendable, Equatable {
    /// ADAL for iOS and macOS.
    case apple
    /// ADAL.NET, with its schema: 1 to 2.7, 2 to 2.29, 3 since 3.5.
    case dotNet(schema: Int)
    /// MSAL.NET, in ADAL.NET's schema 3, which keeps only the user of the service's answer.
    case msalNet
    /// ADAL for Python and Azure CLI 2, with times in local time.
    case python
    /// ADAL for Node and azure-cli 1, with times in UTC.
    case node
  }

  /// The last part of ADAL.NET's key. For authorization codes and assertions it depends on the version;
  /// only that the row has no user can be relied on.
  package enum SubjectType: Int, Sendable {
    case user = 0
    /// App-only.
    case client = 1
    case userWithClient = 2
  }
}

extension LegacyToken {
  /// A token with only its place.
  package init(place: LegacyPlace, className: String = releaseClass) {
    self.init(place: place, className: className, origin: .apple)
  }

  /// The text of a field; nil for a field that is no text.
  subscript(text field: ItemField) -> String? {
    get {
      switch field {
      case .authority: authority
      case .resource: resource
      case .clientID: clientID
      case .accessTokenType: accessTokenType
      case .familyID: familyID
      case .homeAccountID: homeAccountID
      case .clientInfo: clientInfo
      case .enrollmentID: enrollmentID
      case .applicationIdentifier: applicationIdentifier
      case .userID: archivedUserID
      case .accessToken, .refreshToken, .sessionKey, .rawIDToken: nil
      case .expiresOn, .cachedAt, .additionalServer, .tombstone, .userInformation: nil
      }
    }
    set {
      switch field {
      case .authority: authority = newValue
      case .resource: resource = newValue?.unlessBlank
      case .clientID: clientID = newValue
      case .accessTokenType: accessTokenType = newValue
      case .familyID: familyID = newValue
      case .homeAccountID: homeAccountID = newValue
      case .clientInfo: clientInfo = newValue
      case .enrollmentID: enrollmentID = newValue
      case .applicationIdentifier: applicationIdentifier = newValue
      case .userID: archivedUserID = newValue
      case .accessToken, .refreshToken, .sessionKey, .rawIDToken: break
      case .expiresOn, .cachedAt, .additionalServer, .tombstone, .userInformation: break
      }
    }
  }

  /// The token or the key of a field; nil for a field that is neither.
  subscript(secret field: ItemField) -> TokenSecret? {
    get {
      switch field {
      case .accessToken: accessToken
      case .refreshToken: refreshToken
      case .sessionKey: sessionKey
      case .rawIDToken: rawIDToken
      default: nil
      }
    }
    set {
      switch field {
      case .accessToken: accessToken = newValue
      case .refreshToken: refreshToken = newValue
      case .sessionKey: sessionKey = newValue
      case .rawIDToken: rawIDToken = newValue
      default: break
      }
    }
  }
}
