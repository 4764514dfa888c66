// SPDX-License-Identifier: MIT

/// A place for keychain items: the system keychain, a SQLite snapshot, a JSON file, memory.
///
/// A store does not interpret the data of an item and does not decide: it lists items and adds items. Every
/// store passes `ItemStoreConformance`.
public protocol ItemStore: Sendable {
  /// Calls `body` with every item in this store, in the order of their keys.
  ///
  /// - Throws: ``StoreError`` if the place cannot be read, and every error of `body`.
  func forEachItem(_ body: (KeychainItem) throws -> Void) throws

  /// Adds `items` in the given order, except those with an existing key.
  ///
  /// Existing items stay unchanged. Files add all items or none. The system keychain has no transactions: after
  /// an error, a prefix of the list is written.
  ///
  /// - Returns: the items that were not added, because their key exists.
  /// - Throws: ``StoreError`` if the place cannot be written.
  func add(_ items: [KeychainItem]) throws -> [KeychainItem]
}

extension ItemStore {
  /// Every item in this store, in the order of their keys.
  public func items() throws -> [KeychainItem] {
    var all: [KeychainItem] = []
    try forEachItem { all.append($0) }
    return all
  }
}
