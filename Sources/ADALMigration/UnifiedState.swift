// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// What one cache of MSAL's holds: one access group of a target, or one document.
///
/// It is what new records are checked against. Nothing in it is ever changed (D23).
struct UnifiedState: Sendable {
  private var recordsByKey: [RecordKey: [Record]] = [:]
  private var spellings: [Home: Spelling] = [:]
  private var signedOut: Set<SignIn> = []
  private var takenKeys: [KeychainItem.Key: Int?] = [:]
  private var hosts: [String: Set<String>] = [:]
  private var listed: Set<Home> = []

  private struct Home: Hashable {
    var cloud: String
    var id: String
  }

  private struct SignIn: Hashable {
    var client: String
    var home: String
  }

  /// How an account is spelled in what is there, so that additions are spelled the same (D20).
  private struct Spelling {
    /// The hosts that its entries are filed under; tokens count before accounts, of which there can
    /// be copies (D27).
    var tokenHosts: Set<String> = []
    var accountHosts: Set<String> = []
    var accountIDs: Set<String> = []
    var tokenIDs: Set<String> = []
    var realms: [String: Set<String>] = [:]
    /// The clients that have an ID token, in lower case.
    var clientsWithClaims: Set<String> = []
  }

  /// Takes in a keychain item, whatever it is.
  mutating func insert(_ item: KeychainItem) {
    takenKeys[item.key] = .some(item.type)
    switch UnifiedItem(item) {
    case .accountMetadata(let metadata): insert(metadata)
    case let unified?:
      if let record = Record(unified) { insert(record) }
    case nil: break
    }
  }

  /// Takes in a record.
  mutating func insert(_ record: Record) {
    for key in record.keys { recordsByKey[key, default: []].append(record) }
    let cloud = Cloud.key(of: record.environment)
    hosts[cloud, default: []].insert(record.environment)
    guard let id = record.homeAccountID else { return }
    let home = Home(cloud: cloud, id: id.trimmed.lowercased())
    if case .credential(let credential) = record, credential.isRefreshToken { listed.insert(home) }
    var spelling = spellings[home] ?? Spelling()
    if case .account = record {
      spelling.accountHosts.insert(record.environment)
      spelling.accountIDs.insert(id)
    } else {
      spelling.tokenHosts.insert(record.environment)
      spelling.tokenIDs.insert(id)
    }
    if case .credential(let credential) = record, credential.kind == .idToken {
      spelling.clientsWithClaims.insert(credential.clientID.trimmed.lowercased())
    }
    if let realm = record.realm {
      spelling.realms[realm.trimmed.lowercased(), default: []].insert(realm)
    }
    spellings[home] = spelling
  }

  mutating func insert(_ metadata: AccountMetadata) {
    for (home, state) in metadata.states where state == .signedOut {
      signedOut.insert(
        SignIn(client: metadata.clientID.trimmed.lowercased(), home: home.trimmed.lowercased()))
    }
  }

  /// What is there under a key.
  func records(_ key: RecordKey) -> [Record] { recordsByKey[key] ?? [] }

  /// Whether something is there under a key.
  func holds(_ key: RecordKey) -> Bool { recordsByKey[key] != nil }

  /// Everything that is there, for evidence.
  var allRecords: [Record] { recordsByKey.values.flatMap { $0 } }

  /// Whether a refresh token of this account is there, whichever client's.
  func holdsRefreshToken(of homeAccountID: String, cloud: String) -> Bool {
    listed.contains(Home(cloud: cloud, id: homeAccountID.trimmed.lowercased()))
  }

  /// Whether an account is there, in whichever tenant.
  func holdsAccount(of home: HomeAccountID, cloud: String) -> Bool {
    spellings[Home(cloud: cloud, id: home.description)].map { !$0.accountIDs.isEmpty } ?? false
  }

