// SPDX-License-Identifier: MIT
import KeychainItems

/// What a run has written before it starts over: it counts as not yet there.
///
/// Where a source is the target, what was written is in the source too and is no row of it. Elsewhere a
/// row stays a row though it equals what was written.
struct Written: Sendable {
  private var keys: Set<KeychainItem.Key> = []
  private let before: [Int: Set<KeychainItem.Key>]

  /// - Parameter inventory: what was there before anything was written.
  init(beside inventory: Inventory) {
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
