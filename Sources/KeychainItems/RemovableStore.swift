// SPDX-License-Identifier: MIT

/// A store that can remove items, for `undo`.
///
/// It is a protocol of its own, so that a migration can only add.
public protocol RemovableStore: ItemStore {
  /// Removes the items with these keys for which `isMeant` is true, and no others.
  ///
  /// Files check and remove in one step, and remove all or none. The system keychain checks each item just
  /// before it removes it; after an error, the earlier items are gone.
  ///
  /// - Returns: the keys of the removed items.
  /// - Throws: ``StoreError`` if the place cannot be written.
  func remove(
    _ keys: Set<KeychainItem.Key>, where isMeant: (KeychainItem) -> Bool
  ) throws -> Set<KeychainItem.Key>
}
