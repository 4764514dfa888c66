// SPDX-License-Identifier: MIT
import KeychainItems

/// The entries that a run wrote before it started over. They count as not yet there.
///
/// If a source is the target, the written items are in the source too, but they are not rows of it. In any other source
/// a row counts even if it equals a written item.
struct Written: Sendable {
  private var keys: Set<KeychainItem.Key> = []
  private let before: [Int: Set<KeychainItem.Key>]

  /// - Parameter inventory: the state before anything was written.
  init(beside inventory: borrowing Inventory) {
    var before: [Int: Set<KeychainItem.Key>] = [:]
    for row in inventory.rows {
      let key = KeychainItem.Key(
        accessGroup: row.place.accessGroup ?? "", account: row.place.account ?? "",
        service: row.place.service ?? "")
      before[row.source, default: []].insert(key)
    }
    self.before = before
  }

  mutating func insert(_ keys: some Sequence<KeychainItem.Key>) { self.keys.formUnion(keys) }

  /// Whether the run has put an item into the target.
  func contains(_ key: KeychainItem.Key) -> Bool { keys.contains(key) }

  /// Whether an item of a source is there because the run has put it there: a key that was free before.
  func isOurs(_ key: KeychainItem.Key, inSource number: Int) -> Bool {
    keys.contains(key) && !(before[number]?.contains(key) ?? false)
  }
}
