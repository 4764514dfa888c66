// SPDX-License-Identifier: MIT
import PlatformFoundation

/// The generic passwords of one access group of the system's keychain; on macOS, of the data-protection
/// keychain, where MSAL keeps its own.
///
/// The program must be signed, and its entitlements must name the group. Synchronizable items and items with
/// access control are not read, so that no user is asked for Face ID or a passcode. There are no transactions:
/// when adding fails, a prefix of the list is written.
///
/// On systems without a keychain, every method throws `StoreError.unavailable`.
public struct SystemKeychain: RemovableStore {
  /// MSAL's default group, which ADAL used too, without its team prefix.
  public static var defaultAccessGroup: String {
    #if os(macOS)
      "com.microsoft.identity.universalstorage"
    #else
      "com.microsoft.adalcache"
    #endif
  }

  /// The access group as the caller named it. Calls add a missing team prefix.
  public let accessGroup: String
  private let calls: KeychainCalls?

  /// The keychain items of an access group (default: ``defaultAccessGroup``).
  public init(accessGroup: String? = nil) {
    self.init(accessGroup: accessGroup, calls: .system)
  }

  /// The keychain items of an access group of the keychain that these calls reach; nil if there is no such keychain.
  package init(accessGroup: String?, calls: KeychainCalls?) {
    self.accessGroup = accessGroup ?? Self.defaultAccessGroup
    self.calls = calls
  }

  /// Whether both are one place; see `ItemStore`.
  public func isSamePlace(as other: any ItemStore) -> Bool {
    guard let other = other as? SystemKeychain else { return false }
    return other.accessGroup == accessGroup && other.calls?.origin === calls?.origin
  }

  public func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    let calls = try available()
    // Without a prefix there is not one item of this team, so none in the group.
    guard let group = try prefixedGroup(calls) else { return }
    for item in try items(in: group, calls) { try body(item) }
  }

  public func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    let calls = try available()
    // Items that came from a keychain have their group, with its prefix.
    let needsGroup = items.contains { $0.accessGroup.isEmpty }
    let group = needsGroup ? try learnAccessGroup() : accessGroup
    var taken: [KeychainItem] = []
    for (index, item) in items.enumerated() {
      var attributes = item.keychainAttributes
      attributes[KeychainKey.accessGroup] = item.accessGroup.isEmpty ? group : item.accessGroup
      let status = calls.add(attributes.merging(calls.base) { own, _ in own }).status
      switch status {
      case KeychainStatus.success: break
      case KeychainStatus.duplicateItem: taken.append(item)
      default: throw failure(status, otherwise: index == 0 ? .unwritable : .interrupted)
      }
    }
    return taken
  }

  /// Removes items; see `RemovableStore`.
  public func remove(
    _ keys: Set<KeychainItem.Key>, where isMeant: (KeychainItem) -> Bool
  ) throws -> Set<KeychainItem.Key> {
    var removed: Set<KeychainItem.Key> = []
    for item in try items() where keys.contains(item.key) && isMeant(item) {
      let query: [String: any Sendable] = [
        KeychainKey.accessGroup: item.accessGroup, KeychainKey.account: item.account,
        KeychainKey.service: item.service,
      ]
      let calls = try available()
      let status = calls.delete(query.merging(calls.base) { own, _ in own })
      // An item that is already gone needs no removal.
      guard [KeychainStatus.success, KeychainStatus.itemNotFound].contains(status) else {
        throw failure(status, otherwise: removed.isEmpty ? .unwritable : .interrupted)
      }
      removed.insert(item.key)
    }
    return removed
  }

  package func items(account: String, service: String) throws -> [KeychainItem] {
    try items([KeychainKey.account: account, KeychainKey.service: service], try available())
      .filter { $0.account == account && $0.service == service }
  }

  package func itemsOfUnprefixedGroup() throws -> [KeychainItem]? {
    guard accessGroup.hasPrefix("group.") else { return nil }
    do {
      return try items(in: accessGroup, try available())
    } catch StoreError.refused {
      return nil
    }
  }

  package func with(accessGroup: String) -> SystemKeychain {
    SystemKeychain(accessGroup: accessGroup, calls: calls)
  }

  package func prefixedAccessGroup() throws -> String? {
    try prefixedGroup(try available())
  }

  package func learnAccessGroup() throws -> String {
    let calls = try available()
    return try prefixedGroup(calls) ?? addTeamIDHint(calls)
  }

  private func available() throws -> KeychainCalls {
    guard let calls else {
      throw StoreError(.unavailable, "there is no keychain on this system")
    }
    if case .macOS(let accessGroups) = calls.system, accessGroups().isEmpty {
      throw StoreError.withoutEntitlements(accessGroup: accessGroup)
    }
    return calls
  }

  private func items(in group: String, _ calls: KeychainCalls) throws -> [KeychainItem] {
    try items([KeychainKey.accessGroup: group], calls)
  }

  private func items(_ query: [String: String], _ calls: KeychainCalls) throws -> [KeychainItem] {
    try match(calls, query, limit: KeychainKey.limitAll, withData: true)
      .compactMap { KeychainItem(keychainAttributes: $0) }
      .sorted { $0.key < $1.key }
  }

  func match(
    _ calls: KeychainCalls, _ query: [String: String], limit: String, withData: Bool = false
  ) throws -> [[String: Any]] {
    var query = calls.base.merging(query) { $1 }
    query[KeychainKey.limit] = limit
    query[KeychainKey.returnAttributes] = true
    if withData { query[KeychainKey.returnData] = true }
    // An item with access control would show Face ID. Only a query may have this attribute: adding fails with it.
    query[KeychainKey.authenticationUI] = KeychainKey.authenticationUISkip
    let (status, matches) = calls.copyMatching(query)
    switch status {
    case KeychainStatus.success: return matches
    case KeychainStatus.itemNotFound: return []
    default: throw failure(status, otherwise: .unreadable)
    }
  }

  func failure(_ status: Int32, otherwise: StoreError.Code) -> StoreError {
    StoreError(keychainStatus: status, accessGroup: accessGroup, otherwise: otherwise)
  }
}

