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
    var stored = unified.testimony
    var derived = Testimony()
    for row in rows where row.mayTestify {
      if let id = row.storedHomeAccountID {
        stored.add(id, object: row.object, secret: row.token.refresh)
      } else if let object = row.object, let match = map.match(object, cloud: row.cloud) {
        derived.add(match.entry.homeAccountID, object: object, secret: row.token.refresh)
      } else if case .id(let id, _, _) = row.derivation {
        derived.add(id, object: row.object, secret: row.token.refresh)
      }
    }
    let bonds = Bonds(rows)
    stored.spread(along: bonds)
    derived.spread(along: bonds)
    self.stored = stored
    self.derived = derived
    names = NamedObjects(rows)
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
    let witnesses = stored.ids(object: row.object, secret: row.token.refresh)
    if witnesses.count > 1 {
      return .open([.conflictHomeID], .none, evidence: ["stored.home-account-ids"])
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
    let bond = testimony.bond(of: row.object, to: id)
    if case .id(let own, let confidence, let evidence) = row.derivation {
      if own == id {
        return Answer(
          homeAccountID: id, confidence: confidence, reasons: [Self.reason(for: confidence)],
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
    let witnesses = derived.ids(object: row.object, secret: row.token.refresh)
    if witnesses.count > 1 {
      return .open([.conflictHomeID], .none, evidence: ["derived.home-account-ids"])
    }
    switch row.derivation {
    case .id(let id, let confidence, let evidence):
      return Answer(
        homeAccountID: id, confidence: confidence, reasons: [Self.reason(for: confidence)],
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

  private static func reason(for confidence: Report.Confidence) -> Reason {
    switch confidence {
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
      if let object = row.object, let match = map.match(object, cloud: row.cloud) {
        used.insert(match.number)
      } else if let name = row.userName, let match = map.match(userName: name, cloud: row.cloud) {
        used.insert(match.number)
      }
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

/// Who says which home account id: by the user's object in a tenant, and by the secret of a refresh
/// token, which the service gives to one user and one client.
struct Testimony: Sendable {
  private var byObject: [ObjectID: Set<HomeAccountID>] = [:]
  private var bySecret: [Secret: Set<HomeAccountID>] = [:]
  /// What was said before it spread.
  private var direct: [ObjectID: Set<HomeAccountID>] = [:]

  mutating func add(_ id: HomeAccountID, object: ObjectID?, secret: Secret?) {
    if let object {
      byObject[object, default: []].insert(id)
      direct[object, default: []].insert(id)
    }
    if let secret { bySecret[secret, default: []].insert(id) }
  }

  /// Lets everything that is bound to a user speak for it, however many rows are between them: a second
  /// run, which finds what the first has written, must not know more than the first.
  mutating func spread(along bonds: Bonds) {
    var seen: Set<ObjectID> = []
    for object in bonds.objects where !seen.contains(object) {
      let user = bonds.everything(boundTo: object)
      seen.formUnion(user.objects)
      let ids = user.objects.reduce(into: Set<HomeAccountID>()) { $0.formUnion(byObject[$1] ?? []) }
        .union(user.secrets.flatMap { bySecret[$0] ?? [] })
      guard !ids.isEmpty else { continue }
      for object in user.objects { byObject[object] = ids }
      for secret in user.secrets { bySecret[secret] = ids }
    }
  }

  /// Every id that is said of this user.
  func ids(object: ObjectID?, secret: Secret?) -> Set<HomeAccountID> {
    let objects = object.flatMap { byObject[$0] } ?? []
    return objects.union(secret.flatMap { bySecret[$0] } ?? [])
  }

  /// By what a user is bound to an id, as a code.
  func bond(of object: ObjectID?, to id: HomeAccountID) -> String {
    object.flatMap { direct[$0] }?.contains(id) ?? false
      ? "join.oid+tid" : "join.refresh-token"
  }
}

/// Which objects of tenants and which refresh tokens occur in one row, and are therefore one user's.
struct Bonds: Sendable {
  private var secretsByObject: [ObjectID: Set<Secret>] = [:]
  private var objectsBySecret: [Secret: Set<ObjectID>] = [:]

  init(_ rows: [LegacyRow]) {
    for row in rows where row.mayTestify {
      guard let object = row.object else { continue }
      secretsByObject[object, default: []].formUnion(row.token.refresh.map { [$0] } ?? [])
      if let secret = row.token.refresh { objectsBySecret[secret, default: []].insert(object) }
    }
  }

  var objects: Dictionary<ObjectID, Set<Secret>>.Keys { secretsByObject.keys }

  /// The objects and refresh tokens that rows bind to an object, directly or through each other.
  func everything(boundTo object: ObjectID) -> (objects: Set<ObjectID>, secrets: Set<Secret>) {
    var objects: Set = [object]
    var secrets: Set<Secret> = []
    var open = [object]
    while let next = open.popLast() {
      for secret in secretsByObject[next] ?? [] where secrets.insert(secret).inserted {
        for other in objectsBySecret[secret] ?? [] where objects.insert(other).inserted {
          open.append(other)
        }
      }
    }
    return (objects, secrets)
  }
}
