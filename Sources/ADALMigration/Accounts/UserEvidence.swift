// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// A key that identifies a row's user within one cloud. An object of a tenant is one user, and the service gives a
/// refresh token to one user and one client.
struct UserKey: Sendable, Hashable {
  private let cloud: Symbol
  private var tenant = Symbol.none
  private var object = Symbol.none
  private var secret: Int?

  /// The key of an object, all parts in lower case.
  init(cloud: Symbol, tenant: Symbol, object: Symbol) {
    self.cloud = cloud
    self.tenant = tenant
    self.object = object
  }

  /// The key of a refresh token, by its number.
  init(cloud: Symbol, secret: Int) {
    self.cloud = cloud
    self.secret = secret
  }
}

/// A few numbers, each once; most often it is one, for which no memory is asked.
struct NumberSet: Sendable {
  private(set) var first: Int?
  private var others: Set<Int> = []

  var count: Int { first == nil ? 0 : 1 + others.count }

  func contains(_ number: Int) -> Bool { first == number || others.contains(number) }

  mutating func insert(_ number: Int) {
    if first == nil { first = number } else if first != number { others.insert(number) }
  }

  mutating func formUnion(_ other: NumberSet) {
    if let number = other.first { insert(number) }
    for number in other.others { insert(number) }
  }
}

/// Groups keys by user, with the home account IDs that the evidence gives for each user.
///
/// All objects and refresh tokens that are connected through rows belong to one user. A second run, which reads the
/// entries of the first, must not know more than the first run.
struct UserEvidence {
  /// The source of an ID: the service stored it, a row derives it, or a user name leads to it.
  enum Source { case stored, derived, named }

  /// The home account IDs of a key or a user, by number.
  private struct Homes {
    var stored = NumberSet()
    var derived = NumberSet()
    var named = NumberSet()

    subscript(source: Source) -> NumberSet {
      switch source {
      case .stored: stored
      case .derived: derived
      case .named: named
      }
    }

    mutating func add(_ home: Int, _ source: Source) {
      switch source {
      case .stored: stored.insert(home)
      case .derived: derived.insert(home)
      case .named: named.insert(home)
      }
    }
  }

  private var numbers: [UserKey: Int] = [:]
  /// The way from a key to the one that stands for its user.
  private var parents: [Int] = []
  /// The IDs for each key itself.
  private var homesOfKey: [Homes] = []
  /// The IDs for each user, in the place of the key that represents the user.
  private var homesOfUser: [Homes] = []

  mutating func number(of key: UserKey) -> Int {
    if let number = numbers[key] { return number }
    let number = parents.count
    numbers[key] = number
    parents.append(number)
    homesOfKey.append(Homes())
    return number
  }

  /// Notes that two keys are of one user.
  mutating func join(_ a: Int, _ b: Int) { parents[root(of: b)] = root(of: a) }

  /// Adds a home account ID to a key.
  mutating func add(_ home: Int, for key: Int, _ source: Source) {
    homesOfKey[key].add(home, source)
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

  /// Gives each user the IDs of all its keys. After that, nothing can be added.
  mutating func settle() {
    for key in parents.indices { parents[key] = root(of: key) }
    homesOfUser = [Homes](repeating: Homes(), count: parents.count)
    for key in parents.indices {
      homesOfUser[parents[key]].stored.formUnion(homesOfKey[key].stored)
      homesOfUser[parents[key]].derived.formUnion(homesOfKey[key].derived)
      homesOfUser[parents[key]].named.formUnion(homesOfKey[key].named)
    }
  }

  /// All IDs of the users of these keys.
  func homes(of keys: RowUserKeys, _ source: Source) -> NumberSet {
    var homes = NumberSet()
    if let object = keys.object { homes = homesOfUser[parents[object]][source] }
    if let secret = keys.secret, keys.object.map({ parents[$0] }) != parents[secret] {
      homes.formUnion(homesOfUser[parents[secret]][source])
    }
    return homes
  }

  /// The evidence that connects a user with an ID, as a code.
  func bond(of object: Int?, to home: Int, _ source: Source) -> String {
    object.map { homesOfKey[$0][source].contains(home) } ?? false
      ? "join.oid+tid" : "join.refresh-token"
  }
}

/// The keys that identify the user of a row, by number.
struct RowUserKeys: Sendable, Hashable {
  var object: Int?
  var secret: Int?
}

// Evidence from MSAL's own entries (D17, D29).

extension UserEvidence {
  /// Adds the evidence of entries in MSAL's form.
  ///
  /// Only ids of Entra ID count, under its hosts: a user of B2C has the local account id of its object too,
  /// and another home account id for every policy (mapping-rules §2.5).
  mutating func add(_ records: some Sequence<MSALEntry>, _ reader: inout RowReader) {
    var hosts: [String: Bool] = [:]
    // An access token says nothing of its user.
    for record in records where record.kind != .accessToken {
      let host = record.environment ?? ""
      let isOfEntra = hosts[host] ?? reader.policy.isOfEntra(host)
      hosts[host] = isOfEntra
      guard isOfEntra, let home = record.homeAccountID.flatMap({ HomeAccountID($0) }), home.isGUIDs,
        let key = reader.userKey(of: record)
      else { continue }
      add(reader.number(of: home), for: number(of: key), .stored)
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

extension RowReader {
  /// Whom an entry in MSAL's form is about.
  fileprivate mutating func userKey(of record: MSALEntry) -> UserKey? {
    switch record.kind {
    case .account:
      return ObjectID(tid: record.realm, oid: record.localAccountID)
        .map { key(of: $0, cloud: cloud(of: record)) }
    case .idToken: return ObjectID(of: record).map { key(of: $0, cloud: cloud(of: record)) }
    case .refreshToken, .familyRefreshToken:
      return UserKey(cloud: cloud(of: record), secret: number(of: record.secret))
    default: return nil
    }
  }
}

extension RowTable {
  /// The user as the tenant of the ID token knows it.
  func object(of row: ADALRow) -> ObjectID? {
    row.isStoredWithoutIDToken
      ? ObjectID(tid: symbols[row.realm], oid: symbols[row.storedObject])
      : row.idToken.flatMap { number in
        ObjectID(tid: idTokens[number].claims.tid, oid: idTokens[number].claims.oid)
      }
  }

  /// The same object; nil if its tenant is not certain.
  func certainObject(of row: ADALRow) -> ObjectID? {
    row.isOfTwoTenants ? nil : object(of: row)
  }
}

extension ObjectID {
  /// The object of an ID token; nil if the entry is filed under another tenant than the token's. The rest of such an
  /// entry may belong to another token.
  fileprivate init?(of idToken: MSALEntry) {
    let claims = IDTokenClaims(idToken.secret)
    self.init(tid: claims?.tid, oid: claims?.oid)
    if let realm = idToken.realm?.normalized, realm.isGUID, realm != tid { return nil }
  }
}
