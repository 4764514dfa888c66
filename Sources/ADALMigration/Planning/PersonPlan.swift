// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// What every part of a plan for one cache needs to know.
struct PlanContext: Sendable {
  let existing: UnifiedState
  let families: ClientFamilies
  let ages: TokenAges
  let policy: Policy
  let now: Double
  let form: CacheForm
  /// The access group that is written to; empty for a document.
  let group: String
  /// The rows of ADAL's that stay in the target beside what is written, by row number.
  let keptRows: Set<Int>
  /// What is left out, whatever the rows say.
  let withheld: Withheld
}

/// The form in which a target keeps MSAL's entries.
enum CacheForm: Sendable {
  case keychainItems, document
}

/// The plan for one account: which of its rows become which entries.
///
/// Refresh tokens come first, since without one MSAL does not list the account and nothing else is
/// written (D24); then what a client with a refresh token needs beside it.
struct PersonPlan: Sendable {
  private(set) var person: Person
  let context: PlanContext
  private(set) var decisions = Decisions()
  /// The keys of what is added, and where it is among the additions.
  private(set) var places: [EntryKey: Int] = [:]
  /// The keys that entries of other accounts take.
  private let blocked: Set<EntryKey>

  init(_ person: Person, _ context: PlanContext, blocked: Set<EntryKey> = []) {
    self.person = person
    self.context = context
    self.blocked = blocked
    let rows = withoutSignedOut(person.rows)
    if withheldPart == .everything {
      for row in rows { decisions.note(.checkNotFound, row: row.number) }
      return
    }
    if hasSeveralTargets(rows) {
      for row in rows { decisions.note(.conflictTargetMultiple, row: row.number) }
      return
    }
    let refreshRows = rows.filter { $0.row.token.refresh != nil }
    for (client, candidates) in Dictionary(grouping: refreshRows, by: \.row.client).sorted(by: {
      $0.key < $1.key
    })
    where candidates.first?.row.kind != .familyRefreshToken {
      planRefreshToken(of: client, candidates)
    }
    planFamilies(rows)
    coverWhatIsThere(rows)
    coverFamilyMembers(rows)

    let covered = rows.filter { isCovered($0.row) }
    for row in rows where !isCovered(row.row) && row.row.token.refresh == nil {
      decisions.note(.rtMissing, row: row.number)
    }
    planTenants(covered)
    for (client, rows) in Dictionary(grouping: covered, by: \.row.client).sorted(by: {
      $0.key < $1.key
    }) {
      planAccessTokens(of: client, rows)
    }
  }

  /// The rows whose client the user is not signed out of (D13).
  private mutating func withoutSignedOut(_ rows: [ResolvedRow]) -> [ResolvedRow] {
    rows.filter { row in
      guard isSignedOut(of: row.row.client) else { return true }
      decisions.note(.accountSignedOut, row: row.number)
      return false
    }
  }

  /// How much of the account is left out because the check did not find it.
  var withheldPart: Withheld.Part? { context.withheld.part(of: person) }

  /// Whether the target holds several refresh tokens where MSAL expects one and gives up.
  private func hasSeveralTargets(_ rows: [ResolvedRow]) -> Bool {
    guard context.form == .keychainItems else { return false }
    return Set(rows.map(\.row.client)).contains {
      let there = context.existing.records(person.key(.refreshToken, owner: $0))
      return Set(there.map(\.environment)).count > 1
    }
  }

  private func isCovered(_ row: LegacyRow) -> Bool {
    row.kind == .familyRefreshToken
      ? person.families.contains(row.family ?? "") : person.clients.contains(row.client)
  }
}

// MARK: - Refresh tokens

extension PersonPlan {
  private mutating func planRefreshToken(of client: String, _ candidates: [ResolvedRow]) {
    let key = person.key(.refreshToken, owner: client)
    let ordered = context.ages.preferredFirst(candidates, home: person.home)
    if let there = context.existing.records(key).first {
      keep(there, for: ordered)
      person.clients.insert(client)
      return
    }
    guard let winner = ordered.first, let secret = winner.row.token.refresh else { return }
    let credential = Credential(
      kind: .refreshToken, homeAccountID: person.spelling.homeAccountID,
      environment: person.spelling.environment, clientID: spelling(of: winner.row), secret: secret)
    guard let id = add(.credential(credential), key, for: ordered) else { return }
    person.clients.insert(client)
    for row in ordered {
      settleRefresh(row, winner: winner, id)
    }
  }

  private mutating func settleRefresh(_ row: ResolvedRow, winner: ResolvedRow, _ id: Int) {
    let isWinner = row.number == winner.number
    let isSingle = row.row.kind == .singleResourceToken
    // Other ADALs repeat a refresh token in every row of the person.
    let isCopy =
      row.row.token.origin != .apple && row.row.token.refresh == winner.row.token.refresh
    if !isWinner && !isCopy {
      let isSuperseded = isSingle && winner.row.kind != .singleResourceToken
      decisions.note(isSuperseded ? .rtSingleSuperseded : .rtDuplicate, row: row.number)
    }
    guard row.row.token.refresh == winner.row.token.refresh else { return }
    decisions.settle(.converted, row: row.number)
    decisions.tie(row: row.number, to: id)
    if winner.row.kind == .singleResourceToken {
      decisions.note(.rtSingleResource, row: row.number)
    } else if isWinner || isCopy {
      decisions.note(.okMRRT, row: row.number)
    }
    if isStale(row.row) { decisions.note(.rtPossiblyStale, row: row.number) }
  }

