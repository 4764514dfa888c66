// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// Whose account a row belongs to, and how certain that is.
///
/// Evidence → candidates → confidence → decision (mapping-rules §2). What a row says by itself comes
/// first; then what the other rows, MSAL's entries and the account map say of the same user. A wrong
/// home account id would become a second account for good, so whatever is not certain stays open.
struct AccountResolution: Sendable {
  /// The answer for one row.
  struct Answer: Sendable {
    /// The home account id; nil when nothing tells it or the evidence disagrees.
    var homeAccountID: HomeAccountID?
    var confidence: Confidence
    /// How the id was found, or why it was not; the most important first.
    var reasons: [Reason]
    /// What the answer rests on, as codes.
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
  private let evidence: UserEvidence
  private let names: NamedObjects
  /// What tells whose each row is, by the row's place among the rows.
  private let keys: [RowUserKeys]

  /// The keys of one row, by number.
  private struct RowUserKeys {
    var object: Int?
    var all: [Int] = []
  }

  /// Gathers the evidence of all rows and of MSAL's entries, of every access group.
  init(_ rows: [LegacyRow], _ records: [MSALEntry], _ policy: Policy) {
    map = policy.accountMap
    // Names are asked for where the map has one.
    let names = NamedObjects(map.isEmpty ? [] : rows)
    var evidence = UserEvidence()
    evidence.add(records, policy)
    var all: [RowUserKeys] = []
    for row in rows {
      var keys = RowUserKeys()
      if let object = row.object {
        let number = evidence.number(of: .object(cloud: row.cloud, object))
        keys.object = number
        keys.all.append(number)
      }
      if let secret = row.token.refresh, !row.isOverwritten {
        keys.all.append(evidence.number(of: .secret(cloud: row.cloud, HashedSecret(secret))))
      }
      all.append(keys)
      guard row.isEvidence else { continue }
      evidence.join(keys.all)
      if let stored = row.storedHomeAccountID {
        evidence.add(stored.id, for: keys.all, .stored)
      } else if let object = row.object, let match = map.match(object, cloud: row.cloud) {
        evidence.add(match.entry.homeAccountID, for: keys.all, .derived)
      } else if case .id(let id, _, _) = row.derivation {
        let id = Self.override(of: row, map, names)?.homeAccountID ?? id
        evidence.add(id, for: keys.all, .derived)
      }
    }
    evidence.settle()
    self.evidence = evidence
    self.names = names
    keys = all
  }

  /// What the account map says of the name of a user whom only fields of a row prove: they are weaker than an
  /// ID token, which a name does not override.
  private static func override(
    of row: LegacyRow, _ map: AccountMap, _ names: NamedObjects
  ) -> AccountMap.Entry? {
    guard row.isStoredWithoutIDToken, let name = row.userName,
      !names.areShared(name, cloud: row.cloud)
    else { return nil }
    return map.match(userName: name, cloud: row.cloud)?.entry
  }

  /// Whose the rows are, in the order in which they were given.
  func answers(for rows: [LegacyRow]) -> [Answer] {
    zip(rows, keys).map { answer(for: $0, $1) }
  }

