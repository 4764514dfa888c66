// SPDX-License-Identifier: MIT

// Bytes sixteen at a time. A match sets all bits of its byte. A vector is loaded only if sixteen bytes are left; a
// shorter text is padded with zeros.

/// Sixteen bytes, signed, since that is how vectors compare on every system.
typealias Vector = SIMD16<Int8>

extension Vector {
  @inline(__always)
  init(all byte: UInt8) { self.init(repeating: Int8(bitPattern: byte)) }

  /// Marks the bytes for which a comparison is true.
  @inline(__always)
  init(_ mask: SIMDMask<Self>) {
    self = withUnsafeBytes(of: mask) { $0.loadUnaligned(as: Self.self) }
  }

  @inline(__always)
  private var halves: SIMD2<UInt64> {
    withUnsafeBytes(of: self) { $0.loadUnaligned(as: SIMD2<UInt64>.self) }
  }

  /// The index of the first byte that is not zero; 16 if all are.
  @inline(__always)
  var first: Int {
    let halves = halves
    if halves[0] != 0 { return UInt64(littleEndian: halves[0]).trailingZeroBitCount &>> 3 }
    return 8 &+ UInt64(littleEndian: halves[1]).trailingZeroBitCount &>> 3
  }

  @inline(__always)
  var isZero: Bool {
    let halves = halves
    return halves[0] | halves[1] == 0
  }

  @inline(__always)
  fileprivate func marks(of byte: UInt8) -> Self { Self(self .== Self(all: byte)) }

  /// Marks non-ASCII bytes.
  @inline(__always)
  fileprivate var others: Self { Self(self .< Self()) }

  /// Marks non-ASCII bytes and upper-case letters.
  @inline(__always)
  fileprivate var othersInUpperCase: Self {
    // As they are moved, the letters are the lowest numbers.
    let fromA = self &+ Self(all: 0x80 - 0x41)
    return others | Self(fromA .< Self(all: 0x80 + 26))
  }

  /// Whether there are dashes at two places, and hexadecimal digits at all others.
  @inline(__always)
  fileprivate func isGUID(_ one: Int, _ other: Int) -> Bool {
    var dashes = Self()
    dashes[one] = -1
    dashes[other] = -1
    let fromZero = self &+ Self(all: 0x80 - 0x30)
    let fromA = (self | Self(all: 0x20)) &+ Self(all: 0x80 - 0x61)
    let digits = Self(fromZero .< Self(all: 0x80 + 10)) | Self(fromA .< Self(all: 0x80 + 6))
    return ((digits ^ ~dashes) | (marks(of: 0x2D) ^ dashes)).isZero
  }

  /// Marks quotation marks, backslashes and control characters.
  @inline(__always)
  fileprivate var specials: Self {
    let fromNull = self ^ Self(all: 0x80)
    return marks(of: 0x22) | marks(of: 0x5C) | Self(fromNull .< Self(all: 0x80 + 0x20))
  }
}

extension UnsafeRawPointer {
  func vector(at offset: Int) -> Vector {
    loadUnaligned(fromByteOffset: offset, as: Vector.self)
  }

  /// A vector that begins with `length` bytes, fewer than it has room for.
  func vector(of length: Int) -> Vector {
    let words =
      length < 8
      ? SIMD2(word(of: length), 0)
      : SIMD2(word(at: 0), word(at: length &- 8) >> UInt64(8 &* (16 &- length)))
    return withUnsafeBytes(of: words) { $0.loadUnaligned(as: Vector.self) }
  }

  fileprivate func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Eight bytes at most, the first in the lowest bits, and zeros behind the last.
  fileprivate func word(of length: Int) -> UInt64 {
    func half(at offset: Int) -> UInt64 {
      UInt64(UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    if length == 8 { return word(at: 0) }
    // Two halves that overlap, and agree where they do.
    if length >= 4 { return half(at: 0) | half(at: length &- 4) &<< UInt64(8 &* (length &- 4)) }
    var word: UInt64 = 0
    for offset in 0..<length {
      word |= UInt64(load(fromByteOffset: offset, as: UInt8.self)) &<< UInt64(8 &* offset)
    }
    return word
  }
}

extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
}

extension UnsafeBufferPointer<UInt8> {
  /// The place of the first byte at or after `start` that `marks` marks in a vector, or the end. The last vector may
  /// repeat bytes, or have zeros behind the end.
  @inline(__always)
  fileprivate func first(from start: Int, _ marks: (Vector) -> Vector) -> Int {
    let length = count - start
    guard let base = baseAddress, start >= 0, length > 0 else { return count }
    let bytes = UnsafeRawPointer(base + start)
    guard length >= 16 else {
      return start &+ Swift.min(marks(bytes.vector(of: length)).first, length)
    }
    var offset = 0
    while offset &+ 16 <= length {
      let place = marks(bytes.vector(at: offset)).first
      if place < 16 { return start &+ offset &+ place }
      offset &+= 16
    }
    return count &- 16 &+ marks(bytes.vector(at: length &- 16)).first
  }

  package var isPlainLowerCase: Bool { first(from: 0) { $0.othersInUpperCase } == count }

