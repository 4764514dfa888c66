// SPDX-License-Identifier: MIT
import Testing

@testable import CacheJSON

@Suite struct JSONScannerTests {
  private func scanner(_ text: String) -> JSONScanner { JSONScanner(Array(text.utf8)) }

  @Test("the scanner says where things stand")
  func places() throws {
    var scanner = scanner("\u{FEFF} { \"a\\n\" : [1, {}] , \"b\":\"\u{e9}\" } ")
    #expect(scanner.peek() == UInt8(ascii: "{"))
    #expect(scanner.offset == 4)
    #expect(try scanner.opensObject())
    let key = try scanner.keyText()
    #expect(key.range == 7..<10 && key.hasEscapes)
    #expect(try scanner.string(of: key) == "a\n")
    #expect(scanner.reads(key, "a\n") && !scanner.reads(key, "a\\n"))
    #expect(try scanner.skipValue() == 14..<21)
    #expect(try scanner.continuesObject())
    let second = try scanner.keyText()
    #expect(scanner.reads(second, "b") && !scanner.reads(second, "bb"))
    #expect(!scanner.reads(second, ""))
    let value = try scanner.text()
    #expect(value.range == 29..<31 && !value.hasEscapes)
    #expect(try scanner.continuesObject() == false)
    try scanner.expectEnd()
  }

