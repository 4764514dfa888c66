// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// A row of ADAL's in MSAL's terms. If MSAL finds no entry of its own, it reads the older library's rows in the same
/// access group.
///
/// MSAL finds a row by its key, which may differ from the row's content (IdentityCore
/// cache/accessor/MSIDLegacyTokenCacheAccessor.m; msal-cache-format §6).
@dynamicMemberLookup
package struct ADALFallbackRow: Sendable, Equatable {
  /// The key of a row, all parts in lower case.
  package struct Key: Sendable, Equatable {
    /// The user that it is stored under: empty for no user, nil where no user id leads to it.
    package var userID: String?
    /// The authority as a URL.
    package var authority: String
    /// The resource; nil for tokens that are good for several.
    package var resource: String?
    /// The client, or `foci-` and the family.
    package var client: String
    /// The app it is bound to.
    package var application: String?

    /// A key of parts that are decoded.
    package init(
      userID: String?, authority: String, resource: String? = nil, client: String,
      application: String? = nil
    ) {
      self.userID = userID
      self.authority = authority
      self.resource = resource
      self.client = client
      self.application = application
    }
  }

  /// The key by which MSAL finds the row.
  package var key: Key
  /// The row's place, for reports.
  package var place: KeychainItem.Key
  /// The row's content.
  package var token: ADALFallbackToken

  /// A row that holds a token.
  package init(key: Key, place: KeychainItem.Key, _ token: ADALFallbackToken) {
    self.key = key
    self.place = place
    self.token = token
  }

  /// The row's content, as properties of the row.
  package subscript<Fact>(dynamicMember fact: KeyPath<ADALFallbackToken, Fact>) -> Fact {
    token[keyPath: fact]
  }

  /// Whether it is stored under this user id; nil for any.
  package func isStored(for user: String?) -> Bool {
    user.map { key.userID?.isExactly($0) ?? false } ?? true
  }
}

/// The content of a row of ADAL's as MSAL's fallback reads it. Lists of accounts need no more.
package struct ADALFallbackToken: Sendable, Equatable {
  /// The host of the authority that the row holds.
  package var environment: String?
  /// As the archive spells it.
  package var clientID: String?
  /// The family that the client is in.
  package var familyID: String?
  /// As ADAL 2.7 stored it.
  package var homeAccountID: String?
  /// Those of the ID token.
  package var claims: IDTokenClaims?
  /// Nil for an access token alone.
  package var refreshToken: TokenSecret?
  /// Whether it holds an access token too, which makes it one of a single resource.
  package var hasAccessToken: Bool

  /// A token with these facts.
  package init(
    environment: String?, clientID: String?, familyID: String?, homeAccountID: String?,
    claims: IDTokenClaims?, refreshToken: TokenSecret?, hasAccessToken: Bool
  ) {
    self.environment = environment
    self.clientID = clientID
    self.familyID = familyID
    self.homeAccountID = homeAccountID
    self.claims = claims
    self.refreshToken = refreshToken
    self.hasAccessToken = hasAccessToken
  }

  /// The environment of an authority as a row spells it.
  package static func environment(ofAuthority url: String?) -> String? {
    url.flatMap { WebAddress(likeNSURL: $0)?.hostWithPort }
  }

  /// Whether it is a refresh token to MSAL: no access token beside it, and nothing essential missing.
  package var isRefreshToken: Bool {
    refreshToken != nil && !hasAccessToken && environment != nil && clientID != nil
  }
}

extension IDTokenClaims {
  /// The tenant that IdentityCore takes the token for; none under the base rules.
  package var realm: String? { rules == .base ? nil : tid }
}
