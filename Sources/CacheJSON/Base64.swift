// SPDX-License-Identifier: MIT

/// Base64 (RFC 4648), read as strictly as its writer allows.
package enum Base64 {
  /// An alphabet for writing.
  package enum Alphabet: Sendable {
    /// Section 4, with padding.
    case standard
    /// Section 5, without padding.
    case url
  }

  /// How much of what no encoder writes is read all the same.
  package enum Strictness: Sendable {
    /// Section 4 with its padding and nothing else; what an items file holds.
    case standard
    /// The alphabet of URLs as an encoder writes it, of whose last character no bit is lost. The two
    /// characters of the other alphabet are read too, and padding of any length at the end.
    case url
    /// As IdentityCore reads base64url (util/NSData+MSIDExtensions.m, NSString+MSIDExtensions.m): both
    /// alphabets; blanks at the ends go; padding may be left out; nothing at all is no base64.
    case lenientURL
  }

  /// The bytes that this text stands for; nil when it is not base64 of that strictness.
  package static func bytes(of text: Substring, _ strictness: Strictness) -> [UInt8]? {
    var text = text
    return text.withUTF8 { bytes(of: $0, strictness) }
  }

  /// The bytes that this text stands for; nil when it is not base64 of that strictness.
  package static func bytes(of text: String, _ strictness: Strictness) -> [UInt8]? {
    bytes(of: text[...], strictness)
  }

  /// The bytes that this text stands for; nil when it is not base64 of that strictness.
  package static func bytes(
    of text: UnsafeBufferPointer<UInt8>, _ strictness: Strictness
  ) -> [UInt8]? {
    var text = text[...]
    if strictness == .lenientURL {
      while let first = text.first, first.isBlank { text.removeFirst() }
      while let last = text.last, last.isBlank { text.removeLast() }
      if text.isEmpty { return nil }
    }
    let alphabet: Alphabet = strictness == .standard ? .standard : .url
    let whole = UnsafeBufferPointer(rebasing: text)
    let count = countOfLetters(in: whole, from: 0, alphabet)
    let padding = whole.count - count
    let missing = -count & 3
    guard whole[count...].allSatisfy({ $0 == UInt8(ascii: "=") }), missing < 3 else { return nil }
    switch strictness {
    case .standard where padding != missing: return nil
    case .lenientURL where padding > missing: return nil
    // The bits of the last letter that are part of no byte.
    case .url where missing > 0 && value(of: whole[count - 1]) & (1 << (2 * missing) - 1) != 0:
      return nil
    default: return bytes(ofLetters: UnsafeBufferPointer(rebasing: whole[..<count]), alphabet)
    }
  }

  /// These bytes in base64.
  package static func text(of bytes: [UInt8], _ alphabet: Alphabet) -> String {
    String(unsafeUninitializedCapacity: capacity(for: bytes)) { encode(bytes, alphabet, into: $0) }
  }

  /// How much room the letters of these bytes need.
  static func capacity(for bytes: [UInt8]) -> Int { (bytes.count / 3 + 1) * 4 }
}

