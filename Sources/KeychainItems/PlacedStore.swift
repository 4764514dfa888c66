// SPDX-License-Identifier: MIT

/// A store that can tell whether another store is the same place. The migration then reads the place once.
package protocol PlacedStore: ItemStore {
  /// Whether both are one place. A place that has two names may be taken for two.
  func isSamePlace(as other: any ItemStore) -> Bool
}

extension ItemStore {
  /// Whether this store knows that another one is the same place.
  package func isKnown(as other: any ItemStore) -> Bool {
    (self as? any PlacedStore)?.isSamePlace(as: other) ?? false
  }
}

extension PlacedStore where Self: AnyObject {
  package func isSamePlace(as other: any ItemStore) -> Bool { other as AnyObject === self }
}

extension MemoryStore: PlacedStore {}

extension SystemKeychain: PlacedStore {
  package func isSamePlace(as other: any ItemStore) -> Bool {
    guard let other = other as? SystemKeychain else { return false }
    return other.accessGroup == accessGroup && hasCalls(of: other)
  }
}
