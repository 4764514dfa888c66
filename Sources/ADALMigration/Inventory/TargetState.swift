// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// What one cache of MSAL's holds: one access group of a target, or one document.
///
/// It is what new records are checked against. Nothing in it is ever changed (D23).
struct TargetState: Sendable {
  private var recordsByKey: [MSALEntry.Key: [MSALEntry]] = [:]
  private var spellings: [AccountKey: Spelling] = [:]
  private var signedOut: Set<SignedOut> = []
  /// The library that reads the document, if the caller named it.
  private let reader: MSALLibrary?
  private var taken: [MSALEntry.Slot: Int?] = [:]
  private var hosts: [String: Set<String>] = [:]
  private var listed: Set<AccountKey> = []
  /// Tokens that MSAL does not find or cannot read. Their keys are taken, and that is all.
  private(set) var strays: [MSALEntry] = []
  private var metadataClouds: [ExactText: Set<String>] = [:]

  /// A cache that is empty so far.
  init(for reader: MSALLibrary? = nil) { self.reader = reader }

  private struct SignedOut: Hashable {
    @ExactText var client: String
    @ExactText var home: String
  }

  /// How an account is spelled in what is there, so that additions are spelled the same (D20).
  private struct Spelling {
    /// The hosts that its entries are filed under; tokens count before accounts, of which there can
    /// be copies (D27).
    var tokenHosts: Set<String> = []
    var refreshTokenHosts: Set<String> = []
    var accountHosts: Set<String> = []
    var accountIDs: Set<String> = []
    var tokenIDs: Set<String> = []
    var realms: [ExactText: Set<String>] = [:]
    /// The clients that have an ID token, in lower case.
    var clientsWithClaims: Set<ExactText> = []

    mutating func take(_ record: MSALEntry) {
      guard let id = record.homeAccountID else { return }
      let host = record.environment ?? ""
      if record.kind == .account {
        accountHosts.insert(host)
        accountIDs.insert(id)
      } else {
        tokenHosts.insert(host)
        tokenIDs.insert(id)
      }
      if record.isRefreshToken { refreshTokenHosts.insert(host) }
      if record.kind == .idToken, let client = record.clientID {
        clientsWithClaims.insert(client.identifier)
      }
      if let realm = record.realm { realms[realm.identifier, default: []].insert(realm) }
    }
  }

  /// Takes in a keychain item, whatever it is.
  mutating func insert(_ held: TargetItem) {
    occupy(MSALEntry.Slot(held.item))
    switch held.unified {
    case .accountMetadata(let metadata): insert(metadata)
    case .entry(let record): insert(record, from: held.item)
    case .other, .unreadable, nil: break
    }
  }

  /// Takes in an entry of a document, whatever it is.
  mutating func insert(_ row: DocumentRows.Row) {
    if let key = MSALEntry.Slot(DocumentSection(rawValue: row.section), row.key) { occupy(key) }
    guard let record = row.content.record else { return }
    insert(record)
    // MSAL for Python keeps what it learns of a family with the client's own refresh token.
    if record.isRefreshToken, record.familyID.nonBlank != nil {
      var own = record
      own.familyID = nil
      guard row.key.hasPrefix(own.documentKey) else { return }
      recordsByKey[own.key(of: own.account), default: []].append(record)
    }
  }

  /// Takes a slot, so that nothing else can be added there.
  mutating func occupy(_ slot: MSALEntry.Slot) { taken[slot] = .some(slot.type) }

  /// Takes in a record.
  ///
  /// - Parameter item: the keychain item that it is in, if it is in one.
  /// - Returns: whether MSAL finds it there.
  @discardableResult
  mutating func insert(_ record: MSALEntry, from item: KeychainItem? = nil) -> Bool {
    guard record.isFound(in: item) else {
      strays.append(record)
      return false
    }
    let home = record.account
    for key in record.keys(of: home) { recordsByKey[key, default: []].append(record) }
    let cloud = home.cloud
    hosts[cloud, default: []].insert(record.environment ?? "")
    if record.kind == .appMetadata, let client = record.clientID {
      metadataClouds[client.identifier, default: []].insert(cloud)
    }
    guard record.homeAccountID != nil else { return true }
    if record.isRefreshToken { listed.insert(home) }
    spellings[home, default: Spelling()].take(record)
    return true
  }

  mutating func insert(_ metadata: AccountMetadata) {
    for (home, account) in metadata.accounts where account.signInState == .signedOut {
      signedOut.insert(
        SignedOut(client: metadata.clientID.identifier, home: home.text.identifier))
    }
  }

  /// What is there under a key.
  func records(_ key: MSALEntry.Key) -> [MSALEntry] { recordsByKey[key] ?? [] }

  /// What is there under the first of these keys that something is under.
  func first(of keys: [MSALEntry.Key]) -> MSALEntry? {
    keys.lazy.compactMap { recordsByKey[$0]?.first }.first
  }

