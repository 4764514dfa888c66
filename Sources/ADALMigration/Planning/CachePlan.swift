// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// The plan for one cache, which is one access group or one document: its accounts one by one, then the
/// app metadata of the clients that have a refresh token at the end.
struct CachePlan: Sendable {
  private(set) var decisions = DecisionLog()
  private(set) var people: [Person] = []
  /// What the cache says about clients and families.
  let families: ClientFamilies

  /// - Parameter carried: the refresh tokens in MSAL's form that are carried or were there.
  init(
    _ group: String, _ rows: [ResolvedRow], _ existing: MSALIndex, carried: [CarriedToken],
    rowsInPlace: Set<Int>, exclusions: Exclusions, form: CacheForm, policy: Policy, now: Double,
    onStep: (@Sendable (Migration.Step) -> Void)? = nil
  ) {
    let legacy = rows.map(\.row)
    families = ClientFamilies(legacy, existing: existing, form: form)
    let context = PlanContext(
      existing: existing, families: families,
      ages: TokenAges(legacy, now: now), policy: policy, now: now, form: form, group: group,
      rowsInPlace: rowsInPlace, exclusions: exclusions)
    for row in rows { noteBasics(row, context) }
    var cache = existing
    for person in Self.people(of: rows, context) {
      let plan = PersonPlan(person, context, in: &cache)
      decisions.merge(plan.decisions)
      people.append(plan.person)
      onStep?(.person)
    }
    decisions.merge(AppMetadataPlan(people, carried, context, in: &cache).decisions)
    noteSharedNames()
  }

  /// The accounts that rows are converted for, in the order of their ids.
  private static func people(of rows: [ResolvedRow], _ context: PlanContext) -> [Person] {
    var byAccount: [AccountKey: (home: HomeAccountID, rows: [ResolvedRow])] = [:]
    for row in rows where row.isAccepted(by: context.policy) {
      guard let home = row.answer.homeAccountID, let account = row.account else { continue }
      byAccount[account, default: (home, [])].rows.append(row)
    }
    return byAccount.keys.sorted().compactMap { account in
      byAccount[account].map { person in
        Person(
          group: context.group, account: account, home: person.home,
          spelling: context.existing.spelling(of: account, form: context.form), rows: person.rows)
      }
    }
  }

  /// What is to be said about a row whatever becomes of it.
  private mutating func noteBasics(_ row: ResolvedRow, _ context: PlanContext) {
    for reason in row.row.blockingReasons { decisions.note(reason, row: row.number) }
    decisions.note(evidence: row.answer.evidence, row: row.number)
    guard row.row.isConvertible else { return }
    for reason in row.answer.reasons { decisions.note(reason, row: row.number) }
    if let authority = row.row.authority {
      if Cloud.of(host: authority.host)?.isClosed ?? false {
        decisions.note(.envClosedCloud, row: row.number)
      }
      if authority.port != nil { decisions.note(.envPort, row: row.number) }
      if row.answer.homeAccountID != nil, let realm = row.row.realm,
        let tenant = authority.tenant.id, !tenant.isExactly(realm)
      {
        decisions.note(.tenantMismatch, row: row.number)
      }
    }
    if !context.existing.isEmpty, let account = row.account {
      let spelling = context.existing.spelling(of: account, form: context.form)
      for reason in context.existing.reasons(for: spelling.environment, cloud: row.row.cloud) {
        decisions.note(reason, row: row.number)
      }
    }
    if row.row.isFromTheFuture(context.now) { decisions.note(.timeFuture, row: row.number) }
  }

  /// One user name, several accounts: MSAL finds either of them by that name.
  private mutating func noteSharedNames() {
    guard people.count > 1 else { return }
    var accounts: [UserNameKey: Int] = [:]
    func names(of person: Person) -> Set<UserNameKey> {
      Set(
        Set(person.rows.lazy.compactMap(\.row.userName))
          .map { UserNameKey(cloud: person.account.cloud, name: $0) })
    }
    for person in people where !person.clients.isEmpty {
      for name in names(of: person) { accounts[name, default: 0] += 1 }
    }
    let shared = Set(accounts.lazy.filter { $0.value > 1 }.map(\.key))
    guard !shared.isEmpty else { return }
    for person in people {
      for row in person.rows {
        let name = UserNameKey(cloud: person.account.cloud, name: row.row.userName ?? "")
        if shared.contains(name) { decisions.note(.conflictSameUPN, row: row.number) }
      }
    }
  }
}

extension ResolvedRow {
  /// Whether the row may be converted at all, and its home account id is certain enough.
  func isAccepted(by policy: Policy) -> Bool {
    row.isConvertible && answer.homeAccountID != nil
      && answer.confidence >= policy.minimumConfidence
  }
}

extension LegacyRow {
  /// How far clocks may be apart before it is worth a word, in seconds.
  private static let toleratedSkew = 300.0

  fileprivate func isFromTheFuture(_ now: Double) -> Bool {
    [token.cachedAt, idToken?.issuedAt, token.place.modified]
      .contains { $0.map { $0 > now + Self.toleratedSkew } ?? false }
  }
}
