// SPDX-License-Identifier: MIT
import Testing

@testable import KeyedArchive

/// The one place that touches the input, outside its bounds: its callers check before, and it checks again.
@Suite struct ByteReaderTests {
  private let reader = ByteReader([1, 2, 3])

  @Test func inside() throws {
    #expect(reader.count == 3)
    #expect(try reader.byte(at: 2) == 3)
    #expect(try reader.integer(at: 0, width: 3) == 0x010203)
    #expect(try reader.integer(at: 3, width: 0) == 0)
    #expect(try reader.slice(at: 1, count: 2) == [2, 3])
  }

  @Test("outside", arguments: [(-1, 1), (0, 4), (3, 1), (4, 0), (1, -1), (.max, 1), (1, .max)])
  func outside(offset: Int, count: Int) {
    let truncated = KeyedArchiveError(.truncated, at: 0)
    #expect(throws: truncated) { try reader.integer(at: offset, width: count) }
    #expect(throws: truncated) { try reader.slice(at: offset, count: count) }
    #expect(throws: truncated) { try reader.byte(at: offset < 1 ? -1 : 3) }
  }
}
