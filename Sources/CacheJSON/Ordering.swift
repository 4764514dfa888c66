// SPDX-License-Identifier: MIT

/// The positions of `count` elements in their order, by `precedes`. Equal ones keep their order.
///
/// A sort is compiled for each type of element, at 3 KB each in an app: this one is compiled once.
@inline(never)
@usableFromInline
package func orderedPositions(
  _ count: Int, by precedes: (Int, Int) throws -> Bool
) rethrows -> [Int] {
  try Array(0..<count).sorted(by: precedes)
}

extension Sequence {
  /// The elements as `sorted(by:)` gives them, in a tenth of its code. Where millions are sorted, `sorted(by:)` is faster.
  @inlinable
  package func ordered(by precedes: (Element, Element) throws -> Bool) rethrows -> [Element] {
    let elements = Array(self)
    guard elements.count > 1 else { return elements }
    return try orderedPositions(elements.count) { try precedes(elements[$0], elements[$1]) }
      .map { elements[$0] }
  }
}

extension Sequence where Element: Comparable {
  @inlinable
  package func ordered() -> [Element] { ordered(by: <) }
}
