// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// The account of a row, as far as the cache tells.
enum Identity: Sendable, Hashable {
  case account(AccountKey)
  /// A user of one tenant whose home account ID is unknown.
  case object(cloud: String, ObjectID)
  /// The account of a user name, which is folded.
  case name(cloud: String, String)
  /// No name is known.
  case unnamed(cloud: String)
}

/// The sign-ins after the migration: for every account and client, whether MSAL finds the account.
///
/// The user's view (D25): a row that is skipped is only as bad as its effect on the user.
struct SignIns: ~Copyable {
  /// One account in one access group, with its clients.
  struct Account: Sendable {
    /// The account, as a number.
    let identity: Int
    let group: String
    /// The result for every client that had a refresh token, or has one now.
    fileprivate(set) var states: [Symbol: Report.SignedIn] = [:]
    /// The families that have a refresh token.
    fileprivate(set) var families: Set<Symbol> = []
    /// Clients for which MSAL does not find the account though it has a refresh token.
    fileprivate(set) var unfound: Set<Symbol> = []

    /// Whether it has, or had, a refresh token of some client or family.
    var hasTokens: Bool { !states.isEmpty || !families.isEmpty }
  }

  /// The accounts; each has a number, its place.
  private(set) var accounts: [Account] = []
  /// Their numbers, by identity and access group.
  private var numbers: [Place: Int] = [:]
  /// The accounts of rows. The number of an account is its place. The table's accounts come first and keep their
  /// numbers.
  private(set) var identities: [Identity]
  private var numbersOfIdentities: [Identity: Int]
  /// The account of each row, by row number; nil for a row that does not count.
  private(set) var accountOfRow: [Int?]
  /// Rows that stay, and that MSAL finds by user name.
  private(set) var listedRows: Set<Int> = []
  /// Rows that stay, of a client that does not see them any more (D19).
  private(set) var hiddenRows: [Int] = []
  /// Rows that stay, by which their client may see an account without its identifier (D33).
  private(set) var namelessRows: [Int] = []
  /// Damaged rows and entries with which a sign-in may be lost (D42).
  private(set) var lostRows: Set<Int> = []
  /// The accounts of each user name, in all caches.
  private var accountsByName: [UserNameKey: Set<AccountKey>] = [:]
  /// The cloud and the home account id of accounts, to the letter: so MSAL joins refresh tokens and accounts
  /// (D20).
  private var spelledAccounts: Set<Grouped<[ExactText]>> = []
  private var coexistence: Coexistence
  /// The rows; its symbols are those of clients that only entries have, too.
  private(set) var table: RowTable
  private let caches: [String: MSALIndex]
  /// Whether each account has a cache of its own.
  private let isDistributed: Bool

  private struct Place: Hashable {
    let identity: Int
    let group: Symbol
  }

  /// - Parameters:
  ///   - unfound: sign-ins with a refresh token whose account MSAL does not find.
  ///   - lookups: MSAL's view of each access group in which rows of ADAL's stay.
  init(
    _ inventory: borrowing Inventory, _ plan: borrowing Plan, unfound: Set<PlanCheck.SignIn>,
    lookups: [String: Lookup]
  ) {
    caches = plan.caches
    isDistributed = inventory.target.isDistributed
    table = plan.table
    identities = table.accounts.map(Identity.account)
    numbersOfIdentities = Dictionary(uniqueKeysWithValues: zip(identities, identities.indices))
    coexistence = Coexistence(inventory, plan)
    accountOfRow = [Int?](repeating: nil, count: inventory.rows.count)
    if Self.asksForNames(inventory, plan) { gatherNames(plan) }
    identify(inventory, plan)
    for account in plan.accounts {
      let number = number(of: account.number, in: account.group)
      for client in account.clients { accounts[number].states[client] = .yes }
      accounts[number].families = account.families
    }
    addEntries(inventory, plan)
    for signIn in unfound {
      let identity = number(of: .account(signIn.account.key))
      let number = number(of: identity, in: signIn.account.group)
      let client = table.symbols.symbol(of: signIn.client.text)
      accounts[number].states[client] = .no
      accounts[number].unfound.insert(client)
    }
    addRows(inventory, plan)
    addDamaged(inventory, plan, lookups)
  }

  /// The result for the row's client and account; nil if the account had no refresh token there, so no sign-in is lost.
  func state(of row: ADALRow) -> Report.SignedIn? {
    accountOfRow[row.number].flatMap { accounts[$0].states[row.client] }
  }

  /// The identity of an account, by the account's number.
  func identity(of account: Int) -> Identity { identities[accounts[account].identity] }

  /// Whether the row is an account in MSAL's form that MSAL does not find for one of its clients.
  func isLostAccount(_ row: Inventory.Row) -> Bool {
    guard row.isAccount, let account = accountOfRow[row.number] else { return false }
    return accounts[account].states.values.contains(.no)
  }

