// SPDX-License-Identifier: MIT

// Between the form of keychain items and that of the cache document (msal-cache-format §7.6). In both
// all known fields are strings: MSAL.NET refuses a whole cache for one number where it expects a
// string, and MSAL for iOS and macOS takes a number for nothing.

extension MSALEntry {
  /// The entry as a cache document holds it, or nil where no library could use it there: tokens
  /// that are bound to a key, kinds that are Apple's alone, access tokens without realm, target or
  /// expiry.
  ///
  /// - Parameter now: Unix seconds, for `cached_at` where it is missing.
  package func portable(at now: Double) -> MSALEntry? {
    var credential = withTextForNumbers
    if kind == .account || kind == .appMetadata { return credential }
    credential.applicationIdentifier = nil
    credential.enrollmentID = nil
    credential.additional["spe_info"] = nil
    credential.additional["last_modification_app"] = nil
    switch kind {
    case .accessToken:
      guard credential.isBearer, credential.realm != nil, credential.target != nil,
        let expiresOn = credential.expiresOn
      else { return nil }
      credential.tokenType = "Bearer"
      credential.expiresOn = expiresOn.inWholeSeconds
      credential.extendedExpiresOn = credential.extendedExpiresOn?.inWholeSeconds
      credential.refreshOn = credential.refreshOn?.inWholeSeconds
      credential.cachedAt = (credential.cachedAt ?? String(wholeSeconds: now)).inWholeSeconds
    case .refreshToken, .familyRefreshToken:
      credential.kind = .refreshToken
      credential = credential.withoutTenant
    case .idToken, .account, .appMetadata: break
    case .v1IDToken, .accessTokenWithAuthScheme, .primaryRefreshToken, .boundRefreshToken,
      .legacySingleResourceToken, nil:
      return nil
    }
    return credential
  }

  /// The entry as a keychain item holds it, or nil where MSAL for iOS and macOS could not use it
  /// there: tokens that are bound to a key or to a request, and access and ID tokens of no tenant.
  ///
  /// - Parameter tenant: the `tid` of the ID token, for a realm that is only `common` or
  ///   `organizations`, as MSAL for Python may write it.
  package func keychainForm(tenant: String?) -> MSALEntry? {
    var credential = withTextForNumbers
    if kind == .account || kind == .appMetadata { return credential }
    credential.additional["ext_expires_on"] = nil
    credential.additional["client_info"] = nil
    switch kind {
    case .accessToken, .idToken:
      guard credential.isBearer, additional["ext_cache_key"] == nil, additional["ext"] == nil,
        additional["user_assertion_hash"] == nil, additional["userAssertionHash"] == nil,
        let realm = credential.realm?.normalized, !realm.isEmpty
      else { return nil }
      credential.tokenType = nil
      if ["common", "organizations"].contains(realm) {
        guard let tenant, !tenant.isBlank else { return nil }
        credential.realm = tenant.normalized
      }
    case .refreshToken: credential = credential.withoutTenant
    case .account, .appMetadata: break
    case .accessTokenWithAuthScheme, .v1IDToken, .familyRefreshToken, .primaryRefreshToken,
      .boundRefreshToken, .legacySingleResourceToken, nil:
      return nil
    }
    return credential
  }

  private var isBearer: Bool { Self.isBearer(tokenType) }

  /// Whether a token of this type needs no key: no type, or `Bearer` in any case.
  package static func isBearer(_ tokenType: String?) -> Bool {
    tokenType.map { $0.isBlank || $0.normalized == "bearer" } ?? true
  }

  /// A refresh token is good for every tenant and resource; a realm or target in it would become part
  /// of its key, and an empty family one of a family without a name.
  private var withoutTenant: MSALEntry {
    var credential = self
    credential.realm = nil
    credential.target = nil
    credential.tokenType = nil
    if credential.familyID?.isBlank == true { credential.familyID = nil }
    return credential
  }
}
