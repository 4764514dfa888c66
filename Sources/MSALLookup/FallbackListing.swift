// SPDX-License-Identifier: MIT
import MSALCache

/// What MSAL's lists of accounts make of ADAL's rows that stay beside its entries, asked of one row after the
/// other.
///
/// The predicates are those of ``Lookup/listedAccounts(_:)`` and ``Lookup/otherListedAccounts(_:)``. The accounts
/// of a user name are listed once for each client that asks, so that a row is answered without going through the
/// accounts of other names.
package struct FallbackListing {
  /// Who asks for a list.
  package enum Reader: Sendable, Hashable {
    /// A client, as the row spells it.
    case client(String)
    /// Any client of a family that has no token but the family's.
    case family(String)
  }

  /// What a list has of a row.
  package enum Outcome: Sendable, Hashable {
    /// Nothing: the reader is not given the row, or its user has signed out.
    case notListed
    /// Nothing: an account of the user name that the reader does not list hides it.
    case hidden
    /// An account with the home account id that the row stores.
    case byIdentifier
    /// An account without identifier, which no listed account shares the user name with.
    case alone
    /// An account that MSAL takes for the same as one of its own.
    case same
    /// An account without identifier, which is merged with one that has it: the order of a set decides
    /// whether the merged account has the identifier (D33, D43).
    case nameless
  }

  /// A row of a family as the lists of other clients than its own take it: rows that are equal so have one
  /// outcome there.
  package struct FamilyRow: Hashable, Sendable {
    private let parts: [ExactText?]
    private let isUsable: Bool
    private let hasAccessToken: Bool

    package init(_ row: LazyRow) {
      parts = [
        row.familyID, row.homeAccountID, row.environment, row.claims?.userID, row.claims?.realm,
        row.claims?.localAccountID,
      ].map { $0.map { ExactText($0) } }
      isUsable = row.refreshToken != nil && row.refreshToken != LazyIndex.tombstone
      hasAccessToken = row.hasAccessToken
    }
  }

  /// The accounts of one user name for one reader.
  private struct Named {
    var listed = AccountSet()
    var hasIdentifier = false
    /// The names of accounts that are not listed, as they are spelled.
    var hidden: Set<ExactText> = []
  }

  private struct Key: Hashable {
    let reader: Reader
    let name: ExactText?
  }

  private let lookup: Lookup
  private let accountsByName: [ExactText?: [AccountRow]]
  /// Rows that give an account its identifier themselves.
  private let identifyingByName: [ExactText?: [LazyRow]]
  private var clientsByName: [ExactText?: Set<String>] = [:]
  private var listings: [Reader: Listing] = [:]
  private var named: [Key: Named] = [:]

  /// - Parameters:
  ///   - lookup: in MSAL's entries.
  ///   - rows: ADAL's rows beside them, of which those with a home account id are listed by it.
  package init(_ lookup: Lookup, beside rows: [LazyRow]) {
    self.lookup = lookup
    identifyingByName = Dictionary(
      grouping: rows.filter { !($0.homeAccountID?.isBlank ?? true) }
    ) { Lookup.ListedAccount.comparable($0.claims?.userID) }
    accountsByName = Dictionary(grouping: lookup.index.accounts) {
      Lookup.ListedAccount.comparable($0.username)
    }
  }

  /// What the reader's list has of a row.
  package mutating func outcome(of row: LazyRow, for reader: Reader) -> Outcome {
    let listing = listing(for: reader)
    guard row.refreshToken != LazyIndex.tombstone, listing.lazyChecks.holds(row) else {
      return .notListed
    }
    let account = listing.account(row)
    if let identifier = account.identifier, !identifier.isBlank {
      return listing.state(of: identifier) == .signedOut ? .notListed : .byIdentifier
    }
    let named = accounts(named: account.username, for: reader, listing)
    if let name = account.username, named.hidden.contains(ExactText(name)) { return .hidden }
    if named.listed.contains(account) { return .same }
    return named.hasIdentifier ? .nameless : .alone
  }

  /// The clients, as entries spell them, that may list an account of this user name.
  package mutating func clients(named name: String?) -> Set<String> {
    let key = Lookup.ListedAccount.comparable(name)
    if let known = clientsByName[key] { return known }
    var clients: Set<String> = []
    for id in Set((accountsByName[key] ?? []).compactMap(\.homeAccountID)) {
      clients.formUnion(lookup.index.clients(homeAccountID: id))
    }
    clientsByName[key] = clients
    return clients
  }

  private mutating func listing(for reader: Reader) -> Listing {
    if let known = listings[reader] { return known }
    let listing =
      switch reader {
      case .client(let client):
        lookup.listing(LookupQuery(.listedAccounts, clientID: client, withLegacy: true))
      case .family(let family):
        Listing(
          lookup, LookupQuery(.accounts, familyID: family, withLegacy: true), usesMetadata: true)
      }
    listings[reader] = listing
    return listing
  }

  private mutating func accounts(
    named name: String?, for reader: Reader, _ listing: Listing
  ) -> Named {
    let key = Key(reader: reader, name: Lookup.ListedAccount.comparable(name))
    if let known = named[key] { return known }
    var accounts = Named()
    let checks = listing.accountQuery.checks
    for row in accountsByName[key.name] ?? [] where checks.holds(row) {
      if listing.whyNotListed(row) == nil {
        let account = lookup.tenantAccount(row, environment: nil, hasClaims: false)
        accounts.listed.insert(account)
        if account.identifier != nil { accounts.hasIdentifier = true }
      } else if let name = row.username {
        accounts.hidden.insert(ExactText(name))
      }
    }
    // One row may give the identifier, and another of the same name not.
    accounts.hasIdentifier =
      accounts.hasIdentifier
      || (identifyingByName[key.name] ?? []).contains { row in
        row.refreshToken != LazyIndex.tombstone && listing.lazyChecks.holds(row)
          && listing.state(of: row.homeAccountID?.normalized) != .signedOut
      }
    named[key] = accounts
    return accounts
  }
}
