// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// Finds the account of each row and how certain it is.
///
/// Evidence → candidates → confidence → decision (mapping-rules §2). The row's own evidence comes first. Other rows,
/// MSAL's entries and the account map about the same user come next. A wrong home account ID would create a permanent
/// second account, so an uncertain ID stays unresolved.
struct AccountResolution: ~Copyable {
  /// The answer for one row.
  struct Answer: Sendable {
    /// The home account ID; nil if there is no evidence, or if the evidence disagrees.
    var homeAccountID: HomeAccountID?
    var confidence: Confidence
    /// The reasons for the ID, or for its absence; the most important first.
    var reasons: [Reason]
    /// The evidence for the answer, as codes.
    var evidence: [String]
    /// The user name that the account map prescribes.
    var userNameOverride: String?

    static func open(_ reasons: [Reason], _ confidence: Confidence, evidence: [String] = [])
      -> Answer
    {
      Answer(homeAccountID: nil, confidence: confidence, reasons: reasons, evidence: evidence)
    }
  }

  private let map: AccountMap
  private let names: NamedObjects
  private var evidence = UserEvidence()
  /// The keys that identify the user of each row, by the row's place.
  private var keys: [RowUserKeys] = []

  /// Gathers the evidence of all rows and of MSAL's entries, of every access group.
  ///
  /// - Parameter joined: the answers for guests that only a user name tells (D32), by the row's place.
  fileprivate init(_ reader: inout RowReader, _ records: [MSALEntry], joined: [Answer?] = []) {
    map = reader.policy.accountMap
    // Names are asked for where the map has one.
    names = map.isEmpty ? NamedObjects() : NamedObjects(reader.table)
    evidence.add(records, &reader)
    self.keys.reserveCapacity(reader.table.rows.count)
    for row in reader.table.rows {
      var keys = RowUserKeys()
      if let object = reader.objectKey(of: row) { keys.object = evidence.number(of: object) }
      if let secret = row.refreshToken, !row.isOverwritten {
        keys.secret = evidence.number(of: UserKey(cloud: row.cloud, secret: secret))
      }
      self.keys.append(keys)
      guard reader.table.isEvidence(row) else { continue }
      if let object = keys.object, let secret = keys.secret { evidence.join(object, secret) }
      guard
        let (home, source) = said(
          of: row, joined.isEmpty ? nil : joined[row.index]?.homeAccountID, &reader)
      else { continue }
      if let object = keys.object { evidence.add(home, for: object, source) }
      if let secret = keys.secret { evidence.add(home, for: secret, source) }
    }
    evidence.settle()
  }

  /// The home account id that a row, or the map for its object, says of its user.
  ///
  /// - Parameter joined: the ID that a user name gives, if there is no other evidence.
  private func said(
    of row: ADALRow, _ joined: HomeAccountID?, _ reader: inout RowReader
  ) -> (home: Int, source: UserEvidence.Source)? {
    if let stored = row.storedHome { return (stored.number, .stored) }
    if let match = match(row, reader.table) {
      return (reader.number(of: match.entry.homeAccountID), .derived)
    }
    guard let home = reader.table.derivedHomes[row.derivation] else {
      let named = joined ?? named(row, reader.table)?.homeAccountID
      return named.map { (reader.number(of: $0), .named) }
    }
    let override = override(of: row, reader.table).map { reader.number(of: $0.homeAccountID) }
    return (override ?? home, .derived)
  }

  /// The account map's match for a row's object.
  private func match(_ row: ADALRow, _ table: RowTable) -> AccountMap.Match? {
    guard !map.isEmpty, let object = table.object(of: row) else { return nil }
    return map.match(object, cloud: table.symbols[row.cloud])
  }

  /// The account map's entry for a user name when only fields of the row identify the user. Such fields are weaker than
  /// an ID token, and a name does not override an ID token.
  private func override(of row: ADALRow, _ table: RowTable) -> AccountMap.Entry? {
    row.isStoredWithoutIDToken ? named(row, table) : nil
  }

  /// The account map's entry for a user name, unless several users have that name.
  private func named(_ row: ADALRow, _ table: RowTable) -> AccountMap.Entry? {
    names.areShared(row) ? nil : lines(named: row, table)?.entry
  }

  /// The lines of the account map that have the user name of a row.
  private func lines(named row: ADALRow, _ table: RowTable) -> AccountMap.Match? {
    guard !map.isEmpty, row.userName != .none else { return nil }
    return map.match(userName: table.symbols[row.userName], cloud: table.symbols[row.cloud])
  }

  /// The account of a row.
  fileprivate func answer(for row: ADALRow, _ table: RowTable) -> Answer {
    let mapped = match(row, table)
    var answer = decide(row, keys[row.index], mapped?.entry, table)
    if let id = answer.homeAccountID {
      if let entry = mapped?.entry, entry.homeAccountID != id {
        answer.reasons.append(.mapContradictsStored)
      } else {
        answer.userNameOverride = mapped?.entry.usernameOverride ?? answer.userNameOverride
      }
      if !id.isGUIDs { answer.reasons.append(.homeNonGUID) }
    }
    return answer
  }

