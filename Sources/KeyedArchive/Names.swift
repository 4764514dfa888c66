// SPDX-License-Identifier: MIT

/// Names of ASCII letters that the keys of an object are compared with, by their lengths.
package struct Names: Sendable {
  // Sorted by length; where those of each length begin.
  private let names: [StaticString]
  private let starts: [Int]

  /// - Parameter names: shorter ones first.
  package init(_ names: [StaticString]) {
    self.names = names
    let longest = names.last?.utf8CodeUnitCount ?? 0
    starts = (0...longest + 1).map { length in
      names.firstIndex { $0.utf8CodeUnitCount >= length } ?? names.count
    }
  }

  /// The positions of the names of that length.
  @inline(__always)
  func positions(length: Int) -> Range<Int> {
    guard length >= 0, length &+ 1 < starts.count else { return 0..<0 }
    return starts[length]..<starts[length &+ 1]
  }

  package subscript(_ position: Int) -> StaticString { names[position] }
  package var count: Int { names.count }
}
