// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// MSAL's lists of accounts for ADAL's rows that stay in one access group beside MSAL's entries. It answers one row
/// after the other, in numbers; an absent text has no number.
///
/// The predicates are those of `Lookup.possibleLists(_:)`. The accounts of a user name are listed once for each client
/// that asks, so that a row is answered without going through the accounts of other names.
struct FallbackListing: Sendable {
  /// The reader that asks for a list.
  enum Reader: Hashable {
    /// A client, as the row spells it.
    case client(Symbol)
    /// Any client of a family that has no token but the family's.
    case family(Symbol)

    /// A client and a family, those that there are.
    fileprivate static func all(_ client: Symbol?, _ family: Symbol?) -> [Reader] {
      var readers: [Reader] = []
      if let client { readers.append(.client(client)) }
      if let family { readers.append(.family(family)) }
      return readers
    }
  }

  /// The result for a row in a list.
  enum Outcome {
    /// Not in the list. The reader is not given the row, or its user has signed out. Or another row is the same account
    /// and only one of the two has an identifier: then the order of a set decides which one is left out.
    case notListed
    /// Not in the list: an account of the user name that the reader does not list hides the row.
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
    /// As ``nameless``, or not in the list: a row of the same account whose user has signed out may represent this one.
    case namelessOrNotListed
  }

  /// The members that equal accounts share, beside their identifiers (MSIDAccount's `isEqual:`).
  struct Members: Hashable {
    var username: Symbol?
    var environment: Symbol?
    var realm: Symbol?
    var alternativeAccountID: Symbol?
    var accountType = ItemType.account
  }

  /// A row as MSAL's fallback reads it.
  struct Row {
    /// As the archive spells them.
    let client: Symbol?
    let family: Symbol?
    /// Whether MSAL can get tokens with it.
    let isUsable: Bool
    /// The home account id that the row stores, normalized, unless it is blank.
    let home: Symbol?
    /// The account that it is; the user name is folded.
    let account: Members
  }

  /// A list that is asked for, of the accounts of one user name.
  private struct Request: Hashable {
    let reader: Reader
    let name: Symbol?
  }

  /// A list of accounts.
  private struct List {
    /// The client and the family whose tokens list an account, as spelled and as tokens are compared.
    let client: Symbol?
    let family: Symbol?
    let comparedClient: Symbol?
    let comparedFamily: Symbol?
    let ofFamily: NamedHomes.FamilyList
    /// In how many homes more than in the family's list each name is, as spelled.
    var names: [Symbol: Int] = [:]
    var hasIdentifier = false
  }

  /// The rows of one account that a reader is given.
  private struct Rivals {
    var hasNameless = false
    /// The home account ids that they store.
    var homes: Set<Symbol> = []
  }

  private struct Given: Hashable {
    let reader: Reader
    let account: Members
  }

  /// The entries that are there, with the carried ones.
  private let index: MSALIndex
  private var homes = NamedHomes()
  /// MSAL's accounts.
  private var accounts: Set<Members> = []
  /// The home account ids of refresh tokens that are added, and their clients as they are spelled.
  private var granted: [(home: Symbol, client: Symbol)] = []
  private lazy var grantedByHome = Dictionary(grouping: granted) { $0.home }
  /// The only family that there is.
  private let knownFamily: Symbol
  /// The family that the first app metadata of a client says.
  private var families: [Symbol: Symbol?] = [:]
  /// The home account ids that rows give an account themselves, by the reader that is given them.
  private var identified: [Request: Set<Symbol>] = [:]
  /// The accounts of these rows.
  private var identifiedAccounts: Set<Members> = []
  /// These rows, and others of the same accounts.
  private var rivals: [Given: Rivals] = [:]
  /// The clients of ADAL's rows, by user name.
  private var clientsByName: [Symbol?: Set<Symbol>] = [:]
  /// The spellings of clients, by the form that is compared.
  private var spellings: [Symbol: Set<Symbol>] = [:]
  private var lists: [Request: List] = [:]
  /// By user name and family, two clients that list an account of the name with its identifier, and do not hide the name:
  /// one may be a row's own.
  private var open: [Symbol?: [Symbol?: [Symbol]]] = [:]

  /// - Parameters:
  ///   - there: the existing entries of the access group.
  ///   - additions: the entries that the plan adds.
  init(
    _ there: MSALIndex, _ plan: borrowing Plan, _ additions: ArraySlice<Addition>,
    _ symbols: inout Symbols
  ) {
    var index = there
    for addition in additions {
      if let item = plan.carriedItem(of: addition) { index.addRow(item, plan.entry(of: addition)) }
    }
    self.index = index
    knownFamily = symbols.symbol(of: ClientFamilies.known)
    for row in index.accounts where row.type == ItemType.account { insert(row, &symbols) }
    for row in index.listingTokens {
      let entry = row.entry
      guard let home = entry.homeAccountID.map({ symbols.symbol(of: $0) }) else { continue }
      if let client = entry.clientID.map({ symbols.symbol(of: $0) }) {
        homes.insert(tokenOf: home, client, isFamily: false, &symbols)
      }
      if let family = entry.familyID.map({ symbols.symbol(of: $0) }) {
        homes.insert(tokenOf: home, family, isFamily: true, &symbols)
      }
    }
    for row in there.appMetadata { insert(row.entry, service: row.item.service, &symbols) }
    for addition in additions { insert(addition, of: plan, &symbols) }
  }

