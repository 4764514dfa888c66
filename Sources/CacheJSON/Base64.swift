// SPDX-License-Identifier: MIT

/// Base64 (RFC 4648), read as strictly as its writer allows.
package enum Base64 {
  /// The alphabet that is written, and the deviations from it that are still read.
  package enum Form: Sendable {
    /// Section 4 with its padding, without deviations; the form in an items file.
    case standard
    /// Section 5 without padding, as an encoder writes it: no bit of the last character may be lost. The two characters
    /// of the other alphabet are also read, and padding of any length at the end.
    case url
    /// As IdentityCore reads base64url (util/NSData+MSIDExtensions.m, NSString+MSIDExtensions.m): both
    /// alphabets; blanks at the ends go; padding may be left out; nothing at all is no base64.
    case lenientURL
  }

  /// The bytes that this text stands for; nil when it is not base64 of that form.
  package static func bytes(of text: Substring, _ form: Form) -> [UInt8]? {
    var text = text
    return text.withUTF8 { bytes(of: $0, form) }
  }

  package static func bytes(of text: String, _ form: Form) -> [UInt8]? {
    bytes(of: text[...], form)
  }

  package static func bytes(
    of text: UnsafeBufferPointer<UInt8>, _ form: Form
  ) -> [UInt8]? {
    letters(of: text, form).map { bytes(ofLetters: $0, form) }
  }

  /// The UTF-8 text that this base64 stands for; nil when it is not base64 of that form, or no text.
  package static func text(decoding base64: Substring, _ form: Form) -> String? {
    var base64 = base64
    return base64.withUTF8 { base64 in
      guard let letters = letters(of: base64, form) else { return nil }
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room(forLetters: letters)) {
        let bytes = UnsafeBufferPointer(rebasing: $0[..<decode(letters, form, into: $0)])
        return bytes.isUTF8 ? String(decoding: bytes, as: UTF8.self) : nil
      }
    }
  }

  /// The letters of text that is base64 of that form, without padding.
  private static func letters(
    of text: UnsafeBufferPointer<UInt8>, _ form: Form
  ) -> UnsafeBufferPointer<UInt8>? {
    var text = text[...]
    if form == .lenientURL {
      while let first = text.first, first.isBlank { text.removeFirst() }
      while let last = text.last, last.isBlank { text.removeLast() }
      if text.isEmpty { return nil }
    }
    let whole = UnsafeBufferPointer(rebasing: text)
    let count = countOfLetters(in: whole, from: 0, form)
    let padding = whole.count - count
    let missing = -count & 3
    guard whole[count...].allSatisfy({ $0 == UInt8(ascii: "=") }), missing < 3 else { return nil }
    switch form {
    case .standard where padding != missing: return nil
    case .lenientURL where padding > missing: return nil
    // The bits of the last letter that are part of no byte.
    case .url where missing > 0 && value(of: whole[count - 1]) & (1 << (2 * missing) - 1) != 0:
      return nil
    default: return UnsafeBufferPointer(rebasing: whole[..<count])
    }
  }

  package static func text(of bytes: [UInt8], _ form: Form) -> String {
    String(unsafeUninitializedCapacity: capacity(for: bytes)) { encode(bytes, form, into: $0) }
  }

  static func capacity(for bytes: [UInt8]) -> Int { (bytes.count / 3 + 1) * 4 }
}

extension Base64 {
  /// Writes the letters, and says how many there are.
  static func encode(
    _ bytes: [UInt8], _ form: Form, into text: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    let isPadded = form == .standard
    let (letters, pairs) = isPadded ? (standardLetters, standardPairs) : (urlLetters, urlPairs)
    let whole = bytes.count / 3 * 3
    var start = 0
    var place = 0
    bytes.withUnsafeBytes { bytes in
      pairs.withUnsafeBufferPointer { pairs in
        let text = UnsafeMutableRawBufferPointer(text)
        func pair(_ bits: UInt64) -> UInt64 {
          UInt64(pairs[Int(truncatingIfNeeded: bits & 0xFFF)])
        }
        // Eight bytes are loaded and six of them are written.
        while start &+ 8 <= whole {
          let bits = UInt64(
            bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
          let letters =
            pair(bits &>> 52) | pair(bits &>> 40) &<< 16 | pair(bits &>> 28) &<< 32
            | pair(bits &>> 16) &<< 48
          text.storeBytes(of: letters.littleEndian, toByteOffset: place, as: UInt64.self)
          start &+= 6
          place &+= 8
        }
        while start < whole {
          let bits =
            UInt64(bytes[start]) &<< 16 | UInt64(bytes[start &+ 1]) &<< 8
            | UInt64(bytes[start &+ 2])
          let letters = UInt32(truncatingIfNeeded: pair(bits &>> 12) | pair(bits) &<< 16)
          text.storeBytes(of: letters.littleEndian, toByteOffset: place, as: UInt32.self)
          start &+= 3
          place &+= 4
        }
      }
    }
    guard whole < bytes.count else { return place }
    let left = bytes.count - whole
    let bits = UInt32(bytes[whole]) << 16 | (left > 1 ? UInt32(bytes[whole + 1]) << 8 : 0)
    let pad = UInt8(ascii: "=")
    let third = left > 1 ? letters[Int(bits >> 6 & 0x3F)] : pad
    let ends = [letters[Int(bits >> 18)], letters[Int(bits >> 12 & 0x3F)], third, pad]
    for end in ends.prefix(isPadded ? 4 : left + 1) {
      text[place] = end
      place += 1
    }
    return place
  }

  // Two letters at a time, the first in the lower byte.
  private static let standardPairs = pairs(of: standardLetters)
  private static let urlPairs = pairs(of: urlLetters)

  private static func pairs(of letters: [UInt8]) -> [UInt16] {
    [UInt16](unsafeUninitializedCapacity: letters.count * letters.count) { pairs, count in
      for first in letters {
        for second in letters {
          pairs.initializeElement(at: count, to: UInt16(first) | UInt16(second) << 8)
          count += 1
        }
      }
    }
  }

  private static let letters =
    Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let standardLetters = letters + Array("+/".utf8)
  private static let urlLetters = letters + Array("-_".utf8)
}

// Letters are looked for sixteen at a time. A vector is loaded where so many bytes are left, which the line before
// asks.
extension Base64 {
  static func countOfLetters(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, _ form: Form
  ) -> Int {
    // Asked here, and not for each vector.
    form == .standard
      ? letters(in: text, from: start, .standard) : letters(in: text, from: start, .url)
  }