  /// The number of an account in an access group; nil for an unknown account.
  func knownNumber(of identity: Identity, in group: String) -> Int? {
    numbersOfIdentities[identity].flatMap { knownNumber(of: $0, in: table.symbols.known(group)) }
  }

  /// The same of an identity's number.
  func knownNumber(of identity: Int, in group: Symbol?) -> Int? {
    group.flatMap { numbers[Place(identity: identity, group: $0)] }
  }

  private mutating func number(of identity: Int, in group: String) -> Int {
    let place = Place(identity: identity, group: table.symbols.symbol(of: group))
    let number = numbers.number(of: place)
    if number == accounts.count { accounts.append(Account(identity: identity, group: group)) }
    return number
  }

  /// The number of a row's account. A document of the account does not contain a row that only a name leads to the
  /// account, but the user's sign-in is there.
  mutating func number(of identity: Int, for row: Inventory.Row) -> Int {
    number(of: identity, in: group(of: identity, for: row))
  }

  /// The place of the sign-in for a row's account.
  func group(of identity: Int, for row: Inventory.Row) -> String {
    guard isDistributed, case .account(let key) = identities[identity] else { return row.group }
    return PersonalDocument.name(of: key.homeAccountID)
  }

  /// The number of an identity.
  mutating func number(of identity: Identity) -> Int {
    let number = numbersOfIdentities.number(of: identity)
    if number == identities.count { identities.append(identity) }
    return number
  }

  // MARK: Identities

  /// Whether names are needed: for rows whose account only a name can tell, and for MSAL's entries.
  private static func asksForNames(_ inventory: borrowing Inventory, _ plan: borrowing Plan) -> Bool
  {
    plan.table.rows.count < inventory.rows.count || plan.table.rows.contains { $0.account == nil }
  }

  private mutating func gatherNames(_ plan: borrowing Plan) {
    for account in plan.accounts {
      for name in Set(account.rows.lazy.map(\.userName)) where name != .none {
        note(table.symbols[name], of: account.key)
      }
    }
    for (group, cache) in plan.caches {
      for record in cache.strays { note(record) }
      for record in cache.foundEntries { note(record, foundIn: group) }
    }
    for addition in plan.decisions.additions where addition.type == .account {
      note(plan.entry(of: addition), foundIn: table.symbols[addition.group])
    }
  }

  private mutating func note(_ name: String, of account: AccountKey) {
    accountsByName[UserNameKey(cloud: account.cloud, name: name), default: []].insert(account)
  }

  /// - Parameter group: where MSAL finds the entry; nil where it does not.
  private mutating func note(_ record: MSALEntry, foundIn group: String? = nil) {
    guard record.kind == .account else { return }
    let account = record.account
    guard account.hasIdentifier else { return }
    if let group { spelledAccounts.insert(Self.spelling(of: record, in: group)) }
    if let name = record.username { note(name, of: account) }
  }

  private static func spelling(of record: MSALEntry, in group: String) -> Grouped<[ExactText]> {
    Grouped(
      group: group, key: [ExactText(record.cloud), ExactText(record.homeAccountID ?? "")])
  }

  /// Finds the account of each row. Unselected clients do not count, nor does an account that has only entries of
  /// unselected clients in an access group.
  private mutating func identify(_ inventory: borrowing Inventory, _ plan: borrowing Plan) {
    // A row of each of their accounts, in an access group.
    var others: Set<Place> = []
    var entries: [(row: Inventory.Row, identity: Int)] = []
    for row in inventory.rows {
      if case .legacy = row.content {
        guard let found = table[row.number], !found.hasNoUser else { continue }
        let identity = identityNumber(of: found)
        if !plan.selects(row) {
          others.insert(place(of: identity, for: row))
        } else {
          accountOfRow[row.number] = number(of: identity, for: row)
        }
      } else if case .unified(let unified) = row.content,
        let identity = unified.record.flatMap({ identityNumber(of: $0) })
      {
        if row.isAccount {
          entries.append((row, identity))
        } else if plan.selects(row) {
          accountOfRow[row.number] = number(of: identity, for: row)
        } else {
          others.insert(place(of: identity, for: row))
        }
      }
    }
    let asked = accounts.count
    for (row, identity) in entries {
      let place = place(of: identity, for: row)
      if !others.contains(place) || (numbers[place] ?? asked) < asked {
        accountOfRow[row.number] = number(of: identity, for: row)
      }
    }
  }

  private mutating func place(of identity: Int, for row: Inventory.Row) -> Place {
    Place(identity: identity, group: table.symbols.symbol(of: group(of: identity, for: row)))
  }

  /// The number of an entry's account; nil for an entry without an account.
  mutating func identityNumber(of record: MSALEntry) -> Int? {
    guard record.homeAccountID != nil else { return nil }
    let account = record.account
    return account.hasIdentifier ? number(of: .account(account)) : nil
  }

