// SPDX-License-Identifier: MIT

/// The keys that a reader looks for in an object, by their lengths.
package struct JSONKeys: Sendable {
  // Shorter ones first; where those of each length begin.
  private let keys: [StaticString]
  private let starts: [Int]

  /// - Parameter keys: shorter ones first; each is known by its position.
  package init(_ keys: [StaticString]) {
    self.keys = keys
    let longest = keys.last?.utf8CodeUnitCount ?? 0
    starts = (0...longest + 1).map { length in
      keys.firstIndex { $0.utf8CodeUnitCount >= length } ?? keys.count
    }
  }

  package var count: Int { keys.count }
  package subscript(_ position: Int) -> StaticString { keys[position] }

  /// The positions of the keys of that length.
  func positions(length: Int) -> Range<Int> {
    length + 1 < starts.count ? starts[length]..<starts[length + 1] : 0..<0
  }
}
