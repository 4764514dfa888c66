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
    var confidence: Report.Confidence
    /// How the id was found, or why it was not; the most important first.
    var reasons: [Reason]
    /// What the answer rests on, as codes.
    var evidence: [String]
    /// The user name that the account map prescribes.
    var userNameOverride: String?

    static func open(_ reasons: [Reason], _ confidence: Report.Confidence, evidence: [String] = [])
      -> Answer
    {
      Answer(homeAccountID: nil, confidence: confidence, reasons: reasons, evidence: evidence)
    }
  }

  private let map: AccountMap
  private let stored: Testimony
  private let derived: Testimony
  private let names: NamedObjects

  /// Gathers the evidence of all rows and of MSAL's entries, of every access group.
  init(rows: [LegacyRow], unified: UnifiedEvidence, map: AccountMap) {
    self.map = map
    names = NamedObjects(rows)
    var stored = unified.testimony
    var derived = Testimony()
    for row in rows where row.mayTestify {
      if let id = row.storedHomeAccountID {
        stored.add(id, for: row.clues)
      } else if let object = row.object, let match = map.match(object, cloud: row.cloud) {
        derived.add(match.entry.homeAccountID, for: row.clues)
      } else if case .id(let id, _, _) = row.derivation {
        derived.add(
          Self.override(of: row, map, names)?.homeAccountID ?? id, for: row.clues)
      }
    }
    let bonds = Bonds(rows)
    stored.spread(along: bonds)
    derived.spread(along: bonds)
    self.stored = stored
    self.derived = derived
  }

  /// What the account map says of the name of a user whom only fields of a row prove: they are weaker than an
  /// ID token, which a name does not override.
  private static func override(
    of row: LegacyRow, _ map: AccountMap, _ names: NamedObjects
  ) -> AccountMap.Entry? {
    guard row.isKeptWithoutIDToken, let name = row.userName,
      !names.areShared(name, cloud: row.cloud)
    else { return nil }
    return map.match(userName: name, cloud: row.cloud)?.entry
  }

  /// Resolves one row.
  func answer(for row: LegacyRow) -> Answer {
    let mapped = row.object.flatMap { map.match($0, cloud: row.cloud) }
    var answer = decide(row, mapped?.entry)
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

  private func decide(_ row: LegacyRow, _ mapped: AccountMap.Entry?) -> Answer {
    // Users of AD FS and B2C have no home account id (level 0 of mapping-rules §2.2).
    if row.kind == .adfs || row.kind == .b2c { return .open([], .none) }
    let witnesses = stored.ids(of: row.clues)
    if witnesses.count > 1 {
      return ownAnswer(of: row, among: witnesses)
        ?? .open([.conflictHomeID], .none, evidence: ["stored.home-account-ids"])
    }
    if let own = row.storedHomeAccountID {
      return exact(own, row)
    }
    if let id = witnesses.first {
      return confirmed(id, by: stored, row)
    }
    if let mapped {
      return Answer(
        homeAccountID: mapped.homeAccountID, confidence: .exact, reasons: [.homeExact],
        evidence: ["map.tid+oid"])
    }
    return fromDerivations(row)
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

  private func exact(_ id: HomeAccountID, _ row: LegacyRow) -> Answer {
    var answer = Answer(
      homeAccountID: id, confidence: .exact, reasons: [.homeExact],
      evidence: [
        row.token.homeAccountID.flatMap { HomeAccountID($0) } != nil
          ? "row.homeAccountId" : "row.client_info"
      ])
    if case .id(let derived, _, _) = row.derivation, derived != id {
      answer.reasons.append(.homeClaimsDisagree)
    }
    return answer
  }

  /// An id that the service gave for another entry of the same user wins over what the row's own
  /// claims would give (D29); where both agree, the row stands on its own evidence.
  private func confirmed(_ id: HomeAccountID, by testimony: Testimony, _ row: LegacyRow) -> Answer {
    let bond = testimony.bond(of: row.objectClue, to: id)
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

  private func fromDerivations(_ row: LegacyRow) -> Answer {
    let witnesses = derived.ids(of: row.clues)
    if witnesses.count > 1 {
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
      if let id = witnesses.first {
        return confirmed(id, by: derived, row)
      }
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
  private static func reason(for confidence: Report.Confidence, _ row: LegacyRow) -> Reason {
    if row.isKeptWithoutIDToken { return .homeMemberFields }
    return switch confidence {
    case .homeAuthority: .homeCommonAuthority
    case .tenantMember: .homeTenantMember
    case .exact: .homeExact
    case .joined, .usernameOnly, .none: .homeJoined
    }
  }

  /// The lines of the account map that no row asked for, by where they stand.
  func unusedMapEntries(rows: [LegacyRow]) -> [String] {
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

/// Which user names several people of one tenant have, so that a name alone tells nobody.
struct NamedObjects: Sendable {
  private struct Name: Hashable {
    var cloud: String
    var name: String
  }

  private struct Place: Hashable {
    var name: Name
    var tid: String
  }

  private var shared: Set<Name> = []

  init(_ rows: some Sequence<LegacyRow>) {
    var objects: [Place: String] = [:]
    for row in rows {
      guard let name = row.userName, let object = row.object else { continue }
      let place = Place(name: Name(cloud: row.cloud, name: name), tid: object.tid)
      let first = objects[place] ?? object.oid
      objects[place] = first
      if first != object.oid { shared.insert(place.name) }
    }
  }

  func areShared(_ name: String, cloud: String) -> Bool {
    shared.contains(Name(cloud: cloud, name: name))
  }
}

/// What tells whose a row is, within one cloud: an object of a tenant is one user, and a refresh token is
/// given to one user and one client.
enum Clue: Sendable, Hashable {
  case object(cloud: String, ObjectID)
  case secret(cloud: String, Secret)
}

extension LegacyRow {
  /// The user's object, as what tells whose the row is.
  var objectClue: Clue? { object.map { .object(cloud: cloud, $0) } }

  /// The refresh token, as what tells whose the row is.
  fileprivate var secretClue: Clue? {
    isOverwritten ? nil : token.refresh.map { .secret(cloud: cloud, $0) }
  }

  /// Everything in the row that tells whose it is.
  var clues: [Clue] { [objectClue, secretClue].compactMap { $0 } }
}

/// Who says which home account id, by clue.
struct Testimony: Sendable {
  private var ids: [Clue: Set<HomeAccountID>] = [:]
  /// What was said before it spread.
  private var direct: [Clue: Set<HomeAccountID>] = [:]

  mutating func add(_ id: HomeAccountID, for clues: [Clue]) {
    for clue in clues {
      ids[clue, default: []].insert(id)
      direct[clue, default: []].insert(id)
    }
  }

  /// Lets everything that is bound to a user speak for it, however many rows are between them: a second
  /// run, which finds what the first has written, must not know more than the first.
  mutating func spread(along bonds: Bonds) {
    var seen: Set<Clue> = []
    for clue in bonds.clues where !seen.contains(clue) {
      let user = bonds.everything(boundTo: clue)
      seen.formUnion(user)
      let said = user.reduce(into: Set<HomeAccountID>()) { $0.formUnion(ids[$1] ?? []) }
      guard !said.isEmpty else { continue }
      for clue in user { ids[clue] = said }
    }
  }

  /// Every id that is said of this user.
  func ids(of clues: [Clue]) -> Set<HomeAccountID> {
    var said: Set<HomeAccountID> = []
    for clue in clues {
      guard let more = ids[clue], !more.isEmpty else { continue }
      // The clues of one user share one value, which is told without looking into it.
      if said.isEmpty {
        said = more
      } else if said != more {
        said.formUnion(more)
      }
    }
    return said
  }

  /// By what a user is bound to an id, as a code.
  func bond(of object: Clue?, to id: HomeAccountID) -> String {
    object.flatMap { direct[$0] }?.contains(id) ?? false
      ? "join.oid+tid" : "join.refresh-token"
  }
}

/// Which objects of tenants and which refresh tokens occur in one row, and are therefore one user's.
struct Bonds: Sendable {
  private var neighbours: [Clue: Set<Clue>] = [:]

  init(_ rows: [LegacyRow]) {
    for row in rows where row.mayTestify {
      guard let object = row.objectClue, let secret = row.secretClue else { continue }
      neighbours[object, default: []].insert(secret)
      neighbours[secret, default: []].insert(object)
    }
  }

  var clues: Dictionary<Clue, Set<Clue>>.Keys { neighbours.keys }

  /// What rows bind to a clue, directly or through each other, with the clue itself.
  func everything(boundTo clue: Clue) -> Set<Clue> {
    var found: Set = [clue]
    var open = [clue]
    while let next = open.popLast() {
      for other in neighbours[next] ?? [] where found.insert(other).inserted {
        open.append(other)
      }
    }
    return found
  }
}
