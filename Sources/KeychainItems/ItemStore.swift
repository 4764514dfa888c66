// SPDX-License-Identifier: MIT

/// A place for keychain items: the system keychain, a SQLite snapshot, a JSON file, memory.
///
/// A store does not interpret the data of an item and does not decide: it lists items and adds items.
///
/// A store of your own takes seven steps:
/// 1. Make a `struct` of the place, such as a URL or a connection. Open nothing in its initializer.
/// 2. In ``forEachItem(_:)`` read the items, sort them by ``KeychainItem/key``, and call `body` with each. A place that does not exist
///    yet is empty, or throws ``StoreError/unreadable``.
/// 3. Keep every attribute to the byte, and keep absent and empty apart. A key is compared by its bytes.
/// 4. In ``add(_:)`` skip each item whose key is there, or came earlier in the list, and return it. Change no other item.
/// 5. Write all items or none, and take a lock if another process can write, from reading to writing.
/// 6. Throw ``StoreError`` with the code that says what to do. Name the place in the message, and quote no contents.
/// 7. Run the exam: `try ItemStoreConformance { MyStore() }.run()`, of the product `StoreConformance`.
///
/// `Samples/OwnStore` is such a store with its exam. If a migration may read and write the same place, ``isSamePlace(as:)``
/// lets it read the place once.
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

  /// Whether both stores are one place (default: false for a value, and whether both are one object). A place that has
  /// two names may be taken for two.
  func isSamePlace(as other: any ItemStore) -> Bool
}

extension ItemStore {
  /// False: a value knows no place.
  public func isSamePlace(as other: any ItemStore) -> Bool { false }

  /// Every item in this store, in the order of their keys.
  public func items() throws -> [KeychainItem] {
    var all: [KeychainItem] = []
    try forEachItem { all.append($0) }
    return all
  }
}

extension ItemStore where Self: AnyObject {
  /// Whether both are one object.
  public func isSamePlace(as other: any ItemStore) -> Bool { (other as? Self) === self }
}
