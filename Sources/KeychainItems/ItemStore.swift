// SPDX-License-Identifier: MIT

/// A place that holds keychain items: the system keychain, a SQLite snapshot, a JSON file, memory.
///
/// Stores are kept dumb. A store neither reads what an item's data says nor decides what to write: it
/// finds items and adds others. Every store passes `ItemStoreConformance`.
public protocol ItemStore: Sendable {
  /// Calls `body` with every item in this store, in the order of their keys.
  ///
  /// - Throws: ``StoreError`` when the place cannot be read; whatever `body` throws.
  func forEachItem(_ body: (KeychainItem) throws -> Void) throws

  /// Adds `items` in the given order and returns those whose key was taken. Nothing that is there
  /// changes, and an item whose key is taken is left out.
  ///
  /// Files add all items or none. The system keychain has no transactions: when it fails there, a
  /// prefix of the list is written.
  ///
  /// - Throws: ``StoreError`` when the place cannot be written.
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
