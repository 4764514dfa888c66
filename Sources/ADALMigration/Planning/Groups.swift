// SPDX-License-Identifier: MIT

extension Array {
  /// The elements by a key, in the key's order; those of one key in their own.
  func groups<Key: Hashable & Comparable>(
    by key: (Element) -> Key
  ) -> [(key: Key, values: [Element])] {
    guard let first = self.first.map(key) else { return [] }
    // Most accounts have one client and one tenant, and a dictionary costs more than the rest.
    if dropFirst().allSatisfy({ key($0) == first }) { return [(first, self)] }
    return Dictionary(grouping: self, by: key).ordered { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }
}
