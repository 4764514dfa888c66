// SPDX-License-Identifier: MIT
import MSALCache

/// The plan for one cache, which is one access group or one document: its people one by one, then the
/// app metadata of the clients that have a refresh token at the end.
struct CachePlan: Sendable {
  private(set) var ledger = Ledger()
  private(set) var people: [Plan.PlannedPerson] = []
  /// What the cache says about clients and families.
  let families: ClientFamilies
  /// The keys of what is added.
  private var places: Set<EntryKey> = []

  /// - Parameter carried: the refresh tokens in MSAL's form that are carried or were there.
  init(
    _ group: String, _ rows: [ResolvedRow], _ existing: UnifiedState, carried: [CarriedToken],
    keptRows: Set<Int>, withheld: Withheld, form: CacheForm, policy: Policy, now: Double
  ) {
    let legacy = rows.map(\.row)
    families = ClientFamilies(legacy, existing: existing, form: form)
    let context = PlanContext(
      existing: existing, families: families,
      ages: TokenAges(legacy, now: now), policy: policy, now: now, form: form, group: group,
      keptRows: keptRows, withheld: withheld)
    for row in rows { noteBasics(row, context) }
    for person in Self.people(of: rows, context) {
      let plan = plan(person, context)
      ledger.merge(plan.ledger)
      people.append(
        Plan.PlannedPerson(
          group: group, person: person, coveredClients: plan.coveredClients,
          coveredFamilies: plan.coveredFamilies))
    }
    ledger.merge(AppMetadataPlan(people, carried, context, beside: places).ledger)
    noteSharedNames()
  }

  /// The plan for one account. It gives way where others have taken its keys: two different entries can
  /// have one, since a key is parts with dashes between them, and parts have dashes too.
  private mutating func plan(_ person: Person, _ context: PlanContext) -> PersonPlan {
    var plan = PersonPlan(person, context)
    var blocked: Set<EntryKey> = []
    while true {
      let taken = plan.places.keys.filter(places.contains)
      if taken.isEmpty { break }
      blocked.formUnion(taken)
      plan = PersonPlan(person, context, blocked: blocked)
    }
    places.formUnion(plan.places.keys)
    return plan
  }

  /// The accounts that rows are converted for, in the order of their ids.
  private static func people(of rows: [ResolvedRow], _ context: PlanContext) -> [Person] {
    struct Key: Hashable {
      var cloud: String
      var home: HomeAccountID
    }
    var byPerson: [Key: [ResolvedRow]] = [:]
    for row in rows where row.isAccepted(by: context.policy) {
      guard let home = row.answer.homeAccountID else { continue }
      byPerson[Key(cloud: row.row.cloud, home: home), default: []].append(row)
    }
    return byPerson.map { key, rows in
      Person(
        cloud: key.cloud, home: key.home,
        spelling: context.existing.spelling(of: key.home, cloud: key.cloud, form: context.form),
        rows: rows)
    }
    .sorted { ($0.cloud, $0.home.description) < ($1.cloud, $1.home.description) }
  }

  /// What is to be said about a row whatever becomes of it.
  private mutating func noteBasics(_ row: ResolvedRow, _ context: PlanContext) {
    for reason in row.row.obstacles { ledger.note(reason, row: row.number) }
    ledger.note(evidence: row.answer.evidence, row: row.number)
    guard row.row.isConvertible else { return }
    for reason in row.answer.reasons { ledger.note(reason, row: row.number) }
    if let authority = row.row.authority {
      if Cloud.of(host: authority.host)?.isClosed ?? false {
        ledger.note(.envClosedCloud, row: row.number)
      }
      if authority.port != nil { ledger.note(.envPort, row: row.number) }
      if row.answer.homeAccountID != nil, let realm = row.row.realm,
        let tenant = authority.tenant.id, tenant != realm
      {
        ledger.note(.tenantMismatch, row: row.number)
      }
    }
    if let home = row.answer.homeAccountID {
      let spelling = context.existing.spelling(of: home, cloud: row.row.cloud, form: context.form)
      for reason in context.existing.reasons(for: spelling.environment, cloud: row.row.cloud) {
        ledger.note(reason, row: row.number)
      }
    }
    if row.row.isFromTheFuture(context.now) { ledger.note(.timeFuture, row: row.number) }
  }

  /// One user name, several accounts: MSAL finds either of them by that name.
  private mutating func noteSharedNames() {
    struct Name: Hashable {
      var cloud: String
      var name: String
    }
    var homes: [Name: Set<HomeAccountID>] = [:]
    func names(of person: Person) -> Set<String> {
      Set(person.rows.compactMap(\.row.userName))
    }
    for planned in people where !planned.coveredClients.isEmpty {
      for name in names(of: planned.person) {
        homes[Name(cloud: planned.person.cloud, name: name), default: []]
          .insert(planned.person.home)
      }
    }
    for planned in people {
      for row in planned.person.rows {
        let name = Name(cloud: planned.person.cloud, name: row.row.userName ?? "")
        if homes[name]?.count ?? 0 > 1 { ledger.note(.conflictSameUPN, row: row.number) }
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
    [token.cachedAt, claims?.issuedAt, token.place.modified]
      .contains { $0.map { $0 > now + Self.toleratedSkew } ?? false }
  }
}
