// SPDX-License-Identifier: MIT
import MSALCache

/// Which accounts MSAL lists for a client
/// (MSIDDefaultTokenCacheAccessor.m, accountsWithAuthority:… and filterAndFillIdTokenClaims…).
struct Listing {
  let lookup: Lookup
  let query: LookupQuery
  let authority: RequestAuthority?
  let accountQuery: EntryQuery
  /// Whom refresh tokens must be of; nil when every account is listed.
  private let tokenChecks: [Checks<LookupRow>]
  private let idTokenChecks: Checks<LookupRow>
  private let idTokensOfTenant: [ExactText: LookupRow]?
  private let usesMetadata: Bool

  init(_ lookup: Lookup, _ query: LookupQuery, usesMetadata: Bool) {
    self.lookup = lookup
    self.query = query
    self.usesMetadata = usesMetadata
    authority = query.authority.flatMap { RequestAuthority($0) }
    let environments = lookup.environments(authority)
    accountQuery = EntryQuery(
      kind: .account, homeAccountID: query.homeAccountID, environments: environments,
      username: query.username)
    var kinds: [MSALEntry.Kind] = [.refreshToken]
    if lookup.index.usesSingleFamilyToken { kinds.append(.familyRefreshToken) }
    tokenChecks = kinds.map { kind in
      EntryQuery(
        kind: kind, environments: environments, clientID: query.clientID,
        familyID: query.familyID, clientOrFamilyIsEnough: true, mustBeToken: false
      ).checks
    }
    let idTokenQuery = EntryQuery(
      kind: .idToken, homeAccountID: query.homeAccountID, environments: environments,
      clientID: query.clientID, realm: authority?.realm)
    idTokenChecks = idTokenQuery.checks
    // An ID token is given the environment that was asked with, so that only the tenant is compared.
    idTokensOfTenant = authority.map { authority in
      Dictionary(
        lookup.find(idTokenQuery).map {
          let key = MSALIndex.claimsKey(
            $0.normalizedHomeAccountID, authority.environment, $0.entry.realm)
          return (key, $0)
        }, uniquingKeysWith: { $1 })
    }
  }

  /// What account metadata says, where it is asked.
  func state(of homeAccountID: String?) -> AccountMetadata.SignInState {
    guard usesMetadata else { return .unknown }
    return lookup.index.signInState(homeAccountID: homeAccountID, clientID: query.clientID)
  }

  /// Why an account that the query finds is not listed.
  enum Refusal {
    case signedOut
    case noHomeAccountID
    case noRefreshToken
  }

  /// Why this account is not listed; nil when it is.
  func whyNotListed(_ row: LookupRow) -> Refusal? {
    guard query.signedInOnly else { return nil }
    switch state(of: row.entry.homeAccountID) {
    case .signedIn: return nil
    case .signedOut: return .signedOut
    case .unknown: break
    }
    guard let id = row.entry.homeAccountID else { return .noHomeAccountID }
    let tokens = lookup.index.refreshTokens(
      homeAccountID: id, clientID: query.clientID, familyID: query.familyID)
    return tokenChecks.contains { tokens.contains(where: $0.holds) } ? nil : .noRefreshToken
  }

  /// The refusal as a candidate.
  func candidate(_ refusal: Refusal, _ row: LookupRow) -> LookupCandidate {
    let place = row.place
    return switch refusal {
    case .signedOut:
      LookupCandidate(place, .signInState, "account metadata of this client says signed_out")
    case .noHomeAccountID:
      LookupCandidate(
        place, .homeAccountID, "has no home account id, by which refresh tokens are found")
    case .noRefreshToken:
      LookupCandidate(
        place, .refreshToken,
        "the client \(said(query.clientID)) and the family \(said(query.familyID)) have no refresh "
          + "token with exactly the home account id \(said(row.entry.homeAccountID))")
    }
  }

  /// Whether an ID token of the same account, environment and tenant, as spelled, can be read.
  func hasClaims(_ row: LookupRow) -> Bool {
    let environment = authority?.environment ?? row.entry.environment
    let token: LookupRow?
    if let idTokensOfTenant {
      token =
        idTokensOfTenant[
          MSALIndex.claimsKey(row.normalizedHomeAccountID, environment, row.entry.realm)]
    } else {
      token = lookup.index.idTokens(
        normalizedHomeAccountID: row.normalizedHomeAccountID, environment: environment,
        realm: row.entry.realm
      ).last(where: idTokenChecks.holds)
    }
    return token.map { IDTokenClaims($0.entry.secret) != nil } ?? false
  }

  /// The accounts of ADAL's rows: those with a refresh token and no access token, whose client or
  /// family is spelled exactly as it was asked for (MSIDLegacyTokenCacheAccessor.m).
  func fallbackAccounts() -> [Lookup.TenantAccount] {
    let checks = fallbackChecks
    // Two rows of one account stay two, since the order of the rows decides which of them is listed.
    return lookup.fallback.rows(of: FallbackIndex.User(query.username)).filter(checks.holds).map(
      account)
  }

  var fallbackChecks: Checks<ADALFallbackRow> {
    let environments = lookup.environments(authority)
    let home = query.homeAccountID?.normalized
    let (client, family) = (query.clientID, query.familyID)
    return Checks([
      environments.isEmpty
        ? nil
        : Check(.environment) { row in
          row.environment.map { environment in
            environments.contains { $0.isEqualInAnyCase(environment) }
          } ?? false
        } why: {
          "asked in \(environments.joined(separator: ", ")), has \(said($0.environment))"
        },
      home.map { home in
        Check(.homeAccountID) {
          $0.homeAccountID?.isExactly(home) ?? false
        } why: {
          "asked for the account \(said(home)), has \(said($0.homeAccountID))"
        }
      },
      client == nil && family == nil
        ? nil
        : Check(.clientID) { row in
          client.map { row.clientID?.isExactly($0) ?? false } ?? false
            || family.map { row.familyID?.isExactly($0) ?? false } ?? false
        } why: {
          "asked for the client \(said(client)) or the family \(said(family)), has the client "
            + "\(said($0.clientID)) and the family \(said($0.familyID)); case matters here"
        },
      Check(.usable) {
        $0.isRefreshToken
      } why: { row in
        row.hasAccessToken
          ? "holds an access token, so that it is not listed"
          : "has no refresh token, or no authority or client"
      },
    ])
  }

  func account(_ row: ADALFallbackRow) -> Lookup.TenantAccount {
    let isOwn = query.clientID.map { row.clientID?.isExactly($0) ?? false } ?? true
    let homeAccountID = row.homeAccountID?.normalized
    let parts = row.homeAccountID?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    return Lookup.TenantAccount(
      identifier: homeAccountID, username: row.claims?.userID,
      environment: authority?.environment ?? row.environment, realm: row.claims?.realm,
      localAccountID: row.claims?.localAccountID, hasClaims: isOwn && row.claims != nil,
      place: .fallbackRow(row.place), displayableID: row.claims?.userID,
      storageEnvironment: row.environment, alternativeAccountID: nil, accountType: 1003,
      utid: parts.count == 2 ? String(parts[1]) : nil)
  }
}
