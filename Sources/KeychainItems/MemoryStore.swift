// SPDX-License-Identifier: MIT
import PlatformFoundation

/// A store in memory, for tests, previews and an app's own storage.
///
/// It is a class, because a store is a place: all its users see the same items.
public final class MemoryStore: RemovableStore {
  private let itemsByKey: Locked<[KeychainItem.Key: KeychainItem]>

  /// A store of these items; of several items with one key, the first.
  public init(_ items: [KeychainItem] = []) {
    itemsByKey = Locked(Dictionary(items.map { ($0.key, $0) }) { first, _ in first })
  }

  public func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    let snapshot = itemsByKey.withLock { $0.values.sorted { $0.key < $1.key } }
    for item in snapshot { try body(item) }
  }

  public func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    itemsByKey.withLock { itemsByKey in
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
    itemsByKey.withLock { itemsByKey in
      let removed = keys.filter { key in itemsByKey[key].map(isMeant) ?? false }
      for key in removed { itemsByKey[key] = nil }
      return removed
    }
  }
}
