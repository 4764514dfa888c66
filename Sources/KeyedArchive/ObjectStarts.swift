// SPDX-License-Identifier: MIT

/// The starts of objects, one bit for each byte of the input.
///
/// An ascending offset table says by itself where the next object begins. For any other table this
/// answers the same in time that is proportional to the object, without sorting.
struct ObjectStarts: Sendable {
  private var starts: [UInt64]
  private var shared: [UInt64]

  /// The starts that the table lists, or nil when the table ascends and they are not needed.
  ///
  /// Offsets that are out of range are left out; they are refused when they are used.
  init?(
    _ reader: ByteReader, table: Int, width: Int, count: Int, first: Int
  ) throws(KeyedArchiveError) {
    if try reader.ascends(at: table, width: width, count: count) { return nil }
    starts = Array(repeating: 0, count: table / 64 + 1)
    shared = starts
    for index in 0..<count {
      let offset = try reader.word(at: table + index * width) >> UInt64(64 - 8 * width)
      guard offset >= UInt64(first), offset < UInt64(table) else { continue }
      let (word, bit) = Self.place(of: Int(offset))
      shared[word] |= starts[word] & bit
      starts[word] |= bit
    }
  }

  /// Whether an entry of the table names this offset, which is in the input.
  func contains(_ offset: Int) -> Bool {
    let (word, bit) = Self.place(of: offset)
    return starts[word] & bit != 0
  }

  /// Whether two entries of the table name this offset.
  func isShared(_ offset: Int) -> Bool {
    let (word, bit) = Self.place(of: offset)
    return shared[word] & bit != 0
  }

  /// The first start between `offset` and `end`, both excluded.
  func next(after offset: Int, before end: Int) -> Int? {
    var candidate = offset + 1
    while candidate < end {
      let (word, bit) = Self.place(of: candidate)
      let left = starts[word] & ~(bit - 1)
      if left != 0 {
        let found = word * 64 + left.trailingZeroBitCount
        return found < end ? found : nil
      }
      candidate = (word + 1) * 64
    }
    return nil
  }

  func last(before offset: Int) -> Int? {
    var (word, bit) = Self.place(of: offset)
    var left = starts[word] & (bit - 1)
    while left == 0, word > 0 {
      word -= 1
      left = starts[word]
    }
    return left == 0 ? nil : word * 64 + 63 - left.leadingZeroBitCount
  }

  private static func place(of offset: Int) -> (word: Int, bit: UInt64) {
    (offset / 64, 1 << UInt64(offset % 64))
  }
}