  /// The place of the next quotation mark, backslash or control character, or the end; and whether all before it is
  /// ASCII. It may be false because of a byte soon after that place.
  func plainText(from start: Int) -> (end: Int, isASCII: Bool) {
    var seen = Vector()
    let end = first(from: start) { bytes in
      seen |= bytes
      return bytes.specials
    }
    return (end, seen.others.isZero)
  }

  /// Whether it is a GUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  package var isGUID: Bool {
    guard count == 36, let base = baseAddress else { return false }
    let bytes = UnsafeRawPointer(base)
    return bytes.vector(at: 0).isGUID(8, 13) && bytes.vector(at: 16).isGUID(2, 7)
      && bytes.vector(at: 20).isGUID(3, 3)
  }

  /// The next place of `byte`, or the end.
  package func index(of byte: UInt8, from start: Int) -> Int {
    first(from: start) { $0.marks(of: byte) }
  }

  /// Whether all is ASCII without DEL, and none of these two comes twice in a row.
  package func isPlain(withoutPairsOf one: UInt8, _ other: UInt8) -> Bool {
    guard first(from: 0, { $0.others | $0.marks(of: 0x7F) }) == count else { return false }
    var place = 0
    while place &+ 17 <= count, let base = baseAddress {
      let bytes = UnsafeRawPointer(base + place)
      let same = bytes.vector(at: 0) ^ bytes.vector(at: 1)
      let pairs =
        (bytes.vector(at: 0).marks(of: one) | bytes.vector(at: 0).marks(of: other))
        & same.marks(of: 0)
      if !pairs.isZero { return false }
      place &+= 16
    }
    return !zip(self[place...], self[place...].dropFirst()).contains {
      $0 == $1 && ($0 == one || $0 == other)
    }
  }

  /// Whether the bytes are UTF-8. The validating initialiser of `String` is newer than the systems that
  /// this library runs on.
  package var isUTF8: Bool { Slice(base: self, bounds: indices).isUTF8 }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// Whether the bytes are UTF-8: The Unicode Standard, table 3-7.
  var isUTF8: Bool {
    var offset = startIndex
    while offset < endIndex {
      offset = UnsafeBufferPointer(rebasing: base[..<endIndex]).first(from: offset) { $0.others }
      if offset == endIndex { break }
      let length = self.lengthOfScalar(at: offset)
      if length == 0 { return false }
      offset += length
    }
    return true
  }

  /// The number of bytes of the non-ASCII scalar at `offset`; 0 if there is no valid scalar.
  private func lengthOfScalar(at offset: Int) -> Int {
    let left = endIndex - offset
    let lead = base[offset]
    let length: Int
    // The range of the second byte. The others may be anything from 80 to BF.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return 0
    }
    guard length <= left, second.contains(base[offset + 1]) else { return 0 }
    for place in 2..<Swift.max(length, 2) where base[offset + place] & 0xC0 != 0x80 { return 0 }
    return length
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Negative when these bytes sort before others, 0 when they are the same.
  func compare(_ other: Self) -> Int {
    let shared = Swift.min(count, other.count)
    guard let mine = baseAddress, let theirs = other.baseAddress else { return count - other.count }
    var offset = 0
    while offset &+ 8 <= shared {
      let left = UnsafeRawPointer(mine).word(at: offset)
      let right = UnsafeRawPointer(theirs).word(at: offset)
      if left != right { return left.byteSwapped < right.byteSwapped ? -1 : 1 }
      offset &+= 8
    }
    while offset < shared, self[offset] == other[offset] { offset &+= 1 }
    return offset < shared ? Int(self[offset]) - Int(other[offset]) : count - other.count
  }

  /// Eight bytes or fewer, the first in the lowest bits, and zeros behind the last.
  func word(_ range: Range<Int>) -> UInt64 {
    guard range.count <= 8, range.upperBound <= count, let base = baseAddress else { return 0 }
    return UnsafeRawPointer(base + range.lowerBound).word(of: range.count)
  }
}

extension String {
  /// Negative when the text sorts before another one by its bytes, 0 when both are the same.
  func compareBytes(_ other: String) -> Int {
    var (mine, theirs) = (self, other)
    return mine.withUTF8 { mine in theirs.withUTF8 { mine.compare($0) } }
  }

  package func hasByte(_ byte: UInt8) -> Bool {
    // A copy that is changed to have its bytes in one place would be counted.
    utf8.withContiguousStorageIfAvailable { $0.index(of: byte, from: 0) < $0.count }
      ?? utf8.contains(byte)
  }

  package init?(validUTF8 bytes: [UInt8]) {
    guard bytes.withUnsafeBufferPointer(\.isUTF8) else { return nil }
    self.init(decoding: bytes, as: UTF8.self)
  }
}

extension Substring {
  /// The place of the first bytes that are those of `word`, which is not empty.
  package func firstRange(ofBytes word: String) -> Range<Index>? {
    let (bytes, word) = (utf8, word.utf8)
    var start = bytes.startIndex
    while let found = bytes[start...].firstIndex(where: { $0 == word.first }) {
      if bytes[found...].starts(with: word) {
        return found..<bytes.index(found, offsetBy: word.count)
      }
      start = bytes.index(after: found)
    }
    return nil
  }
}

extension String {
  /// Whether the bytes of `word` are among those of this text.
  package func containsBytes(of word: String) -> Bool { self[...].firstRange(ofBytes: word) != nil }
}