  /// Whether an ID token of this account and client is there, in whichever tenant.
  func holdsIDToken(of home: HomeAccountID, client: String, cloud: String) -> Bool {
    spellings[Home(cloud: cloud, id: home.description)]?.clientsWithClaims.contains(client) ?? false
  }

  /// The host that a cloud is filed under: the usual one, unless only others are there.
  func environment(of cloud: String) -> String { Self.host(of: hosts[cloud] ?? [], cloud) }

  private static func host(of hosts: Set<String>, _ cloud: String) -> String {
    hosts.contains(cloud) ? cloud : hosts.min() ?? cloud
  }

  /// Whether the user signed this account out of this client with MSAL.
  func isSignedOut(client: String, home: HomeAccountID) -> Bool {
    signedOut.contains(SignIn(client: client.trimmed.lowercased(), home: home.description))
  }

  /// Why a keychain item cannot be added: something else has its key. Nil when the key is free.
  func clash(with item: KeychainItem) -> Reason? {
    guard let type = takenKeys[item.key] else { return nil }
    return type == item.type ? .targetCorrupt : .targetTypeClash
  }

  /// The spelling that additions to an account use. In a document every account of a cloud is under
  /// one host (D10).
  func spelling(of home: HomeAccountID, cloud: String, form: CacheForm) -> AccountSpelling {
    let there = spellings[Home(cloud: cloud, id: home.description)] ?? Spelling()
    var hosts = there.tokenHosts.isEmpty ? there.accountHosts : there.tokenHosts
    if hosts.isEmpty && form == .document { hosts = self.hosts[cloud] ?? [] }
    let ids = there.accountIDs.isEmpty ? there.tokenIDs : there.accountIDs
    return AccountSpelling(
      homeAccountID: ids.contains(home.description)
        ? home.description : ids.min() ?? home.description,
      environment: Self.host(of: hosts, cloud),
      realms: there.realms.compactMapValues { $0.min() })
  }
}

/// How one account is spelled in all its entries, to the letter (D20).
struct AccountSpelling: Sendable {
  var homeAccountID: String
  var environment: String
  /// Realms by their lower-case form, where entries are there that spell them otherwise.
  var realms: [String: String]

  func realm(_ realm: String) -> String { realms[realm] ?? realm }
}

/// What MSAL's own entries say about who is who (D17, D29).
///
/// Only ids of Entra ID count, under its hosts: a user of B2C has the local account id of its object too,
/// and another home account id for every policy (mapping-rules §2.5).
struct UnifiedEvidence: Sendable {
  private(set) var testimony = Testimony()

  /// Gathers the evidence of these records.
  init(_ records: some Sequence<Record>, policy: Policy) {
    for record in records {
      guard let id = record.homeAccountID.flatMap({ HomeAccountID($0) }), id.isGUIDs,
        Self.isOfEntra(record.environment, policy), let clue = Self.clue(record)
      else { continue }
      testimony.add(id, for: [clue])
    }
  }

  private static func isOfEntra(_ environment: String, _ policy: Policy) -> Bool {
    Authority("https://\(environment)/common").map { authority in
      authority.kind == .aad && (authority.isKnown || policy.allows(authority))
    } ?? false
  }

  /// Whom the record is about.
  private static func clue(_ record: Record) -> Clue? {
    let cloud = Cloud.key(of: record.environment)
    switch record {
    case .account(let account):
      return ObjectID(tid: account.realm, oid: account.localAccountID)
        .map { .object(cloud: cloud, $0) }
    case .credential(let credential) where credential.kind == .idToken:
      let claims = IDTokenClaims(credential.secret)
      return ObjectID(tid: claims?.tid, oid: claims?.oid).map { .object(cloud: cloud, $0) }
    case .credential(let credential) where credential.isRefreshToken:
      return .secret(cloud: cloud, credential.secret)
    case .credential, .appMetadata: return nil
    }
  }
}

extension Credential {
  /// Whether it is what a client gets new tokens with.
  var isRefreshToken: Bool { kind == .refreshToken || kind == .familyRefreshToken }
}