// Sixteen letters at a time, and twelve bytes. Where eight bytes are loaded or stored of which six are meant, there
// are two more, which the line before asks or for which there is room.
extension Base64 {
  /// Writes the letters, and says how many there are. The text has room for them (``capacity(for:)``).
  static func encode(
    _ bytes: [UInt8], _ alphabet: Alphabet, into text: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    let count = (bytes.count * 4 + 2) / 3
    bytes.withUnsafeBytes { input in
      let output = UnsafeMutableRawBufferPointer(text)
      var start = 0
      var end = 0
      while start &+ 14 <= input.count {
        func six(_ offset: Int) -> UInt64 {
          UInt64(bigEndian: input.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        let letters = Vector(bits: six(start), six(start &+ 6)).letters(alphabet)
        output.storeBytes(of: letters, toByteOffset: end, as: Vector.self)
        start &+= 12
        end &+= 16
      }
      while start < input.count {
        var halves: SIMD2<UInt64> = [0, 0]
        for (place, byte) in input[start...].prefix(12).enumerated() {
          halves[place / 6] |= UInt64(byte) << UInt64(56 - 8 * (place % 6))
        }
        let letters = Vector(bits: halves[0], halves[1]).letters(alphabet)
        for place in 0..<min(16, count - end) {
          text[end + place] = UInt8(bitPattern: letters[place])
        }
        start += 12
        end += 16
      }
    }
    guard alphabet == .standard else { return count }
    let padding = -count & 3
    for place in 0..<padding { text[count + place] = UInt8(ascii: "=") }
    return count + padding
  }

  /// How many letters there are from `start` on.
  static func countOfLetters(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, _ alphabet: Alphabet
  ) -> Int {
    // Asked here, and not for each vector.
    alphabet == .standard
      ? letters(in: text, from: start, .standard) : letters(in: text, from: start, .url)
  }

  @inline(__always)
  private static func letters(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, _ alphabet: Alphabet
  ) -> Int {
    let bytes = UnsafeRawBufferPointer(text)
    @inline(__always) func others(_ offset: Int) -> Vector {
      bytes.loadUnaligned(fromByteOffset: offset, as: Vector.self).others(alphabet)
    }
    var offset = max(start, 0)
    while offset &+ 64 <= text.count {
      let some = others(offset) | others(offset &+ 16)
      guard (some | others(offset &+ 32) | others(offset &+ 48)).isZero else { break }
      offset &+= 64
    }
    while offset &+ 16 <= text.count {
      let first = others(offset).first
      offset &+= first
      if first < 16 { return offset &- start }
    }
    while offset < text.count, Vector(all: text[offset]).others(alphabet).isZero {
      offset &+= 1
    }
    return offset &- start
  }

  /// The bytes of letters without padding. Of what is no letter some bytes are made, too.
  static func bytes(ofLetters text: UnsafeBufferPointer<UInt8>, _ alphabet: Alphabet) -> [UInt8] {
    alphabet == .standard ? decode(text, .standard) : decode(text, .url)
  }

  @inline(__always)
  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, _ alphabet: Alphabet
  ) -> [UInt8] {
    let count = text.count / 4 * 3 + max(text.count % 4 - 1, 0)
    return [UInt8](unsafeUninitializedCapacity: count + 2) { bytes, filled in
      let input = UnsafeRawBufferPointer(text)
      let output = UnsafeMutableRawBufferPointer(bytes)
      var start = 0
      var end = 0
      @inline(__always) func next() {
        let (first, second) = input.loadUnaligned(fromByteOffset: start, as: Vector.self)
          .bits(alphabet)
        output.storeBytes(of: first.bigEndian, toByteOffset: end, as: UInt64.self)
        output.storeBytes(of: second.bigEndian, toByteOffset: end &+ 6, as: UInt64.self)
        start &+= 16
        end &+= 12
      }
      while start &+ 32 <= text.count {
        next()
        next()
      }
      if start &+ 16 <= text.count { next() }
      if start < text.count, let base = input.baseAddress {
        let (first, second) = (base + start).vector(of: text.count - start).bits(alphabet)
        for place in 0..<count - end {
          let bits = place < 6 ? first &<< UInt64(8 &* place) : second &<< UInt64(8 &* (place &- 6))
          bytes[end &+ place] = UInt8(truncatingIfNeeded: bits &>> 56)
        }
      }
      filled = count
    }
  }

  /// The six bits of a letter of either alphabet.
  private static func value(of letter: UInt8) -> UInt64 {
    Vector(all: letter).bits(.url).0 &>> 58
  }
}

extension Vector {
  /// All bits of each byte that is no letter.
  @inline(__always)
  fileprivate func others(_ alphabet: Base64.Alphabet) -> Self {
    // Letters of one case, and digits with the slash before them, are moved to the lowest numbers.
    let folded = (self | Self(all: 0x20)) &+ Self(all: 0x80 - 0x61)
    let digits = self &+ Self(all: 0x80 - 0x2F)
    let others =
      (folded .>= Self(all: 0x80 + 26)) .& (digits .>= Self(all: 0x80 + 11))
      .& (self .!= Self(all: 0x2B))
    guard alphabet == .url else { return Self(others) }
    return Self(others .& (self .!= Self(all: 0x2D)) .& (self .!= Self(all: 0x5F)))
  }

