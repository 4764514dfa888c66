// SPDX-License-Identifier: MIT
import Testing

@testable import KeyedArchive

/// The one place that touches the input, outside its bounds: its callers check before, and it checks again.
@Suite struct ByteReaderTests {
  private let reader = ByteReader([1, 2, 3, 4, 5, 6, 7, 8, 9])
  private let truncated = KeyedArchiveError(.truncated, at: 0)

  @Test func inside() throws {
    #expect(reader.count == 9)
    #expect(try reader.word(at: 0) == 0x0102_0304_0506_0708)
    #expect(try reader.word(at: 1) == 0x0203_0405_0607_0809)
    #expect(try reader.slice(at: 1, count: 2) == [2, 3])
    #expect(try reader.slice(at: 9, count: 0).isEmpty)
  }

  @Test("outside", arguments: [(-1, 1), (0, 10), (9, 1), (10, 0), (1, -1), (.max, 1), (1, .max)])
  func outside(offset: Int, count: Int) {
    #expect(throws: truncated) { try reader.slice(at: offset, count: count) }
    #expect(reader.text(at: offset, count: count) == nil)
  }

  @Test("words outside", arguments: [-1, 2, 8, 9, .min, .max])
  func wordsOutside(offset: Int) {
    #expect(throws: truncated) { try reader.word(at: offset) }
    #expect(throws: truncated) { try ByteReader([1, 2, 3]).word(at: 0) }
  }
}
