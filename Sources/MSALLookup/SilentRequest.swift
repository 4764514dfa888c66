// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

// What a silent request does with the look-ups (MSAL instance/oauth2/aad/MSALAADOauth2Provider.m,
// IdentityCore requests/MSIDSilentTokenRequest.m and sdk/msal/MSIDDefaultSilentTokenRequest.m).

extension Lookup {
  /// The authority that a silent request of this account looks with: what account metadata names in
  /// place of the given one, else the account's own tenant where that names no tenant.
  package func silentAuthority(
    _ authority: String, homeAccountID: String?, clientID: String?
  ) -> String {
    guard let parsed = RequestAuthority(authority), parsed.isAAD else { return authority }
    let id = homeAccountID?.normalized
    if let mapped = index.authority(
      inPlaceOf: parsed.url, homeAccountID: id, clientID: clientID)
    {
      return mapped
    }
    let parts = id?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2 else { return authority }
    let utid = String(parts[1])
    switch parsed.realm {
    case "common", "consumers": break
    // Personal accounts have no tenant among organizations.
    case "organizations" where utid != HomeAccountID.consumerTenant: break
    default: return authority
    }
    return "https://\(parsed.environment)/\(utid)"
  }

  /// The access token that a silent request would return without asking the service.
  ///
  /// Only the first access token that matches is considered; it must have 300 seconds left, an ID token
  /// and an account of the same tenant must be there, and the account may not be signed out. The authority of the query is taken as
  /// ``silentAuthority(_:homeAccountID:clientID:)`` gives it.
  package func silentAccessToken(_ query: LookupQuery) -> Token? {
    let query = silentQuery(query)
    guard let row = find(accessTokenQuery(query)).first, servingChecks(query).holds(row) else {
      return nil
    }
    return token(row)
  }

  /// Why there is no such token: for each access token, what kept it from being it.
  package func silentAccessTokenCandidates(_ query: LookupQuery) -> [LookupCandidate] {
    let query = silentQuery(query)
    let serving = servingChecks(query)
    let first = find(accessTokenQuery(query)).first
    let failed = first.flatMap { serving.firstFailure($0, at: $0.place) }
    return candidates(accessTokenQuery(query)) + (failed.map { [$0] } ?? [])
  }

  private func silentQuery(_ query: LookupQuery) -> LookupQuery {
    var silent = query
    silent.authority = query.authority.map {
      silentAuthority($0, homeAccountID: query.homeAccountID, clientID: query.clientID)
    }
    silent.isV1 = false
    return silent
  }

  private func servingChecks(_ query: LookupQuery) -> Checks<LookupRow> {
    let now = now
    let idToken = find(idTokenQuery(query)).first
    let hasClaims = idToken.map { IDTokenClaims($0.entry.secret) != nil } ?? false
    let hasAccount = account(query) != nil
    let isSignedOut =
      index.signInState(
        homeAccountID: query.homeAccountID?.normalized, clientID: query.clientID) == .signedOut
    return Checks([
      Check(.signInState) { _ in
        !isSignedOut
      } why: { _ in
        "account metadata of this client says signed_out, so MSAL asks the user to sign in"
      },
      Check(.cachedAt) {
        !$0.isCachedInFuture(at: now)
      } why: {
        "was cached at \($0.entry.cachedAt ?? ""), later than now"
      },
      Check(.expiresOn) {
        !$0.isTooOld(at: now)
      } why: {
        "expires at \(said($0.entry.expiresOn)), in less than 300 seconds"
      },
      Check(.refreshOn) {
        !$0.needsRefresh(at: now)
      } why: {
        "is due for a refresh since \($0.entry.refreshOn ?? "")"
      },
      Check(.idToken) { _ in
        hasClaims
      } why: { _ in
        idToken == nil
          ? "there is no ID token (type 2003) of the same client, account and tenant"
          : "the ID token of the same client, account and tenant has no readable claims"
      },
      Check(.account) { _ in
        hasAccount
      } why: { _ in
        "there is no account of the same tenant"
      },
    ])
  }
}
