// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache
import MSALLookup

/// The plan of a migration: a decision for every row, and each addition once, in the order of writing.
///
/// A pure function of the inventory, the target's form, the policy and the clock.
struct Plan: ~Copyable {
  private(set) var decisions = Decisions(count: 0)
  private(set) var accounts: [PlannedAccount] = []
  /// ADAL's rows with their accounts.
  private(set) var table: RowTable
  /// The content of each cache before the run, with the carried entries.
  private(set) var caches: [String: MSALIndex] = [:]
  let form: CacheForm
  let policy: Policy
  private let now: Double
  /// The clients and families of each cache.
  private var families: [String: ClientFamilies] = [:]

  /// - Parameter exclusions: the accounts to leave out, whatever the rows say.
  init(
    _ inventory: borrowing Inventory, form: CacheForm, policy: Policy, now: Double,
    exclusions: Exclusions = Exclusions()
  ) {
    self.policy = policy
    self.form = form
    self.now = now
    var began = inventory.target.indexes
    for (group, metadata) in inventory.metadata {
      began[group, default: MSALIndex()].insert(metadata)
    }
    // The documents of a folder do not decide the account of a row.
    let records = inventory.target.isDistributed ? [] : began.values.flatMap(\.allEntries)
    table = RowTable(inventory, records, policy)

    let first = carry(inventory, began, signedIn: [])
    plan(inventory, beside: first, exclusions)
    let signedIn = Set(
      accounts.lazy.filter { !$0.clients.isEmpty || !$0.families.isEmpty }.map { Grouped($0) })
    if !first.accountsLeftBehind.isDisjoint(with: signedIn) {
      // An account that loses its own refresh tokens but gets others from ADAL's rows is carried. It decides the
      // spelling of the account, so the rows are planned a second time.
      plan(inventory, beside: carry(inventory, began, signedIn: signedIn), exclusions)
    }
    decisions.sortAdditions(table.symbols)
  }

  private mutating func carry(
    _ inventory: borrowing Inventory, _ began: [String: MSALIndex],
    signedIn: Set<Grouped<AccountKey>>
  ) -> CarryPlan {
    CarryPlan(
      inventory, began, signedIn: signedIn, form: form, policy: policy, now: now, &table.symbols)
  }

  /// Plans ADAL's rows, one access group after the other, beside the carried entries.
  private mutating func plan(
    _ inventory: borrowing Inventory, beside carry: CarryPlan, _ exclusions: Exclusions
  ) {
    inventory.onStep?(.planning)
    decisions = carry.decisions
    caches = carry.caches
    accounts = []
    let groups = table.rows.groups(by: \.group, table.symbols)
    let rows = Dictionary(uniqueKeysWithValues: groups.map { ($0.key, $0.values) })
    for group in Set(inventory.rows.map(\.group)).ordered() {
      let rows = table.symbols.known(group).flatMap { rows[$0] } ?? []
      var plan = CachePlan(
        group, rows, table, caches[group] ?? MSALIndex(),
        carried: carry.refreshTokens[group] ?? [], rowsInPlace: inventory.rowsInPlace,
        exclusions: exclusions, form: form, policy: policy, now: now)
      // Handed over and back, since a second owner would copy them.
      swap(&plan.decisions, &decisions)
      table = RowTable()
      plan.plan(rows) { inventory.onStep?(.account) }
      swap(&plan.decisions, &decisions)
      table = plan.table
      families[group] = plan.families
      families[group]?.ask(for: policy.clientIDs ?? [], rows, table.symbols)
      accounts += plan.accounts
    }
  }

  /// The entry of an addition.
  func entry(of addition: Addition) -> MSALEntry {
    table.entry(of: addition, among: decisions.entries, form: form, at: now)
  }

  /// The item that is carried as it is; nil for an entry that the plan made.
  func carriedItem(of addition: Addition) -> KeychainItem? {
    guard case .entry(let number) = addition.content else { return nil }
    return decisions.items[number]
  }

  /// The keychain item of an addition.
  func item(of addition: Addition) -> KeychainItem {
    carriedItem(of: addition)
      ?? entry(of: addition).item(accessGroup: table.symbols[addition.group], at: now)
  }

  /// The host of an account in one of the target's plans.
  func environment(of account: AccountKey, group: String) -> String {
    (caches[group] ?? MSALIndex()).environment(of: account, form: form)
  }

  /// Whether the run is about a row's client: one that the policy names; or whether it is a family's row
  /// that one of those may use (D36).
  func selects(_ row: Inventory.Row) -> Bool {
    guard policy.clientIDs != nil else { return true }
    switch row.content {
    case .unreadable(let row):
      return policy.includes(client: row.clientID.nonBlank)
        || row.clientID.map(FamilyClient.isOne) ?? false
    case .legacy:
      guard let row = table[row.number] else { return false }
      return row.kind == .familyRefreshToken
        ? mayUse(row) : row.spelledClient.map { table.clients[$0].isIncluded } ?? false
    case .unified(let unified):
      return policy.includes(client: unified.record?.clientID ?? DamagedRow(row)?.client)
        && isOfItsClient(unified, in: row.group)
    }
  }

  /// Whether an entry is of use to the client that it names: a family's token names the client that got it, which may be
  /// in no family any more.
  func isOfItsClient(_ row: MSALRow, in group: String) -> Bool {
    guard let token = row.record, let family = token.family(in: row.item) else { return true }
    let client = ClientKey(cloud: token.cloud, client: token.clientID ?? "")
    return family == familySignIn(of: client, in: group)
  }

  /// The family whose refresh token signs in a client of an access group that has no token of its own.
  func familySignIn(of client: ClientKey, in group: String) -> String? {
    families[group]?.familySignIn(of: client, table.symbols)
  }

  /// The family that a client is in, as far as the rows and entries of an access group say.
  func family(of client: ClientKey, in group: String) -> String? {
    guard case .member(let family)? = families[group]?.membership(of: client, table.symbols) else {
      return nil
    }
    return family
  }

  /// Whether a client that the policy names may use a family's token.
  private func mayUse(_ row: ADALRow) -> Bool {
    families[table.symbols[row.group]]?.isAskedFor(row) ?? false
  }
}
