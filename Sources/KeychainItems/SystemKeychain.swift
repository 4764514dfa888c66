// SPDX-License-Identifier: MIT
import Foundation

/// The generic passwords of one access group of the system's keychain; on macOS, of the data-protection
/// keychain, where MSAL keeps its own.
///
/// The program must be signed, and its entitlements must name the group. Synchronizable items are not
/// read. There are no transactions: when adding fails, a prefix of the list is written.
///
/// On systems without a keychain, every method throws `StoreError.unavailable`.
public struct SystemKeychain: ItemStore {
  /// MSAL's default group, which ADAL used too, without its team prefix.
  public static var defaultAccessGroup: String {
    #if os(macOS)
      "com.microsoft.identity.universalstorage"
    #else
      "com.microsoft.adalcache"
    #endif
  }

  /// The access group as it was given. The team prefix is added where it is missing.
  public let accessGroup: String
  private let calls: KeychainCalls?

  /// The keychain items of an access group, MSAL's default one when it is nil.
  public init(accessGroup: String? = nil) {
    self.init(accessGroup: accessGroup, calls: .system)
  }

  /// The keychain items of an access group of a keychain that these calls reach; nil where there is none.
  package init(accessGroup: String?, calls: KeychainCalls?) {
    self.accessGroup = accessGroup ?? Self.defaultAccessGroup
    self.calls = calls
  }

  func hasCalls(of other: SystemKeychain) -> Bool { calls?.origin === other.calls?.origin }

