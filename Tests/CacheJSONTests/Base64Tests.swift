// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation
import Testing

@Suite struct Base64Tests {
  @Test("both alphabets agree with Foundation's base64")
  func alphabets() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 201) }
      let standard = Data(bytes).base64EncodedString()
      let url = standard.replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
      #expect(Base64.text(of: bytes, .standard) == standard)
      #expect(Base64.text(of: bytes, .url) == url)
      var writer = JSONWriter()
      writer.write(base64: bytes)
      #expect(writer.bytes == Array("\"\(standard)\"".utf8))
      #expect(Base64.bytes(of: standard, .standard) == bytes)
      for text in [standard, url] {
        #expect(Base64.bytes(of: text, .url) == bytes)
        #expect(Base64.bytes(of: text, .lenientURL) == (count == 0 ? nil : bytes))
        #expect(Base64.bytes(of: Substring("x" + text).dropFirst(), .url) == bytes)
      }
      #expect(Base64.bytes(of: " \(url)\t", .lenientURL) == (count == 0 ? nil : bytes))
    }
  }

  @Test("every letter has its value in every place of a group")
  func letters() {
    for value in 0..<(1 << 12) {
      let group = [
        UInt8(value >> 4), UInt8(value & 15) << 4 | UInt8(value >> 8), UInt8(value & 0xFF),
      ]
      // Whole vectors of letters, and four that are none.
      let bytes = Array(repeatElement(group, count: 9).joined())
      let standard = Data(bytes).base64EncodedString()
      #expect(Base64.text(of: bytes, .standard) == standard)
      #expect(Base64.bytes(of: standard, .standard) == bytes)
    }
  }

  /// The result of each form for texts that only some encoders write.
  @Test(
    "where the forms part",
    arguments: [
      ("", [], [], nil), (" ", nil, nil, nil), ("A", nil, nil, nil), ("AAAAA", nil, nil, nil),
      ("QQ", nil, [0x41], [0x41]), ("QQ=", nil, [0x41], [0x41]), ("QQ==", [0x41], [0x41], [0x41]),
      ("QQ===", nil, [0x41], nil), ("QR==", [0x41], nil, [0x41]), ("QR", nil, nil, [0x41]),
      ("QUI", nil, [0x41, 0x42], [0x41, 0x42]), ("QUJ=", [0x41, 0x42], nil, [0x41, 0x42]),
      ("QUI==", nil, [0x41, 0x42], nil), ("AAAA====", nil, [0, 0, 0], nil),
      ("-_-_", nil, [0xFB, 0xFF, 0xBF], [0xFB, 0xFF, 0xBF]),
      ("+/-_", nil, [0xFB, 0xFF, 0xBF], [0xFB, 0xFF, 0xBF]),
      ("+/+/", [0xFB, 0xFF, 0xBF], [0xFB, 0xFF, 0xBF], [0xFB, 0xFF, 0xBF]),
      ("QQ==\n", nil, nil, nil), (" QQ", nil, nil, [0x41]), ("QQ\n", nil, nil, nil),
      ("A=AA", nil, nil, nil), ("QU=D", nil, nil, nil), ("AA\nAA", nil, nil, nil),
      ("====", nil, [], nil), ("=", nil, [], nil), ("é", nil, nil, nil),
      ("QQ==QQ==", nil, nil, nil),
    ] as [(String, [UInt8]?, [UInt8]?, [UInt8]?)])
  func form(text: String, standard: [UInt8]?, url: [UInt8]?, lenient: [UInt8]?) {
    #expect(Base64.bytes(of: text, .standard) == standard)
    #expect(Base64.bytes(of: text, .url) == url)
    #expect(Base64.bytes(of: text, .lenientURL) == lenient)
  }

  @Test("a byte that is no letter is noticed wherever it stands")
  func wrongLetters() {
    // More than are read at once, and some behind them.
    let letters = Array(repeatElement(Array("AZaz09+/".utf8), count: 13).joined())
    for place in letters.indices {
      for byte in UInt8.min ... .max {
        var text = letters
        text[place] = byte
        let isLetter =
          byte.isASCII && (Character(Unicode.Scalar(byte)).isLetter || (0x30...0x39).contains(byte))
        let (bytes, others) = text.withUnsafeBufferPointer {
          (Base64.bytes(of: $0, .standard), Base64.bytes(of: $0, .url))
        }
        // Padding where the last letter was leaves too few bits to be wrong.
        let isEnd = byte == UInt8(ascii: "=") && place == letters.count - 1
        let isStandard = isLetter || byte == 0x2B || byte == 0x2F
        #expect((bytes != nil) == (isStandard || isEnd))
        // There, bits of the plus before it are lost.
        #expect((others != nil) == (isStandard || byte == 0x2D || byte == 0x5F))
      }
    }
  }
}

extension UInt8 {
  fileprivate var isASCII: Bool { self < 0x80 }
}

@Suite struct HexadecimalTests {
  @Test func bytesAndDigits() {
    let all = (UInt8.min ... .max).map { $0 }
    let text = Hexadecimal.text(of: all)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
    #expect(Hexadecimal.bytes(Array(text.utf8)[...]) == all)
    #expect(Hexadecimal.bytes(Array(text.uppercased().utf8)[...]) == all)
    #expect(Hexadecimal.bytes([]) == [])
  }

  @Test(
    "texts that are not hexadecimal",
    arguments: ["1", "0g", "123", "0:", "0@", "0/", "0`", "0G", "é"])
  func notHexadecimal(text: String) {
    #expect(Hexadecimal.bytes(Array(text.utf8)[...]) == nil)
  }
}
