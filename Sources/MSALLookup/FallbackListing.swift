// SPDX-License-Identifier: MIT
import MSALCache

/// What two accounts have in common that are the same, beside their identifiers (MSIDAccount's `isEqual:`).
package struct AccountMembers: Hashable {
  private let username: ExactText?
  private let environment: ExactText?
  private let realm: ExactText?
  private let alternativeAccountID: ExactText?
  private let accountType: Int

  /// What an account has.
  package init(
    username: String?, environment: String?, realm: String?, alternativeAccountID: String? = nil,
    accountType: Int = ItemType.account
  ) {
    self.username = username.map { ExactText($0) }
    self.environment = environment.map { ExactText($0) }
    self.realm = realm.map { ExactText($0) }
    self.alternativeAccountID = alternativeAccountID.map { ExactText($0) }
    self.accountType = accountType
  }
}

/// What MSAL's lists of accounts make of ADAL's rows that stay beside its entries, asked of one row after the
/// other.
///
/// The predicates are those of `Lookup.listedAccounts(_:)` and `Lookup.otherListedAccounts(_:)`. The accounts
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
    /// The accounts of each home account id, as it is spelled: one of them, and the user names as they are spelled.
    private(set) var homes: [(account: LookupRow, names: Set<ExactText>)] = []
    /// Which homes have an account with these members.
    private(set) var homesByMembers: [AccountMembers: [Int]] = [:]
    private var positions: [ExactText?: Int] = [:]

    mutating func insert(_ row: LookupRow) {
      let id = row.entry.homeAccountID.map { ExactText($0) }
      let position = positions[id] ?? homes.count
      if position == homes.count {
        positions[id] = position
        homes.append((row, []))
      }
      if let name = row.entry.username { homes[position].names.insert(name) }
      let members = AccountMembers(
        username: row.entry.username, environment: row.entry.environment, realm: row.entry.realm,
        alternativeAccountID: row.alternativeAccountID, accountType: row.accountType ?? 0)
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

  private let lookup: Lookup
  private var accountsByName: [ExactText?: Named] = [:]
  /// Rows that give an account its identifier themselves, by the client and by the family that are given them, and
  /// by user name.
  private var identifying: [Reader: [ExactText?: [ADALFallbackToken]]] = [:]
  /// The clients of ADAL's rows.
  private var clientsByName: [ExactText?: Set<ExactText>] = [:]
  /// By user name, family and what they list of the name: two clients of each kind, since one may be a row's own.
  private var alikeByName: [ExactText?: [ExactText?: [Listed: [ExactText]]]] = [:]
  private var listings: [Reader: Listing] = [:]
  private var listed: [Reader: [ExactText?: Listed]] = [:]

  /// - Parameters:
  ///   - lookup: in MSAL's entries.
  ///   - rows: ADAL's rows beside them, of which those with a home account id are listed by it.
  package init(_ lookup: Lookup, beside rows: [ADALFallbackToken]) {
    self.lookup = lookup
    for row in rows where !(row.homeAccountID?.isBlank ?? true) {
      let name = Lookup.comparable(row.claims?.userID)
      for reader in Self.readers(row.clientID, row.familyID) {
        identifying[reader, default: [:]][name, default: []].append(row)
      }
    }
    // What a list asks of an account without naming one.
    let asked = EntryQuery(kind: .account)
    for row in lookup.index.accounts where asked.isAnswered(by: row) {
      accountsByName[Lookup.comparable(row.entry.username), default: Named()]
        .insert(row)
    }
  }

  private static func readers(_ client: String?, _ family: String?) -> [Reader] {
    [client.map { .client(ExactText($0)) }, family.map { .family(ExactText($0)) }].compactMap { $0 }
  }

  /// What the reader's list has of a row.
  package mutating func outcome(of row: ADALFallbackToken, for reader: Reader) -> Outcome {
    let listing = listing(for: reader)
    guard row.refreshToken != .tombstone, listing.rowQuery.isAnswered(by: row) else {
      return .notListed
    }
    if let identifier = row.homeAccountID?.normalized, !identifier.isBlank {
      return listing.state(of: identifier) == .signedOut ? .notListed : .byIdentifier
    }
    let username = row.claims?.userID
    let name = Lookup.comparable(username)
    let listed = accounts(named: name, for: reader)
    if let name = username, listed.hidden.contains(name) { return .hidden }
    // Two accounts without a name are never the same.
    let members = AccountMembers(
      username: username, environment: listing.authority?.environment ?? row.environment,
      realm: row.claims?.realm)
    if username != nil, let homes = accountsByName[name]?.homesByMembers[members],
      homes.contains(where: listed.homes.contains)
    {
      return .same
    }
    return listed.hasIdentifier ? .nameless : .alone
  }

  /// Makes known a client, as ADAL's rows spell it, that may list accounts of this user name.
  package mutating func add(client: String, named name: String?) {
    clientsByName[Lookup.comparable(name), default: []].insert(client)
  }

  /// Whether a client without app metadata, which is given the rows of the family whichever client they are of, may
  /// list the row's account without its identifier.
  package mutating func isNamelessToOthers(_ row: ADALFallbackToken) -> Bool {
    guard let family = row.familyID else { return false }
    let own = row.clientID.map { ExactText($0) }
    let alike = alikeClients(named: Lookup.comparable(row.claims?.userID))
    for clients in (alike[ExactText(family)] ?? [:]).values {
      guard let other = clients.first(where: { $0 != own }) else { continue }
      if outcome(of: row, for: .client(other)) == .nameless { return true }
    }
    return false
  }

  /// The clients that list an account of this user name with its identifier, by the family that they are taken for.
  private mutating func alikeClients(
    named name: ExactText?
  ) -> [ExactText?: [Listed: [ExactText]]] {
    if let known = alikeByName[name] { return known }
    var clients = clientsByName[name] ?? []
    for id in accountsByName[name]?.homes.compactMap(\.account.entry.homeAccountID) ?? [] {
      clients.formUnion(lookup.index.clients(homeAccountID: id))
    }
    var alike: [ExactText?: [Listed: [ExactText]]] = [:]
    for client in clients {
      let listed = accounts(named: name, for: .client(client))
      guard listed.hasIdentifier else { continue }
      let family = listing(for: .client(client)).query.familyID.map { ExactText($0) }
      if alike[family]?[listed]?.count ?? 0 < 2 {
        alike[family, default: [:]][listed, default: []].append(client)
      }
    }
    alikeByName[name] = alike
    return alike
  }

  private mutating func listing(for reader: Reader) -> Listing {
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
    listings[reader] = listing
    return listing
  }

  private mutating func accounts(named name: ExactText?, for reader: Reader) -> Listed {
    if let known = listed[reader]?[name] { return known }
    let listing = listing(for: reader)
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
    if !accounts.hasIdentifier {
      let readers = Self.readers(listing.query.clientID, listing.query.familyID)
      accounts.hasIdentifier = readers.contains { reader in
        (identifying[reader]?[name] ?? []).contains { row in
          row.refreshToken != .tombstone && listing.rowQuery.isAnswered(by: row)
            && listing.state(of: row.homeAccountID?.normalized) != .signedOut
        }
      }
    }
    listed[reader, default: [:]][name] = accounts
    return accounts
  }
}
