// SPDX-License-Identifier: MIT

/// Untrusted bytes, read at a place and never past their end.
struct ByteReader: Sendable {
  private let bytes: [UInt8]
  // The number of places at which eight bytes begin.
  private let words: UInt

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    words = UInt(max(bytes.count - 7, 0))
  }

  var count: Int { bytes.count }

  /// The eight bytes at `offset`, the first as the highest. Where a trailer follows there are so many, and an
  /// integer of fewer bytes is the high end of them.
  @inline(__always)
  func word(at offset: Int) throws(KeyedArchiveError) -> UInt64 {
    guard UInt(bitPattern: offset) < words else {
      throw KeyedArchiveError(.truncated, at: offset)
    }
    return bytes.withUnsafeBytes {
      UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  /// The `count` bytes at `offset`, not copied.
  func slice(at offset: Int, count: Int) throws(KeyedArchiveError) -> ArraySlice<UInt8> {
    guard offset >= 0, count >= 0, count <= bytes.count - offset else {
      throw KeyedArchiveError(.truncated, at: offset)
    }
    return bytes[offset..<offset + count]
  }

  /// The ASCII text at `offset`, which is inside the input; nil for other bytes.
  func text(at offset: Int, count: Int) -> String? {
    guard offset >= 0, count >= 0, count <= bytes.count - offset else {
      return nil
    }
    return bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes[offset..<offset &+ count])
      return text.isASCII ? String(decoding: text, as: UTF8.self) : nil
    }
  }

  func ascends(at offset: Int, width: Int, count: Int) throws(KeyedArchiveError) -> Bool {
    if width == 2 { return try ascends(try slice(at: offset, count: 2 * count)) }
    let shift = UInt64(64 - 8 * width)
    var previous: UInt64 = 0
    for index in 0..<count {
      let next = try word(at: offset &+ index &* width) &>> shift
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

  /// The places in `range`, among the `count` ascending integers of `width` bytes at `offset`.
  func places(
    ofIntegersIn range: Range<Int>, at offset: Int, width: Int, count: Int
  ) throws(KeyedArchiveError) -> Range<Int> {
    func integer(_ place: Int) throws(KeyedArchiveError) -> UInt64 {
      try word(at: offset + place * width) >> UInt64(64 - 8 * width)
    }
    var (first, end) = (0, count)
    while end > 0, try integer(end - 1) >= UInt64(range.upperBound) { end -= 1 }
    while first < end, try integer(first) < UInt64(range.lowerBound) { first += 1 }
    return first..<end
  }

  /// The letters of a UTF-16 string, with zero for a unit that is not ASCII.
  @inline(never)
  func letters(of string: BinaryPropertyList.Object) -> [UInt8] {
    let units = (try? slice(at: string.start, count: string.length)) ?? []
    return zip(units, units.dropFirst()).enumerated().compactMap { place, unit in
      place.isMultiple(of: 2) ? (unit.0 == 0 ? unit.1 : 0) : nil
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  var isASCII: Bool {
    var seen: UInt8 = 0
    for byte in self { seen |= byte }
    return seen < 0x80
  }
}

extension ArraySlice<UInt8> {
  var isASCII: Bool { withUnsafeBufferPointer(\.isASCII) }
}
