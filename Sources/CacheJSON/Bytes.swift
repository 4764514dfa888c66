// SPDX-License-Identifier: MIT

// Bytes eight at a time. In the arithmetic below a byte of a word that is wanted gets its highest bit set;
// bytes above the first such one may be wrong, the first never is.

extension UInt64 {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Marks the bytes that are zero.
  fileprivate var zeros: UInt64 { (self &- Self.ones) & ~self & Self.highBits }

  /// Marks the bytes that are `byte`.
  fileprivate func bytes(equalTo byte: UInt8) -> UInt64 { differences(to: byte).zeros }

  /// Zero in each byte that is `byte`.
  fileprivate func differences(to byte: UInt8) -> UInt64 { self ^ Self.ones &* UInt64(byte) }

  /// Whether all bytes are ASCII, and none is an upper-case letter.
  fileprivate var isPlainLowerCase: Bool {
    let fromA = self &+ Self.ones &* (0x80 - 0x41)
    let afterZ = self &+ Self.ones &* (0x7F - 0x5A)
    return (self | fromA & ~afterZ) & Self.highBits == 0
  }

  /// Marks quotation marks, backslashes and control characters.
  fileprivate var specials: UInt64 {
    (self ^ Self.ones &* 0x22).zeros | (self ^ Self.ones &* 0x5C).zeros
      | (self &- Self.ones &* 0x20) & ~self & Self.highBits
  }
}

extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }

  fileprivate var isSpecial: Bool { self == 0x22 || self == 0x5C || self < 0x20 }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether all is ASCII and no letter is upper case.
  package var isPlainLowerCase: Bool {
    var offset = 0
    while offset + 8 <= count {
      guard word(at: offset).isPlainLowerCase else { return false }
      offset += 8
    }
    while offset < count {
      guard self[offset] < 0x80, self[offset] &- 0x41 > 25 else { return false }
      offset += 1
    }
    return true
  }

  /// Eight bytes of which the first is the lowest; the caller has seen that there are so many.
  private func word(at offset: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawBufferPointer(self).loadUnaligned(
        fromByteOffset: offset, as: UInt64.self))
  }

  /// Where the next quotation mark, backslash or control character is, or the end; and whether all before
  /// it is ASCII.
  func plainText(from start: Int) -> (end: Int, isASCII: Bool) {
    var offset = start
    var seen: UInt64 = 0
    while offset + 8 <= count {
      let word = word(at: offset)
      let specials = word.specials
      guard specials == 0 else {
        let length = specials.trailingZeroBitCount / 8
        seen |= word & (1 << UInt64(8 * length) &- 1)
        return (offset + length, seen & UInt64.highBits == 0)
      }
      seen |= word
      offset += 8
    }
    while offset < count, !self[offset].isSpecial {
      seen |= UInt64(self[offset])
      offset += 1
    }
    return (offset, seen & UInt64.highBits == 0)
  }

  /// Where `byte` is next, or the end.
  package func index(of byte: UInt8, from start: Int) -> Int {
    var offset = start
    while offset + 8 <= count {
      let found = word(at: offset).bytes(equalTo: byte)
      if found != 0 { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < count, self[offset] != byte { offset += 1 }
    return offset
  }

  /// Whether all is ASCII without DEL, and none of these two comes twice in a row.
  package func isPlain(withoutPairsOf first: UInt8, _ second: UInt8) -> Bool {
    var offset = 0
    while offset + 9 <= count {
      let (here, next) = (word(at: offset), word(at: offset + 1))
      // A byte is zero where both words have the same of the two.
      let pairs =
        (here.differences(to: first) | next.differences(to: first)).zeros
        | (here.differences(to: second) | next.differences(to: second)).zeros
      if here & UInt64.highBits | here.bytes(equalTo: 0x7F) | pairs != 0 { return false }
      offset += 8
    }
    while offset < count {
      let byte = self[offset]
      let isPaired = offset + 1 < count && self[offset + 1] == byte
      if byte >= 0x7F || isPaired && (byte == first || byte == second) { return false }
      offset += 1
    }
    return true
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
    var offset = start
    while offset + 8 <= end, word(at: offset) & UInt64.highBits == 0 { offset += 8 }
    while offset < end, self[offset] < 0x80 { offset += 1 }
    return (offset, offset == end)
  }
}

extension String {
  /// Where a byte is in the text's UTF-8.
  package func offsets(of byte: UInt8) -> [Int] {
    var text = self
    return text.withUTF8 { bytes in
      var offsets: [Int] = []
      var offset = bytes.index(of: byte, from: 0)
      while offset < bytes.count {
        offsets.append(offset)
        offset = bytes.index(of: byte, from: offset + 1)
      }
      return offsets
    }
  }

  /// The text of bytes that are UTF-8; nil when they are not.
  package init?(validUTF8 bytes: [UInt8]) {
    guard bytes.withUnsafeBufferPointer(\.isUTF8) else { return nil }
    self.init(decoding: bytes, as: UTF8.self)
  }
}
