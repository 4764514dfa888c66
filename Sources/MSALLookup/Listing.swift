// SPDX-License-Identifier: MIT
import MSALCache

/// Which accounts MSAL lists for a client
/// (MSIDDefaultTokenCacheAccessor.m, accountsWithAuthority:… and filterAndFillIdTokenClaims…). A class without a
/// variable: as a struct it is copied for each row.
final class Listing: Sendable {
  let lookup: Lookup
  let query: LookupQuery
  let authority: RequestAuthority?
  let accountQuery: EntryQuery
  let rowQuery: FallbackListQuery
  /// What refresh tokens must be for an account to be listed: one of these.
  private let tokenQueries: [EntryQuery]
  private let idTokenQuery: EntryQuery
  private let idTokensOfTenant: [ExactText: LookupRow]?
  private let usesMetadata: Bool

  init(_ lookup: Lookup, _ query: LookupQuery, usesMetadata: Bool) {
    self.lookup = lookup
    self.query = query
    self.usesMetadata = usesMetadata
    authority = lookup.authority(query)
    let environments = authority?.aliases ?? []
    accountQuery = EntryQuery(
      kind: .account, homeAccountID: query.homeAccountID, environments: environments,
      username: query.username)
    let kinds: [MSALEntry.Kind] =
      lookup.index.usesSingleFamilyToken ? [.refreshToken, .familyRefreshToken] : [.refreshToken]
    rowQuery = FallbackListQuery(query, environments)
    tokenQueries = kinds.map { kind in
      EntryQuery(
        kind: kind, environments: environments, clientID: query.clientID,
        familyID: query.familyID, clientOrFamilyIsEnough: true, mustBeToken: false)
    }
    idTokenQuery = lookup.tokenQuery(.idToken, query, authority)
    // An ID token is given the environment that was asked with, so that only the tenant is compared.
    if let authority {
      let tokens = lookup.find(idTokenQuery).map { token in
        let key = MSALIndex.claimsKey(
          token.normalizedHomeAccountID, authority.environment, token.entry.realm)
        return (ExactText(key), token)
      }
      idTokensOfTenant = Dictionary(tokens, uniquingKeysWith: { $1 })
    } else {
      idTokensOfTenant = nil
    }
  }

  /// What account metadata says, where it is asked.
  func state(of homeAccountID: String?) -> AccountMetadata.SignInState {
    guard usesMetadata else { return .unknown }
    return lookup.index.signInState(homeAccountID: homeAccountID, clientID: query.clientID)
  }

  /// What keeps an account that the query finds from being listed; nil when it is.
  func whyNotListed(_ row: LookupRow) -> LookupCandidate.Predicate? {
    guard query.signedInOnly else { return nil }
    switch state(of: row.entry.homeAccountID) {
    case .signedIn: return nil
    case .signedOut: return .signInState
    case .unknown: break
    }
    guard let id = row.entry.homeAccountID else { return .homeAccountID }
    let tokens = lookup.index.refreshTokens(
      homeAccountID: id, clientID: query.clientID, familyID: query.familyID)
    let isListed = tokenQueries.contains { query in tokens.contains { query.isAnswered(by: $0) } }
    return isListed ? nil : .refreshToken
  }

  /// The same as a candidate.
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

  /// Whether an ID token of the same account, environment and tenant, as spelled, can be read.
  func hasClaims(_ row: LookupRow) -> Bool {
    let key = MSALIndex.claimsKey(
      row.normalizedHomeAccountID, authority?.environment ?? row.entry.environment, row.entry.realm)
    let token =
      idTokensOfTenant.map { $0[key] }
      ?? lookup.index.idTokens(key).last { idTokenQuery.isAnswered(by: $0) }
    return token?.hasClaims ?? false
  }

  /// The accounts of ADAL's rows: those with a refresh token and no access token, whose client or
  /// family is spelled exactly as it was asked for (MSIDLegacyTokenCacheAccessor.m).
  func fallbackAccounts() -> [Lookup.TenantAccount] {
    // Two rows of one account stay two, since the order of the rows decides which of them is listed.
    return lookup.fallback.rows(of: FallbackIndex.user(named: query.username))
      .filter { rowQuery.isAnswered(by: $0) }.map(account)
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

/// What a list of accounts asks of a row of ADAL's.
struct FallbackListQuery: RowQuestion {
  let predicates: [LookupCandidate.Predicate]
  private let environments: [String]
  private let home: String?
  private let client: String?
  private let family: String?

  init(_ query: LookupQuery, _ environments: [String]) {
    self.environments = environments
    home = query.homeAccountID?.normalized
    client = query.clientID
    family = query.familyID
    let asked: [(LookupCandidate.Predicate, Bool)] = [
      (.environment, !environments.isEmpty), (.homeAccountID, home != nil),
      (.clientID, client != nil || family != nil), (.usable, true),
    ]
    predicates = asked.filter(\.1).map(\.0)
  }

  func holds(_ predicate: LookupCandidate.Predicate, for row: ADALFallbackRow) -> Bool {
    switch predicate {
    case .environment: environments.hasInAnyCase(row.environment)
    case .homeAccountID: Self.isSame(row.homeAccountID, home)
    case .clientID: Self.isSame(row.clientID, client) || Self.isSame(row.familyID, family)
    default: row.isRefreshToken
    }
  }

  private static func isSame(_ text: String?, _ wanted: String?) -> Bool {
    guard let text, let wanted else { return false }
    return text.isExactly(wanted)
  }

  func why(_ predicate: LookupCandidate.Predicate, _ row: ADALFallbackRow) -> String {
    switch predicate {
    case .environment:
      "asked in \(environments.joined(separator: ", ")), has \(said(row.environment))"
    case .homeAccountID: "asked for the account \(said(home)), has \(said(row.homeAccountID))"
    case .clientID:
      "asked for the client \(said(client)) or the family \(said(family)), has the client "
        + "\(said(row.clientID)) and the family \(said(row.familyID)); case matters here"
    default:
      row.hasAccessToken
        ? "holds an access token, so that it is not listed"
        : "has no refresh token, or no authority or client"
    }
  }
}
