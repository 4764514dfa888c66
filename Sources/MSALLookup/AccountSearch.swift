// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// A search for one account by one client under one authority. It prepares once everything that does not depend on a
/// family or on scopes (D38).
package struct AccountSearch: ~Copyable {
  private let lookup: Lookup
  private let query: LookupQuery
  private let authority: RequestAuthority?
  private let accessTokens: EntryQuery

  /// - Parameter query: a query with account, client and authority, and without scopes.
  package init(_ lookup: Lookup, _ query: LookupQuery) {
    self.lookup = lookup
    self.query = query
    authority = lookup.authority(query)
    accessTokens = lookup.tokenQuery(.accessToken, query, authority)
  }

  /// The cached access token for scopes, expired or not: of several, only the first.
  package func accessToken(for scopes: String) -> (secret: TokenSecret, isExpired: Bool)? {
    let words = scopes.scopeWords
    var row: LookupRow?
    if let scope = words.first {
      row = lookup.index.accessToken(
        generic: accessTokens.generic ?? "", home: accessTokens.home?.normalized ?? "", scope: scope
      ) {
        ($0.entry.target ?? "").hasScopes(words) && accessTokens.isAnswered(by: $0)
      }
    } else {
      row = lookup.find(accessTokens).first
    }
    return row.map { ($0.entry.secret, $0.isExpired(at: lookup.now)) }
  }

  /// Whether there is an ID token of the account in the authority's tenant.
  package var hasIDToken: Bool {
    !lookup.find(lookup.tokenQuery(.idToken, query, authority)).isEmpty
  }

  /// Whether the client has a refresh token of its own, or with a family that of the family; ADAL's rows are not
  /// asked.
  package func hasRefreshToken(family: String? = nil) -> Bool {
    var query = query
    query.familyID = family
    return lookup.refreshTokenQueries(query, named: nil, environments: accessTokens.environments)
      .contains { !lookup.find($0).isEmpty }
  }
}

/// The accounts that MSAL lists for one client, asked one after the other. Their common parts are prepared once, and an
/// account is found without a scan of the others.
///
/// The predicates are those of `Lookup.listedAccounts(_:)`. Rows of ADAL's are not asked: they add
/// accounts to a list and take none away.
package struct ClientListing {
  private let listing: Listing

  package init(_ lookup: Lookup, clientID: String) {
    listing = lookup.listing(LookupQuery(.listedAccounts, clientID: clientID))
  }

  /// Whether the account is in the list.
  ///
  /// - Parameter home: the home account id in lower case.
  package func lists(home: String) -> Bool {
    listing.lookup.index.hasAccount(home: home, name: nil) { row in
      listing.accountQuery.isAnswered(by: row) && listing.whyNotListed(row) == nil
    }
  }

  /// Whether accounts are listed with one of these spellings of their home account id.
  package func lists(anyOf spellings: [String]) -> Bool {
    spellings.contains { listing.whyNotListed(homeAccountID: $0) == nil }
  }
}

extension Lookup {
  /// How the home account id of an account is spelled in the entries that a list by each of its user names asks; what is
  /// the same for several names comes once, since an account can have many names and many clients.
  ///
  /// - Parameter home: the home account id in lower case.
  package func spellings(ofHome home: String, named names: Set<String>) -> Set<[String]> {
    let query = EntryQuery(kind: .account)
    return names.reduce(into: []) { all, name in
      let generic = MSALEntry.generic(ofUsername: name)
      var spellings: [String] = []
      _ = index.hasAccount(home: home, name: name.normalized) { row in
        if row.generic == generic, query.isAnswered(by: row), let id = row.entry.homeAccountID,
          !spellings.contains(where: { $0.isExactly(id) })
        {
          spellings.append(id)
        }
        return false
      }
      all.insert(spellings)
    }
  }
}
