// SPDX-License-Identifier: MIT
import MSALCache

/// What ``Lookup/accessToken(_:)`` answers for one account, client and authority, asked for many scopes: all
/// that does not depend on the scopes is prepared once (D38).
package struct AccessTokenSearch {
  private let lookup: Lookup
  private let query: CredentialQuery
  private let checks: Checks<CredentialRow>
  private let candidates: LookupIndex.AccessTokens

  /// - Parameter query: an access token query without scopes.
  package init(_ lookup: Lookup, _ query: LookupQuery) {
    self.lookup = lookup
    self.query = lookup.accessTokenQuery(query)
    checks = self.query.checks
    candidates = lookup.index.accessTokens(for: self.query)
  }

  /// The cached access token for scopes, expired or not: of several, only the first.
  package func token(for scopes: String) -> Lookup.Token? {
    var query = query
    query.target = scopes
    guard let target = query.targetCheck else { return nil }
    return candidates.ofScopes(scopes).first { target.holds($0) && checks.holds($0) }
      .map(lookup.token)
  }
}

extension LookupIndex {
  /// The access tokens that may answer queries of one account, client and tenant.
  struct AccessTokens {
    fileprivate let index: LookupIndex
    fileprivate let account: AccountKey?

    /// Those that have one of the scopes, which the token that is asked for must have too.
    func ofScopes(_ scopes: String) -> [CredentialRow] {
      guard let account else { return [] }
      return index.accessTokens(of: account, scopes)
    }
  }

  /// - Parameter query: of an access token, with account, client and tenant.
  func accessTokens(for query: CredentialQuery) -> AccessTokens {
    AccessTokens(index: self, account: account(of: query))
  }
}