  /// What MSAL already has stays; the rows are there, whatever their secret is (D17, D23).
  private mutating func keep(_ there: Record, for rows: [ResolvedRow]) {
    guard case .credential(let credential) = there else { return }
    for row in rows {
      decisions.settle(.alreadyThere, row: row.number)
      if row.row.token.refresh == credential.secret {
        decisions.note(.keepIdentical, row: row.number)
      } else if isProvablyNewer(row.row, than: credential) {
        decisions.note(.keepTargetOlder, row: row.number)
      } else {
        decisions.note(.keepTargetNewer, row: row.number)
      }
    }
  }

  private func isProvablyNewer(_ row: LegacyRow, than credential: Credential) -> Bool {
    guard let mine = context.ages.age(of: row), let theirs = credential.storedAt else {
      return false
    }
    return mine > theirs
  }

  /// How long the service keeps an unused refresh token alive, by default.
  private static let refreshTokenLifetime = 90.0 * 86_400

  private func isStale(_ row: LegacyRow) -> Bool {
    context.ages.age(of: row).map { context.now - $0 > Self.refreshTokenLifetime } ?? false
  }

  /// The client id as it is written, to the letter: as the policy spells it, else as the archive does (D5,
  /// D37).
  func spelling(of row: LegacyRow) -> String {
    let archived = row.token.clientID ?? ""
    return context.policy.spelling(of: archived) ?? archived
  }
}

// MARK: - Families

extension PersonPlan {
  private mutating func planFamilies(_ rows: [ResolvedRow]) {
    let byFamily = Dictionary(grouping: rows.filter { $0.row.family != nil }) {
      $0.row.family ?? ""
    }
    guard !byFamily.isEmpty else { return }
    let bySecret = Dictionary(grouping: rows.filter { $0.row.token.refresh != nil }) {
      $0.row.token.refresh
    }
    for (family, own) in byFamily.sorted(by: { $0.key < $1.key }) {
      // A row that holds the family's own token is of it, whatever it says itself.
      let secrets = Set(
        own.filter { $0.row.kind == .familyRefreshToken }.map(\.row.token.refresh))
      let sharing = secrets.flatMap { bySecret[$0] ?? [] }.filter { $0.row.family != family }
      planFamily(family, (own + sharing).sorted { $0.number < $1.number })
    }
  }

  private mutating func planFamily(_ family: String, _ rows: [ResolvedRow]) {
    let own = context.ages.preferredFirst(
      rows.filter { $0.row.kind == .familyRefreshToken && $0.row.family == family },
      home: person.home)
    let ownSecrets = Set(own.compactMap(\.row.token.refresh))
    let members = rows.filter {
      $0.row.kind != .familyRefreshToken
        && ($0.row.family == family || $0.row.token.refresh.map(ownSecrets.contains) ?? false)
    }
    let holders = context.ages.preferredFirst(
      members.filter { $0.row.kind == .multiResourceRefreshToken }, home: person.home)
    let key = person.key(.familyRefreshToken, owner: family)
    // Others are written as they are.
    for row in own + holders where family != ClientFamilies.known {
      decisions.note(.familyUnknown, row: row.number)
    }
    if let there = context.existing.records(key).first {
      keep(there, for: own)
      for row in holders { decisions.note(.okFRTMember, row: row.number) }
      person.families.insert(family)
      return
    }
    guard let winner = own.first ?? holders.first, let secret = winner.row.token.refresh else {
      return
    }
    guard let clientID = clientOfFamilyToken(secret, members) ?? declaredClient(of: family) else {
      let reason = whyNoClient(of: family)
      for row in own { decisions.note(reason, row: row.number) }
      return
    }
    let credential = Credential(
      kind: .refreshToken, homeAccountID: person.spelling.homeAccountID,
      environment: person.spelling.environment, clientID: clientID, secret: secret,
      familyID: family)
    guard let id = add(.credential(credential), key, for: own + holders) else { return }
    person.families.insert(family)
    for row in holders {
      decisions.note(.okFRTMember, row: row.number)
      decisions.tie(row: row.number, to: id)
    }
    for row in own { settleFamily(row, winner: winner, id, holders) }
  }

  private mutating func settleFamily(
    _ row: ResolvedRow, winner: ResolvedRow, _ id: Int, _ holders: [ResolvedRow]
  ) {
    if row.row.token.refresh == winner.row.token.refresh {
      decisions.settle(.converted, row: row.number)
      decisions.tie(row: row.number, to: id)
      decisions.note(.okFRT, row: row.number)
      if !holders.isEmpty
        && !holders.contains(where: { $0.row.token.refresh == row.row.token.refresh })
      {
        decisions.note(.rtFRTDiverged, row: row.number)
      }
      if isStale(row.row) { decisions.note(.rtPossiblyStale, row: row.number) }
    } else {
      decisions.note(.rtDuplicate, row: row.number)
    }
  }

