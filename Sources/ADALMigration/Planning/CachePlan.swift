// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache
import MSALLookup

/// The plan for one cache, which is one access group or one document: its accounts one by one, then the
/// app metadata of the clients that have a refresh token at the end.
///
/// Refresh tokens of an account come first: without one, MSAL does not list the account and the plan adds nothing else
/// (D24). Each part has its own file: RefreshTokens, Families, Tenants, AccessTokens, AppMetadata.
struct CachePlan: ~Copyable {
  /// The access group that is written to; empty for a document.
  let group: String
  let form: CacheForm
  let policy: Policy
  let now: Double
  /// ADAL's rows that stay in the target beside the new entries, by row number.
  let rowsInPlace: Set<Int>
  /// The accounts to leave out, whatever the rows say.
  let exclusions: Exclusions
  /// The refresh tokens in MSAL's form that are carried or were there.
  private let carried: [CarriedToken]
  /// The clients and families of the cache.
  let families: ClientFamilies
  let ages: TokenAges
  /// ADAL's rows of all caches.
  var table: RowTable
  /// The entries that are there or carried, and the places that additions take.
  var cache: MSALIndex
  var decisions: Decisions
  private(set) var accounts: [PlannedAccount] = []
  /// The clients that the policy names and that the cache says to be in a family, in the clouds that were asked about.
  var declaredMembers: [CloudSymbol: Set<Symbol>] = [:]
  var cloudsOfMembers: Set<Symbol> = []

  /// An empty plan.
  ///
  /// - Parameters:
  ///   - rows: those of the cache.
  ///   - carried: the refresh tokens in MSAL's form that are carried or were there.
  init(
    _ group: String, _ rows: [ADALRow], _ table: RowTable, _ cache: MSALIndex,
    _ decisions: Decisions = Decisions(count: 0),
    carried: [CarriedToken] = [], rowsInPlace: Set<Int> = [],
    exclusions: Exclusions = Exclusions(), form: CacheForm, policy: Policy, now: Double
  ) {
    families = ClientFamilies(
      rows, existing: cache, carried: carried, form: form, table.symbols)
    self.carried = carried
    ages = TokenAges(rows, now: now)
    self.group = group
    self.table = table
    self.cache = cache
    self.decisions = decisions
    self.rowsInPlace = rowsInPlace
    self.exclusions = exclusions
    self.form = form
    self.policy = policy
    self.now = now
  }

  /// Plans the rows of the cache.
  ///
  /// - Parameter onAccount: is called after each account.
  mutating func plan(_ rows: [ADALRow], onAccount: () -> Void = {}) {
    for row in rows { noteBasics(row) }
    for var account in accounts(of: rows) {
      plan(&account)
      cache.keepClaims()
      accounts.append(account)
      onAccount()
    }
    planAppMetadata(carried)
    noteSharedNames()
  }

  /// The accounts that rows are converted for, in the order of their ids.
  private mutating func accounts(of rows: [ADALRow]) -> [PlannedAccount] {
    var byAccount: [Int: [Int]] = [:]
    for (place, row) in rows.enumerated() where isAccepted(row) {
      if let account = row.account { byAccount[account, default: []].append(place) }
    }
    return table.orderedAccounts(byAccount.keys).compactMap { number in
      let key = table.accounts[number]
      let rows = (byAccount[number] ?? []).map { rows[$0] }
      guard let home = rows.first.flatMap({ table.answer(for: $0).homeAccountID }) else {
        return nil
      }
      return PlannedAccount(
        group: group, number: number, key: key, home: home,
        spelling: cache.spelling(of: key, form: form), rows: rows, &table.symbols)
    }
  }

  /// Whether a row may be converted at all, and its home account id is certain enough.
  private func isAccepted(_ row: ADALRow) -> Bool { row.isConvertible && !isBelowMinimum(row) }

  /// Whether the policy asks for a home account id that is more certain than the row's (D1).
  private func isBelowMinimum(_ row: ADALRow) -> Bool {
    row.account != nil && table.answers[row.answer].confidence < policy.minimumConfidence
  }

  /// Plans one account: which of its rows become which entries.
  mutating func plan(_ account: inout PlannedAccount) {
    let (mark, start) = (cache.mark, decisions.mark)
    let rows = withoutSignedOut(account)
    let excluded = exclusions.part(of: account)
    if excluded == .everything { return decisions.note(.checkNotFound, rows: rows) }
    if hasSeveralTargets(account, rows) {
      return decisions.note(.conflictTargetMultiple, rows: rows)
    }
    account.clients = planRefreshTokens(of: account, rows)
    account.families = planFamilies(of: account, rows)
    cover(&account, rows)

    let covered = rows.filter { account.isCovered($0) }
    for row in rows where row.refreshToken == nil && !account.isCovered(row) {
      decisions.note(.rtMissing, row: row.number)
    }
    guard !covered.isEmpty else { return }
    let tenants = planTenants(of: account, covered)
    if tenants.accounts.isEmpty && !holdsAccount(account) {
      // The account entry itself cannot be added, so the plan adds nothing for the account.
      cache.release(backTo: mark)
      decisions.withdraw(backTo: start, rows)
      let hasOtherType = covered.contains {
        decisions[$0.number].reasons.contains(.targetTypeClash)
      }
      decisions.note(hasOtherType ? .targetTypeClash : .targetCorrupt, rows: covered)
      account.clients = []
      account.families = []
    }
    planAccessTokens(of: account, covered, tenants, isExcluded: excluded == .accessTokens)
  }

