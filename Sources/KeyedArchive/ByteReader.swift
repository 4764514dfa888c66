// SPDX-License-Identifier: MIT

/// Untrusted bytes, read at a place and never past their end.
struct ByteReader: Sendable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var count: Int { bytes.count }

  /// The byte at `offset`.
  func byte(at offset: Int) throws(KeyedArchiveError) -> UInt8 {
    guard bytes.indices.contains(offset) else { throw KeyedArchiveError(.truncated, at: offset) }
    return bytes[offset]
  }

  /// The big-endian unsigned integer of `width` bytes, 0 to 8, at `offset`.
  func integer(at offset: Int, width: Int) throws(KeyedArchiveError) -> UInt64 {
    guard offset >= 0, width >= 0, offset <= bytes.count, width <= bytes.count - offset else {
      throw KeyedArchiveError(.truncated, at: offset)
    }
    var value: UInt64 = 0
    for place in offset..<offset + width { value = value << 8 | UInt64(bytes[place]) }
    return value
  }

  /// The `count` bytes at `offset`, not copied.
  func slice(at offset: Int, count: Int) throws(KeyedArchiveError) -> ArraySlice<UInt8> {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
      throw KeyedArchiveError(.truncated, at: offset)
    }
    return bytes[offset..<offset + count]
  }
}
