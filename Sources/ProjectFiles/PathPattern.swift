// SPDX-License-Identifier: MIT

/// A pattern for paths as in `.gitignore`: `*` and `?` inside a name, `**` across names. Without a slash
/// before its end it fits at any depth.
package struct PathPattern: Sendable {
  private let segments: [[UInt8]]
  private let isAnchored: Bool

  package init(_ pattern: String) {
    var text = pattern[...]
    while text.hasSuffix("/") { text = text.dropLast() }
    isAnchored = text.contains("/")
    segments = text.split(separator: "/").map { Array($0.utf8) }
  }

  /// Whether the path itself fits; who walks leaves out what is below a folder that does.
  package func fits(_ path: String) -> Bool {
    let names = path.split(separator: "/").map { Array($0.utf8) }
    guard !segments.isEmpty, let last = names.last else { return false }
    guard isAnchored else { return Self.fits(last, segments[0]) }
    return Self.fits(names, segments, any: Array("**".utf8)) { Self.fits($0, $1) }
  }

  private static func fits(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
    fits(name, pattern, any: UInt8(ascii: "*")) { $1 == UInt8(ascii: "?") || $0 == $1 }
  }

  /// Fits items to a pattern with one wild card for any number of them, going back to the last wild
  /// card only, which is enough.
  private static func fits<Item: Equatable>(
    _ items: [Item], _ pattern: [Item], any: Item, _ isSame: (Item, Item) -> Bool
  ) -> Bool {
    var item = 0
    var part = 0
    var back: (item: Int, part: Int)?
    while item < items.count {
      if part < pattern.count, pattern[part] == any {
        back = (item, part)
        part += 1
      } else if part < pattern.count, isSame(items[item], pattern[part]) {
        item += 1
        part += 1
      } else if let last = back {
        back = (last.item + 1, last.part)
        item = last.item + 1
        part = last.part + 1
      } else {
        return false
      }
    }
    return pattern[part...].allSatisfy { $0 == any }
  }
}
