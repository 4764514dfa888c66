// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// Whose a row is, as well as the cache tells.
enum Identity: Sendable, Hashable {
  case account(AccountKey)
  /// A user of one tenant, of whom the home account id is not known.
  case object(cloud: String, ObjectID)
  /// The account of a user name, which is folded.
  case name(cloud: String, String)
  /// No name is known.
  case unnamed(cloud: String)
}

/// One account with one client, or one family, in one access group.
struct SignIn: Sendable, Hashable {
  var identity: Identity
  @ExactText var group: String
  var client: ExactText
}

/// Who stays signed in: for every account and client, whether MSAL finds it after the migration.
///
/// The user's view (D25): a row that is skipped is only as bad as its effect on the user.
struct SignIns: Sendable {
  /// Whose each row is, by row number; nil for what counts nowhere.
  private(set) var identities: [Identity?]
  /// What becomes of every sign-in that had a refresh token, or has one now.
  private(set) var states: [SignIn: Report.SignedIn] = [:]
  /// Rows that stay, and that MSAL finds by user name.
  private(set) var listedRows: Set<Int> = []
  /// Rows that stay, of a client that does not see them any more (D19).
  private(set) var hiddenRows: [Int] = []
  /// Rows that stay, by which their client may see an account without its identifier (D33).
  private(set) var namelessRows: [Int] = []
  /// Damaged rows and entries with which a sign-in may be lost (D42).
  private(set) var lostRows: Set<Int> = []
  private var families: Set<SignIn> = []
  /// Who has to sign in again, to some client.
  private var lost: Set<Grouped<Identity>> = []
  /// The accounts of each user name, in whichever cache.
  private var accountsByName: [UserNameKey: Set<AccountKey>] = [:]
  /// The cloud and the home account id of accounts, to the letter: so MSAL joins refresh tokens and accounts
  /// (D20).
  private var spelledAccounts: Set<Grouped<[ExactText]>> = []
  private var coexistence: Coexistence
  private let caches: [String: MSALIndex]

  /// - Parameters:
  ///   - unfound: sign-ins that have a refresh token, and whose account MSAL does not find.
  ///   - lookups: what MSAL finds in each access group in which rows of ADAL's stay.
  init(
    _ inventory: Inventory, _ plan: Plan, unfound: Set<SignIn>, lookups: [String: Lookup]
  ) {
    caches = plan.caches
    coexistence = Coexistence(plan.rows, staying: inventory.rowsInPlace, lookups)
    identities = [Identity?](repeating: nil, count: inventory.rows.count)
    if Self.asksForNames(inventory, plan) { gatherNames(plan) }
    identify(inventory, plan)
    addPeople(plan)
    addMSALRow(inventory, plan)
    for signIn in unfound { states[signIn] = .no }
    addOthers(inventory, plan, unfound: unfound)
    addDamaged(inventory, plan, lookups)
    lost = Set(
      states.lazy.filter { $0.value == .no }.map {
        Grouped(group: $0.key.group, key: $0.key.identity)
      })
  }

  /// What the account of a row can expect of the row's client; nil when it had no refresh token there,
  /// so that nothing is lost.
  func state(of row: LegacyRow) -> Report.SignedIn? {
    guard let identity = identities[row.number] else { return nil }
    return states[SignIn(identity: identity, group: row.group, client: row.client)]
  }

  /// Whether the row is an account in MSAL's form that MSAL does not find for one of its clients.
  func isLostAccount(_ row: Inventory.Row) -> Bool {
    guard row.isAccount, let identity = identities[row.number] else { return false }
    return lost.contains(Grouped(group: row.group, key: identity))
  }

  // MARK: Identities

  /// Whether names are asked for: by rows of which nothing else tells whose they are, rows that stay beside
  /// MSAL's entries, and those entries.
  private static func asksForNames(_ inventory: Inventory, _ plan: Plan) -> Bool {
    !inventory.rowsInPlace.isEmpty || plan.rows.count < inventory.rows.count
      || plan.rows.contains { $0.answer.homeAccountID == nil }
  }

  private mutating func gatherNames(_ plan: Plan) {
    for account in plan.accounts {
      for name in Set(account.rows.lazy.compactMap(\.row.userName)) {
        note(name, of: account.key)
      }
    }
    for (group, cache) in plan.caches {
      for record in cache.strays { note(record) }
      for record in cache.foundEntries { note(record, foundIn: group) }
    }
    for addition in plan.decisions.additions {
      note(addition.record, foundIn: addition.group)
    }
  }

  private mutating func note(_ name: String, of account: AccountKey) {
    accountsByName[UserNameKey(cloud: account.cloud, name: name), default: []].insert(account)
  }

