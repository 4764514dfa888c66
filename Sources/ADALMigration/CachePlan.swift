// SPDX-License-Identifier: MIT
import MSALCache

/// The plan for one cache, which is one access group or one document: its people one by one, then the
/// app metadata of the clients that have a refresh token at the end.
struct CachePlan: Sendable {
  private(set) var ledger = Ledger()
  private(set) var people: [Plan.PlannedPerson] = []
  /// The keys of what is added.
  private var places: Set<EntryKey> = []

  init(
    _ group: String, _ rows: [ResolvedRow], _ existing: UnifiedState, keptRows: Set<Int>,
    withheld: Withheld, form: CacheForm, policy: Policy, now: Double
  ) {
    let legacy = rows.map(\.row)
    let context = PlanContext(
      existing: existing, families: ClientFamilies(legacy, existing: existing, form: form),
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
    planAppMetadata(context)
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

  private mutating func planAppMetadata(_ context: PlanContext) {
    struct Client: Hashable {
      var cloud: String
      var id: String
    }
    var rowsByClient: [Client: [(row: ResolvedRow, environment: String)]] = [:]
    for planned in people {
      let person = planned.person
      for row in person.rows where planned.coveredClients.contains(row.row.client) {
        let client = Client(cloud: person.cloud, id: row.row.client)
        rowsByClient[client, default: []].append((row, person.spelling.environment))
      }
    }
    for (client, rows) in rowsByClient.sorted(by: {
      ($0.key.cloud, $0.key.id) < ($1.key.cloud, $1.key.id)
    }) {
      let ofRows = context.families.ofRows(client.id, cloud: client.cloud)
      let key = ClientFamilies.key(of: client.id, cloud: client.cloud)
      if case .appMetadata(let there)? = context.existing.records(key).first {
        for row in rows { ledger.note(.keepAppMeta, row: row.row.number) }
        guard case .member = ofRows, there.familyID.nonBlank == nil else { continue }
        for row in rows { ledger.note(.appMetaFamilyConflict, row: row.row.number) }
        continue
      }
      let familyID: String?
      switch ofRows {
      case .member(let family): familyID = family
      case .none: familyID = ""
      // A document needs the entry all the same, for MSAL for Go (D4).
      case .unknown where context.form == .document: familyID = nil
      case .unknown: continue
      }
      let environments = rows.map(\.environment)
      let metadata = Record.appMetadata(
        AppMetadata(
          clientID: Self.spelling(of: rows.map(\.row.row), context),
          environment: environments.contains(client.cloud)
            ? client.cloud : environments.min() ?? client.cloud,
          familyID: familyID))
      guard let place = metadata.entryKey(in: context.form, group: context.group) else { continue }
      if let clash = places.contains(place) ? .targetCorrupt : context.existing.clash(with: place) {
        for row in rows { ledger.note(clash, row: row.row.number) }
        continue
      }
      places.insert(place)
      let id = RecordID(key: key, environment: metadata.environment)
      ledger.add(metadata, as: id)
      for row in rows {
        ledger.tie(row: row.row.number, to: id)
        ledger.note(.okAppMeta, row: row.row.number)
      }
    }
  }

  /// The client id as the newest refresh token has it, which is how the app spells it today: MSAL finds
  /// app metadata by that spelling alone (D5).
  private static func spelling(of rows: [LegacyRow], _ context: PlanContext) -> String {
    struct Spelling {
      var text: String
      var hasRefreshToken: Bool
      var age: Double
    }
    let spellings = rows.map { row in
      let archived = row.token.clientID?.trimmed ?? ""
      return Spelling(
        text: context.policy.spelling(of: archived) ?? archived,
        hasRefreshToken: row.token.refresh != nil, age: context.ages.age(of: row) ?? -.infinity)
    }
    let best = spellings.min { a, b in
      if a.hasRefreshToken != b.hasRefreshToken { return a.hasRefreshToken }
      return a.age != b.age ? a.age > b.age : a.text < b.text
    }
    return best?.text ?? ""
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
