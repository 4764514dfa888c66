// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// Where the generic passwords of an items file stand, in the order of their keys.
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

  /// - Parameters:
  ///   - items: where each item stands, and its attributes.
  ///   - reader: a cursor over the whole text.
  init(
    of items: [(range: Range<Int>, item: AttributePlaces.Item)], _ attributes: AttributePlaces,
    _ reader: JSONScanner
  ) {
    // Positions are moved, and not items.
    var hasEqualKeys = false
    let items = items.sorted {
      let order = attributes.compare($0.item, $1.item, reader)
      if order == 0 { hasEqualKeys = true }
      return order < 0
    }
    repeats =
      hasEqualKeys
      ? Set(
        items.indices.dropFirst().filter {
          attributes.compare(items[$0 - 1].item, items[$0].item, reader) == 0
        }) : []
    self.items = items
    self.attributes = attributes
  }

  /// Calls `body` with each item. `part` gets where it stands, and gives a part of the text that has that.
  func forEachItem(
    in part: (Range<Int>) throws -> Part, _ body: (KeychainItem) throws -> Void
  ) throws {
    var maker = AttributePlaces.Maker(attributes)
    func item(_ number: Int) throws -> KeychainItem {
      maker.read(try part(items[number].range))
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
}
