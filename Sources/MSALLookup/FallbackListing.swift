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
    case client(ExactText)
    /// Any client of a family that has no token but the family's.
    case family(ExactText)
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

  /// MSAL's accounts of one user name. Of one home account id a reader lists all of them or none.
  private struct Named {
    /// The accounts of one home account id, as it is spelled.
    struct Home {
      /// One of the accounts.
      let account: LookupRow
      /// The user names as they are spelled.
      var names: Set<ExactText> = []
    }

    private(set) var homes: [Home] = []
    /// Which homes have an account with these members.
    private(set) var homesByMembers: [AccountSet.Members: [Int]] = [:]
    private var positions: [ExactText?: Int] = [:]

    mutating func insert(_ row: LookupRow, _ account: Lookup.TenantAccount) {
      let id = row.entry.homeAccountID.map { ExactText($0) }
      let position = positions[id] ?? homes.count
      if position == homes.count {
        positions[id] = position
        homes.append(Home(account: row))
      }
      if let name = row.entry.username { homes[position].names.insert(name) }
      let members = AccountSet.Members(account)
      if homesByMembers[members]?.last != position {
        homesByMembers[members, default: []].append(position)
      }
    }
  }

  /// What a reader lists of the accounts of one user name.
  private struct Listed: Hashable {
    /// The homes whose accounts are listed.
    var homes: Set<Int> = []
    var hasIdentifier = false
    /// The names of accounts that are not listed, as they are spelled.
    var hidden: Set<ExactText> = []
  }

  /// Clients of a family that list the same accounts of a user name.
  private struct AlikeClients: Hashable {
    let family: ExactText?
    let listed: Listed
  }

  private struct Key: Hashable {
    let reader: Reader
    let name: ExactText?
  }

  private let lookup: Lookup
  private var accountsByName: [ExactText?: Named] = [:]
  /// Rows that give an account its identifier themselves, by the client and by the family that are given them.
  private var identifying: [Key: [ADALFallbackRow]] = [:]
  /// The clients of ADAL's rows.
  private var clientsByName: [ExactText?: Set<ExactText>] = [:]
  /// Two clients of each kind, since one may be a row's own.
  private var alikeByName: [ExactText?: [AlikeClients: [ExactText]]] = [:]
  private var listings: [Reader: (listing: Listing, rows: FallbackListQuery)] = [:]
  private var listed: [Key: Listed] = [:]

  /// - Parameters:
  ///   - lookup: in MSAL's entries.
  ///   - rows: ADAL's rows beside them, of which those with a home account id are listed by it.
  package init(_ lookup: Lookup, beside rows: [ADALFallbackRow]) {
    self.lookup = lookup
    for row in rows where !(row.homeAccountID?.isBlank ?? true) {
      let name = Lookup.ListedAccount.comparable(row.claims?.userID)
      let readers = [
        row.clientID.map { Reader.client(ExactText($0)) },
        row.familyID.map { .family(ExactText($0)) },
      ]
      for reader in readers.compactMap({ $0 }) {
        identifying[Key(reader: reader, name: name), default: []].append(row)
      }
    }
    // What a list asks of an account without naming one.
    let asked = EntryQuery(kind: .account)
    for row in lookup.index.accounts where asked.isAnswered(by: row) {
      accountsByName[Lookup.ListedAccount.comparable(row.entry.username), default: Named()]
        .insert(row, lookup.tenantAccount(row, environment: nil, hasClaims: false))
    }
  }

  /// What the reader's list has of a row.
  package mutating func outcome(of row: ADALFallbackRow, for reader: Reader) -> Outcome {
    let (listing, asked) = listing(for: reader)
    guard row.refreshToken != .tombstone, asked.isAnswered(by: row) else { return .notListed }
    let account = listing.account(row)
    if let identifier = account.identifier, !identifier.isBlank {
      return listing.state(of: identifier) == .signedOut ? .notListed : .byIdentifier
    }
    let name = Lookup.ListedAccount.comparable(account.username)
    let listed = accounts(named: name, for: reader)
    if let name = account.username, listed.hidden.contains(name) { return .hidden }
    // Two accounts without a name are never the same.
    if account.username != nil,
      let homes = accountsByName[name]?.homesByMembers[AccountSet.Members(account)],
      homes.contains(where: listed.homes.contains)
    {
      return .same
    }
    return listed.hasIdentifier ? .nameless : .alone
  }

  /// Makes known a client, as ADAL's rows spell it, that may list accounts of this user name.
  package mutating func add(client: String, named name: String?) {
    clientsByName[Lookup.ListedAccount.comparable(name), default: []].insert(ExactText(client))
  }

  /// Whether a client without app metadata, which is given the rows of the family whichever client they are of, may
  /// list the row's account without its identifier.
  package mutating func isNamelessToOthers(_ row: ADALFallbackRow) -> Bool {
    guard let family = row.familyID.map({ ExactText($0) }) else { return false }
    let own = row.clientID.map { ExactText($0) }
    for (alike, clients) in alikeClients(named: Lookup.ListedAccount.comparable(row.claims?.userID))
    where alike.family == family {
      guard let other = clients.first(where: { $0 != own }) else { continue }
      if outcome(of: row, for: .client(other)) == .nameless { return true }
    }
    return false
  }

  /// The clients that list an account of this user name with its identifier.
  private mutating func alikeClients(named name: ExactText?) -> [AlikeClients: [ExactText]] {
    if let known = alikeByName[name] { return known }
    var clients = clientsByName[name] ?? []
    for id in accountsByName[name]?.homes.compactMap(\.account.entry.homeAccountID) ?? [] {
      clients.formUnion(lookup.index.clients(homeAccountID: id))
    }
    var alike: [AlikeClients: [ExactText]] = [:]
    for client in clients {
      let listed = accounts(named: name, for: .client(client))
      guard listed.hasIdentifier else { continue }
      let family = listing(for: .client(client)).listing.query.familyID
      let key = AlikeClients(family: family.map { ExactText($0) }, listed: listed)
      if alike[key]?.count ?? 0 < 2 { alike[key, default: []].append(client) }
    }
    alikeByName[name] = alike
    return alike
  }

  private mutating func listing(
    for reader: Reader
  ) -> (listing: Listing, rows: FallbackListQuery) {
    if let known = listings[reader] { return known }
    let listing =
      switch reader {
      case .client(let client):
        lookup.listing(LookupQuery(.listedAccounts, clientID: client.text, withLegacy: true))
      case .family(let family):
        Listing(
          lookup, LookupQuery(.accounts, familyID: family.text, withLegacy: true),
          usesMetadata: true)
      }
    let known = (listing, FallbackListQuery(listing))
    listings[reader] = known
    return known
  }

  private mutating func accounts(named name: ExactText?, for reader: Reader) -> Listed {
    let key = Key(reader: reader, name: name)
    if let known = listed[key] { return known }
    let (listing, asked) = listing(for: reader)
    var accounts = Listed()
    for (position, home) in (accountsByName[name]?.homes ?? []).enumerated() {
      if listing.whyNotListed(home.account) == nil {
        accounts.homes.insert(position)
        if home.account.entry.homeAccountID != nil { accounts.hasIdentifier = true }
      } else {
        accounts.hidden.formUnion(home.names)
      }
    }
    // One row may give the identifier, and another of the same name not.
    accounts.hasIdentifier =
      accounts.hasIdentifier
      || rows(givenTo: listing, name).contains { row in
        row.refreshToken != .tombstone && asked.isAnswered(by: row)
          && listing.state(of: row.homeAccountID?.normalized) != .signedOut
      }
    listed[key] = accounts
    return accounts
  }

  /// The identifying rows of the client and of the family that ask.
  private func rows(givenTo listing: Listing, _ name: ExactText?) -> [ADALFallbackRow] {
    let readers = [
      listing.query.clientID.map { Reader.client(ExactText($0)) },
      listing.query.familyID.map { Reader.family(ExactText($0)) },
    ]
    return readers.compactMap { $0 }.flatMap { identifying[Key(reader: $0, name: name)] ?? [] }
  }
}
