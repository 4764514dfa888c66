// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// A keychain in memory, with the rules of Apple's that matter here: generic passwords are unique by
/// group, account and service; an unnamed group is the program's first; a group that the program may
/// not use is refused; dates are the keychain's own.
package final class KeychainModel: @unchecked Sendable {
  private let lock = NSLock()
  private var items: [KeychainItem.Key: [String: Any]] = [:]
  private var queries: [[String: Any]] = []

  /// What the program's entitlements name, its own group first.
  package var groups = ["ABCDE12345.com.contoso.app", "ABCDE12345.com.microsoft.adalcache"]
  /// What the next calls of `SecItemAdd` answer instead of adding, in their order.
  package var addStatuses: [Int32] = []
  /// What every `SecItemCopyMatching` answers.
  package var matchStatus: Int32 = 0

  /// What another program does just before the first item other than a hint is added.
  package var beforeFirstItem: (@Sendable (KeychainModel) -> Void)?

  package init() {}

  package var calls: KeychainCalls {
    KeychainCalls(
      copyMatching: { [self] query in lock.withLock { copyMatching(query) } },
      add: { [self] attributes in
        if let rival = beforeFirstItem, attributes["svce"] as? String != "" {
          beforeFirstItem = nil
          rival(self)
        }
        return lock.withLock { add(attributes) }
      },
      delete: { [self] query in lock.withLock { delete(query) } })
  }

  /// Everything in it, whatever the group.
  package var all: [KeychainItem] {
    items.values.compactMap { KeychainItem(keychainAttributes: $0) }.sorted { $0.key < $1.key }
  }

  private func copyMatching(_ query: [String: Any]) -> (Int32, [[String: Any]]) {
    queries.append(query)
    guard matchStatus == 0 else { return (matchStatus, []) }
    guard query["class"] as? String == "genp", query["m_Limit"] as? String == "m_LimitAll",
      query["r_Attributes"] as? Bool == true
    else { return (-50, []) }
    let group = query["agrp"] as? String
    if let group, !groups.contains(group) { return (-34018, []) }
    let found = items.filter { key, attributes in
      let isReached = group.map { $0 == key.accessGroup } ?? groups.contains(key.accessGroup)
      return isReached
        && ["acct", "svce"].allSatisfy { name in
          query[name].map { $0 as? String == attributes[name] as? String } ?? true
        }
    }.values.map { attributes -> [String: Any] in
      query["r_Data"] as? Bool == true ? attributes : attributes.filter { $0.key != "v_Data" }
    }
    return found.isEmpty ? (-25300, []) : (0, found)
  }

  private func add(_ attributes: [String: Any]) -> (Int32, [String: Any]) {
    if let status = addStatuses.first {
      addStatuses.removeFirst()
      if status != 0 { return (status, [:]) }
    }
    let group = attributes["agrp"] as? String ?? groups[0]
    guard groups.contains(group) else { return (-34018, [:]) }
    guard attributes["class"] as? String == "genp",
      let account = attributes["acct"] as? String, let service = attributes["svce"] as? String
    else { return (-50, [:]) }
    let key = KeychainItem.Key(accessGroup: group, account: account, service: service)
    guard items[key] == nil else { return (-25299, [:]) }
    var kept = attributes.filter { !["class", "nleg", "r_Attributes"].contains($0.key) }
    kept["agrp"] = group
    kept["cdat"] = Date(timeIntervalSince1970: 1_700_000_000)
    kept["mdat"] = Date(timeIntervalSince1970: 1_700_000_000)
    items[key] = kept
    return (0, attributes["r_Attributes"] as? Bool == true ? kept : [:])
  }

  /// Only a query that names one item is answered, as every other would remove more than was meant.
  private func delete(_ query: [String: Any]) -> Int32 {
    guard query["class"] as? String == "genp", let group = query["agrp"] as? String,
      let account = query["acct"] as? String, let service = query["svce"] as? String
    else { return -50 }
    guard groups.contains(group) else { return -34018 }
    let key = KeychainItem.Key(accessGroup: group, account: account, service: service)
    return items.removeValue(forKey: key) == nil ? -25300 : 0
  }

  /// Puts attributes there as another program may have, unchecked.
  package func put(_ attributes: [String: Any]) {
    let key = KeychainItem.Key(
      accessGroup: attributes["agrp"] as? String ?? "", account: "\(items.count)", service: "")
    items[key] = attributes
  }
}