  /// - Parameter group: where MSAL finds the entry; nil where it does not.
  private mutating func note(_ record: MSALEntry, foundIn group: String? = nil) {
    guard record.kind == .account else { return }
    let account = record.account
    guard account.isSomebodys else { return }
    if let group { spelledAccounts.insert(Self.spelling(of: record, in: group)) }
    if let name = record.username { note(name, of: account) }
  }

  private static func spelling(of record: MSALEntry, in group: String) -> Grouped<[ExactText]> {
    Grouped(
      group: group, key: [ExactText(record.cloud), ExactText(record.homeAccountID ?? "")])
  }

  /// Finds the account of each row. Clients that were not selected count nowhere, nor does an account of
  /// which there is nothing but theirs.
  private mutating func identify(_ inventory: Inventory, _ plan: Plan) {
    var asked: Set<Identity> = []
    var others: Set<Identity> = []
    var accounts: [(row: Int, identity: Identity)] = []
    for row in inventory.rows {
      guard let identity = identity(of: row, plan) else { continue }
      if row.isAccount {
        accounts.append((row.number, identity))
      } else if plan.selects(row) {
        identities[row.number] = identity
        asked.insert(identity)
      } else {
        others.insert(identity)
      }
    }
    for (row, identity) in accounts
    where asked.contains(identity) || !others.contains(identity) {
      identities[row] = identity
    }
  }

  private func identity(of row: Inventory.Row, _ plan: Plan) -> Identity? {
    switch row.content {
    case .unreadable: nil
    case .unified(let unified): unified.record.flatMap(Self.identity)
    case .legacy:
      plan.resolved(row.number).flatMap { $0.row.isNobodys ? nil : identity(of: $0) }
    }
  }

  private static func identity(of record: MSALEntry) -> Identity? {
    guard record.homeAccountID != nil else { return nil }
    let account = record.account
    return account.isSomebodys ? .account(account) : nil
  }

  private func identity(of resolved: ResolvedRow) -> Identity {
    let row = resolved.row
    guard row.authority?.kind == .aad else {
      return row.userName.map { .name(cloud: row.cloud, $0) } ?? .unnamed(cloud: row.cloud)
    }
    if let account = resolved.account { return .account(account) }
    if let object = row.object { return .object(cloud: row.cloud, object) }
    guard let name = row.userName else { return .unnamed(cloud: row.cloud) }
    let accounts = accountsByName[UserNameKey(cloud: row.cloud, name: name)] ?? []
    if accounts.count == 1, let account = accounts.first { return .account(account) }
    return .name(cloud: row.cloud, name)
  }

  // MARK: Sign-ins

  private mutating func addPeople(_ plan: Plan) {
    for account in plan.accounts {
      let identity = Identity.account(account.key)
      for client in account.clients {
        states[SignIn(identity: identity, group: account.group, client: client)] = .yes
      }
      for family in account.families {
        families.insert(SignIn(identity: identity, group: account.group, client: ExactText(family)))
      }
    }
  }

  /// Refresh tokens in MSAL's form that are there or are carried.
  private mutating func addMSALRow(_ inventory: Inventory, _ plan: Plan) {
    for row in inventory.rows {
      guard case .unified(let unified) = row.content, let token = unified.record,
        token.isRefreshToken, identities[row.number] != nil,
        let identity = Self.identity(of: token)
      else { continue }
      let isThere = plan.decisions[row.number].outcome != .notConverted
      let isFound = token.isFound(in: unified.item)
      let isListed =
        isThere && isFound
        && spelledAccounts.contains(Self.spelling(of: token, in: row.group))
      let signIn = SignIn(
        identity: identity, group: row.group, client: ExactText((token.clientID ?? "").identifier))
      raise(signIn, to: isListed ? .yes : .no)
    }
  }

  private mutating func addOthers(
    _ inventory: Inventory, _ plan: Plan, unfound: Set<SignIn>
  ) {
    for resolved in plan.rows {
      let (row, number) = (resolved.row, resolved.number)
      let isKept = inventory.rowsInPlace.contains(number)
      let isFound = isKept && isFoundByName(row)
      if isFound { listedRows.insert(number) }
      if let identity = identities[number], row.hasUsableRefreshToken, row.countsAsSignIn {
        let signIn = SignIn(identity: identity, group: row.group, client: row.client)
        raise(signIn, to: isFound && !unfound.contains(signIn) ? .byUserName : .no)
      }
      if isKept { noteCoexistence(resolved) }
    }
    addLoneFamilies(plan)
  }