  // MARK: Existing entries

  private mutating func insert(_ row: LookupRow, _ symbols: inout Symbols) {
    let entry = row.entry
    func symbol(_ text: String) -> Symbol { symbols.symbol(of: text) }
    let members = Members(
      username: entry.username.map(symbol), environment: entry.environment.map(symbol),
      realm: entry.realm.map(symbol), alternativeAccountID: row.alternativeAccountID.map(symbol),
      accountType: row.accountType ?? 0)
    insert(entry.homeAccountID.map(symbol), members, &symbols)
  }

  private mutating func insert(
    _ addition: Addition, of plan: borrowing Plan, _ symbols: inout Symbols
  ) {
    switch addition.content {
    case .token(.refreshToken, let row, let family):
      guard let home = addition.homeAccountID, let client = addition.clientID,
        plan.table.tokens[row].token.refreshToken != .tombstone
      else { return }
      homes.insert(tokenOf: home, client, isFamily: false, &symbols)
      if family != .none { homes.insert(tokenOf: home, family, isFamily: true, &symbols) }
      granted.append((home, client))
    case .token: break
    case .entry(let number):
      let entry = plan.decisions.entries[number]
      let item = plan.decisions.items[number]
      switch addition.type {
      case .account where item == nil:
        insert(
          addition.homeAccountID,
          Members(
            username: entry.username.map { symbols.symbol(of: $0) },
            environment: addition.environment, realm: addition.realm),
          &symbols)
      case .appMetadata where item.map({ $0.type == ItemType.appMetadata }) ?? true:
        insert(entry, service: item?.service, &symbols)
      default: break
      }
    }
  }

  private mutating func insert(_ home: Symbol?, _ members: Members, _ symbols: inout Symbols) {
    homes.insert(home, spelling: members.username, &symbols)
    accounts.insert(members)
  }

  /// - Parameter service: that of the item; nil for the one that the entry gives.
  private mutating func insert(_ metadata: MSALEntry, service: String?, _ symbols: inout Symbols) {
    guard let client = metadata.clientID,
      service?.isExactly(MSALEntry.metadataService(of: client)) ?? true
    else { return }
    let key = symbols.symbol(of: client)
    if families[key] == nil {
      families[key] = .some(metadata.familyID.map { symbols.symbol(of: $0) })
    }
  }

  /// Adds a row that stays beside the entries. Rows with a stored home account ID must come first.
  mutating func insert(_ row: Row) {
    guard row.isUsable, row.home != nil || identifiedAccounts.contains(row.account) else { return }
    if row.home != nil { identifiedAccounts.insert(row.account) }
    for reader in Reader.all(row.client, row.family) {
      let given = Given(reader: reader, account: row.account)
      guard let home = row.home else {
        rivals[given, default: Rivals()].hasNameless = true
        continue
      }
      rivals[given, default: Rivals()].homes.insert(home)
      let request = Request(reader: reader, name: row.account.username)
      identified[request, default: []].insert(home)
    }
  }

  /// Whether some row is taken in.
  var hasRows: Bool { !identifiedAccounts.isEmpty }

  /// Makes known a client, as ADAL's rows or the policy spell it, that may list accounts of this user name.
  mutating func insert(client: Symbol, named name: Symbol?, _ symbols: inout Symbols) {
    if clientsByName[name, default: []].insert(client).inserted {
      spellings[symbols.symbol(of: client, as: \.normalized), default: []].insert(client)
    }
  }

  // MARK: Lists

  /// The result for a row in the reader's list.
  mutating func outcome(
    of row: Row, for reader: Reader, _ symbols: inout Symbols
  ) -> Outcome {
    let list = list(Request(reader: reader, name: row.account.username), &symbols)
    guard isGiven(row, list) else { return .notListed }
    let isHidden = row.account.username.map { homes.hides($0, list.ofFamily, list.names) } ?? false
    if let home = row.home {
      if hasSignedOut(home, list, symbols) { return .notListed }
      // Names hide those without identifier alone.
      let mayBeHidden = isHidden && rivals(of: row.account, list).contains(where: \.hasNameless)
      return mayBeHidden ? .notListed : .byIdentifier
    }
    // Two accounts without a name are never the same.
    if row.account.username == nil { return list.hasIdentifier ? .nameless : .alone }
    if isHidden { return .hidden }
    // One that is not listed hides the name.
    if accounts.contains(row.account) { return .same }
    // If several rows are the same account, the first one represents all.
    if let client = list.client, index.metadata(ofClient: symbols[client]) != nil,
      rivals(of: row.account, list).contains(where: { rivals in
        rivals.homes.contains { hasSignedOut($0, list, symbols) }
      })
    {
      return list.hasIdentifier ? .namelessOrNotListed : .notListed
    }
    return list.hasIdentifier ? .nameless : .alone
  }