  private func answer(for row: LegacyRow, _ keys: RowUserKeys) -> Answer {
    let mapped = row.object.flatMap { map.match($0, cloud: row.cloud) }
    var answer = decide(row, keys, mapped?.entry)
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

  private func decide(
    _ row: LegacyRow, _ keys: RowUserKeys, _ mapped: AccountMap.Entry?
  ) -> Answer {
    // Users of AD FS and B2C have no home account id (level 0 of mapping-rules §2.2).
    if row.kind == .adfs || row.kind == .b2c { return .open([], .none) }
    let stored = evidence.ids(of: keys.all, .stored)
    if stored.count > 1 {
      return ownAnswer(of: row, among: stored)
        ?? .open([.conflictHomeID], .none, evidence: ["stored.home-account-ids"])
    }
    if let own = row.storedHomeAccountID { return exact(own, row) }
    if let id = stored.first {
      return confirmed(id, by: .stored, row, keys)
    }
    if let mapped {
      return Answer(
        homeAccountID: mapped.homeAccountID, confidence: .exact, reasons: [.homeExact],
        evidence: ["map.tid+oid"])
    }
    return fromDerivations(row, keys)
  }

  /// What the row derives, where the ids that are stored of its user contradict each other and that is one
  /// of them. A row that stores one of them itself is part of the contradiction.
  private func ownAnswer(of row: LegacyRow, among ids: Set<HomeAccountID>) -> Answer? {
    guard row.storedHomeAccountID == nil,
      case .id(let id, let confidence, let evidence) = row.derivation, ids.contains(id)
    else { return nil }
    return Answer(
      homeAccountID: id, confidence: confidence, reasons: [Self.reason(for: confidence, row)],
      evidence: evidence)
  }

  private func exact(_ stored: StoredHomeAccountID, _ row: LegacyRow) -> Answer {
    var answer = Answer(
      homeAccountID: stored.id, confidence: .exact, reasons: [.homeExact],
      evidence: ["row.\(stored.field.rawValue)"])
    if case .id(let derived, _, _) = row.derivation, derived != stored.id {
      answer.reasons.append(.homeClaimsDisagree)
    }
    return answer
  }

  /// An id that the service gave for another entry of the same user wins over what the row's own
  /// claims would give (D29); where both agree, the row stands on its own evidence.
  private func confirmed(
    _ id: HomeAccountID, by source: UserEvidence.Source, _ row: LegacyRow, _ keys: RowUserKeys
  ) -> Answer {
    let bond = evidence.bond(of: keys.object, to: id, source)
    if case .id(let own, let confidence, let evidence) = row.derivation {
      if own == id {
        return Answer(
          homeAccountID: id, confidence: confidence, reasons: [Self.reason(for: confidence, row)],
          evidence: evidence + [bond])
      }
      return Answer(
        homeAccountID: id, confidence: .joined, reasons: [.homeJoined, .homeClaimsDisagree],
        evidence: [bond])
    }
    return Answer(
      homeAccountID: id, confidence: .joined, reasons: [.homeJoined],
      evidence: [bond] + row.guestEvidence)
  }

  private func fromDerivations(_ row: LegacyRow, _ keys: RowUserKeys) -> Answer {
    let derived = evidence.ids(of: keys.all, .derived)
    if derived.count > 1 {
      return .open([.conflictHomeID], .none, evidence: ["derived.home-account-ids"])
    }
    switch row.derivation {
    case .id(let id, let confidence, let evidence):
      if let entry = Self.override(of: row, map, names) {
        return Answer(
          homeAccountID: entry.homeAccountID, confidence: .joined, reasons: [.homeJoined],
          evidence: ["map.upn"], userNameOverride: entry.usernameOverride)
      }
      return Answer(
        homeAccountID: id, confidence: confidence, reasons: [Self.reason(for: confidence, row)],
        evidence: evidence)
    case .open(let reasons, let confidence):
      if let id = derived.first { return confirmed(id, by: .derived, row, keys) }
      if let name = row.userName, let match = map.match(userName: name, cloud: row.cloud) {
        if names.areShared(name, cloud: row.cloud) {
          return .open(reasons + [.conflictSameUPN], confidence, evidence: row.guestEvidence)
        }
        return Answer(
          homeAccountID: match.entry.homeAccountID, confidence: .joined, reasons: [.homeJoined],
          evidence: ["map.upn"], userNameOverride: match.entry.usernameOverride)
      }
      return .open(reasons, confidence, evidence: row.guestEvidence)
    }
  }

  /// What is to be said of an id that the row itself derives.
  private static func reason(for confidence: Confidence, _ row: LegacyRow) -> Reason {
    if row.isStoredWithoutIDToken { return .homeMemberFields }
    return switch confidence {
    case .homeAuthority: .homeCommonAuthority
    case .tenantMember: .homeTenantMember
    case .exact: .homeExact
    case .joined, .usernameOnly, .none: .homeJoined
    }
  }

  /// The lines of the account map that no row asked for, by where they stand.
  func unusedMapEntries(rows: [LegacyRow]) -> [String] {
    guard !map.places.isEmpty else { return [] }
    var used: Set<Int> = []
    for row in rows {
      guard
        let match = row.object.flatMap({ map.match($0, cloud: row.cloud) })
          ?? row.userName.flatMap({ map.match(userName: $0, cloud: row.cloud) }),
        let first = match.numbers.first, !used.contains(first)
      else { continue }
      used.formUnion(match.numbers)
    }
    return zip(map.places.indices, map.places).filter { !used.contains($0.0) }.map(\.1)
  }
}

/// The user names that several users of one tenant have, so that a name alone proves nothing.
struct NamedObjects: Sendable {
  private var shared: Set<UserNameKey> = []

  init(_ rows: some Sequence<LegacyRow>) {
    var objects: [UserNameKey: String] = [:]
    for row in rows {
      guard let name = row.userName, let object = row.object else { continue }
      let key = UserNameKey(cloud: row.cloud, tenant: object.tid, name: name)
      let first = objects[key] ?? object.oid
      objects[key] = first
      if !first.isExactly(object.oid) { shared.insert(UserNameKey(cloud: row.cloud, name: name)) }
    }
  }

  func areShared(_ name: String, cloud: String) -> Bool {
    shared.contains(UserNameKey(cloud: cloud, name: name))
  }
}