  /// An account with only a family's refresh token, whose client is unknown, is signed in with that.
  private mutating func addLoneFamilies(_ plan: Plan) {
    let known = Set(states.keys.map(\.identity)).union(families.map(\.identity))
    for resolved in plan.rows {
      let (row, number) = (resolved.row, resolved.number)
      guard row.kind == .familyRefreshToken, row.hasUsableRefreshToken,
        let identity = identities[number], !known.contains(identity)
      else { continue }
      raise(
        SignIn(identity: identity, group: row.group, client: row.client),
        to: listedRows.contains(number) && coexistence.lists(row, forAnyOf: plan.policy.clientIDs)
          ? .byUserName : .no)
    }
  }

  private mutating func raise(_ signIn: SignIn, to state: Report.SignedIn) {
    // By name MSAL finds even a user who signed out, because it does not know the account.
    let state = state == .yes && isSignedOut(signIn) ? .no : state
    if states[signIn].map(state.isBetter) ?? true { states[signIn] = state }
  }

  /// Whether MSAL hides the account from the client, whatever tokens are there (D13).
  private func isSignedOut(_ signIn: SignIn) -> Bool {
    guard case .account(let account) = signIn.identity else { return false }
    return caches[signIn.group]?.isSignedOut(client: signIn.client.text, home: account.home)
      ?? false
  }

  // MARK: Damaged rows

  private mutating func addDamaged(
    _ inventory: Inventory, _ plan: Plan, _ lookups: [String: Lookup]
  ) {
    let damaged = inventory.rows.compactMap { row in DamagedRow(row).map { (row, $0) } }
    guard !damaged.isEmpty else { return }
    var users = DamagedSignIns.Users()
    for resolved in plan.rows where !resolved.row.isNobodys {
      let identity = identities[resolved.number] ?? identity(of: resolved)
      for name in [resolved.row.keyUserName, resolved.row.userName] {
        users.insert(identity, name?.lowercasedLikeNSString)
      }
    }
    for row in inventory.rows {
      guard case .unified(let unified) = row.content, let account = unified.record,
        account.kind == .account, let identity = Self.identity(of: account)
      else { continue }
      users.insert(identity, account.username?.normalized)
    }
    let known = DamagedSignIns.Known(
      states: states, families: families, family: plan.family(of:in:),
      lists: { identity, client, group in
        guard case .account(let account) = identity, let lookup = lookups[group] else {
          return true
        }
        return lookup.listedAccount(
          LookupQuery(.listedAccounts, clientID: client, identifier: account.home)) != nil
      },
      isDistributed: inventory.target.isDistributed)
    for row in DamagedSignIns(damaged, users, known, isSelected: plan.selects).rows {
      identities[row.number] = row.signIn.identity
      guard row.isLost else { continue }
      states[row.signIn] = .no
      lostRows.insert(row.number)
    }
  }

  // MARK: Fallback

  /// Whether MSAL's fallback still finds a row that stays: no account of the same user name hides
  /// it from the row's client.
  private mutating func isFoundByName(_ row: LegacyRow) -> Bool {
    guard row.isVisibleToFallback else { return false }
    // A row with a home account id of its own is listed by it, even if another account has the name.
    if let home = row.token.fallbackHomeAccountID {
      let signIn = SignIn(
        identity: .account(AccountKey(cloud: row.cloud, home: home)), group: row.group,
        client: row.client)
      return !isSignedOut(signIn)
    }
    return coexistence.lists(row)
  }

  /// Finds out what accounts in MSAL's form do to a row that stays without an identifier.
  private mutating func noteCoexistence(_ resolved: ResolvedRow) {
    let row = resolved.row
    if coexistence.isNameless(row) { namelessRows.append(row.number) }
    if let account = resolved.account, row.isConvertible, isSignedIn(account, row) { return }
    if coexistence.hides(row) { hiddenRows.append(row.number) }
  }

  private func isSignedIn(_ account: AccountKey, _ row: LegacyRow) -> Bool {
    let identity = Identity.account(account)
    if row.kind == .familyRefreshToken {
      return families.contains(
        SignIn(identity: identity, group: row.group, client: ExactText(row.family ?? "")))
    }
    let signIn = SignIn(identity: identity, group: row.group, client: row.client)
    return states[signIn] == .yes
  }
}

extension LegacyRow {
  /// Whether losing the row's refresh token is losing a sign-in of its client: family tokens are a
  /// second way in, and primary refresh tokens are the broker's.
  var countsAsSignIn: Bool {
    kind != .familyRefreshToken && !isOfBroker
  }

  /// Whether the row's tokens are the app's own or a request's, without a sign-in.
  fileprivate var isNobodys: Bool { kind == .appOnly || kind == .onBehalfOf }

  /// Whether the row is the broker's, for all apps of the device and not for its client.
  var isOfBroker: Bool {
    blockingReasons.contains(.rtPRT) || blockingReasons.contains(.rtBroker)
  }
}
