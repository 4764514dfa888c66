// SPDX-License-Identifier: MIT

// Bytes eight at a time, the first in the lowest bits. A byte that is looked for is marked by its highest bit.
// Behind the first mark there may be wrong ones, since a byte can borrow from the next; the first is right.
// Long texts are read sixteen bytes at a time.

private typealias Block = UInt64

extension Block {
  private static let ones: Block = 0x0101_0101_0101_0101
  private static let highBits: Block = 0x8080_8080_8080_8080

  /// Which byte is the first that is marked; 8 when none is.
  fileprivate var first: Int { trailingZeroBitCount &>> 3 }

  /// Zero in each byte that is `byte`.
  fileprivate func differences(to byte: UInt8) -> Block { self ^ Self.ones &* Block(byte) }

  /// Marks the bytes that are zero.
  fileprivate var zeros: Block { (self &- Self.ones) & ~self & Self.highBits }

  /// Marks what is not ASCII.
  fileprivate var others: Block { self & Self.highBits }

  /// Marks what is not ASCII, and DEL.
  fileprivate var othersFromDelete: Block { others | differences(to: 0x7F).zeros }

  /// Marks what is not ASCII, and upper-case letters.
  fileprivate var othersInUpperCase: Block {
    let fromA = self &+ Self.ones &* (0x80 - 0x41)
    let afterZ = self &+ Self.ones &* (0x7F - 0x5A)
    return (self | fromA & ~afterZ) & Self.highBits
  }

  /// Marks quotation marks, backslashes and control characters: what is ASCII and gets below zero when as
  /// much is taken away.
  fileprivate var specials: Block {
    let quotationMarks = differences(to: 0x22) &- Self.ones
    let backslashes = differences(to: 0x5C) &- Self.ones
    let controls = self &- Self.ones &* 0x20
    return (quotationMarks | backslashes | controls) & ~self & Self.highBits
  }
}

/// Sixteen bytes, signed, since that is how vectors compare on every system.
typealias Vector = SIMD16<Int8>

/// The bits of a vector, or of what marks parts of one, as another vector of the same size.
@inline(__always)
func same<Other: SIMD>(_ bits: some Any, as type: Other.Type) -> Other {
  withUnsafeBytes(of: bits) { $0.loadUnaligned(as: type) }
}

extension Vector {
  /// Which is the first byte that is not zero; 16 when all are.
  @inline(__always)
  var first: Int {
    let halves = same(self, as: SIMD2<Block>.self)
    if halves[0] != 0 { return Block(littleEndian: halves[0]).first }
    return 8 &+ Block(littleEndian: halves[1]).first
  }

  @inline(__always)
  var isZero: Bool {
    let halves = same(self, as: SIMD2<Block>.self)
    return halves[0] | halves[1] == 0
  }

  /// Whether none is negative.
  @inline(__always)
  fileprivate var isASCII: Bool { (self & Self(repeating: .min)).isZero }

  /// All bits of each quotation mark, backslash and control character.
  @inline(__always)
  fileprivate var specials: Self {
    // As they are moved, control characters are the lowest numbers.
    let controls = (self ^ Self(repeating: .min)) .< Self(repeating: .min + 0x20)
    return same(
      controls .| (self .== Self(repeating: 0x22)) .| (self .== Self(repeating: 0x5C)),
      as: Self.self)
  }
}

extension UnsafeRawPointer {
  fileprivate func block(at offset: Int) -> Block {
    Block(littleEndian: loadUnaligned(fromByteOffset: offset, as: Block.self))
  }

  /// A block that begins with `length` bytes, fewer than it has room for, and goes on with zeros.
  fileprivate func block(of length: Int) -> Block {
    func half(at offset: Int) -> Block {
      Block(UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    // Two halves that overlap, and agree where they do.
    if length >= 4 { return half(at: 0) | half(at: length &- 4) &<< Block(8 &* (length &- 4)) }
    var block: Block = 0
    for offset in 0..<length {
      block |= Block(load(fromByteOffset: offset, as: UInt8.self)) &<< Block(8 &* offset)
    }
    return block
  }
}

extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
}

extension UnsafeBufferPointer<UInt8> {
  /// Where the first byte at or after `start` is that `marks` marks in a block, or the end. The last
  /// block may have bytes that it was asked before, or zeros behind the end.
  @inline(__always)
  private func first(from start: Int, _ marks: (Block) -> Block) -> Int {
    let length = count - start
    guard let base = baseAddress, start >= 0, length > 0 else { return count }
    let bytes = UnsafeRawPointer(base + start)
    guard length >= 8 else {
      return start &+ Swift.min(marks(bytes.block(of: length)).first, length)
    }
    var offset = 0
    while offset &+ 8 <= length {
      let found = marks(bytes.block(at: offset))
      if found != 0 { return start &+ offset &+ found.first }
      offset &+= 8
    }
    return count &- 8 &+ marks(bytes.block(at: length &- 8)).first
  }

