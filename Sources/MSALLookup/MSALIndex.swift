// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache

/// One cache of MSAL's, that is, the items of an access group or a document: its taken places, the accounts that MSAL
/// lists, and the entries that MSAL finds.
///
/// Existing entries are never changed (D23). Additions of a plan go into a copy, so the index without them stays
/// available. A ``mark`` releases places that a part of a plan has claimed.
package struct MSALIndex: Sendable {
  /// The owner of a place in the cache.
  package enum Occupant: Sendable, Hashable {
    /// An existing entry, with its kSecAttrType if it is an item.
    case existing(type: Int?)
    /// An entry that will be added.
    case claimed
  }

  // The rows for look-ups, in the order in which they were added.
  /// Every credential.
  package internal(set) var tokens: [LookupRow] = []
  /// Every account.
  package internal(set) var accounts: [LookupRow] = []
  /// Every client's app metadata.
  package internal(set) var appMetadata: [LookupRow] = []
  /// Items of an entry's type that cannot be read, and why.
  package internal(set) var unreadable:
    [(type: Int, index: Int, item: KeychainItem.Key, failed: LookupPredicate, why: String)] = []
  /// Whether the item `useSingleFRT` switches single family refresh tokens on; nil without the item.
  var familySwitch: Bool?
  /// The number of items, read or not.
  var items = 0
  var metadataByClient: [ExactText: AccountMetadata] = [:]
  /// The clients whose account metadata calls a home account id signed in.
  var clientsSignedIn: [ExactText: Set<ExactText>] = [:]
  var tokensByType: [Int: [Int]] = [:]
  var positions: [Term: Positions] = [:]
  var accountEntries: [ExactText: AccountEntries] = [:]

  // The facts about existing entries that a plan asks for.
  private var entriesByKey: [MSALEntry.Key: [MSALEntry]] = [:]
  private var spelledAccounts: [AccountKey: SpelledAccount] = [:]
  private var metadataClouds: [ExactText: Set<String>] = [:]
  private var hostsByCloud: [String: Set<String>] = [:]
  /// By home account id, the clients.
  private var signedOut: [ExactText: Set<ExactText>] = [:]
  private var slots: [(slot: MSALEntry.Slot, occupant: Occupant?)] = []
  private var slotNumbers = NumberTable()
  /// The numbers of slots that are claimed.
  private var claims: [Int] = []
  /// The home account ids, in lower case, of all that is there.
  var homes: Set<ExactText> = []

  /// Tokens that MSAL does not find or cannot read. Their places are taken, and that is all.
  package private(set) var strays: [MSALEntry] = []
  /// The host under which the document's reader looks for the entries of a cloud first; nil where the reader is
  /// not known.
  package let readersHost: (@Sendable (Cloud) -> String)?
  /// The form of keys for tokens, if the cache is a document.
  package var documentKeys = MSALEntry.DocumentKeys.common

  /// A cache that is empty so far.
  package init(readersHost: (@Sendable (Cloud) -> String)? = nil) {
    self.readersHost = readersHost
  }

  // MARK: Existing entries

  /// Adds an existing item.
  ///
  /// - Parameter read: the meaning of the item to MSAL; nil if it is not MSAL's.
  package mutating func insert(_ item: KeychainItem, as read: MSALItem?) {
    occupy(MSALEntry.Slot(item))
    guard let read else { return }
    addRow(item, read.entry)
    switch read {
    case .accountMetadata(let metadata): insert(metadata)
    case .entry(let entry): insert(entry, from: item)
    case .other, .unreadable: break
    }
  }

  /// Adds the entry under a key of a document.
  ///
  /// - Parameter entry: the entry; nil if it cannot be read.
  package mutating func insert(
    _ entry: MSALEntry?, in section: DocumentSection?, under key: String
  ) {
    if let slot = MSALEntry.Slot(section, key) { occupy(slot) }
    guard let entry else { return }
    insert(entry)
    if let own = entry.ownToken(under: key) {
      entriesByKey[own.key(of: own.account), default: []].append(entry)
    }
  }

  /// Adds an entry, but not to the rows for look-ups.
  ///
  /// - Parameter item: the keychain item that it is in, if it is in one.
  /// - Returns: whether MSAL finds it there.
  @discardableResult
  package mutating func insert(_ entry: MSALEntry, from item: KeychainItem? = nil) -> Bool {
    if let home = entry.homeAccountID { homes.insert(home.identifier) }
    guard entry.isFound(in: item) else {
      strays.append(entry)
      return false
    }
    let account = entry.account
    for key in entry.keys(of: account) { entriesByKey[key, default: []].append(entry) }
    hostsByCloud[account.cloud, default: []].insert(entry.environment ?? "")
    if entry.kind == .appMetadata, let client = entry.clientID {
      metadataClouds[client.identifier, default: []].insert(account.cloud)
    }
    if entry.homeAccountID != nil {
      spelledAccounts[account, default: SpelledAccount()].take(entry)
    }
    return true
  }

  /// Adds the users that signed out of a client.
  package mutating func insert(_ metadata: AccountMetadata) {
    for (home, account) in metadata.accounts where account.signInState == .signedOut {
      signedOut[home.text.identifier, default: []].insert(metadata.clientID.identifier)
    }
  }

  /// The entries under a key, in an order that does not depend on the order of the items. An account can be there under
  /// several hosts, with another name under each.
  package func entries(_ key: MSALEntry.Key) -> [MSALEntry] {
    let entries = entriesByKey[key] ?? []
    return entries.count < 2
      ? entries : entries.ordered { $0.order.lexicographicallyPrecedes($1.order) }
  }

  /// The first entry under the first of these keys that has one.
  package func first(of keys: [MSALEntry.Key]) -> MSALEntry? {
    keys.lazy.compactMap { entries($0).first }.first
  }

  /// Whether something is there under a key.
  package func holds(_ key: MSALEntry.Key) -> Bool { entriesByKey[key] != nil }

  /// Everything that is there, for evidence.
  package var allEntries: [MSALEntry] { foundEntries + strays }

  /// The entries that MSAL finds.
  package var foundEntries: [MSALEntry] { entriesByKey.values.flatMap { $0 } }

  /// Whether there is no entry of any account.
  package var isEmpty: Bool { spelledAccounts.isEmpty && hostsByCloud.isEmpty }

  /// Whether existing content could keep MSAL from finding additions for a home account ID: an entry of the account, or
  /// metadata of clients.
  package func mayHide(home: String) -> Bool {
    homes.contains(home) || !signedOut.isEmpty || !metadataByClient.isEmpty
      || !metadataClouds.isEmpty || !appMetadata.isEmpty || familySwitch != nil
  }

  /// The spelling of an account in the entries that MSAL finds; nil if there are none.
  package func spelled(_ account: AccountKey) -> SpelledAccount? { spelledAccounts[account] }

  /// The hosts that a cloud's entries are filed under.
  package func hosts(of cloud: String) -> Set<String> { hostsByCloud[cloud] ?? [] }

  /// The clouds in which app metadata of a client is there.
  package func cloudsOfMetadata(of client: String) -> Set<String> { metadataClouds[client] ?? [] }

  /// The clients that the user signed this account out of with MSAL.
  package func clientsSignedOut(home: String) -> Set<ExactText> {
    signedOut.isEmpty ? [] : signedOut[home.identifier] ?? []
  }

  /// Whether the user signed this account out of this client with MSAL.
  package func isSignedOut(client: String, home: String) -> Bool {
    let clients = clientsSignedOut(home: home)
    return !clients.isEmpty && clients.contains(client.identifier)
  }

  // MARK: Places

  /// Takes a place for an existing or carried entry.
  package mutating func occupy(_ slot: MSALEntry.Slot) {
    slots[number(of: slot)].occupant = .existing(type: slot.type)
  }

  /// The owner of a place; nil if the place is free.
  package func occupant(of slot: MSALEntry.Slot) -> Occupant? {
    slotNumbers.number(slot.hash) { slots[$0].slot == slot }.flatMap { slots[$0].occupant }
  }

  /// Takes a free place for an addition.
  ///
  /// - Returns: the owner of the place, if it is taken.
  package mutating func claim(_ slot: MSALEntry.Slot) -> Occupant? {
    let number = number(of: slot)
    if let occupant = slots[number].occupant { return occupant }
    slots[number].occupant = .claimed
    claims.append(number)
    return nil
  }

  private mutating func number(of slot: MSALEntry.Slot) -> Int {
    let found = slotNumbers.insert(slot.hash) { [slots] in slots[$0].slot == slot }
    if found.isNew { slots.append((slot, nil)) }
    return found.number
  }

  /// The number of claims to which ``release(backTo:)`` returns.
  package var mark: Int { claims.count }

  /// Keeps the claimed places. They cannot be released any more.
  package mutating func keepClaims() { claims.removeAll(keepingCapacity: true) }

  /// Releases the places claimed since the mark.
  package mutating func release(backTo mark: Int) {
    while claims.count > mark { slots[claims.removeLast()].occupant = nil }
  }
}

extension MSALEntry {
  /// The sort key of entries under one key.
  fileprivate var order: [ExactText] {
    [environment, homeAccountID, realm, clientID, username].map { ExactText($0 ?? "") }
  }
}
