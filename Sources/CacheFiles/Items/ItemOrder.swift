// SPDX-License-Identifier: MIT
import KeychainItems

/// The places of an items file's generic passwords, in the order of their keys.
///
/// The text need not be in memory: an item is made from the part of it that has the item.
struct ItemOrder {
  /// Some bytes of a text, and how many are before them.
  struct Part {
    let bytes: [UInt8]
    let start: Int
  }

  private let attributes: AttributePlaces
  private let items: [(range: Range<Int>, item: AttributePlaces.Item)]
  /// The numbers of the items that have the key of the item before.
  private let repeats: Set<Int>

  /// - Parameter items: where each item stands, and its attributes.
  init(
    of items: [(range: Range<Int>, item: AttributePlaces.Item)], _ attributes: AttributePlaces
  ) {
    let keys = attributes.keyReader
    // Positions are moved, and not items.
    var hasEqualKeys = false
    let items = items.sorted {
      let order = attributes.compare($0.item, $1.item, keys)
      if order == 0 { hasEqualKeys = true }
      return order < 0
    }
    repeats =
      hasEqualKeys
      ? Set(
        items.indices.dropFirst().filter {
          attributes.compare(items[$0 - 1].item, items[$0].item, keys) == 0
        }) : []
    self.items = items
    self.attributes = attributes
  }

  // Items are mostly written in the order of their keys: to read several at once saves the system's calls.
  private static let largestPart = 1 << 16

  /// Calls `body` with each item. `part` gets where some items stand, and gives a part of the text that has them.
  func forEachItem(
    in part: (Range<Int>) throws -> Part, _ body: (KeychainItem) throws -> Void
  ) throws {
    var maker = AttributePlaces.Maker(attributes)
    var known = 0..<0
    func item(_ number: Int) throws -> KeychainItem {
      if !known.contains(items[number].range) {
        let part = try part(rangeOfItems(from: number))
        known = part.start..<part.start + part.bytes.count
        maker.read(part)
      }
      return maker.item(items[number].item)
    }
    var start = 0
    while start < items.count {
      var end = start + 1
      while repeats.contains(end) { end += 1 }
      if end == start + 1 {
        try body(item(start))
      } else {
        for item in ItemFile.inOrder(try (start..<end).map(item)) { try body(item) }
      }
      start = end
    }
  }

  /// The place of an item, with the following items that stand behind it, as far as one part reaches.
  private func rangeOfItems(from number: Int) -> Range<Int> {
    var range = items[number].range
    for (next, _) in items[(number + 1)...] {
      guard next.lowerBound >= range.upperBound,
        next.upperBound - range.lowerBound <= Self.largestPart
      else { break }
      range = range.lowerBound..<next.upperBound
    }
    return range
  }
}
