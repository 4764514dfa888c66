// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// What a migration is going to do: a verdict for every row, and each addition once, in the order in
/// which they are written.
///
/// A pure function of the inventory, the target's form, the policy and the clock.
struct Plan: Sendable {
  /// An entry to be written.
  struct Addition: Sendable {
    let group: String
    let record: Record
    /// The item that is carried as it is, or nil for an entry that the plan made.
    let carried: KeychainItem?
  }

  /// An account of the plan, with what is known of it at the end.
  struct PlannedPerson: Sendable {
    let group: String
    let person: Person
    let coveredClients: Set<String>
    let coveredFamilies: Set<String>
  }

  private(set) var ledger = Ledger()
  private(set) var additions: [Addition] = []
  private(set) var people: [PlannedPerson] = []
  /// The rows of ADAL's with whose they are, by row number.
  private(set) var resolved: [Int: ResolvedRow] = [:]
  /// What each cache holds before, with the entries that are carried into it.
  private(set) var states: [String: UnifiedState]
  private let form: CacheForm
  /// Where the lines of the account map stand that fit no row.
  private(set) var unusedMapEntries: [String] = []
  /// Where an entry is among the additions.
  private(set) var additionsByID: [AdditionID: Int] = [:]
  let policy: Policy
  /// What each cache says about clients and families.
  private var families: [String: ClientFamilies] = [:]

  /// An entry in one of the target's caches.
  struct AdditionID: Sendable, Hashable {
    var group: String
    var id: RecordID
  }

  /// - Parameter withheld: what is left out, whatever the rows say.
  init(
    _ inventory: Inventory, form: CacheForm, policy: Policy, now: Double,
    withheld: Withheld = Withheld()
  ) {
    self.policy = policy
    states = inventory.existing
    self.form = form
    for (group, metadata) in inventory.metadata {
      states[group, default: UnifiedState()].insert(metadata)
    }
    // Whose a row is in a folder of documents, its documents do not say.
    let records = inventory.isDistributed ? [] : states.values.flatMap(\.allRecords)
    let resolution = Resolution(inventory, records, policy)
    resolved = resolution.rows
    unusedMapEntries = resolution.unusedMapEntries

    let began = states
    var carry = CarryPlan(
      inventory, began, signedIn: [], form: form, policy: policy, now: now)
    var caches = plan(on: carry, inventory, withheld, form, policy, now)
    let signedIn = Self.signedIn(caches)
    if !carry.withheld.isDisjoint(with: signedIn) {
      // Accounts that lost their own refresh tokens and get others from ADAL's rows come along. They say
      // how the account is spelled, so the rows are planned once more.
      carry = CarryPlan(
        inventory, began, signedIn: signedIn, form: form, policy: policy, now: now)
      caches = plan(on: carry, inventory, withheld, form, policy, now)
    }
    states = carry.states
    ledger.merge(carry.ledger)
    var written = carry.additions.map { (key: WriteOrder($0), addition: $0) }
    for cache in caches {
      families[cache.group] = cache.plan.families
      ledger.merge(cache.plan.ledger)
      people += cache.plan.people
      let copies = cache.plan.ledger.copies
      written += cache.plan.ledger.additions.map { id, record in
        let addition = Addition(group: cache.group, record: record, carried: nil)
        return (WriteOrder(addition, isCopy: copies.contains(id)), addition)
      }
    }
    additions = written.sorted { $0.key < $1.key }.map(\.addition)
    numberAdditions()
  }

  /// How an account is spelled in one of the target's caches.
  func spelling(of home: HomeAccountID, cloud: String, group: String) -> AccountSpelling {
    (states[group] ?? UnifiedState()).spelling(of: home, cloud: cloud, form: form)
  }

  /// Loses additions, as a bug of ours would.
  mutating func lose(_ isLost: (Record) -> Bool) {
    additions.removeAll { isLost($0.record) }
    numberAdditions()
  }