  /// The input of an answer. Rows with equal input have the same answer.
  fileprivate struct Basis: Hashable {
    private let derivation: Int
    private let storedHome: StoredHome?
    private let keys: RowUserKeys
    private let name: Symbol
    private let hasNoHome: Bool

    init(_ row: ADALRow, _ keys: RowUserKeys) {
      derivation = row.derivation
      storedHome = row.storedHome
      self.keys = keys
      name = row.name
      hasNoHome = row.hasNoHome
    }
  }

  fileprivate func basis(of row: ADALRow) -> Basis { Basis(row, keys[row.index]) }

  private func decide(
    _ row: ADALRow, _ keys: RowUserKeys, _ mapped: AccountMap.Entry?, _ table: RowTable
  ) -> Answer {
    if row.hasNoHome { return .open([], .none) }
    let stored = evidence.homes(of: keys, .stored)
    if stored.count > 1 {
      return ownAnswer(of: row, among: stored, table)
        ?? .open([.conflictHomeID], .none, evidence: ["stored.home-account-ids"])
    }
    if let own = row.storedHome { return exact(own, row, table) }
    let home = stored.first
    // As certain as the map is, also where an entry that a run has written on its word is there.
    if let mapped, home.map({ table.homes[$0] == mapped.homeAccountID }) ?? true {
      let bond = home.map { evidence.bond(of: keys.object, to: $0, .stored) }
      return Answer(
        homeAccountID: mapped.homeAccountID, confidence: .exact, reasons: [.homeExact],
        evidence: ["map.tid+oid"] + [bond].compactMap { $0 })
    }
    return home.map { confirmed($0, by: .stored, row, keys, table) }
      ?? fromDerivations(row, keys, table)
  }

  /// The row's own derivation, if the IDs stored for its user contradict each other and the derived ID is one of them.
  /// A row that stores one of these IDs is itself part of the contradiction.
  private func ownAnswer(of row: ADALRow, among homes: NumberSet, _ table: RowTable) -> Answer? {
    guard row.storedHome == nil, let home = table.derivedHomes[row.derivation],
      homes.contains(home)
    else { return nil }
    return ownAnswer(of: row, table)
  }

  /// The ID that the row derives; nil if the derivation is not certain.
  private func ownAnswer(of row: ADALRow, _ table: RowTable) -> Answer? {
    guard case .id(let id, let confidence, let evidence) = table.derivations[row.derivation] else {
      return nil
    }
    return Answer(
      homeAccountID: id, confidence: confidence, reasons: [Self.reason(for: confidence, row)],
      evidence: evidence)
  }

  private func exact(_ stored: StoredHome, _ row: ADALRow, _ table: RowTable) -> Answer {
    var answer = Answer(
      homeAccountID: table.homes[stored.number], confidence: .exact, reasons: [.homeExact],
      evidence: ["row.\(stored.field.name)"])
    if let derived = table.derivedHomes[row.derivation], derived != stored.number {
      answer.reasons.append(.homeClaimsDisagree)
    }
    return answer
  }

  /// An ID that the service gave for another entry of the same user wins over the ID from the row's own claims (D29).
  /// If both agree, the row's own evidence counts.
  private func confirmed(
    _ home: Int, by source: UserEvidence.Source, _ row: ADALRow, _ keys: RowUserKeys,
    _ table: RowTable
  ) -> Answer {
    let bond = evidence.bond(of: keys.object, to: home, source)
    guard let own = table.derivedHomes[row.derivation] else {
      return Answer(
        homeAccountID: table.homes[home], confidence: .joined, reasons: [.homeJoined],
        evidence: [bond] + table.guestMarkers(of: row).map(\.rawValue))
    }
    if own == home, var answer = ownAnswer(of: row, table) {
      answer.evidence.append(bond)
      return answer
    }
    return Answer(
      homeAccountID: table.homes[home], confidence: .joined,
      reasons: [.homeJoined, .homeClaimsDisagree], evidence: [bond])
  }

  private func fromDerivations(
    _ row: ADALRow, _ keys: RowUserKeys, _ table: RowTable
  ) -> Answer {
    let derived = evidence.homes(of: keys, .derived)
    if derived.count > 1 {
      return .open([.conflictHomeID], .none, evidence: ["derived.home-account-ids"])
    }
    switch table.derivations[row.derivation] {
    case .id:
      if let entry = override(of: row, table) { return Self.byName(entry) }
      return ownAnswer(of: row, table) ?? .open([], .none)
    case .open(let reasons, let confidence):
      if let home = derived.first { return confirmed(home, by: .derived, row, keys, table) }
      let named = evidence.homes(of: keys, .named)
      if named.count > 1 {
        return .open([.conflictHomeID], .none, evidence: ["named.home-account-ids"])
      }
      if let entry = self.named(row, table) { return Self.byName(entry) }
      if let home = named.first { return confirmed(home, by: .named, row, keys, table) }
      let isShared = names.areShared(row) && lines(named: row, table) != nil
      return .open(
        isShared ? reasons + [.conflictSameUPN] : reasons, confidence,
        evidence: table.guestMarkers(of: row).map(\.rawValue))
    }
  }

