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
    /// The home account id that the row stores, unless it is blank.
    let home: String?
    /// The account that it is; the user name is folded.
    let account: Members
  }

  /// MSAL's accounts of one user name and home account ID. A reader lists all of them or none.
  private struct Home {
    let id: Symbol?
    /// The user names as they are spelled.
    var names: [Symbol] = []
  }

  private struct NamedHome: Hashable {
    let name: Symbol?
    let id: Symbol?
  }

  /// A client or family, as tokens are compared, with a refresh token of a home account id.
  private struct Owner: Hashable {
    let home: Symbol
    let id: Symbol
    let isFamily: Bool
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
    /// The homes of the listed accounts.
    var homes: [Int] = []
    var hasIdentifier = false
    /// The names of accounts that are not listed, as they are spelled.
    var hidden: Set<Symbol> = []
  }

  /// The entries that are there, with the carried ones.
  private let index: MSALIndex
  private var homes: [Home] = []
  private var homeNumbers: [NamedHome: Int] = [:]
  /// The homes of each user name, as names are compared.
  private var homesByName: [Symbol?: [Int]] = [:]
  /// MSAL's accounts.
  private var accounts: Set<Members> = []
  private var owners: Set<Owner> = []
  /// The home account ids of refresh tokens that are added, and their clients as they are spelled.
  private var granted: [(home: Symbol, client: Symbol)] = []
  private lazy var grantedByHome = Dictionary(grouping: granted) { $0.home }
  /// The only family that there is.
  private let knownFamily: Symbol
  /// The family that the first app metadata of a client says.
  private var families: [Symbol: Symbol?] = [:]
  /// Rows that give an account its identifier themselves, and behind them others that are the same account as one of these.
  private var rows: [Row] = []
  /// The positions of the rows with identifiers, by the reader that is given them.
  private var identifyingByRequest: [Request: [Int]] = [:]
  /// The positions of all, by the account that they are.
  private var rowsByMembers: [Members: [Int]] = [:]
  /// The clients of ADAL's rows, by user name.
  private var clientsByName: [Symbol?: Set<Symbol>] = [:]
  /// The spellings of clients, by the form that is compared.
  private var spellings: [Symbol: Set<Symbol>] = [:]
  private var lists: [Request: List] = [:]
  /// By user name, family and the homes that they list: two clients of each kind, since one may be a row's own.
  private var alike: [Symbol?: [Symbol?: [[Int]: [Symbol]]]] = [:]

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
        insert(home, client, isFamily: false, &symbols)
      }
      if let family = entry.familyID.map({ symbols.symbol(of: $0) }) {
        insert(home, family, isFamily: true, &symbols)
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
      insert(home, client, isFamily: false, &symbols)
      if family != .none { insert(home, family, isFamily: true, &symbols) }
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
    let name = members.username.map { symbols.symbol(of: $0, as: \.lowercasedLikeNSString) }
    let key = NamedHome(name: name, id: home)
    let number = homeNumbers[key] ?? homes.count
    if number == homes.count {
      homeNumbers[key] = number
      homes.append(Home(id: home))
      homesByName[name, default: []].append(number)
    }
    if let name = members.username, homes[number].names.last != name {
      homes[number].names.append(name)
    }
    accounts.insert(members)
  }

  private mutating func insert(
    _ home: Symbol, _ owner: Symbol, isFamily: Bool, _ symbols: inout Symbols
  ) {
    let id = symbols.symbol(of: owner, as: \.normalized)
    owners.insert(Owner(home: home, id: id, isFamily: isFamily))
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
    guard row.isUsable, row.home != nil || rowsByMembers[row.account] != nil else { return }
    if row.home != nil {
      let readers = [row.client.map(Reader.client), row.family.map(Reader.family)]
      for reader in readers.compactMap({ $0 }) {
        let request = Request(reader: reader, name: row.account.username)
        identifyingByRequest[request, default: []].append(rows.count)
      }
    }
    rowsByMembers[row.account, default: []].append(rows.count)
    rows.append(row)
  }

  /// Whether some row is taken in.
  var hasRows: Bool { !rows.isEmpty }

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
    let isHidden = row.account.username.map(list.hidden.contains) ?? false
    // If several rows are the same account, the first one represents all.
    let rivals = rowsByMembers[row.account] ?? []
    if row.home != nil {
      if hasSignedOut(row, list, symbols) { return .notListed }
      // Names hide those without identifier alone.
      let mayBeHidden =
        isHidden && rivals.contains { rows[$0].home == nil && isGiven(rows[$0], list) }
      return mayBeHidden ? .notListed : .byIdentifier
    }
    // Two accounts without a name are never the same.
    if row.account.username == nil { return list.hasIdentifier ? .nameless : .alone }
    if isHidden { return .hidden }
    // One that is not listed hides the name.
    if accounts.contains(row.account) { return .same }
    if let client = list.client, index.hasMetadata(ofClient: symbols[client]),
      rivals.contains(where: {
        isGiven(rows[$0], list) && hasSignedOut(rows[$0], list, symbols)
      })
    {
      return list.hasIdentifier ? .namelessOrNotListed : .notListed
    }
    return list.hasIdentifier ? .nameless : .alone
  }

  /// Whether a client without app metadata may list the row's account without its identifier. Such a client is given
  /// the rows of all clients in the family.
  mutating func isNamelessToOthers(_ row: Row, _ symbols: inout Symbols) -> Bool {
    guard let family = row.family else { return false }
    for clients in (alikeClients(named: row.account.username, &symbols)[family] ?? [:]).values {
      guard let other = clients.first(where: { $0 != row.client }) else { continue }
      if outcome(of: row, for: .client(other), &symbols).mayBeNameless { return true }
    }
    return false
  }

  /// The clients that list an account of this user name with its identifier, by the family that they are taken for.
  private mutating func alikeClients(
    named name: Symbol?, _ symbols: inout Symbols
  ) -> [Symbol?: [[Int]: [Symbol]]] {
    if let known = alike[name] { return known }
    var clients = clientsByName[name] ?? []
    for home in (homesByName[name] ?? []).compactMap({ homes[$0].id }) {
      let there = index.clients(homeAccountID: symbols[home])
      var owners = there.map { symbols.symbol(of: $0.text) }
      for token in grantedByHome[home] ?? [] { owners.append(token.client) }
      clients.formUnion(owners)
      // A token lists an account however its client is spelled, and app metadata has only one spelling.
      for owner in owners {
        clients.formUnion(spellings[symbols.symbol(of: owner, as: \.normalized)] ?? [])
      }
    }
    var kinds: [Symbol?: [[Int]: [Symbol]]] = [:]
    for client in clients {
      let list = list(Request(reader: .client(client), name: name), &symbols)
      guard list.hasIdentifier else { continue }
      if kinds[list.family]?[list.homes]?.count ?? 0 < 2 {
        kinds[list.family, default: [:]][list.homes, default: []].append(client)
      }
    }
    alike[name] = kinds
    return kinds
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
    var list = List(
      client: client, family: family,
      comparedClient: client.map { symbols.symbol(of: $0, as: \.normalized) },
      comparedFamily: family.map { symbols.symbol(of: $0, as: \.normalized) })
    for number in homesByName[request.name] ?? [] {
      let home = homes[number]
      if isListed(home.id, list, symbols) {
        list.homes.append(number)
        list.hasIdentifier = true
      } else {
        list.hidden.formUnion(home.names)
      }
    }
    // One row may give the identifier, and another of the same name not.
    for reader in [client.map(Reader.client), family.map(Reader.family)].compactMap({ $0 }) {
      let positions = identifyingByRequest[Request(reader: reader, name: request.name)] ?? []
      for position in positions where !list.hasIdentifier {
        list.hasIdentifier = !hasSignedOut(rows[position], list, symbols)
      }
    }
    lists[request] = list
    return list
  }

  private func isGiven(_ row: Row, _ list: List) -> Bool {
    let isOwn = row.client != nil && row.client == list.client
    return row.isUsable && (isOwn || row.family != nil && row.family == list.family)
  }

  private func hasSignedOut(_ row: Row, _ list: List, _ symbols: Symbols) -> Bool {
    state(of: row.home?.normalized, list.client, symbols) == .signedOut
  }

  /// Whether the accounts of a home account id are in a list.
  // Mutating, since a value that is being changed would be copied to be asked.
  private mutating func isListed(_ home: Symbol?, _ list: List, _ symbols: Symbols) -> Bool {
    guard let home else { return false }
    switch state(of: symbols[home], list.client, symbols) {
    case .signedIn: return true
    case .signedOut: return false
    case .unknown: break
    }
    if let client = list.comparedClient,
      owners.contains(Owner(home: home, id: client, isFamily: false))
    {
      return true
    }
    guard let family = list.comparedFamily else { return false }
    return owners.contains(Owner(home: home, id: family, isFamily: true))
  }

  /// The sign-in state of a home account ID in the account metadata.
  private func state(
    of home: String?, _ client: Symbol?, _ symbols: Symbols
  ) -> AccountMetadata.SignInState {
    client.map { index.signInState(homeAccountID: home, clientID: symbols[$0]) } ?? .unknown
  }
}