  /// The rows of clients that the user has not signed out of (D13).
  private mutating func withoutSignedOut(_ account: PlannedAccount) -> [ADALRow] {
    account.rows.filter { row in
      guard isSignedOut(account, of: table.symbols[row.client]) else { return true }
      decisions.note(.accountSignedOut, row: row.number)
      return false
    }
  }

  /// Whether the target holds several refresh tokens where MSAL expects one and gives up.
  private func hasSeveralTargets(_ account: PlannedAccount, _ rows: [ADALRow]) -> Bool {
    guard form == .keychainItems, !cache.isEmpty else { return false }
    return Set(rows.map(\.client)).contains {
      let there = entries(account.entryKey(.refreshToken, owner: $0))
      return there.contains { $0.environment != there.first?.environment }
    }
  }

  /// Adds the clients and families that have a refresh token in the end without getting one from the plan. A client or
  /// a family can have its own token in MSAL's form and needs no row of ADAL's (D24). A client without its own token
  /// uses its family's.
  private mutating func cover(_ account: inout PlannedAccount, _ rows: [ADALRow]) {
    func familySignIn(of client: String) -> String? {
      families.familySignIn(of: ClientKey(cloud: account.key.cloud, client: client), table.symbols)
    }
    var members: [(client: Symbol, family: Symbol)] = []
    for client in Set(rows.lazy.filter { $0.kind != .familyRefreshToken }.map(\.client)) {
      if holds(account.entryKey(.refreshToken, owner: client)) { account.clients.insert(client) }
      guard let name = familySignIn(of: table.symbols[client]) else { continue }
      let family = table.symbols.symbol(of: name)
      members.append((client, family))
      if holds(account.entryKey(.familyRefreshToken, owner: family)) {
        account.families.insert(family)
      }
    }
    for family in account.families {
      for client in declaredClients(of: family, account)
      where familySignIn(of: client) == table.symbols[family] {
        members.append((table.symbols.symbol(of: client.identifier), family))
      }
    }
    for (client, family) in members where account.families.contains(family) {
      if account.clients.insert(client).inserted { account.clientsOfFamilyAlone.insert(client) }
    }
  }

  /// Notes the reasons of a row that do not depend on its outcome.
  private mutating func noteBasics(_ row: ADALRow) {
    if let reason = row.blockingReason { return decisions.note(reason, row: row.number) }
    for reason in table.answers[row.answer].reasons { decisions.note(reason, row: row.number) }
    if isBelowMinimum(row) { decisions.note(.homeBelowMinimum, row: row.number) }
    if let number = row.authority, let url = table.authorities[number].url {
      let authority = table.authorities[number]
      if authority.isClosed { decisions.note(.envClosedCloud, row: row.number) }
      if url.port != nil { decisions.note(.envPort, row: row.number) }
      let asked = table.tenantAsked(of: row)
      if row.account != nil, row.realm != .none, asked != .none, asked != row.realm {
        decisions.note(.tenantMismatch, row: row.number)
      }
    }
    if !cache.isEmpty, let account = row.account {
      let environment = cache.environment(of: table.accounts[account], form: form)
      for reason in cache.reasons(for: environment, cloud: table.symbols[row.cloud]) {
        decisions.note(reason, row: row.number)
      }
    }
    if row.isFromTheFuture(now) { decisions.note(.timeFuture, row: row.number) }
  }

  /// One user name, several accounts: MSAL finds either of them by that name.
  private mutating func noteSharedNames() {
    guard accounts.count > 1 else { return }
    var owners: [CloudSymbol: Int] = [:]
    for account in accounts where !account.clients.isEmpty {
      for name in Set(account.rows.lazy.map(\.name)) where name != .none {
        owners[CloudSymbol(cloud: account.symbols.cloud, id: name), default: 0] += 1
      }
    }
    guard owners.values.contains(where: { $0 > 1 }) else { return }
    for account in accounts {
      for row in account.rows
      where owners[CloudSymbol(cloud: account.symbols.cloud, id: row.name)] ?? 0 > 1 {
        decisions.note(.conflictSameUPN, row: row.number)
      }
    }
  }
}

// Questions that the parts of the plan share.
extension CachePlan {
  /// The client id of a row as it is written, to the letter.
  func written(_ row: ADALRow) -> Symbol {
    row.spelledClient.map { table.clients[$0].written } ?? .none
  }

  /// The entries under a key.
  func entries(_ key: EntryKey) -> [MSALEntry] {
    cache.isEmpty ? [] : cache.entries(key.text(table.symbols))
  }

