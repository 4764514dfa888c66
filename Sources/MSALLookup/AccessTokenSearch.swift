// SPDX-License-Identifier: MIT
import MSALCache

/// What ``Lookup/accessToken(_:)`` answers for one account, client and authority, asked for many scopes: all
/// that does not depend on the scopes is prepared once (D38).
package struct AccessTokenSearch {
  private let lookup: Lookup
  private let query: CredentialQuery
  private let checks: Checks<CredentialRow>
  private let account: LookupIndex.GenericOfAccount?

  /// - Parameter query: an access token query with account, client and authority, and without scopes.
  package init(_ lookup: Lookup, _ query: LookupQuery) {
    self.lookup = lookup
    self.query = lookup.accessTokenQuery(query)
    checks = self.query.checks
    account = lookup.index.account(of: self.query)
  }

  /// The cached access token for scopes, expired or not: of several, only the first.
  package func token(for scopes: String) -> Lookup.Token? {
    var query = query
    query.target = scopes
    guard let account, let target = query.targetCheck else { return nil }
    return lookup.index.accessTokens(of: account, scopes)
      .first { target.holds($0) && checks.holds($0) }.map(lookup.token)
  }
}
