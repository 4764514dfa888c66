// SPDX-License-Identifier: MIT
import MSALCache

/// What ``Lookup/accessToken(_:)`` answers for one account, client and authority, asked for many scopes: all
/// that does not depend on the scopes is prepared once (D38).
package struct AccessTokenSearch {
  private let lookup: Lookup
  private let query: EntryQuery
  private let generic: String
  private let home: String
  private let checks: Checks<LookupRow>

  /// - Parameter query: an access token query with account, client and authority, and without scopes.
  package init(_ lookup: Lookup, _ query: LookupQuery) {
    self.lookup = lookup
    self.query = lookup.accessTokenQuery(query)
    generic = self.query.generic ?? ""
    home = query.homeAccountID?.normalized ?? ""
    checks = self.query.checks
  }

  /// The cached access token for scopes, expired or not: of several, only the first.
  package func token(for scopes: String) -> Lookup.Token? {
    var query = query
    query.target = scopes
    guard let target = query.targetCheck, let scope = Scopes.words(of: scopes).first else {
      return lookup.find(query).first.map(lookup.token)
    }
    return lookup.index.accessTokens(generic: generic, home: home, scope: scope)
      .first { target.holds($0) && checks.holds($0) }.map(lookup.token)
  }
}

/// Whom MSAL lists for one client, asked of one account after the other: what all of them have in common is
/// prepared once, and an account is found without going through the others.
///
/// The predicates are those of ``Lookup/listedAccounts(_:)``. Rows of ADAL's are not asked: they add
/// accounts to a list and take none away.
package struct ClientListing {
  private let listing: Listing

  package init(_ lookup: Lookup, clientID: String) {
    listing = lookup.listing(LookupQuery(.listedAccounts, clientID: clientID))
  }

  /// Whether the account is in the list, or in that for a user name that it has.
  ///
  /// - Parameter home: the home account id in lower case.
  package func lists(home: String, username: String? = nil) -> Bool {
    let generic = username.map { MSALEntry.generic(ofUsername: $0) }
    return listing.lookup.index.hasAccount(home: home, name: username?.normalized) { row in
      generic.map { row.generic == $0 } ?? true
        && listing.accountQuery.checks.holds(row) && listing.whyNotListed(row) == nil
    }
  }
}
