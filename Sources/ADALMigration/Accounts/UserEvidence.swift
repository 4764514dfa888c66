// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// What tells whose a row is, within one cloud: an object of a tenant is one user, and a refresh token is
/// given to one user and one client.
enum UserKey: Sendable, Hashable {
  case object(cloud: String, ObjectID)
  case secret(cloud: String, HashedSecret)
}

/// Who is one user, and which home account ids are said of whom.
///
/// Objects of tenants and refresh tokens that occur in one row are one user's, however many rows are between
/// them: a second run, which finds what the first has written, must not know more than the first. Keys are
/// numbered, so that their long texts are compared once.
struct UserEvidence {
  /// What is said: by whom the service was told, or what rows derive.
  enum Source { case stored, derived }

  /// The ids that are said of a key or a user.
  private struct HomeAccountIDs {
    var stored: Set<HomeAccountID> = []
    var derived: Set<HomeAccountID> = []

    subscript(source: Source) -> Set<HomeAccountID> {
      source == .stored ? stored : derived
    }

    mutating func add(_ id: HomeAccountID, _ source: Source) {
      switch source {
      case .stored: stored.insert(id)
      case .derived: derived.insert(id)
      }
    }

    mutating func add(_ other: HomeAccountIDs) {
      // Most often there is one id, which needs no set to be put together.
      if stored.isEmpty { stored = other.stored } else { stored.formUnion(other.stored) }
      if derived.isEmpty { derived = other.derived } else { derived.formUnion(other.derived) }
    }
  }

  private var numbers: [UserKey: Int] = [:]
  /// The way from a key to the one that stands for its user.
  private var parents: [Int] = []
  /// What is said of each key itself.
  private var idsOfKey: [HomeAccountIDs] = []
  /// What is said of each user, in the place of the key that stands for it.
  private var idsOfUser: [HomeAccountIDs] = []

  mutating func number(of key: UserKey) -> Int {
    if let number = numbers[key] { return number }
    let number = parents.count
    numbers[key] = number
    parents.append(number)
    idsOfKey.append(HomeAccountIDs())
    return number
  }

  /// Notes that keys are of one user.
  mutating func join(_ keys: [Int]) {
    guard let first = keys.first else { return }
    for key in keys.dropFirst() { parents[root(of: key)] = root(of: first) }
  }

  /// Notes that a home account id is said of keys.
  mutating func add(_ id: HomeAccountID, for keys: [Int], _ source: Source) {
    for key in keys { idsOfKey[key].add(id, source) }
  }

  private mutating func root(of key: Int) -> Int {
    var root = key
    while parents[root] != root {
      // Half of the way each time, so that ways stay short.
      parents[root] = parents[parents[root]]
      root = parents[root]
    }
    return root
  }

  /// Lets everything that is said of a key count for its user. Afterwards nothing is to be added.
  mutating func settle() {
    for key in parents.indices { parents[key] = root(of: key) }
    idsOfUser = [HomeAccountIDs](repeating: HomeAccountIDs(), count: parents.count)
    for key in parents.indices { idsOfUser[parents[key]].add(idsOfKey[key]) }
  }

  /// Every id that is said of the users of these keys.
  func ids(of keys: [Int], _ source: Source) -> Set<HomeAccountID> {
    var ids: Set<HomeAccountID> = []
    var seen: Int?
    for key in keys where parents[key] != seen {
      seen = parents[key]
      let more = idsOfUser[parents[key]][source]
      if ids.isEmpty { ids = more } else { ids.formUnion(more) }
    }
    return ids
  }

  /// By what a user is bound to an id, as a code.
  func bond(of object: Int?, to id: HomeAccountID, _ source: Source) -> String {
    object.map { idsOfKey[$0][source].contains(id) } ?? false
      ? "join.oid+tid" : "join.refresh-token"
  }
}

// What MSAL's own entries say about who is who (D17, D29).

extension UserEvidence {
  /// Takes in what entries in MSAL's form say.
  ///
  /// Only ids of Entra ID count, under its hosts: a user of B2C has the local account id of its object too,
  /// and another home account id for every policy (mapping-rules §2.5).
  mutating func add(_ records: some Sequence<MSALEntry>, _ policy: Policy) {
    var hosts: [String: Bool] = [:]
    for record in records {
      let host = record.environment ?? ""
      let isOfEntra = hosts[host] ?? policy.isOfEntra(host)
      hosts[host] = isOfEntra
      guard isOfEntra, let id = record.homeAccountID.flatMap({ HomeAccountID($0) }), id.isGUIDs,
        let key = record.userKey
      else { continue }
      add(id, for: [number(of: key)], .stored)
    }
  }
}

extension Policy {
  /// Whether a host is one of Entra ID's.
  fileprivate func isOfEntra(_ environment: String) -> Bool {
    Authority("https://\(environment)/common").map { authority in
      authority.kind == .aad && (authority.isKnown || allows(authority))
    } ?? false
  }
}

extension MSALEntry {
  /// Whom the record is about.
  fileprivate var userKey: UserKey? {
    switch kind {
    case .account:
      ObjectID(tid: realm, oid: localAccountID).map { .object(cloud: cloud, $0) }
    case .idToken: ObjectID(of: self).map { .object(cloud: cloud, $0) }
    case .refreshToken, .familyRefreshToken: .secret(cloud: cloud, HashedSecret(secret))
    default: nil
    }
  }
}

extension ObjectID {
  /// The object that an ID token is of; nil where it is filed under another tenant than its own, so that
  /// the rest of what the entry says may be another token's.
  fileprivate init?(of idToken: MSALEntry) {
    let claims = IDTokenClaims(idToken.secret)
    self.init(tid: claims?.tid, oid: claims?.oid)
    if let realm = idToken.realm?.normalized, realm.isGUID, realm != tid { return nil }
  }
}
