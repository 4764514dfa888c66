// SPDX-License-Identifier: MIT
import MSALCache

/// Whom MSAL lists for one client, asked of one account after the other: what all of them have in common is
/// prepared once, and an account is found without going through the others.
///
/// The predicates are those of ``Lookup/listedAccounts(_:)``. Rows of ADAL's are not asked: they add
/// accounts to a list and take none away.
package struct ClientListing {
  private let lookup: Lookup
  private let listing: Listing

  package init(_ lookup: Lookup, clientID: String) {
    self.lookup = lookup
    listing = lookup.listing(LookupQuery(.listedAccounts, clientID: clientID))
  }

  /// Whether the account is in the list.
  ///
  /// - Parameter home: the home account id in lower case.
  package func lists(home: String) -> Bool {
    lookup.index.hasAccount(of: home, where: isListed)
  }

  /// Whether the account is in the list for a user name that it has.
  package func lists(home: String, username: String) -> Bool {
    lookup.index.hasAccount(
      of: home, name: Account.generic(of: username), where: isListed)
  }

  private func isListed(_ row: AccountRow) -> Bool {
    listing.accountQuery.checks.holds(row) && listing.whyNotListed(row) == nil
  }
}