  /// The rows of an account that the reader of a list is given.
  private func rivals(of account: Members, _ list: List) -> [Rivals] {
    Reader.all(list.client, list.family).compactMap { rivals[Given(reader: $0, account: account)] }
  }

  /// Whether a client without app metadata may list the row's account without its identifier. Such a client is given
  /// the rows of all clients in the family.
  mutating func isNamelessToOthers(_ row: Row, _ symbols: inout Symbols) -> Bool {
    guard let family = row.family,
      let other = openClients(named: row.account.username, &symbols)[family]?
        .first(where: { $0 != row.client })
    else { return false }
    return outcome(of: row, for: .client(other), &symbols).mayBeNameless
  }

  /// The clients of ``open`` for a user name, by the family that they are taken for.
  private mutating func openClients(
    named name: Symbol?, _ symbols: inout Symbols
  ) -> [Symbol?: [Symbol]] {
    if let known = open[name] { return known }
    var clients = clientsByName[name] ?? []
    for home in homes.ids(named: name) {
      let there = index.clients(homeAccountID: symbols[home])
      var owners = there.map { symbols.symbol(of: $0.text) }
      for token in grantedByHome[home] ?? [] { owners.append(token.client) }
      clients.formUnion(owners)
      // A token lists an account however its client is spelled, and app metadata has only one spelling.
      for owner in owners {
        clients.formUnion(spellings[symbols.symbol(of: owner, as: \.normalized)] ?? [])
      }
    }
    var found: [Symbol?: [Symbol]] = [:]
    for client in clients {
      let list = list(Request(reader: .client(client), name: name), &symbols)
      guard list.hasIdentifier, !(name.map { homes.hides($0, list.ofFamily, list.names) } ?? false)
      else { continue }
      if found[list.family]?.count ?? 0 < 2 { found[list.family, default: []].append(client) }
    }
    open[name] = found
    return found
  }

  private mutating func list(_ request: Request, _ symbols: inout Symbols) -> List {
    if let known = lists[request] { return known }
    let client: Symbol?
    let family: Symbol?
    switch request.reader {
    // Without app metadata a client may be of the family that there is.
    case .client(let own): (client, family) = (own, families[own] ?? knownFamily)
    case .family(let own): (client, family) = (nil, own)
    }
    let comparedFamily = family.map { symbols.symbol(of: $0, as: \.normalized) }
    var list = List(
      client: client, family: family,
      comparedClient: client.map { symbols.symbol(of: $0, as: \.normalized) },
      comparedFamily: comparedFamily,
      ofFamily: homes.list(ofFamily: comparedFamily, named: request.name))
    var count = list.ofFamily.homes.count
    for number in ownHomes(of: list, named: request.name, symbols) {
      let isListed = isListed(homes[number].id, list, symbols)
      if isListed == list.ofFamily.homes.contains(number) { continue }
      count += isListed ? 1 : -1
      for name in homes[number].names { list.names[name, default: 0] += isListed ? 1 : -1 }
    }
    list.hasIdentifier = count > 0
    // One row may give the identifier, and another of the same name not.
    for reader in Reader.all(client, family) {
      for home in identified[Request(reader: reader, name: request.name)] ?? []
      where !list.hasIdentifier {
        list.hasIdentifier = !hasSignedOut(home, list, symbols)
      }
    }
    lists[request] = list
    return list
  }

  /// The homes of a user name that a list may have, or lack, beside its family's.
  // Mutating, since a value that is being changed would be copied to be asked.
  private mutating func ownHomes(of list: List, named name: Symbol?, _ symbols: Symbols) -> [Int] {
    guard let client = list.client, let compared = list.comparedClient else { return [] }
    let noted = index.metadata(ofClient: symbols[client])?.accounts ?? [:]
    return homes.numbers(ofClient: compared, named: name, count: noted.count) {
      noted.keys.compactMap { symbols.known($0.text) }
    }
  }

  private func isGiven(_ row: Row, _ list: List) -> Bool {
    let isOwn = row.client != nil && row.client == list.client
    return row.isUsable && (isOwn || row.family != nil && row.family == list.family)
  }

  private func hasSignedOut(_ home: Symbol, _ list: List, _ symbols: Symbols) -> Bool {
    state(of: symbols[home], list.client, symbols) == .signedOut
  }

  /// Whether the accounts of a home account id are in a list.
  private mutating func isListed(_ home: Symbol?, _ list: List, _ symbols: Symbols) -> Bool {
    guard let home else { return false }
    switch state(of: symbols[home], list.client, symbols) {
    case .signedIn: return true
    case .signedOut: return false
    case .unknown: break
    }
    return homes.holdsToken(of: home, client: list.comparedClient, family: list.comparedFamily)
  }

  /// The sign-in state of a home account ID in the account metadata.
  private func state(
    of home: String?, _ client: Symbol?, _ symbols: Symbols
  ) -> AccountMetadata.SignInState {
    client.map { index.signInState(homeAccountID: home, clientID: symbols[$0]) } ?? .unknown
  }
}
