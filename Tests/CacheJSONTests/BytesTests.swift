// SPDX-License-Identifier: MIT
import Testing

@testable import CacheJSON

/// Questions about bytes eight at a time have the same answer at every place and length.
struct BytesTests {
  @Test("every byte is told from the others at every place of every length", arguments: 0...50)
  func everyByte(length: Int) {
    for place in 0..<max(length, 1) {
      for byte in UInt8.min...UInt8.max {
        var bytes = [UInt8](repeating: 0x7B, count: length)
        if place < length { bytes[place] = byte }
        let start = place / 2
        bytes.withUnsafeBufferPointer { buffer in
          let isUpper = (0x41...0x5A).contains(byte) || byte > 0x7F
          #expect(buffer.isPlainLowerCase == !(isUpper && length > 0))
          let isSpecial = (byte < 0x20 || byte == 0x22 || byte == 0x5C) && length > 0
          #expect(buffer.plainText(from: start).end == (isSpecial ? place : length))
          #expect(
            buffer.index(of: 0x2E, from: start) == (byte == 0x2E ? min(place, length) : length))
        }
      }
    }
  }

  @Test("a GUID is known by every byte of it", arguments: 0..<36)
  func guids(place: Int) {
    let guid = Array("0f9a8b7c-6D5E-4f3a-9B1c-A2b3C4d5E6f0".utf8)
    for byte in UInt8.min...UInt8.max {
      var bytes = guid
      bytes[place] = byte
      let isDash = [8, 13, 18, 23].contains(place)
      let isRight = isDash ? byte == 0x2D : Hexadecimal.value(of: byte) != nil
      #expect(bytes.withUnsafeBufferPointer(\.isGUID) == isRight)
    }
    for other in [Array(guid.dropLast()), guid + [0x30], Array(guid.dropFirst())] {
      #expect(!other.withUnsafeBufferPointer(\.isGUID))
    }
  }

  @Test("text is said to be ASCII only where it is", arguments: 1...50)
  func ascii(length: Int) {
    for place in 0..<length {
      for end in place..<length {
        var bytes = [UInt8](repeating: 0x20, count: length)
        bytes[place] = 0x80
        if end > place { bytes[end] = 0x22 }
        let plain = bytes.withUnsafeBufferPointer { $0.plainText(from: 0) }
        #expect(plain == (end > place ? end : length, false))
      }
    }
    let blanks = [UInt8](repeating: 0x20, count: length)
    #expect(blanks.withUnsafeBufferPointer { $0.plainText(from: 0) } == (length, true))
  }

  @Test("where nothing is, nothing is found")
  func nothing() {
    #expect(isPlain([]))
    for bytes in [UnsafeBufferPointer<UInt8>(start: nil, count: 0)] {
      #expect(bytes.isPlainLowerCase && bytes.isPlain(withoutPairsOf: 0x3A, 0x23))
      #expect(bytes.plainText(from: 0) == (0, true))
      #expect(bytes.index(of: 0, from: 0) == 0)
    }
  }

  @Test("a string is escaped at every place of every length", arguments: 0...40)
  func escapes(length: Int) {
    let spelled: [(UInt8, String)] = [
      (0x22, #"\""#), (0x5C, #"\\"#), (0x0A, #"\n"#), (0x01, #"\u0001"#), (0x7F, "\u{7F}"),
    ]
    for (byte, spelling) in spelled {
      for place in 0..<length {
        for second in place..<length {
          var parts = [String](repeating: "a", count: length)
          (parts[place], parts[second]) = (spelling, spelling)
          var bytes = [UInt8](repeating: 0x61, count: length)
          (bytes[place], bytes[second]) = (byte, byte)
          var writer = JSONWriter()
          writer.write(String(decoding: bytes, as: UTF8.self))
          #expect(writer.bytes == Array("\"\(parts.joined())\"".utf8))
        }
      }
    }
  }

  private func isPlain(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer {
      $0.isPlain(withoutPairsOf: UInt8(ascii: ":"), UInt8(ascii: "#"))
    }
  }

  @Test("one byte from DEL on is found wherever it stands", arguments: 1...40)
  func belowDelete(count: Int) {
    let plain = [UInt8](repeating: 0x7E, count: count)
    #expect(isPlain(plain))
    for place in 0..<count {
      for byte: UInt8 in [0x7F, 0x80, 0xFF] {
        var bytes = plain
        bytes[place] = byte
        #expect(!isPlain(bytes))
      }
    }
  }

  @Test("a pair is found wherever it stands, and a single byte is none", arguments: 1...40)
  func pairs(count: Int) {
    for place in 0..<count {
      for byte in [UInt8(ascii: ":"), UInt8(ascii: "#")] {
        // The neighbours differ by one bit, which inexact arithmetic would take for it.
        var bytes = [UInt8](repeating: byte ^ 1, count: count)
        bytes[place] = byte
        #expect(isPlain(bytes))
        guard place + 1 < count else { continue }
        bytes[place + 1] = byte
        #expect(!isPlain(bytes))
      }
    }
  }

  @Test("hexadecimal digits of either case have a value, and nothing else has")
  func digits() {
    for character in UInt8.min...UInt8.max {
      let value = Character(Unicode.Scalar(character)).hexDigitValue.map(UInt8.init)
      #expect(Hexadecimal.value(of: character) == value)
    }
  }

  @Test(
    "a word is found by its bytes, whatever stands beside them",
    arguments: [
      ("aaab", "aab", 1), ("-idtoken-\u{301}x", "-idtoken-", 0), ("ä-b", "-", 2),
      ("ab", "abc", nil),
      ("", "a", nil), ("a", "", nil), ("xx", "y", nil), ("b\u{301}", "b", 0),
    ])
  func words(text: String, word: String, place: Int?) {
    // From the middle, as a text is searched that was cut.
    let rest = ("|" + text).dropFirst()
    let range = rest.firstRange(ofBytes: word)
    #expect(range.map { rest.utf8.distance(from: rest.startIndex, to: $0.lowerBound) } == place)
    #expect(
      range.map { rest.utf8.distance(from: $0.lowerBound, to: $0.upperBound) }
        == place.map { _ in word.utf8.count })
    #expect(text.containsBytes(of: word) == (place != nil))
  }
}