  private mutating func numberAdditions() {
    additionsByID = [:]
    for (position, addition) in additions.enumerated() {
      guard let key = addition.record.keys.first else { continue }
      let id = RecordID(key: key, environment: addition.record.environment)
      additionsByID[AdditionID(group: addition.group, id: id)] = position
    }
  }

  /// The plans for ADAL's rows, access group by access group, beside what is carried.
  private func plan(
    on carry: CarryPlan, _ inventory: Inventory, _ withheld: Withheld, _ form: CacheForm,
    _ policy: Policy, _ now: Double
  ) -> [(group: String, plan: CachePlan)] {
    let rows = Dictionary(grouping: resolved.values, by: \.row.group)
    return Set(inventory.rows.map(\.group)).sorted().map { group in
      let plan = CachePlan(
        group, (rows[group] ?? []).sorted { $0.number < $1.number },
        carry.states[group] ?? UnifiedState(), carried: carry.refreshTokens[group] ?? [],
        keptRows: inventory.keptRows, withheld: withheld, form: form, policy: policy, now: now)
      return (group, plan)
    }
  }

  /// Whether the run is about a row's client: one that the policy names; or whether it is a family's row
  /// that one of those may use (D36).
  func asksFor(_ row: Inventory.Row) -> Bool {
    guard policy.clientIDs != nil else { return true }
    switch row.content {
    case .unreadable(let row):
      return row.clientID.map { policy.spelling(of: $0) != nil || LegacyRow.isFamily($0) } ?? false
    case .legacy:
      guard let row = resolved[row.number]?.row else { return false }
      return row.kind == .familyRefreshToken
        ? mayUse(row.family, cloud: row.cloud, group: row.group)
        : policy.spelling(of: row.client) != nil
    case .unified(let unified):
      return unified.record?.clientID.map { policy.spelling(of: $0) != nil } ?? true
    }
  }

  /// Whether a client that the policy names may use a family's token.
  private func mayUse(_ family: String?, cloud: String, group: String) -> Bool {
    guard let family = family.nonBlank, let families = families[group] else { return false }
    return (policy.clientIDs ?? []).contains {
      families.familySignIn(of: $0.normalized, cloud: cloud) == family
    }
  }

  /// The accounts that have a refresh token of some client or family.
  private static func signedIn(_ caches: [(group: String, plan: CachePlan)]) -> Set<CarryPlan.Home>
  {
    var homes: Set<CarryPlan.Home> = []
    for (group, plan) in caches {
      for planned in plan.people
      where !planned.coveredClients.isEmpty || !planned.coveredFamilies.isEmpty {
        let person = planned.person
        homes.insert(
          CarryPlan.Home(group: group, cloud: person.cloud, id: person.home.description))
      }
    }
    return homes
  }
}

/// Where an addition comes in the order of D22: by access group and person, app metadata first and the
/// accounts last. What is carried comes before what is made, person by person.
private struct WriteOrder: Comparable {
  let group: String
  let person: String
  let step: Int
  let key: RecordKey?
  let environment: String

  /// - Parameter isCopy: whether an account is there once more, under another host. Copies come after
  ///   the account itself, since they are made for as long as it is there.
  init(_ addition: Plan.Addition, isCopy: Bool = false) {
    group = addition.group
    // App metadata is of no person; it comes first of all, when nothing depends on it yet.
    self.person = addition.record.homeAccountID?.lowercased() ?? ""
    step = addition.record.order + (isCopy ? 1 : 0)
    key = addition.record.keys.first
    environment = addition.record.environment
  }

  static func < (a: WriteOrder, b: WriteOrder) -> Bool {
    if (a.group, a.person, a.step) != (b.group, b.person, b.step) {
      return (a.group, a.person, a.step) < (b.group, b.person, b.step)
    }
    if let left = a.key, let right = b.key, left != right { return left < right }
    return a.environment < b.environment
  }
}