  /// D26: the member with the same secret, else the newest, else the one with the smallest id.
  private func clientOfFamilyToken(_ secret: Secret, _ members: [ResolvedRow]) -> String? {
    let same = members.filter { $0.row.token.refresh == secret }
    let pool = same.isEmpty ? members : same
    let newest = pool.map { context.ages.age(of: $0.row) ?? -.infinity }.max()
    return pool.filter { (context.ages.age(of: $0.row) ?? -.infinity) == newest }
      .map { spelling(of: $0.row) }.min()
  }

  /// A client that the policy names, and of which the target says that it is in the family.
  private func declaredClient(of family: String) -> String? {
    declaredClients(of: family).filter { !isSignedOut(of: $0) }.min()
  }

  private func declaredClients(of family: String) -> [String] {
    (context.policy.clientIDs ?? []).filter {
      let client = ClientKey(cloud: person.account.cloud, client: $0)
      return context.families.membership(of: client) == .member(of: family)
    }
  }

  /// Why there is no client to write a family's token for: the only ones that are known are signed out
  /// (D13), or none is known.
  private func whyNoClient(of family: String) -> Reason {
    let members = person.rows.filter {
      $0.row.kind != .familyRefreshToken && $0.row.family == family
    }
    if members.contains(where: { isSignedOut(of: $0.row.client) })
      || declaredClients(of: family).contains(where: isSignedOut)
    {
      return .accountSignedOut
    }
    return context.policy.clientIDs == nil ? .rtFRTNoClient : .rtFRTForeign
  }

  private func isSignedOut(of client: String) -> Bool {
    context.existing.isSignedOut(client: client, home: person.account.home)
  }

  /// A client whose refresh token is there in MSAL's form needs no row of ADAL's to have one, nor does a
  /// family (D24).
  private mutating func coverWhatIsThere(_ rows: [ResolvedRow]) {
    for client in Self.clients(of: rows) {
      if context.existing.holds(person.key(.refreshToken, owner: client)) {
        person.clients.insert(client)
      }
      if let family = familySignIn(of: client),
        context.existing.holds(person.key(.familyRefreshToken, owner: family))
      {
        person.families.insert(family)
      }
    }
  }

  /// A client without a refresh token of its own uses its family's.
  private mutating func coverFamilyMembers(_ rows: [ResolvedRow]) {
    for client in Self.clients(of: rows) {
      guard let family = familySignIn(of: client), person.families.contains(family) else {
        continue
      }
      person.clients.insert(client)
    }
  }

  private static func clients(of rows: [ResolvedRow]) -> Set<String> {
    Set(rows.lazy.filter { $0.row.kind != .familyRefreshToken }.map(\.row.client))
  }

  private func familySignIn(of client: String) -> String? {
    context.families.familySignIn(of: ClientKey(cloud: person.account.cloud, client: client))
  }
}

// MARK: - Additions

extension PersonPlan {
  /// Adds a record unless its place is taken; then the rows hear why, and the result is nil.
  ///
  /// - Parameter key: what MSAL knows the record by.
  /// - Returns: where it is among the additions.
  mutating func add(
    _ record: Record, _ key: RecordKey, isCopy: Bool = false, for rows: [ResolvedRow]
  ) -> Int? {
    let attributes = context.form == .keychainItems ? record.attributes : nil
    guard let place = record.entryKey(attributes, group: context.group) else { return nil }
    let id = AdditionID(record, key, in: context.group, isCopy: isCopy)
    if let reason = clash(with: place, of: id) {
      for row in rows { decisions.note(reason, row: row.number) }
      return nil
    }
    let addition = decisions.add(Addition(id: id, record: record, attributes: attributes))
    places[place] = addition
    return addition
  }

  /// Why a place is taken; nil when it is free, or taken by this very entry.
  private func clash(with place: EntryKey, of id: AdditionID) -> Reason? {
    if let there = places[place] {
      return decisions.additions[there].id == id ? nil : .targetCorrupt
    }
    if blocked.contains(place) { return .targetCorrupt }
    return context.existing.clash(with: place)
  }

  mutating func note(_ reason: Reason, row: Int) { decisions.note(reason, row: row) }
  mutating func settle(_ outcome: Report.Outcome, row: Int) { decisions.settle(outcome, row: row) }
  mutating func tie(row: Int, to addition: Int) { decisions.tie(row: row, to: addition) }

  /// Takes back everything that would be written, since the account itself cannot be.
  mutating func withdraw(_ reason: Reason, rows: [ResolvedRow]) {
    decisions = decisions.withoutAdditions()
    for row in rows { decisions.note(reason, row: row.number) }
    places = [:]
    person.clients = []
    person.families = []
  }
}
