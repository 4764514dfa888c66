// SPDX-License-Identifier: MIT

/// A store that items can be taken out of. A port of its own, so that adding stays all that a migration
/// can do: it is for taking back what a run has added.
public protocol RemovableStore: ItemStore {
  /// Removes the items under these keys that `isMeant` says yes to, and returns the keys of those.
  /// Everything else stays as it is.
  ///
  /// Files look and remove in one step, and remove all or none. The system keychain cannot: each item is
  /// looked at just before it goes, and when a call fails, those before it are gone.
  ///
  /// - Throws: ``StoreError`` when the place cannot be written.
  func remove(
    _ keys: Set<KeychainItem.Key>, where isMeant: (KeychainItem) -> Bool
  ) throws -> Set<KeychainItem.Key>
}

extension MemoryStore: RemovableStore {
  /// Removes items; see `RemovableStore`.
  public func remove(
    _ keys: Set<KeychainItem.Key>, where isMeant: (KeychainItem) -> Bool
  ) throws -> Set<KeychainItem.Key> {
    removeItems { keys.contains($0.key) && isMeant($0) }
  }
}

extension SystemKeychain: RemovableStore {
  /// Removes items; see `RemovableStore`.
  public func remove(
    _ keys: Set<KeychainItem.Key>, where isMeant: (KeychainItem) -> Bool
  ) throws -> Set<KeychainItem.Key> {
    var removed: Set<KeychainItem.Key> = []
    for item in try items() where keys.contains(item.key) && isMeant(item) {
      try delete(item.key, isFirst: removed.isEmpty)
      removed.insert(item.key)
    }
    return removed
  }
}