  /// The answer from a line of the account map that names a user.
  private static func byName(_ entry: AccountMap.Entry) -> Answer {
    Answer(
      homeAccountID: entry.homeAccountID, confidence: .joined, reasons: [.homeJoined],
      evidence: ["map.upn"], userNameOverride: entry.usernameOverride)
  }

  /// The reason for an ID that the row itself derives.
  private static func reason(for confidence: Confidence, _ row: ADALRow) -> Reason {
    if row.isStoredWithoutIDToken { return .homeMemberFields }
    return switch confidence {
    case .homeAuthority: .homeCommonAuthority
    case .tenantMember: .homeTenantMember
    case .exact: .homeExact
    case .joined, .usernameOnly, .none: .homeJoined
    }
  }

  /// The lines of the account map that no row asked for, by where they stand.
  fileprivate func unusedMapEntries(_ table: RowTable) -> [String] {
    guard !map.places.isEmpty else { return [] }
    var used: Set<Int> = []
    for row in table.rows {
      guard let match = match(row, table) ?? lines(named: row, table),
        let first = match.numbers.first, !used.contains(first)
      else { continue }
      used.formUnion(match.numbers)
    }
    return zip(map.places.indices, map.places).filter { !used.contains($0.0) }.map(\.1)
  }
}

extension RowReader {
  /// Finds the account of each row.
  ///
  /// - Parameter records: entries in MSAL's form.
  mutating func resolve(_ records: [MSALEntry]) {
    let resolution = AccountResolution(&self, records)
    answer(by: resolution)
    if policy.joinsGuests { joinGuests(records) }
    note(unusedMapEntries: resolution.unusedMapEntries(table))
  }

  private mutating func answer(by resolution: borrowing AccountResolution) {
    var known: [AccountResolution.Basis: Int] = [:]
    for row in table.rows {
      let basis = resolution.basis(of: row)
      if let known = known[basis] {
        assign(answer: known, to: row)
      } else {
        known[basis] = assign(resolution.answer(for: row, table), to: row)
      }
    }
  }

  /// Joins guests by their user names, and the other rows of the same users with them, because the next run would join
  /// those through the entries that this run adds. New rows can bring new names, and each of these costs a round.
  private mutating func joinGuests(_ records: [MSALEntry]) {
    var joined = [AccountResolution.Answer?](repeating: nil, count: table.rows.count)
    for _ in 0..<GuestJoin.mostRounds {
      guard GuestJoin(table, records).add(to: &joined, table) else { return }
      answer(by: AccountResolution(&self, records, joined: joined))
      // If two names lead to two accounts of one object, neither is certain.
      for row in table.rows {
        guard let answer = joined[row.index],
          answer.homeAccountID == table.answer(for: row).homeAccountID
        else { continue }
        assign(answer, to: row)
      }
    }
  }

  /// The key of the user as the tenant of the ID token knows it.
  fileprivate mutating func objectKey(of row: ADALRow) -> UserKey? {
    if let idToken = row.idToken, !row.isStoredWithoutIDToken {
      let (tenant, object) = (table.idTokens[idToken].realm, table.idTokens[idToken].objectID)
      return object == .none ? nil : UserKey(cloud: row.cloud, tenant: tenant, object: object)
    }
    return table.object(of: row).map { key(of: $0, cloud: row.cloud) }
  }
}

extension RowTable {
  /// Whether the authority of the row's tokens counts as evidence for other rows.
  func isEvidence(_ row: ADALRow) -> Bool {
    url(of: row)?.kind == .aad && row.blockingReason != .envUnknownHost
  }

  /// The guest markers of the row.
  func guestMarkers(of row: ADALRow) -> [GuestMarker] {
    row.isStoredWithoutIDToken
      ? tokens[row.index].token.storedGuestMarkers(
        in: row.realm == .none ? nil : symbols[row.realm])
      : row.idToken.map { idTokens[$0].guestMarkers } ?? []
  }
}

extension ADALRow {
  /// Users of AD FS and B2C have no home account id (level 0 of mapping-rules §2.2).
  fileprivate var hasNoHome: Bool { kind == .adfs || kind == .b2c }
}

/// The user names that several users of one tenant share. Such a name alone proves nothing.
struct NamedObjects: Sendable {
  private struct Key: Hashable {
    var cloud: Symbol
    var tenant = Symbol.none
    var name: Symbol
  }

  private var shared: Set<Key> = []

  init() {}

  init(_ table: RowTable) {
    var objects: [Key: String] = [:]
    for row in table.rows where row.name != .none {
      guard let object = table.certainObject(of: row), let tenant = table.symbols.known(object.tid)
      else {
        continue
      }
      let key = Key(cloud: row.cloud, tenant: tenant, name: row.name)
      let first = objects[key] ?? object.oid
      objects[key] = first
      if !first.isExactly(object.oid) { shared.insert(Key(cloud: row.cloud, name: row.name)) }
    }
  }

  /// Whether several users have the name of a row.
  func areShared(_ row: ADALRow) -> Bool {
    shared.contains(Key(cloud: row.cloud, name: row.name))
  }
}