  /// Whether something is there under a key.
  func holds(_ key: MSALEntry.Key) -> Bool { recordsByKey[key] != nil }

  /// Everything that is there, for evidence.
  var allRecords: [MSALEntry] { foundRecords + strays }

  /// What MSAL finds.
  var foundRecords: [MSALEntry] { recordsByKey.values.flatMap { $0 } }

  /// The clouds in which app metadata of a client is there.
  func cloudsOfMetadata(of client: String) -> Set<String> { metadataClouds[client] ?? [] }

  /// Whether a refresh token of this account is there, whichever client's.
  func holdsRefreshToken(of account: AccountKey) -> Bool { listed.contains(account) }

  /// Whether an account is there, in whichever tenant.
  func holdsAccount(_ account: AccountKey) -> Bool {
    spellings[account].map { !$0.accountIDs.isEmpty } ?? false
  }

  /// Whether an ID token of this account and client is there, in whichever tenant.
  func holdsIDToken(of account: AccountKey, client: String) -> Bool {
    spellings[account]?.clientsWithClaims.contains(client) ?? false
  }

  /// The host that a cloud is filed under: its own, unless only others are there.
  func environment(of cloud: String) -> String { host(among: hosts[cloud] ?? [], cloud) }

  /// The host under which a cache files a cloud that it has nothing of yet: the reader's (D34).
  private func ownHost(of cloud: String) -> String {
    guard let reader, let known = Cloud.of(host: cloud) else { return cloud }
    return reader.host(of: known)
  }

  private func host(among hosts: Set<String>, _ cloud: String) -> String {
    let own = ownHost(of: cloud)
    return hosts.contains(own) ? own : hosts.contains(cloud) ? cloud : hosts.min() ?? own
  }

  /// Whether there is no entry of any account.
  var isEmpty: Bool { spellings.isEmpty && hosts.isEmpty }

  /// Why entries go under another host than they would in an empty cache; none when they do not.
  func reasons(for environment: String, cloud: String) -> [Reason] {
    if environment == ownHost(of: cloud) { return [] }
    return reader == nil ? [.envReuseExisting] : [.envReuseExisting, .envOtherReader]
  }

  /// Whether the user signed this account out of this client with MSAL.
  func isSignedOut(client: String, home: String) -> Bool {
    guard !signedOut.isEmpty else { return false }
    return signedOut.contains(SignedOut(client: client.identifier, home: home))
  }

  /// Why an entry cannot be added: something else has its slot. Nil when the slot is free.
  func clash(with slot: MSALEntry.Slot) -> Reason? {
    guard let type = taken[slot] else { return nil }
    return type == slot.type ? .targetCorrupt : .targetTypeClash
  }

  /// The spelling that additions to an account use. In a document every account of a cloud is under
  /// one host (D10); where there are two, under that of its refresh token (D34).
  func spelling(of account: AccountKey, form: CacheForm) -> AccountSpelling {
    let there = spellings[account] ?? Spelling()
    var hosts = there.tokenHosts.isEmpty ? there.accountHosts : there.tokenHosts
    if form == .document {
      if !there.refreshTokenHosts.isEmpty { hosts = there.refreshTokenHosts }
      if hosts.isEmpty { hosts = self.hosts[account.cloud] ?? [] }
    }
    let ids = there.accountIDs.isEmpty ? there.tokenIDs : there.accountIDs
    return AccountSpelling(
      homeAccountID: ids.contains(account.home) ? account.home : ids.min() ?? account.home,
      environment: host(among: hosts, account.cloud),
      realms: there.realms.compactMapValues { $0.min() })
  }
}

/// How one account is spelled in all its entries, to the letter (D20).
struct AccountSpelling: Sendable {
  var homeAccountID: String
  var environment: String
  /// Realms by their lower-case form, where entries are there that spell them otherwise.
  var realms: [ExactText: String]

  func realm(_ realm: String) -> String { realms[realm] ?? realm }
}

extension MSALEntry {
  /// Whether MSAL finds an account, a refresh token or an ID token by the attributes of its item, and can use
  /// what it says: the claims of an ID token in a document as other platforms read them, and a refresh token
  /// that the service has not rejected. Whatever else is there is found by what it says.
  func isFound(in item: KeychainItem?) -> Bool {
    switch kind {
    case .account: return item.map { $0.type == ItemType.account } ?? true
    case .refreshToken where secret == .tombstone: return false
    case .idToken
    where item == nil
      ? IDTokenClaims.ofPayload(secret) == nil : IDTokenClaims(secret) == nil:
      return false
    case .idToken, .refreshToken: break
    default: return true
    }
    guard let item, let kind else { return true }
    let families = familyID.nonBlank.map { [$0, nil] } ?? [nil]
    return item.type == kind.typeNumber
      && families.contains { family in
        let id = Self.credentialID(
          kind: kind, clientOrFamily: family ?? clientID ?? "",
          realm: kind == .idToken ? realm : nil)
        return item.generic == Array(id.utf8) && item.service == Self.service(id)
      }
  }
}
