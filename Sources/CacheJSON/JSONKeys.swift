// SPDX-License-Identifier: MIT

/// The keys that a reader looks for in an object, by their lengths.
package struct JSONKeys: Sendable {
  // Shorter ones first; where those of each length begin.
  private let keys: [StaticString]
  private let starts: [Int]
  // The first eight bytes of each.
  private let words: [UInt64]

  /// - Parameter keys: shorter ones first; each is known by its position.
  package init(_ keys: [StaticString]) {
    self.keys = keys
    let longest = keys.last?.utf8CodeUnitCount ?? 0
    starts = (0...longest + 1).map { length in
      keys.firstIndex { $0.utf8CodeUnitCount >= length } ?? keys.count
    }
    words = keys.map { key in
      key.withUTF8Buffer { $0.word(0..<min($0.count, 8)) }
    }
  }

  package var count: Int { keys.count }
  package subscript(_ position: Int) -> StaticString { keys[position] }

  func position(of text: UnsafeBufferPointer<UInt8>) -> Int? {
    let length = text.count
    guard length + 1 < starts.count else { return nil }
    let word = text.word(0..<min(length, 8))
    let range = starts[length]..<starts[length + 1]
    if length <= 8 { return words[range].firstIndex(of: word) }
    return range.first { words[$0] == word && keys[$0].withUTF8Buffer { text.compare($0) == 0 } }
  }
}