  @inline(__always)
  private static func letters(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, _ form: Form
  ) -> Int {
    let bytes = UnsafeRawBufferPointer(text)
    @inline(__always) func others(_ offset: Int) -> Vector {
      bytes.loadUnaligned(fromByteOffset: offset, as: Vector.self).others(form)
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
    while offset < text.count, Vector(all: text[offset]).others(form).isZero {
      offset &+= 1
    }
    return offset &- start
  }

  /// The bytes of letters without padding. Other characters also give some bytes.
  static func bytes(ofLetters letters: UnsafeBufferPointer<UInt8>, _ form: Form) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: room(forLetters: letters)) { bytes, count in
      count = decode(letters, form, into: bytes)
    }
  }

  /// The room that ``decode(_:_:into:)`` needs: it writes two words of eight bytes for sixteen letters or fewer.
  private static func room(forLetters letters: UnsafeBufferPointer<UInt8>) -> Int {
    letters.count / 16 * 12 + 16
  }

  /// The six bits of a letter of either alphabet.
  private static func value(of letter: UInt8) -> Int8 { Vector(all: letter).values(.url)[0] }

  /// Writes the bytes of letters, and says how many there are.
  private static func decode(
    _ letters: UnsafeBufferPointer<UInt8>, _ form: Form,
    into bytes: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    // Asked here, and not for each vector.
    form == .standard
      ? write(letters, .standard, to: bytes) : write(letters, .url, to: bytes)
  }

  @inline(__always)
  private static func write(
    _ letters: UnsafeBufferPointer<UInt8>, _ form: Form,
    to bytes: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    guard let text = UnsafeRawPointer(letters.baseAddress) else { return 0 }
    let output = UnsafeMutableRawBufferPointer(bytes)
    var start = 0
    var end = 0
    @inline(__always) func decodeSixteen(_ letters: Vector) {
      let six = letters.values(form).sixBytes
      output.storeBytes(of: six[0].bigEndian, toByteOffset: end, as: UInt64.self)
      output.storeBytes(of: six[1].bigEndian, toByteOffset: end &+ 6, as: UInt64.self)
      start &+= 16
      end &+= 12
    }
    while start &+ 16 <= letters.count { decodeSixteen(text.vector(at: start)) }
    if start < letters.count {
      decodeSixteen(text.advanced(by: start).vector(of: letters.count &- start))
    }
    return letters.count / 4 * 3 + max(letters.count % 4 - 1, 0)
  }
}

extension Vector {
  /// The six bits of each letter. Other characters have some, too.
  @inline(__always)
  fileprivate func values(_ form: Base64.Form) -> Self {
    // Digits are moved by 4, and the other letters by so much more or less.
    @inline(__always) func moved(_ letters: SIMDMask<Self>, _ by: Int8) -> Self {
      Self(letters) & Self(repeating: by)
    }
    let values =
      (self &+ Self(all: 4)) &+ moved(self .> Self(all: 0x40), -69)
      &+ moved(self .> Self(all: 0x60), -6)
      &+ (moved(self .== Self(all: 0x2B), 15) &+ moved(self .== Self(all: 0x2F), 12))
    if form == .standard { return values }
    return values
      &+ (moved(self .== Self(all: 0x2D), 13) &+ moved(self .== Self(all: 0x5F), 33))
  }

  /// The bytes that sixteen values are: six for each half of them, the highest of a word. The two others mean nothing.
  @inline(__always)
  fileprivate var sixBytes: SIMD2<UInt64> {
    // Two neighbors become one value of twice the bits, three times. The first is the lower one, since all of Swift's
    // systems keep the lowest byte first.
    @inline(__always) func lanes<Lanes: SIMD>(_ vector: some SIMD) -> Lanes {
      withUnsafeBytes(of: vector) { $0.loadUnaligned(as: Lanes.self) }
    }
    let ones: SIMD8<UInt16> = lanes(self)
    let twos: SIMD4<UInt32> = lanes(
      (ones &<< 6) & SIMD8(repeating: 0xFFF) | (ones &>> 8))
    let fours: SIMD2<UInt64> = lanes(
      (twos &<< 12) & SIMD4(repeating: 0xFF_FFFF) | (twos &>> 16))
    return (fours &<< 40) | (fours &>> 16)
  }

  /// All bits of each byte that is no letter.
  @inline(__always)
  fileprivate func others(_ form: Base64.Form) -> Self {
    // Letters of one case, and digits with the slash before them, are moved to the lowest numbers.
    let folded = (self | Self(all: 0x20)) &+ Self(all: 0x80 - 0x61)
    let digits = self &+ Self(all: 0x80 - 0x2F)
    let others =
      (folded .>= Self(all: 0x80 + 26)) .& (digits .>= Self(all: 0x80 + 11))
      .& (self .!= Self(all: 0x2B))
    if form == .standard { return Self(others) }
    return Self(others .& (self .!= Self(all: 0x2D)) .& (self .!= Self(all: 0x5F)))
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
