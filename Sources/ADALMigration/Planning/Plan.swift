// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// What a migration is going to do: a decision for every row, and each addition once, in the order in
/// which they are written.
///
/// A pure function of the inventory, the target's form, the policy and the clock.
struct Plan: Sendable {
  let decisions: RowDecisions
  private(set) var people: [Person] = []
  private let resolvedRows: ResolvedRows
  /// What each cache holds before, with the entries that are carried into it.
  private(set) var caches: [String: MSALIndex]
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
    caches = inventory.target.indexes
    self.form = form
    for (group, metadata) in inventory.metadata {
      caches[group, default: MSALIndex()].insert(metadata)
    }
    // Whose a row is in a folder of documents, its documents do not say.
    let records = inventory.target.isDistributed ? [] : caches.values.flatMap(\.allEntries)
    let rows = ResolvedRows(inventory, records, policy)
    resolvedRows = rows

    let began = caches
    var carry = CarryPlan(
      inventory, began, signedIn: [], form: form, policy: policy, now: now)
    var plans = Self.plan(rows.rows, on: carry, inventory, exclusions, form, policy, now)
    let signedIn = Self.signedIn(plans)
    if !carry.accountsLeftBehind.isDisjoint(with: signedIn) {
      // Accounts that lost their own refresh tokens and get others from ADAL's rows come along. They say
      // how the account is spelled, so the rows are planned once more.
      carry = CarryPlan(
        inventory, began, signedIn: signedIn, form: form, policy: policy, now: now)
      plans = Self.plan(rows.rows, on: carry, inventory, exclusions, form, policy, now)
    }
    caches = carry.caches
    var decisions = carry.decisions
    for cache in plans {
      families[cache.group] = cache.plan.families
      decisions.merge(cache.plan.decisions)
      people += cache.plan.people
    }
    self.decisions = RowDecisions(decisions, count: inventory.rows.count)
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

  /// The plans for ADAL's rows, access group by access group, beside what is carried.
  private static func plan(
    _ rows: [ResolvedRow], on carry: CarryPlan, _ inventory: Inventory, _ exclusions: Exclusions,
    _ form: CacheForm,
    _ policy: Policy, _ now: Double
  ) -> [(group: String, plan: CachePlan)] {
    inventory.onStep?(.planning)
    let rows = Dictionary(grouping: rows, by: \.row.group)
    return Set(inventory.rows.map(\.group)).sorted().map { group in
      let plan = CachePlan(
        group, rows[group] ?? [], carry.caches[group] ?? MSALIndex(),
        carried: carry.refreshTokens[group] ?? [],
        rowsInPlace: inventory.rowsInPlace, exclusions: exclusions, form: form, policy: policy,
        now: now,
        onStep: inventory.onStep)
      return (group, plan)
    }
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

  /// The accounts that have a refresh token of some client or family.
  private static func signedIn(_ plans: [(group: String, plan: CachePlan)]) -> Set<
    Grouped<AccountKey>
  > {
    var accounts: Set<Grouped<AccountKey>> = []
    for (_, plan) in plans {
      for person in plan.people where !person.clients.isEmpty || !person.families.isEmpty {
        accounts.insert(Grouped(person))
      }
    }
    return accounts
  }
}
