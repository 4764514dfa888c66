// SPDX-License-Identifier: MIT
import Testing

@testable import CacheJSON

@Suite struct JSONValueTests {
  private func value(_ text: String) throws -> JSONValue { try JSONValue(Array(text.utf8)) }

  private func rewritten(_ text: String) throws -> String {
    String(decoding: try value(text).encoded(), as: UTF8.self)
  }

  @Test("values come back with sorted keys and plain slashes")
  func stableForm() throws {
    #expect(
      try rewritten(#" { "b" : [ 1 , true , null ] , "a" : "x\/y\u00e9\ud83d\ude00\n" } "#)
        == #"{"a":"x/yé😀\n","b":[1,true,null]}"#)
    #expect(try rewritten("[]") == "[]")
    #expect(try rewritten("{}") == "{}")
    #expect(try rewritten(#""\u0001\b\f\r\t\"\\""#) == #""\u0001\b\f\r\t\"\\""#)
    #expect(
      String(decoding: try value(#"{"a":[1],"b":{}}"#).encoded(pretty: true), as: UTF8.self)
        == "{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}")
  }

  @Test(
    "no number is changed by rewriting",
    arguments: [
      ("0", "0"), ("-1", "-1"), ("9223372036854775807", "9223372036854775807"),
      ("9223372036854775808", "9223372036854775808"), ("1.5", "1.5"), ("1.10", "1.1"),
      ("123456789012345678901234567890", "123456789012345678901234567890"),
      ("0.1234567890123456789", "0.1234567890123456789"), ("1e400", "1e400"), ("1e-400", "1e-400"),
      ("0.0", "0.0"), ("1e3", "1000.0"),
    ])
  func numbers(text: String, expected: String) throws {
    #expect(try rewritten(text) == expected)
    #expect(try value(expected) == value(rewritten(expected)))
  }

  @Test(
    "text that is not JSON has a code",
    arguments: [
      ("", JSONError.Code.empty), (" \n", .empty), ("\u{FEFF}{}", .byteOrderMark),
      (#"{"a":1,}"#, .trailingComma), ("[1,]", .trailingComma), ("{} x", .trailingBytes),
      (#"{"a":1,"a":2}"#, .duplicateKey), (#""\ud800""#, .loneSurrogate),
      (#""\udc00\ud800""#, .loneSurrogate), (#""\ud83d\u0041""#, .loneSurrogate),
      (#""\ud83d\ud83d""#, .loneSurrogate), (#""\ude00\ude00""#, .loneSurrogate),
      (#""\ud83d\uffff""#, .loneSurrogate), (#""\ud83dx""#, .loneSurrogate),
      ("\"a\nb\"", .syntax), ("01", .trailingBytes),
      ("-", .syntax), ("1.", .syntax), ("1e", .syntax), ("nul", .syntax), (#"{"a"}"#, .syntax),
      ("{a:1}", .syntax), ("[1 2]", .syntax), (#""\x""#, .syntax), (#""\u12g4""#, .syntax),
      ("\"abc", .syntax), ("NaN", .syntax), ("[", .syntax), ("{", .syntax), ("'a'", .syntax),
    ])
  func errors(text: String, code: JSONError.Code) {
    #expect(throws: JSONError(code: code, offset: 0)) { try JSONValue(Array(text.utf8)) }
  }

  @Test(
    "escapes and plain text come together byte for byte",
    arguments: [
      (#""\u0041\u00e9\u00E9\uabCD""#, "Aéé\u{ABCD}"), (#""é\u0301e\u0301""#, "é\u{301}e\u{301}"),
      (#""a\tb\/c\\""#, "a\tb/c\\"), (#""\ud83d\ude00😀""#, "😀😀"), (#""\u0000""#, "\0"),
      (#""\ufeffa""#, "\u{FEFF}a"),
    ])
  func strings(text: String, expected: String) throws {
    guard case .string(let found) = try value(text) else {
      Issue.record("no string")
      return
    }
    #expect(Array(found.utf8) == Array(expected.utf8))
  }

  @Test(
    "a digit of an escape is one of ASCII's",
    arguments: ["12g4", "12:4", "12@4", "12/4", "12`4", "12G4", "+123", " 123", "12²4", "12"])
  func escapeDigits(digits: String) {
    #expect(throws: JSONError(code: .syntax, offset: 0)) { try value("\"\\u\(digits)\"") }
  }

  @Test("fifteen digits are a number, sixteen stay as they are spelled")
  func mantissa() throws {
    #expect(try value("0.12345678901234e2") == .number(12.345678901234))
    #expect(try value("0.123456789012345") == .number(0.123456789012345))
    #expect(try value("0.1234567890123456") == .digits("0.1234567890123456"))
    #expect(try value("0.00000000000000e9") == .number(0))
    #expect(try value("-0.0") == .number(-0.0))
    #expect(try value("1e99999999999999999999") == .digits("1e99999999999999999999"))
    #expect(try value("1.5e-400") == .digits("1.5e-400"))
  }

  @Test("a number that JSON cannot spell is null", arguments: [Double.infinity, -.infinity, .nan])
  func noNumbers(number: Double) {
    #expect(JSONValue.number(number).encoded() == Array("null".utf8))
  }

  @Test("short values have a limit, and longer ones do not count")
  func manyValues() throws {
    let limit = JSONValue.shortValueLimit
    func zeros(_ count: Int) -> String {
      "[" + String(repeating: "0,", count: count - 1) + "0]"
    }
    guard case .array(let values) = try value(zeros(limit - 1)) else {
      Issue.record("no array")
      return
    }
    #expect(values.count == limit - 1)
    let error = #expect(throws: JSONError.self) { try value(zeros(limit)) }
    #expect(error?.code == .tooManyValues)
    #expect(error?.offset == 2 * limit - 1)
    let long = "[" + String(repeating: "\"0123456789abcde\",", count: limit) + "0]"
    guard case .array(let words) = try value(long) else {
      Issue.record("no array")
      return
    }
    #expect(words.count == limit + 1)
  }

  @Test func bytesThatAreNotUTF8() {
    #expect(throws: JSONError(code: .notUTF8, offset: 0)) {
      try JSONValue([0x22, 0xC3, 0x28, 0x22])
    }
    #expect(throws: JSONError(code: .notUTF8, offset: 0)) {
      try JSONValue([0xFF, 0xFE, 0x7B, 0x00])
    }
  }

  @Test("nesting has a limit, and everything below it is read")
  func depth() throws {
    let nested = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try rewritten(nested(128)) == nested(128))
    #expect(throws: JSONError(code: .tooDeep, offset: 0)) {
      try JSONValue(Array(nested(129).utf8))
    }
    #expect(throws: JSONError(code: .tooDeep, offset: 0)) {
      try JSONValue([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
    }
  }

  @Test("of a key that comes twice a reader of items takes the last, and it skips a mark")
  func appleRules() throws {
    let value = try JSONValue(Array(#"{"a":1,"a":2}"#.utf8), rules: .apple)
    #expect(value == .object(["a": .integer(2)]))
    #expect(try JSONValue(Array("\u{FEFF} []".utf8), rules: .apple) == .array([]))
  }

  @Test("a description of a value never shows its contents")
  func redaction() throws {
    var shown = ""
    dump(try value(#"{"secret":"token"}"#), to: &shown)
    #expect(!shown.contains("token"))
    #expect("\(try value(#""token""#))" == "[JSON string]")
  }

  @Test(
    "a number is the same after it is written",
    arguments: [
      "400000000000000e000", "4e15", "4000000000000000e0", "123456789012345e-15", "1.50", "0.0",
      "-0.0", "1e300", "5e-324", "0.1234567890123456", "123456789012345000000.0",
    ])
  func aNumberStays(text: String) throws {
    let value = try JSONValue(Array(text.utf8))
    #expect(try JSONValue(value.encoded()) == value)
  }
}
