// SPDX-License-Identifier: MIT
import MSALCache

/// The accounts that MSAL lists for a client (MSIDDefaultTokenCacheAccessor.m, accountsWithAuthority:… and
/// filterAndFillIdTokenClaims…). This is a class without variables, because a struct would be copied for each row.
package final class Listing: Sendable {
  /// The rows of the accounts.
  package let lookup: Lookup
  /// The listing query.
  package let query: LookupQuery
  /// The authority that is asked with.
  package let authority: RequestAuthority?
  /// The query for accounts.
  package let accountQuery: EntryQuery
  /// The query for ADAL's rows.
  package let rowQuery: FallbackListQuery
  /// The queries for refresh tokens. An account is listed if one of them matches.
  private let tokenQueries: [EntryQuery]
  private let usesMetadata: Bool

  /// - Parameter usesMetadata: whether account metadata is asked.
  package init(_ lookup: Lookup, _ query: LookupQuery, usesMetadata: Bool) {
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
  }

  /// The state in the account metadata, if the query asks for it.
  package func state(of homeAccountID: String?) -> AccountMetadata.SignInState {
    guard usesMetadata else { return .unknown }
    return lookup.index.signInState(homeAccountID: homeAccountID, clientID: query.clientID)
  }

  /// The reason why an account that the query finds is not listed; nil if it is listed.
  package func whyNotListed(_ row: LookupRow) -> LookupPredicate? {
    whyNotListed(homeAccountID: row.entry.homeAccountID)
  }

  /// The same of all accounts with this spelling of a home account id.
  func whyNotListed(homeAccountID: String?) -> LookupPredicate? {
    guard query.signedInOnly else { return nil }
    switch state(of: homeAccountID) {
    case .signedIn: return nil
    case .signedOut: return .signInState
    case .unknown: break
    }
    guard let id = homeAccountID else { return .homeAccountID }
    let tokens = lookup.index.refreshTokens(
      homeAccountID: id, clientID: query.clientID, familyID: query.familyID)
    let isListed = tokenQueries.contains { query in tokens.contains { query.isAnswered(by: $0) } }
    return isListed ? nil : .refreshToken
  }
}

/// The predicates of a list of accounts for a row of ADAL's.
package struct FallbackListQuery: RowQuestion {
  /// The query.
  package let predicates: [LookupPredicate]
  /// The hosts; empty for any.
  package let environments: [String]
  /// The account.
  package let home: String?
  /// The client, or the family.
  package let client: String?
  /// The family, or the client.
  package let family: String?

  init(_ query: LookupQuery, _ environments: [String]) {
    self.environments = environments
    home = query.homeAccountID?.normalized
    client = query.clientID
    family = query.familyID
    var asked: [LookupPredicate] = []
    asked.append(.environment, if: !environments.isEmpty)
    asked.append(.homeAccountID, if: home != nil)
    asked.append(.clientID, if: client != nil || family != nil)
    asked.append(.usable)
    predicates = asked
  }

  /// Whether a predicate holds for a row.
  package func holds(_ predicate: LookupPredicate, for row: ADALFallbackToken) -> Bool {
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
}