  /// Whether something is there under a key.
  func holds(_ key: EntryKey) -> Bool { !cache.isEmpty && cache.holds(key.text(table.symbols)) }

  /// Whether an account is there, in any tenant.
  func holdsAccount(_ account: PlannedAccount) -> Bool {
    cache.spelled(account.key).map { !$0.accountIDs.isEmpty } ?? false
  }

  func isSignedOut(_ account: PlannedAccount, of client: String) -> Bool {
    cache.isSignedOut(client: client, home: account.key.home)
  }

  /// Adds a token of a row for an account unless its place is taken; then the rows hear why, and the result is nil.
  ///
  /// - Parameters:
  ///   - key: the key by which MSAL identifies the entry.
  ///   - client: as it is written.
  ///   - family: the family that a refresh token is written for.
  ///   - rows: the rows that hear of it.
  /// - Returns: the place of the addition.
  mutating func add(
    _ kind: MSALEntry.Kind, of row: ADALRow, _ key: EntryKey, for account: PlannedAccount,
    client: Symbol, family: Symbol = .none, target: Symbol? = nil, telling rows: some Sequence<Int>
  ) -> Int? {
    let addition = Addition(
      key: key, type: EntryType(kind), content: .token(kind, row: row.index, family: family),
      group: table.symbols.symbol(of: group),
      homeAccountID: account.symbols.homeAccountID, environment: account.symbols.environment,
      clientID: client, realm: key.realm == .none ? nil : spelledRealm(key.realm, account),
      target: target)
    let slot = slot(
      ofToken: kind, addition, for: account, clientOrFamily: family == .none ? client : family)
    return add(addition, at: slot, telling: rows)
  }

  /// The place of a token in the target; nil if documents have no section for it.
  private func slot(
    ofToken kind: MSALEntry.Kind, _ token: Addition, for account: PlannedAccount,
    clientOrFamily: Symbol
  ) -> MSALEntry.Slot? {
    let (owner, application) = (table.symbols[clientOrFamily], token.key.application)
    let realm = token.realm.map { table.symbols[$0] }
    let target = token.target.map { table.symbols[$0] }
    switch form {
    case .keychainItems:
      return MSALEntry.Slot(
        ItemAttributes(
          ofToken: kind, account: account.itemAccount, clientOrFamily: owner, realm: realm,
          target: target,
          applicationIdentifier: application == .none ? nil : table.symbols[application]),
        in: group)
    case .document:
      return MSALEntry.Slot(
        kind.documentSection,
        MSALEntry.documentKey(
          ofToken: kind, account.spelling.homeAccountID, account.spelling.environment,
          clientOrFamily: owner, realm: realm, target: target, as: cache.documentKeys))
    }
  }

  /// Adds an entry that is made of several rows.
  mutating func add(
    _ entry: MSALEntry, _ key: EntryKey, isCopy: Bool = false, telling rows: some Sequence<Int>
  ) -> Int? {
    let addition = Addition(
      entry, key, decisions.content(entry), in: table.symbols.symbol(of: group), isCopy: isCopy,
      &table.symbols)
    let slot = entry.slot(in: form, group: group, as: cache.documentKeys)
    return add(addition, at: slot, telling: rows)
  }

  /// Adds an entry, unless its place is taken or the target has no place for it.
  ///
  /// Two different entries can have one place, since its name is parts with dashes between them, and parts have
  /// dashes too.
  private mutating func add(
    _ addition: Addition, at slot: MSALEntry.Slot?, telling rows: some Sequence<Int>
  ) -> Int? {
    guard let slot else { return nil }
    guard let occupant = cache.claim(slot) else {
      var addition = addition
      addition.documentKey = slot.documentKey.map { table.symbols.symbol(of: $0) }
      return decisions.add(addition)
    }
    for row in rows { decisions.note(occupant.reason(against: slot), row: row) }
    return nil
  }

  /// A tenant as the account's entries spell it.
  mutating func spelledRealm(_ realm: Symbol, _ account: PlannedAccount) -> Symbol {
    account.spelling.realms.isEmpty
      ? realm : table.symbols.symbol(of: account.spelling.realm(table.symbols[realm]))
  }
}

extension RowTable {
  /// Accounts in the order of their clouds and home account ids.
  fileprivate func orderedAccounts(_ numbers: some Sequence<Int>) -> [Int] {
    numbers.ordered { symbols.precede(accountSymbols[$0], accountSymbols[$1]) }
  }
}

extension PlannedAccount {
  /// Whether a row's client, or its family, has a refresh token at the end.
  fileprivate func isCovered(_ row: ADALRow) -> Bool {
    row.kind == .familyRefreshToken ? families.contains(row.family) : clients.contains(row.client)
  }
}

extension ADALRow {
  /// The largest difference between clocks that needs no remark, in seconds.
  private static let toleratedSkew = 300.0

  fileprivate func isFromTheFuture(_ now: Double) -> Bool {
    let latest = latest(latest(cachedAt, idTokenIssue), modified)
    return latest.map { $0 > now + Self.toleratedSkew } ?? false
  }
}
