// SPDX-License-Identifier: MIT
import Foundation

/// A store in memory, for tests, previews and an app's own storage.
///
/// It is a class, because a store is a place: all its users see the same items.
public final class MemoryStore: RemovableStore, @unchecked Sendable {
  // Guarded by `lock`, which makes the class Sendable.
  private var itemsByKey: [KeychainItem.Key: KeychainItem] = [:]
  private let lock = NSLock()

  /// A store of these items; of several items with one key, the first.
  public init(_ items: [KeychainItem] = []) {
    for item in items where itemsByKey[item.key] == nil {
      itemsByKey[item.key] = item
    }
  }

  public func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    let snapshot = lock.withLock { itemsByKey.values.sorted { $0.key < $1.key } }
    for item in snapshot { try body(item) }
  }

  public func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    lock.withLock {
      items.filter { item in
        guard itemsByKey[item.key] == nil else { return true }
        itemsByKey[item.key] = item
        return false
      }
    }
  }

  /// Removes items; see `RemovableStore`.
  public func remove(
    _ keys: Set<KeychainItem.Key>, where isMeant: (KeychainItem) -> Bool
  ) throws -> Set<KeychainItem.Key> {
    lock.withLock {
      let removed = keys.filter { key in itemsByKey[key].map(isMeant) ?? false }
      for key in removed { itemsByKey[key] = nil }
      return removed
    }
  }
}