  public func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    let calls = try available()
    // Without a prefix there is not one item of this team, so none in the group.
    guard let group = try prefixedGroup(calls) else { return }
    let matches = try match(
      calls, [KeychainKey.accessGroup: group, KeychainKey.returnData: true], .unreadable)
    let items = matches.compactMap { KeychainItem(keychainAttributes: $0) }
    for item in items.sorted(by: { $0.key < $1.key }) { try body(item) }
  }

  public func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    let calls = try available()
    guard !items.isEmpty else { return [] }
    // Items that came from a keychain have their group, with its prefix.
    let needsGroup = items.contains { $0.accessGroup.isEmpty }
    let group = needsGroup ? try learnAccessGroup() : accessGroup
    var taken: [KeychainItem] = []
    for (index, item) in items.enumerated() {
      var attributes = item.keychainAttributes
      attributes[KeychainKey.accessGroup] = item.accessGroup.isEmpty ? group : item.accessGroup
      let status = calls.add(attributes.merging(Self.base) { own, _ in own }).status
      switch status {
      case KeychainStatus.success: break
      case KeychainStatus.duplicateItem: taken.append(item)
      default: throw failure(status, otherwise: index == 0 ? .unwritable : .interrupted)
      }
    }
    return taken
  }

  /// Removes an item.
  func delete(_ key: KeychainItem.Key, isFirst: Bool) throws {
    let query: [String: any Sendable] = [
      KeychainKey.accessGroup: key.accessGroup, KeychainKey.account: key.account,
      KeychainKey.service: key.service,
    ]
    let status = try available().delete(query.merging(Self.base) { own, _ in own })
    // What is gone already needs no removing.
    guard [KeychainStatus.success, KeychainStatus.itemNotFound].contains(status) else {
      throw failure(status, otherwise: isFirst ? .unwritable : .interrupted)
    }
  }

  /// The items with this account and service in every group that the program may use, in the order of their
  /// keys.
  ///
  /// - Throws: ``StoreError`` when the keychain cannot be read.
  package func items(account: String, service: String) throws -> [KeychainItem] {
    let query: [String: any Sendable] = [
      KeychainKey.account: account, KeychainKey.service: service, KeychainKey.returnData: true,
    ]
    return try match(try available(), query, .unreadable)
      .compactMap { KeychainItem(keychainAttributes: $0) }
      .filter { $0.account == account && $0.service == service }
      .sorted { $0.key < $1.key }
  }

  /// The access group with its team prefix; nil while nothing in the keychain tells the prefix.
  ///
  /// - Throws: ``StoreError`` when the keychain cannot be read.
  package func prefixedAccessGroup() throws -> String? {
    try prefixedGroup(try available())
  }

  /// The access group with its team prefix. Where nothing in the keychain tells the prefix, an item is added
  /// that does, as MSAL adds it too.
  ///
  /// - Throws: ``StoreError`` when the keychain cannot be read or written.
  package func learnAccessGroup() throws -> String {
    let calls = try available()
    return try prefixedGroup(calls) ?? addTeamIDHint(calls)
  }

  private func available() throws -> KeychainCalls {
    guard let calls else {
      throw StoreError(.unavailable, "there is no keychain on this system")
    }
    return calls
  }

  private static let base: [String: any Sendable] = {
    var base: [String: any Sendable] = [KeychainKey.itemClass: KeychainKey.genericPassword]
    #if os(macOS)
      base[KeychainKey.dataProtection] = true
    #endif
    return base
  }()

  private func match(
    _ calls: KeychainCalls, _ query: [String: any Sendable], _ otherwise: StoreError.Code
  ) throws -> [[String: Any]] {
    var query = query.merging(Self.base) { own, _ in own }
    query[KeychainKey.limit] = KeychainKey.limitAll
    query[KeychainKey.returnAttributes] = true
    let (status, matches) = calls.copyMatching(query)
    switch status {
    case KeychainStatus.success: return matches
    case KeychainStatus.itemNotFound: return []
    default: throw failure(status, otherwise: otherwise)
    }
  }

  /// The group with its team prefix; nil when nothing in the keychain tells it.
  ///
  /// An app cannot ask for its team on iOS. It is the start of the groups of all its items, such as the
  /// hint that ADAL and MSAL leave for this purpose (`MSIDKeychainUtil.m`).
  private func prefixedGroup(_ calls: KeychainCalls) throws -> String? {
    let group = AccessGroup(accessGroup)
    if group.isComplete { return group.name }
    let teamID = try match(calls, [:], .unreadable).lazy
      .compactMap { $0[KeychainKey.accessGroup] as? String }
      .compactMap { AccessGroup($0).teamID }.first
    return teamID.map { group.prefixed(with: $0).name }
  }

  /// Leaves the hint that MSAL leaves too when it starts, to learn the team from the group that it is put
  /// in.
  private func addTeamIDHint(_ calls: KeychainCalls) throws -> String {
    let hint: [String: any Sendable] = [
      KeychainKey.account: "SDK.ObjC.teamIDHint", KeychainKey.service: "",
      KeychainKey.accessible: KeychainKey.afterFirstUnlockHere, KeychainKey.returnAttributes: true,
    ]
    let (status, added) = calls.add(hint.merging(Self.base) { own, _ in own })
    guard status == KeychainStatus.success else { throw failure(status, otherwise: .unwritable) }
    let group = added[KeychainKey.accessGroup] as? String
    guard let teamID = group.flatMap({ AccessGroup($0).teamID }) else {
      throw StoreError(.refused, "the keychain does not tell the team prefix of \(accessGroup)")
    }
    return AccessGroup(accessGroup).prefixed(with: teamID).name
  }

  private func failure(_ status: Int32, otherwise: StoreError.Code) -> StoreError {
    switch status {
    case KeychainStatus.missingEntitlement, KeychainStatus.noAccessForItem,
      KeychainStatus.authFailed:
      return StoreError(
        .refused,
        "the keychain refuses: the entitlements of this program do not name the access group "
          + "\(accessGroup) (\(status))")
    case KeychainStatus.interactionNotAllowed:
      return StoreError(.locked, "the device is locked; unlock it and try again (\(status))")
    case KeychainStatus.notAvailable:
      return StoreError(.unavailable, "no keychain is available to this program (\(status))")
    case KeychainStatus.diskFull, KeychainStatus.inputOutput:
      return StoreError(.interrupted, "the keychain cannot read or write (\(status))")
    default: return StoreError(otherwise, "the keychain answers \(status)")
    }
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
      type: (attributes[KeychainKey.type] as? NSNumber)?.intValue,
      accessibility: text(KeychainKey.accessible), label: text(KeychainKey.label),
      itemDescription: text(KeychainKey.description), comment: text(KeychainKey.comment),
      isInvisible: (attributes[KeychainKey.isInvisible] as? NSNumber)?.boolValue,
      created: seconds(KeychainKey.created), modified: seconds(KeychainKey.modified),
      data: (attributes[KeychainKey.data] as? Data).map { Secret(Array($0)) })
  }

  /// What the keychain is given. It sets the dates itself.
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