  /// The number of a row's account.
  mutating func identityNumber(of row: ADALRow) -> Int {
    let isOfEntraID = table.url(of: row)?.kind == .aad
    if isOfEntraID, let account = row.account { return account }
    let cloud = table.symbols[row.cloud]
    if isOfEntraID, let object = table.certainObject(of: row) {
      return number(of: .object(cloud: cloud, object))
    }
    guard row.userName != .none else { return number(of: .unnamed(cloud: cloud)) }
    let name = table.symbols[row.userName]
    let accounts = isOfEntraID ? accountsByName[UserNameKey(cloud: cloud, name: name)] ?? [] : []
    if accounts.count == 1, let account = accounts.first { return number(of: .account(account)) }
    return number(of: .name(cloud: cloud, name))
  }

  // MARK: Sign-ins

  /// Refresh tokens in MSAL's form that are there or are carried.
  private mutating func addEntries(_ inventory: borrowing Inventory, _ plan: borrowing Plan) {
    for row in inventory.rows {
      guard case .unified(let unified) = row.content, let token = unified.record,
        token.isRefreshToken, plan.isOfItsClient(unified, in: row.group),
        let account = accountOfRow[row.number]
      else { continue }
      // Another token of the family may be there that names another client of the family.
      let isListed =
        plan.caches[row.group]?.first(of: token.keys) != nil
        && spelledAccounts.contains(Self.spelling(of: token, in: row.group))
      let client = table.symbols.symbol(of: (token.clientID ?? "").identifier)
      raise(account, client, to: isListed ? .yes : .no)
    }
  }

  private mutating func addRows(_ inventory: borrowing Inventory, _ plan: borrowing Plan) {
    for row in table.rows {
      let number = row.number
      let stays = inventory.rowsInPlace.contains(number)
      let isFound = stays && isFoundByName(row)
      if isFound { listedRows.insert(number) }
      if let account = accountOfRow[number], row.hasUsableRefreshToken, row.countsAsSignIn {
        let isLost = !isFound || accounts[account].unfound.contains(row.client)
        raise(account, row.client, to: isLost ? .no : .byUserName)
      }
      if stays { noteCoexistence(row) }
    }
    addLoneFamilies(plan)
  }

  /// An account with only a family's refresh token and no known client is signed in with that token.
  private mutating func addLoneFamilies(_ plan: borrowing Plan) {
    let rows = table.rows.filter { $0.kind == .familyRefreshToken && $0.hasUsableRefreshToken }
    guard !rows.isEmpty else { return }
    let known = Set(accounts.lazy.filter(\.hasTokens).map(\.identity))
    for row in rows {
      guard let account = accountOfRow[row.number], !known.contains(accounts[account].identity)
      else { continue }
      let isListed =
        listedRows.contains(row.number)
        && !plan.decisions[row.number].reasons.contains(.accountSignedOut)
        && coexistence.lists(row, forAnyOf: plan.policy.clientIDs, table)
      raise(account, row.client, to: isListed ? .byUserName : .no)
    }
  }

  private mutating func raise(_ account: Int, _ client: Symbol, to state: Report.SignedIn) {
    // A lookup by name finds even a user who signed out, because MSAL does not know the account.
    let isHidden = state == .yes && isSignedOut(accounts[account], of: client)
    let state = isHidden ? .no : state
    if accounts[account].states[client].map(state.isBetter) ?? true {
      accounts[account].states[client] = state
    }
  }

  /// Whether MSAL hides the account from the client, with any tokens (D13).
  private func isSignedOut(_ account: Account, of client: Symbol) -> Bool {
    guard case .account(let key) = identities[account.identity] else { return false }
    return caches[account.group]?.isSignedOut(client: table.symbols[client], home: key.home)
      ?? false
  }

  /// Notes the account of a row that cannot be read, and whether its client may have lost it (D42).
  mutating func note(
    damaged row: Inventory.Row, of identity: Int, client: String, isLost: Bool
  ) {
    let client = table.symbols.symbol(of: client)
    let account = number(of: identity, for: row)
    accountOfRow[row.number] = account
    guard isLost else { return }
    accounts[account].states[client] = .no
    lostRows.insert(row.number)
  }

  // MARK: Fallback

  /// Whether MSAL's fallback still finds a row that stays: no account of the same user name hides
  /// it from the row's client.
  private mutating func isFoundByName(_ row: ADALRow) -> Bool {
    table.isFoundByFallback(row) && coexistence.lists(row, table)
  }

  /// Finds the effect of accounts in MSAL's form on a row that stays without an identifier.
  private mutating func noteCoexistence(_ row: ADALRow) {
    if coexistence.isNameless(row, table) { namelessRows.append(row.number) }
    if let account = row.account, row.isConvertible, isSignedIn(account, row) { return }
    if coexistence.hides(row, table) { hiddenRows.append(row.number) }
  }

  private func isSignedIn(_ account: Int, _ row: ADALRow) -> Bool {
    guard let number = knownNumber(of: account, in: row.group) else { return false }
    return row.kind == .familyRefreshToken
      ? accounts[number].families.contains(row.family)
      : accounts[number].states[row.client] == .yes
  }
}