  @Test("members and elements come one by one")
  func members() throws {
    var found: [String] = []
    var scanner = scanner(#"[{"a":1,"b":[true,null]},{},"x",-1.5e+3,false]"#)
    try scanner.array { scanner in
      guard scanner.peek() == UInt8(ascii: "{") else {
        found.append("\(try scanner.scalar())")
        return
      }
      try scanner.object { scanner, key in
        let range = try scanner.skipValue()
        found.append("\(key) \(range.count)")
      }
    }
    #expect(
      found == ["a 1", "b 11", #"string("x")"#, #"number("-1.5e+3")"#, "bool(false)"])
  }

  /// Strings whose end, escapes and letters beyond ASCII are at every place of a word.
  @Test func everyPlaceOfAWord() throws {
    for length in 0..<20 {
      let letters = String(repeating: "x", count: length)
      for (spelled, text) in [("", ""), (#"\""#, "\""), ("é", "é"), (#"\\\/"#, #"\/"#), ("😀", "😀")]
      {
        let json = "\"\(letters)\(spelled)\(letters)\""
        #expect(try JSONValue(Array(json.utf8)) == .string(letters + text + letters))
        let again = JSONValue.string(letters + text + letters).encoded()
        #expect(try JSONValue(again) == .string(letters + text + letters))
        var scanner = scanner(json + " ")
        #expect(try scanner.skipValue() == 0..<json.utf8.count)
        for control in ["\u{0}", "\u{1F}", "\n"] {
          var broken = self.scanner("\"\(letters)\(spelled)\(letters)\(control)\"")
          let error = #expect(throws: JSONError.self) { try broken.skipValue() }
          #expect(error?.offset == json.utf8.count - 1)
        }
      }
    }
  }

  @Test("a string that is skipped is looked at all the same")
  func skippedStrings() {
    let texts: [([UInt8], JSONError.Code, Int)] = [
      ([0x5B, 0x22, 0xC3, 0x28, 0x22, 0x5D], .notUTF8, 2),
      (Array(#"["\ud800"]"#.utf8), .loneSurrogate, 2), (Array(#"["\x"]"#.utf8), .syntax, 2),
      (Array(#"{"\u12g4":1}"#.utf8), .syntax, 6), (Array(#"["a]"#.utf8), .syntax, 4),
    ]
    for (text, code, offset) in texts {
      var scanner = JSONScanner(text)
      let error = #expect(throws: JSONError.self) { try scanner.skipValue() }
      #expect(error?.code == code && error?.offset == offset)
    }
  }

  @Test("skipped values have a limit of depth, counted from the first skipped one")
  func depth() throws {
    let nested = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    var scanner = scanner("[" + nested(128) + "]")
    #expect(try scanner.opensArray())
    #expect(try scanner.skipValue() == 1..<257)
    var deeper = self.scanner(nested(129))
    #expect(throws: JSONError(code: .tooDeep, offset: 0)) { try deeper.skipValue() }
  }

  @Test(
    "UTF-8 is defined as in the Unicode standard",
    arguments: [
      ([0x7F], true), ([0x80], false), ([0xC1, 0xBF], false), ([0xC2, 0x80], true), ([0xC2], false),
      ([0xDF, 0xBF], true), ([0xE0, 0x9F, 0xBF], false), ([0xE0, 0xA0, 0x80], true),
      ([0xED, 0x9F, 0xBF], true), ([0xED, 0xA0, 0x80], false), ([0xEF, 0xBF, 0xBF], true),
      ([0xE1, 0x80], false), ([0xE1, 0x80, 0xC0], false), ([0xF0, 0x8F, 0xBF, 0xBF], false),
      ([0xF0, 0x90, 0x80, 0x80], true), ([0xF4, 0x8F, 0xBF, 0xBF], true),
      ([0xF4, 0x90, 0x80, 0x80], false), ([0xF5, 0x80, 0x80, 0x80], false),
      ([0xF3, 0x80, 0x80], false), ([0xFF], false),
    ] as [([UInt8], Bool)])
  func utf8(bytes: [UInt8], isValid: Bool) {
    for before in 0..<9 {
      for after in [0, 1, 8] {
        let text =
          [UInt8](repeating: 0x61, count: before) + bytes + [UInt8](repeating: 0x61, count: after)
        #expect(text.withUnsafeBufferPointer(\.isUTF8) == isValid)
        #expect((String(decoding: text, as: UTF8.self).utf8.elementsEqual(text)) == isValid)
      }
    }
  }

  @Test("keys that are looked for are found by their place, escaped or not")
  func keys() throws {
    let keys = JSONKeys(["a", "b", "oid", "ab\\"])
    var scanner = scanner(#"{"b":1,"":2,"o\u0069d":3,"oif":4,"ab\\":5,"longer":6,"a":7}"#)
    var found: [Int?] = []
    try scanner.expectMembers { scanner, key in found.append(scanner.position(of: key, among: keys))
    }
    #expect(found == [1, nil, 2, nil, 3, nil, 0])
    #expect(JSONKeys([]).count == 0)
  }

  @Test("a string is known for base64 as it is read, escaped or not")
  func base64() throws {
    let long = String(repeating: "AZaz09+/", count: 20)
    for (spelled, bytes): (String, [UInt8]?) in [
      ("", []), ("QUI=", [0x41, 0x42]), ("QQ==", [0x41]), ("QUJD", [0x41, 0x42, 0x43]),
      (#"\u0051U\u0049="#, [0x41, 0x42]), (#"QQ=\u003d"#, [0x41]), (#"+\/8="#, [0xFB, 0xFF]),
      ("QUI", nil), ("QUI==", nil), ("QQ=", nil), ("Q", nil), ("Q===", nil), ("QQ=Q", nil),
      ("=", nil), ("-_8=", nil), ("é", nil), (#"QU\n="#, nil),
      (long, Base64.bytes(of: long, .standard)), (long + "A", nil), ("é" + long, nil),
    ] {
      var scanner = scanner(" \"\(spelled)\" ,")
      let (text, isBase64) = try scanner.base64Text()
      #expect(text.range == 2..<2 + spelled.utf8.count)
      #expect(scanner.peek() == UInt8(ascii: ","))
      #expect(isBase64 == (bytes != nil), "\(spelled)")
      if isBase64 { #expect(scanner.bytes(ofBase64: text) == bytes) }
    }
    for text in ["\"\(long)", "\"\(long)\n\"", #""QU\ud800""#, "1", ""] {
      #expect(throws: JSONError.self) {
        var scanner = scanner(text)
        _ = try scanner.base64Text()
      }
    }
  }

  @Test("strings are compared where they stand, byte by byte")
  func order() throws {
    let spelled = [
      "", #"\u0000"#, "A", "AA", "AAAAAAAA", "AAAAAAAAA", "AAAAAAAB", "AAAAAAAZ", "B",
      "BAAAAAAA", #"\u0062"#, "bb",
      #"e\u0301"#, "é", "\u{FFFD}", "😀",
    ]
    var scanner = scanner(spelled.map { "\"\($0)\"" }.joined(separator: " "))
    let texts = try spelled.map { _ in try scanner.text() }
    for (place, text) in texts.enumerated() {
      for (other, another) in texts.enumerated() {
        #expect(scanner.compare(text, another).signum() == (place - other).signum())
      }
    }
  }

  @Test("a number of up to fifteen digits is read where it stands")
  func digits() throws {
    for (spelled, number): (String, Int?) in [
      ("0", 0), ("1700000000", 1_700_000_000), ("999999999999999", 999_999_999_999_999),
      ("1000000000000000", nil), ("-1", nil), ("1.5", nil), ("1e3", nil),
    ] {
      var scanner = scanner("[\(spelled)]")
      #expect(try scanner.opensArray())
      let text = try scanner.numberText()
      #expect(try scanner.string(of: text) == spelled)
      #expect(scanner.digits(of: text) == number)
    }
  }

  @Test("a byte is found at every place")
  func bytes() {
    for length in 0..<20 {
      for place in 0...length {
        var text = [UInt8](repeating: 0x2F, count: length)
        if place < length { text[place] = 0x2E }
        for start in 0...length {
          let found = text.withUnsafeBufferPointer { $0.index(of: 0x2E, from: start) }
          #expect(found == (start <= place ? place : length))
        }
      }
    }
  }

  @Test("a skipped value inside others counts their depth")
  func innerDepth() throws {
    let nested = String(repeating: "[", count: 127) + String(repeating: "]", count: 127)
    var scanner = scanner(nested)
    #expect(try scanner.skipValue(depth: 1) == 0..<254)
    var deeper = self.scanner("[" + nested + "]")
    #expect(throws: JSONError(code: .tooDeep, offset: 0)) { try deeper.skipValue(depth: 1) }
  }

  @Test("an object of texts is encoded like the same value, in the given order")
  func texts() {
    let all = [
      [JSONField("a", "1"), JSONField("b", nil), JSONField("c", "\"\n")], [JSONField("x", nil)], [],
    ]
    for fields in all {
      var writer = JSONWriter()
      writer.write(fields)
      var members: [String: JSONValue] = [:]
      for field in fields { members[field.name.description] = field.text.map { .string($0) } }
      #expect(writer.bytes == JSONValue.object(members).encoded())
    }
  }

  @Test("a writer is used again and writes pieces as it is told")
  func pieces() {
    var writer = JSONWriter()
    writer.write("a\u{1}\u{1F}\u{7F}é")
    #expect(writer.bytes == Array("\"a\\u0001\\u001f\u{7F}é\"".utf8))
    writer.removeAll()
    writer.write(verbatim: "{")
    writer.write("b")
    writer.write(verbatim: ":")
    writer.write(JSONValue.array([.integer(1), .null]))
    writer.write(verbatim: "}")
    #expect(writer.bytes == Array(#"{"b":[1,null]}"#.utf8))
  }
}

extension JSONScanner {
  /// Reads an object of numbers; `member` gets each key.
  fileprivate mutating func expectMembers(_ member: (JSONScanner, Text) -> Void) throws {
    var isMore = try opensObject()
    while isMore {
      let key = try keyText()
      member(self, key)
      try skipValue()
      isMore = try continuesObject()
    }
    try expectEnd()
  }
}
