// SPDX-License-Identifier: MIT

/// Untrusted bytes, read at a place and never past their end.
struct ByteReader: Sendable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var count: Int { bytes.count }

  /// The byte at `offset`.
  @inline(__always)
  func byte(at offset: Int) throws(KeyedArchiveError) -> UInt8 {
    guard bytes.indices.contains(offset) else { throw KeyedArchiveError(.truncated, at: offset) }
    return bytes[offset]
  }

  /// The big-endian unsigned integer of `width` bytes, 0 to 8, at `offset`.
  func integer(at offset: Int, width: Int) throws(KeyedArchiveError) -> UInt64 {
    try slice(at: offset, count: width).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The eight bytes at `offset`, the first as the highest; nil when there are not so many. Where a trailer
  /// follows there are, and an integer of fewer bytes is the high end of them.
  @inline(__always)
  func word(at offset: Int) -> UInt64? {
    guard offset >= 0, offset <= bytes.count &- 8 else { return nil }
    return bytes.withUnsafeBytes {
      UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  /// The eight bytes at `offset` without the last `shift` bits.
  @inline(__always)
  func integer(at offset: Int, shift: UInt64) throws(KeyedArchiveError) -> UInt64 {
    guard let word = word(at: offset) else { throw KeyedArchiveError(.truncated, at: offset) }
    return word &>> shift
  }

  /// The `count` bytes at `offset`, not copied.
  func slice(at offset: Int, count: Int) throws(KeyedArchiveError) -> ArraySlice<UInt8> {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
      throw KeyedArchiveError(.truncated, at: offset)
    }
    return bytes[offset..<offset + count]
  }

  /// The text of the ASCII at `offset`, which is inside; nil when it is none.
  func text(at offset: Int, count: Int) -> String? {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
      return nil
    }
    return bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes[offset..<offset &+ count])
      return text.isASCII ? String(decoding: text, as: UTF8.self) : nil
    }
  }

  /// Whether the `count` integers of `width` bytes at `offset` ascend.
  func ascends(at offset: Int, width: Int, count: Int) throws(KeyedArchiveError) -> Bool {
    if width == 2 { return try ascends(try slice(at: offset, count: 2 * count)) }
    var previous: UInt64 = 0
    for index in 0..<count {
      let next = try integer(at: offset + index * width, shift: UInt64(64 - 8 * width))
      guard next > previous else { return false }
      previous = next
    }
    return true
  }

  /// The same for two bytes, without a branch, so that eight are compared at once.
  private func ascends(_ table: ArraySlice<UInt8>) throws(KeyedArchiveError) -> Bool {
    table.withUnsafeBytes { table in
      func entry(_ place: Int) -> UInt16 {
        UInt16(bigEndian: table.loadUnaligned(fromByteOffset: place &* 2, as: UInt16.self))
      }
      var falls: UInt16 = entry(0) == 0 ? 1 : 0
      for place in 0..<table.count / 2 - 1 {
        falls |= entry(place &+ 1) <= entry(place) ? 1 : 0
      }
      return falls == 0
    }
  }

  /// Whether `name`, which is ASCII, stands at `offset`.
  @inline(__always)
  func isSpelled(_ name: StaticString, at offset: Int) -> Bool {
    let count = name.utf8CodeUnitCount
    guard offset >= 0, offset <= bytes.count - count else { return false }
    return bytes.withUnsafeBytes { input in
      let name = UnsafeRawBufferPointer(start: name.utf8Start, count: count)
      func word(_ place: Int) -> Bool {
        input.loadUnaligned(fromByteOffset: offset &+ place, as: UInt64.self)
          == name.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      }
      var place = 0
      while place &+ 8 <= count {
        guard word(place) else { return false }
        place &+= 8
      }
      // The last eight bytes once more, where there are so many.
      if count >= 8 { return word(count &- 8) }
      while place < count {
        guard input[offset &+ place] == name[place] else { return false }
        place &+= 1
      }
      return true
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether all bytes are ASCII.
  var isASCII: Bool {
    var seen: UInt8 = 0
    for byte in self { seen |= byte }
    return seen < 0x80
  }
}

extension ArraySlice<UInt8> {
  /// Whether all bytes are ASCII.
  var isASCII: Bool { withUnsafeBufferPointer(\.isASCII) }
}
