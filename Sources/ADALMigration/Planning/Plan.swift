// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// What a migration is going to do: a decision for every row, and each addition once, in the order in
/// which they are written.
///
/// A pure function of the inventory, the target's form, the policy and the clock.
struct Plan: Sendable {
  private(set) var decisions = Decisions(count: 0)
  private(set) var accounts: [PlannedAccount] = []
  private let resolvedRows: ResolvedRows
  /// What each cache holds before, with the entries that are carried into it.
  private(set) var caches: [String: MSALIndex] = [:]
  private let form: CacheForm
  let policy: Policy
  /// What each cache says about clients and families.
  private var families: [String: ClientFamilies] = [:]

  /// - Parameter exclusions: what is left out, whatever the rows say.
  init(
    _ inventory: Inventory, form: CacheForm, policy: Policy, now: Double,
    exclusions: Exclusions = Exclusions()
  ) {
    self.policy = policy
    self.form = form
    var began = inventory.target.indexes
    for (group, metadata) in inventory.metadata {
      began[group, default: MSALIndex()].insert(metadata)
    }
    // Whose a row is in a folder of documents, its documents do not say.
    let records = inventory.target.isDistributed ? [] : began.values.flatMap(\.allEntries)
    resolvedRows = ResolvedRows(inventory, records, policy)

    func carry(signedIn: Set<Grouped<AccountKey>>) -> CarryPlan {
      CarryPlan(inventory, began, signedIn: signedIn, form: form, policy: policy, now: now)
    }
    let first = carry(signedIn: [])
    plan(inventory, beside: first, exclusions, now)
    let signedIn = Set(
      accounts.lazy.filter { !$0.clients.isEmpty || !$0.families.isEmpty }.map { Grouped($0) })
    if !first.accountsLeftBehind.isDisjoint(with: signedIn) {
      // Accounts that lost their own refresh tokens and get others from ADAL's rows come along. They say
      // how the account is spelled, so the rows are planned once more.
      plan(inventory, beside: carry(signedIn: signedIn), exclusions, now)
    }
    decisions.sortAdditions()
  }

  /// Plans ADAL's rows, access group by access group, beside the entries that are carried.
  private mutating func plan(
    _ inventory: Inventory, beside carry: CarryPlan, _ exclusions: Exclusions, _ now: Double
  ) {
    inventory.onStep?(.planning)
    decisions = carry.decisions
    caches = carry.caches
    accounts = []
    let rows = Dictionary(grouping: resolvedRows.rows, by: \.row.group)
    for group in Set(inventory.rows.map(\.group)).ordered() {
      let rows = rows[group] ?? []
      var plan = CachePlan(
        group, rows, caches[group] ?? MSALIndex(), rowsInPlace: inventory.rowsInPlace,
        exclusions: exclusions, form: form, policy: policy, now: now)
      // Handed over and back, since a second owner would copy them.
      swap(&plan.decisions, &decisions)
      plan.plan(rows, carried: carry.refreshTokens[group] ?? []) { inventory.onStep?(.person) }
      swap(&plan.decisions, &decisions)
      families[group] = plan.families
      accounts += plan.accounts
    }
  }

  /// The rows of ADAL's with whose they are, in row order.
  var rows: [ResolvedRow] { resolvedRows.rows }
  /// Where the lines of the account map stand that fit no row.
  var unusedMapEntries: [String] { resolvedRows.unusedMapEntries }

  /// A row of ADAL's with whose it is; nil for other rows.
  func resolved(_ row: Int) -> ResolvedRow? { resolvedRows[row] }

  /// How an account is spelled in one of the target's plans.
  func spelling(of account: AccountKey, group: String) -> AccountSpelling {
    (caches[group] ?? MSALIndex()).spelling(of: account, form: form)
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
      guard let row = resolved(row.number)?.row else { return false }
      return row.kind == .familyRefreshToken
        ? mayUse(row.family, cloud: row.cloud, group: row.group)
        : policy.includes(client: row.client.text)
    case .unified(let unified):
      return policy.includes(client: unified.record?.clientID ?? DamagedRow(row)?.client)
    }
  }

  /// The family that a client is in, as far as the rows and entries of an access group say.
  func family(of client: ClientKey, in group: String) -> String? {
    guard case .member(let family)? = families[group]?.membership(of: client) else { return nil }
    return family
  }

  /// Whether a client that the policy names may use a family's token.
  private func mayUse(_ family: String?, cloud: String, group: String) -> Bool {
    guard let family = family.nonBlank, let families = families[group] else { return false }
    return (policy.clientIDs ?? []).contains {
      families.familySignIn(of: ClientKey(cloud: cloud, client: $0)) == family
    }
  }
}