extension KeychainItem {
  /// The item that the keychain describes, or nil when its account or service is not text: such an item is
  /// neither ADAL's nor MSAL's.
  package init?(keychainAttributes attributes: [String: Any]) {
    func text(_ key: String) -> String? {
      if let text = attributes[key] as? String { return text }
      return (attributes[key] as? Data).flatMap { String(data: $0, encoding: .utf8) }
    }
    func seconds(_ key: String) -> Double? { (attributes[key] as? Date)?.timeIntervalSince1970 }
    for key in [KeychainKey.account, KeychainKey.service] where attributes[key] != nil {
      guard text(key) != nil else { return nil }
    }
    self.init(
      accessGroup: text(KeychainKey.accessGroup) ?? "", account: text(KeychainKey.account) ?? "",
      service: text(KeychainKey.service) ?? "",
      generic: (attributes[KeychainKey.generic] as? Data).map { Array($0) }
        ?? (attributes[KeychainKey.generic] as? String).map { Array($0.utf8) },
      type: attributes[KeychainKey.type] as? Int,
      accessibility: text(KeychainKey.accessible), label: text(KeychainKey.label),
      itemDescription: text(KeychainKey.description), comment: text(KeychainKey.comment),
      isInvisible: attributes[KeychainKey.isInvisible] as? Bool
        ?? (attributes[KeychainKey.isInvisible] as? Int).map { $0 != 0 },
      created: seconds(KeychainKey.created), modified: seconds(KeychainKey.modified),
      data: (attributes[KeychainKey.data] as? Data).map { TokenSecret(Array($0)) })
  }

  /// The attributes for the keychain, which sets the dates itself.
  var keychainAttributes: [String: any Sendable] {
    let attributes: [String: (any Sendable)?] = [
      KeychainKey.account: account, KeychainKey.service: service,
      KeychainKey.generic: generic.map { Data($0) }, KeychainKey.type: type,
      KeychainKey.accessible: accessibility ?? KeychainKey.afterFirstUnlockHere,
      KeychainKey.label: label, KeychainKey.description: itemDescription,
      KeychainKey.comment: comment, KeychainKey.isInvisible: isInvisible,
      // Reveal: the keychain is where the item's data is kept.
      KeychainKey.data: data.map { Data($0.reveal()) },
    ]
    return attributes.compactMapValues { $0 }
  }
}