  /// Whether all is ASCII and no letter is upper case.
  package var isPlainLowerCase: Bool { first(from: 0) { $0.othersInUpperCase } == count }

  /// Where the next quotation mark, backslash or control character is, or the end; and whether all before
  /// it is ASCII, which is not said where something soon behind it is not.
  func plainText(from start: Int) -> (end: Int, isASCII: Bool) {
    var seen: Block = 0
    var start = start
    var bytes = Vector()
    while start >= 0, start &+ 16 <= count {
      // Inside by the line before.
      let next = UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: start, as: Vector.self)
      bytes |= next
      let place = next.specials.first
      start &+= place
      if place < 16 { return (start, bytes.isASCII) }
    }
    if !bytes.isASCII { seen = Block.max }
    let end = first(from: start) { block in
      seen |= block
      return block.specials
    }
    return (end, seen.others == 0)
  }

  /// Where `byte` is next, or the end.
  package func index(of byte: UInt8, from start: Int) -> Int {
    first(from: start) { $0.differences(to: byte).zeros }
  }

  /// Whether all is ASCII without DEL, and none of these two comes twice in a row.
  package func isPlain(withoutPairsOf one: UInt8, _ other: UInt8) -> Bool {
    guard first(from: 0, { $0.othersFromDelete }) == count, let base = baseAddress else {
      return isEmpty
    }
    let bytes = UnsafeRawPointer(base)
    var offset = 0
    while offset &+ 9 <= count {
      let (here, next) = (bytes.block(at: offset), bytes.block(at: offset &+ 1))
      // A byte is zero where both blocks have the same of the two.
      let pairs =
        (here.differences(to: one) | next.differences(to: one)).zeros
        | (here.differences(to: other) | next.differences(to: other)).zeros
      if pairs != 0 { return false }
      offset &+= 8
    }
    return !zip(self[offset...], self[offset...].dropFirst()).contains {
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
      let (end, isASCII) = base.ascii(from: offset, to: endIndex)
      offset = end
      if isASCII { continue }
      let length = self.lengthOfScalar(at: offset)
      if length == 0 { return false }
      offset += length
    }
    return true
  }

  /// How many bytes the scalar at `offset` has that is not ASCII; 0 when there is none.
  private func lengthOfScalar(at offset: Int) -> Int {
    let left = endIndex - offset
    let lead = base[offset]
    let length: Int
    // What the second byte may be; the others may be anything from 80 to BF.
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
  /// Where ASCII ends, and whether that is at `end`.
  fileprivate func ascii(from start: Int, to end: Int) -> (end: Int, isAll: Bool) {
    let offset = UnsafeBufferPointer(rebasing: self[..<end]).first(from: start) { $0.others }
    return (offset, offset == end)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Negative when these bytes sort before others, 0 when they are the same.
  func compare(_ other: Self) -> Int {
    let shared = Swift.min(count, other.count)
    guard let mine = baseAddress, let theirs = other.baseAddress else { return count - other.count }
    var offset = 0
    while offset &+ 8 <= shared {
      let left = UnsafeRawPointer(mine).block(at: offset)
      let right = UnsafeRawPointer(theirs).block(at: offset)
      if left != right { return left.byteSwapped < right.byteSwapped ? -1 : 1 }
      offset &+= 8
    }
    while offset < shared, self[offset] == other[offset] { offset &+= 1 }
    return offset < shared ? Int(self[offset]) - Int(other[offset]) : count - other.count
  }

  /// Eight bytes or fewer, the first in the lowest bits, and zeros behind the last.
  func word(_ range: Range<Int>) -> UInt64 {
    guard range.count <= 8, range.upperBound <= count, let base = baseAddress else { return 0 }
    let bytes = UnsafeRawPointer(base + range.lowerBound)
    return range.count == 8 ? bytes.block(at: 0) : bytes.block(of: range.count)
  }
}

extension String {
  /// Negative when the text sorts before another one by its bytes, 0 when both are the same.
  func compareBytes(_ other: String) -> Int {
    var (mine, theirs) = (self, other)
    return mine.withUTF8 { mine in theirs.withUTF8 { mine.compare($0) } }
  }

  /// Whether this byte is in the text.
  package func hasByte(_ byte: UInt8) -> Bool {
    var text = self
    return text.withUTF8 { $0.index(of: byte, from: 0) < $0.count }
  }

  /// The text of bytes that are UTF-8; nil when they are not.
  package init?(validUTF8 bytes: [UInt8]) {
    guard bytes.withUnsafeBufferPointer(\.isUTF8) else { return nil }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
