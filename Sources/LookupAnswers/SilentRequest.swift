// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

// The use of the look-ups by a silent request (MSAL instance/oauth2/aad/MSALAADOauth2Provider.m, IdentityCore
// requests/MSIDSilentTokenRequest.m and sdk/msal/MSIDDefaultSilentTokenRequest.m).

extension Lookup {
  /// The authority of a silent request for this account: the one that account metadata gives for the requested one, or
  /// else the account's own tenant if the requested authority names no tenant.
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
    guard let utid = id?.homeTenant else { return authority }
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
  /// and an account of the same tenant must be there, and the account may not be signed out. The authority
  /// of the query is taken as ``silentAuthority(_:homeAccountID:clientID:)`` gives it.
  package func silentAccessToken(_ query: LookupQuery) -> Token? {
    let query = silentQuery(query)
    let first = find(accessTokenQuery(query)).first
    return first.flatMap { whyNotServed($0, query) == nil ? token($0) : nil }
  }

  /// The reasons why there is no such token: for each access token, the check that it failed.
  package func silentAccessTokenCandidates(_ query: LookupQuery) -> [LookupCandidate] {
    let query = silentQuery(query)
    let asked = accessTokenQuery(query)
    let failed = find(asked).first.flatMap { whyNotServed($0, query) }
    return candidates(asked) + (failed.map { [$0] } ?? [])
  }

  /// The reason why the first matching access token is not returned.
  private func whyNotServed(_ row: LookupRow, _ query: LookupQuery) -> LookupCandidate? {
    let entry = row.entry
    let idToken = find(idTokenQuery(query)).first
    let state = index.signInState(
      homeAccountID: query.homeAccountID?.normalized, clientID: query.clientID)
    return LookupCandidate(
      row.place,
      firstOf: [
        (
          .signInState, state == .signedOut,
          "account metadata of this client says signed_out, so MSAL asks the user to sign in"
        ),
        (
          .cachedAt, row.isCachedInFuture(at: now),
          "was cached at \(entry.cachedAt ?? ""), later than now"
        ),
        (
          .expiresOn, row.isTooOld(at: now),
          "expires at \(said(entry.expiresOn)), in less than 300 seconds"
        ),
        (
          .refreshOn, row.needsRefresh(at: now),
          "is due for a refresh since \(entry.refreshOn ?? "")"
        ),
        (
          .idToken, idToken == nil,
          "there is no ID token (type 2003) of the same client, account and tenant"
        ),
        (
          .idToken, !(idToken?.hasClaims ?? false),
          "the ID token of the same client, account and tenant has no readable claims"
        ),
        (.account, account(query) == nil, "there is no account of the same tenant"),
      ])
  }

  private func silentQuery(_ query: LookupQuery) -> LookupQuery {
    var silent = query
    silent.authority = query.authority.map {
      silentAuthority($0, homeAccountID: query.homeAccountID, clientID: query.clientID)
    }
    silent.isV1 = false
    return silent
  }
}

extension String {
  /// The part after the dot of a home account ID: the second of exactly two parts, in its own case.
  var homeTenant: String? {
    // Nearly all IDs are ASCII, whose bytes are its characters.
    if utf8.allSatisfy({ $0 < 0x80 }) {
      let parts = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      return parts.count == 2 ? String(Substring(parts[1])) : nil
    }
    let parts = split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[1]) : nil
  }
}
