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
    let whole = text.count
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    let padding = whole - text.count
    let missing = -text.count & 3
    switch strictness {
    case .standard where padding != missing: return nil
    case .lenientURL where padding > missing: return nil
    default: break
    }
    guard missing < 3,
      let decoded = decode(
        UnsafeBufferPointer(rebasing: text),
        strictness == .standard ? standardValues : eitherValues),
      strictness != .url || decoded.rest == 0
    else { return nil }
    return decoded.bytes
  }

  /// These bytes in base64.
  package static func text(of bytes: [UInt8], _ alphabet: Alphabet) -> String {
    String(unsafeUninitializedCapacity: capacity(for: bytes)) { encode(bytes, alphabet, into: $0) }
  }

  /// How much room the letters of these bytes need.
  static func capacity(for bytes: [UInt8]) -> Int { (bytes.count / 3 + 1) * 4 }

  /// Writes the letters, and says how many there are.
  static func encode(
    _ bytes: [UInt8], _ alphabet: Alphabet, into text: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    let isPadded = alphabet == .standard
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
        // Eight bytes are loaded, of which six are written.
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
    letters.flatMap { first in
      letters.map { UInt16(first) | UInt16($0) << 8 }
    }
  }

  /// The bytes of letters without padding, and the bits of the last letter that are part of none.
  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, _ values: [UInt32]
  ) -> (bytes: [UInt8], rest: UInt32)? {
    var wrong: UInt32 = 0
    var rest: UInt32 = 0
    let bytes = values.withUnsafeBufferPointer { values in
      [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { bytes, count in
        // A letter's value stands in one table for each of the four places that it has in a group.
        func value(_ place: Int, _ letter: UInt8) -> UInt32 {
          values[place &<< 8 | Int(truncatingIfNeeded: letter)]
        }
        var seen: UInt32 = 0
        var start = 0
        var end = 0
        while start &+ 4 <= text.count {
          let bits =
            value(0, text[start]) | value(1, text[start &+ 1]) | value(2, text[start &+ 2])
            | value(3, text[start &+ 3])
          seen |= bits
          bytes[end] = UInt8(truncatingIfNeeded: bits &>> 16)
          bytes[end &+ 1] = UInt8(truncatingIfNeeded: bits &>> 8)
          bytes[end &+ 2] = UInt8(truncatingIfNeeded: bits)
          start &+= 4
          end &+= 3
        }
        if start < text.count {
          var bits: UInt32 = 0
          for place in 0..<text.count - start { bits |= value(place, text[start + place]) }
          seen |= bits
          bytes[end] = UInt8(truncatingIfNeeded: bits >> 16)
          rest = bits & 0xFFFF
          if text.count - start == 3 {
            bytes[end + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            rest = bits & 0xFF
          }
          end += text.count - start - 1
        }
        wrong = seen & noValue
        count = end
      }
    }
    return wrong == 0 ? (bytes, rest) : nil
  }

  /// What a byte that is no letter has in place of a value.
  private static let noValue: UInt32 = 1 << 31

  private static let letters =
    Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let standardLetters = letters + Array("+/".utf8)
  private static let urlLetters = letters + Array("-_".utf8)
  private static let standardValues = values(of: [standardLetters])
  private static let eitherValues = values(of: [standardLetters, urlLetters])

  /// Four tables of 256 entries, one behind the other.
  private static func values(of alphabets: [[UInt8]]) -> [UInt32] {
    var values = [UInt32](repeating: noValue, count: 4 << 8)
    for alphabet in alphabets {
      for (value, letter) in alphabet.enumerated() {
        for place in 0..<4 {
          values[place << 8 | Int(letter)] = UInt32(value) << UInt32(18 - 6 * place)
        }
      }
    }
    return values
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
