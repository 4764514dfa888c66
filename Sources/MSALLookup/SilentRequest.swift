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
    guard let row = find(accessTokenQuery(query)).first,
      ServingQuestion(self, query).isAnswered(by: row)
    else { return nil }
    return token(row)
  }

  /// Why there is no such token: for each access token, what kept it from being it.
  package func silentAccessTokenCandidates(_ query: LookupQuery) -> [LookupCandidate] {
    let query = silentQuery(query)
    let asked = accessTokenQuery(query)
    let failed = find(asked).first.flatMap {
      ServingQuestion(self, query).firstFailure($0, at: $0.place)
    }
    return candidates(asked) + (failed.map { [$0] } ?? [])
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

/// What a silent request asks of the access token that it found.
private struct ServingQuestion: RowQuestion {
  let predicates: [LookupCandidate.Predicate] = [
    .signInState, .cachedAt, .expiresOn, .refreshOn, .idToken, .account,
  ]
  private let now: Double
  private let isSignedOut: Bool
  private let hasIDToken: Bool
  private let hasClaims: Bool
  private let hasAccount: Bool

  init(_ lookup: Lookup, _ query: LookupQuery) {
    now = lookup.now
    let idToken = lookup.find(lookup.idTokenQuery(query)).first
    hasIDToken = idToken != nil
    hasClaims = idToken?.hasClaims ?? false
    hasAccount = lookup.account(query) != nil
    isSignedOut =
      lookup.index.signInState(
        homeAccountID: query.homeAccountID?.normalized, clientID: query.clientID) == .signedOut
  }

  func holds(_ predicate: LookupCandidate.Predicate, for row: LookupRow) -> Bool {
    switch predicate {
    case .signInState: !isSignedOut
    case .cachedAt: !row.isCachedInFuture(at: now)
    case .expiresOn: !row.isTooOld(at: now)
    case .refreshOn: !row.needsRefresh(at: now)
    case .idToken: hasClaims
    default: hasAccount
    }
  }

  func why(_ predicate: LookupCandidate.Predicate, _ row: LookupRow) -> String {
    switch predicate {
    case .signInState:
      "account metadata of this client says signed_out, so MSAL asks the user to sign in"
    case .cachedAt: "was cached at \(row.entry.cachedAt ?? ""), later than now"
    case .expiresOn: "expires at \(said(row.entry.expiresOn)), in less than 300 seconds"
    case .refreshOn: "is due for a refresh since \(row.entry.refreshOn ?? "")"
    case .idToken where hasIDToken:
      "the ID token of the same client, account and tenant has no readable claims"
    case .idToken: "there is no ID token (type 2003) of the same client, account and tenant"
    default: "there is no account of the same tenant"
    }
  }
}

extension String {
  /// What follows the dot of a home account id: the second of exactly two parts, in its own case.
  var homeTenant: String? {
    let parts = split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[1]) : nil
  }
}
