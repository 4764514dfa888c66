// SPDX-License-Identifier: MIT
import ArchiveBytes
import Testing

@testable import KeyedArchive

/// The starts of objects if the offset table does not ascend.
@Suite struct ObjectStartsTests {
  private func starts(_ offsets: [UInt64]) throws -> ObjectStarts? {
    let table = offsets.flatMap { PropertyListBytes.integer($0, width: 4) }
    let reader = ByteReader(
      [UInt8](repeating: 0, count: 400) + table + [UInt8](repeating: 0, count: 32))
    return try ObjectStarts(reader, table: 400, width: 4, count: offsets.count, first: 8)
  }

  @Test func theLastBefore() throws {
    let starts = try #require(try starts([399, 127, 128, 63, 8]))
    #expect([400, 399, 129, 128, 127, 63].map(starts.last) == [399, 128, 128, 127, 63, 8])
    #expect(starts.last(before: 8) == nil)
    #expect([8, 63, 64, 126, 127].map(starts.contains) == [true, true, false, false, true])
  }

  @Test func theNextAfter() throws {
    let starts = try #require(try starts([399, 127, 128, 63, 8]))
    #expect(
      [8, 62, 63, 127, 128].map { starts.next(after: $0, before: 400) } == [63, 63, 127, 128, 399])
    #expect(starts.next(after: 128, before: 399) == nil)
  }

  @Test func aTableThatAscendsNeedsNone() throws {
    #expect(try starts([8, 63, 127]) == nil)
  }
}