  /// The 48 bits of the first eight letters, the first as the highest, and those of the others. What is in
  /// the 16 bits below them is none.
  @inline(__always)
  fileprivate func bits(_ alphabet: Base64.Alphabet) -> (UInt64, UInt64) {
    @inline(__always) func move(_ mask: SIMDMask<Self>, by distance: Int8) -> Self {
      Self(mask) & Self(repeating: distance)
    }
    var letters = self
    if alphabet == .url {
      letters &+= move(self .== Self(all: 0x2D), by: 0x2B - 0x2D)
      letters &+= move(self .== Self(all: 0x5F), by: 0x2F - 0x5F)
    }
    // A digit is four less than its value; from there the others are so far from theirs.
    let values =
      letters &+ Self(repeating: 4)
      &+ move(letters .> Self(all: 0x40), by: -69) &+ move(letters .> Self(all: 0x60), by: -6)
      &+ move(letters .== Self(all: 0x2B), by: 15) &+ move(letters .== Self(all: 0x2F), by: 12)
    // Two neighbors, the first in the lower half, become one number, and so do two of those.
    let ones = same(values, as: SIMD8<UInt16>.self)
    let twos =
      (ones &<< SIMD8(repeating: 6)) & SIMD8(repeating: 0xFC0) | ones &>> SIMD8(repeating: 8)
    let pairs = same(twos, as: SIMD4<UInt32>.self)
    let fours =
      (pairs &<< SIMD4(repeating: 12)) & SIMD4(repeating: 0xFF_F000) | pairs
      &>> SIMD4(repeating: 16)
    let halves = same(fours, as: SIMD2<UInt64>.self)
    let eights = halves &<< SIMD2(repeating: 40) | halves &>> SIMD2(repeating: 16)
    return (eights[0], eights[1])
  }

  /// Sixteen numbers of six bits: what ``bits(_:)`` makes of their letters.
  @inline(__always)
  fileprivate init(bits first: UInt64, _ second: UInt64) {
    let eights = SIMD2(first, second)
    let fours = same(
      eights &>> SIMD2(repeating: 40) | (eights &<< SIMD2(repeating: 16))
        & SIMD2(repeating: 0xFF_FFFF << 32),
      as: SIMD4<UInt32>.self)
    let pairs = same(
      fours &>> SIMD4(repeating: 12) | (fours & SIMD4(repeating: 0xFFF)) &<< SIMD4(repeating: 16),
      as: SIMD8<UInt16>.self)
    self = same(
      pairs &>> SIMD8(repeating: 6) | (pairs & SIMD8(repeating: 0x3F)) &<< SIMD8(repeating: 8),
      as: Self.self)
  }

  /// The letters of sixteen numbers of six bits.
  @inline(__always)
  fileprivate func letters(_ alphabet: Base64.Alphabet) -> Self {
    func move(_ mask: SIMDMask<Self>, by distance: Int8) -> Self {
      Self(mask) & Self(repeating: distance)
    }
    let isURL = alphabet == .url
    return self &+ Self(all: 0x41) &+ move(self .> Self(all: 25), by: 6)
      &+ move(self .> Self(all: 51), by: -75)
      &+ move(self .== Self(all: 62), by: isURL ? 0x2D - 0x3A : 0x2B - 0x3A)
      &+ move(self .== Self(all: 63), by: isURL ? 0x5F - 0x3B : 0x2F - 0x3B)
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
