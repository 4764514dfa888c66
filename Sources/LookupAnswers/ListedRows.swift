// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

extension Listing {
  /// What keeps an account that the query finds from being listed, as a candidate; nil when it is listed.
  func candidate(_ row: LookupRow) -> LookupCandidate? {
    whyNotListed(row).map { failed in
      let why =
        switch failed {
        case .signInState: "account metadata of this client says signed_out"
        case .homeAccountID: "has no home account id, by which refresh tokens are found"
        default:
          "the client \(said(query.clientID)) and the family \(said(query.familyID)) have no refresh "
            + "token with exactly the home account id \(said(row.entry.homeAccountID))"
        }
      return LookupCandidate(row.place, failed, why)
    }
  }

  /// The accounts of ADAL's rows: those with a refresh token and no access token, whose client or
  /// family is spelled exactly as it was asked for (MSIDLegacyTokenCacheAccessor.m).
  func fallbackAccounts() -> [Lookup.TenantAccount] {
    // Two rows of one account stay two, since the order of the rows decides which of them is listed.
    return lookup.fallback.rows(of: FallbackIndex.user(named: query.username))
      .filter { rowQuery.isAnswered(by: $0.token) }.map(account)
  }

  func account(_ row: ADALFallbackRow) -> Lookup.TenantAccount {
    let isOwn = query.clientID.map { row.clientID?.isExactly($0) ?? false } ?? true
    let realm = row.claims?.realm
    return Lookup.TenantAccount(
      identifier: row.homeAccountID?.normalized, username: row.claims?.userID,
      environment: authority?.environment ?? row.environment, realm: realm,
      localAccountID: row.claims?.localAccountID, hasClaims: isOwn && row.claims != nil,
      place: .fallbackRow(row.place), storageEnvironment: row.environment,
      isHome: Lookup.isHome(realm, of: row.homeAccountID))
  }
}

/// Which accounts of a list have claims.
struct ListedClaims {
  private let listing: Listing
  private let query: EntryQuery
  private let tokensOfTenant: [ExactText: LookupRow]?

  init(_ listing: Listing) {
    self.listing = listing
    query = listing.lookup.tokenQuery(.idToken, listing.query, listing.authority)
    // An ID token is given the environment that was asked with, so that only the tenant is compared.
    if let authority = listing.authority {
      let tokens = listing.lookup.find(query).map { token in
        let key = MSALIndex.claimsKey(
          token.normalizedHomeAccountID, authority.environment, token.entry.realm)
        return (ExactText(key), token)
      }
      tokensOfTenant = Dictionary(tokens, uniquingKeysWith: { $1 })
    } else {
      tokensOfTenant = nil
    }
  }

  /// Whether an ID token of the same account, environment and tenant, as spelled, can be read.
  func areThere(for row: LookupRow) -> Bool {
    let key = MSALIndex.claimsKey(
      row.normalizedHomeAccountID, listing.authority?.environment ?? row.entry.environment,
      row.entry.realm)
    let token =
      tokensOfTenant.map { $0[key] }
      ?? listing.lookup.index.idTokens(key).last { query.isAnswered(by: $0) }
    return token?.hasClaims ?? false
  }
}
