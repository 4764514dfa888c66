// SPDX-License-Identifier: MIT

/// Reads strict JSON (RFC 8259) from untrusted bytes, within a limit of depth.
struct JSONParser {
  /// Whose rules decide what JSON leaves open.
  enum Rules {
    /// What is read will be written again: a key that one object names twice is refused, since one
    /// of its values would be lost, and so is a byte order mark.
    case strict
    /// NSJSONSerialization's: the last value of a key wins, a byte order mark is skipped.
    case apple
  }

  // Recursion uses the stack, and the smallest of a thread on Apple systems has 512 KB.
  static let depthLimit = 128

  // A value takes up to a hundred bytes of memory and can have two in the text. Honest caches have at
  // least sixteen for each; this many may be as short as they like.
  static let shortValueLimit = 1 << 18

  private let bytes: [UInt8]
  private let rules: Rules
  private var index = 0
  private var valuesLeft: Int

  private init(_ bytes: [UInt8], _ rules: Rules) {
    self.bytes = bytes
    self.rules = rules
    valuesLeft = max(bytes.count / 16, Self.shortValueLimit)
  }

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  static func parse(_ bytes: [UInt8], rules: Rules) throws(JSONError) -> JSONValue {
    guard isUTF8(bytes) else { throw JSONError(code: .notUTF8, offset: 0) }
    var parser = JSONParser(bytes, rules)
    if bytes.starts(with: byteOrderMark) {
      guard rules == .apple else { throw JSONError(code: .byteOrderMark, offset: 0) }
      parser.index = byteOrderMark.count
    }
    parser.skipSpace()
    guard parser.index < bytes.count else { throw parser.error(.empty) }
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.index == bytes.count else { throw parser.error(.trailingBytes) }
    return value
  }

  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    if !bytes.contains(where: { $0 >= 0x80 }) { return true }
    return String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
  }

  private func error(_ code: JSONError.Code) -> JSONError { JSONError(code: code, offset: index) }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      index += 1
    }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < Self.depthLimit else { throw error(.tooDeep) }
    guard valuesLeft > 0 else { throw error(.tooManyValues) }
    valuesLeft -= 1
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if skip(UInt8(ascii: "}")) { return .object(members) }
    while true {
      let start = index
      guard next == UInt8(ascii: "\"") else { throw error(.syntax) }
      let key = try string()
      skipSpace()
      guard skip(UInt8(ascii: ":")) else { throw error(.syntax) }
      skipSpace()
      let previous = members.updateValue(try value(depth: depth + 1), forKey: key)
      if previous != nil, rules == .strict {
        throw JSONError(code: .duplicateKey, offset: start)
      }
      if try isLast(UInt8(ascii: "}")) { return .object(members) }
    }
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var elements: [JSONValue] = []
    skipSpace()
    if skip(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try value(depth: depth + 1))
      if try isLast(UInt8(ascii: "]")) { return .array(elements) }
    }
  }

  /// Takes what follows an element: the closing bracket, or a comma and the start of another.
  private mutating func isLast(_ bracket: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    if skip(bracket) { return true }
    let comma = index
    guard skip(UInt8(ascii: ",")) else { throw error(.syntax) }
    skipSpace()
    if next == bracket { throw JSONError(code: .trailingComma, offset: comma) }
    return false
  }

  private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError)
    -> JSONValue
  {
    let length = text.utf8CodeUnitCount
    guard bytes.count - index >= length,
      text.withUTF8Buffer({ $0.elementsEqual(bytes[index..<(index + length)]) })
    else { throw error(.syntax) }
    index += length
    return value
  }

  private mutating func string() throws(JSONError) -> String {
    index += 1
    let start = index
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      index += 1
    }
    if skip(UInt8(ascii: "\"")) {
      return String(decoding: bytes[start..<(index - 1)], as: UTF8.self)
    }
    var text = Array(bytes[start..<index])
    while let byte = next, byte >= 0x20 {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text += String(try escape()).utf8
      default:
        text.append(byte)
        index += 1
      }
    }
    throw error(.syntax)
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = index
    index += 1
    guard let letter = next else { throw error(.syntax) }
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try fourHexDigits()
      if let scalar = Unicode.Scalar(first) { return scalar }
      guard first < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
        throw JSONError(code: .loneSurrogate, offset: start)
      }
      let second = try fourHexDigits()
      guard (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
      else { throw JSONError(code: .loneSurrogate, offset: start) }
      return scalar
    default:
      throw JSONError(code: .syntax, offset: start)
    }
  }

  private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next else { throw error(.syntax) }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw error(.syntax)
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = index
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try digits() }
    var isInteger = true
    if skip(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      isInteger = false
      if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isInteger { return Int64(text).map { .integer($0) } ?? .digits(text) }
    // A double holds any 15 significant digits; more may not survive.
    let mantissa = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    let digits = mantissa.lazy.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits.prefix(16).count <= 15, let number = Double(text), number.isFinite,
      number != 0 || digits.allSatisfy({ $0 == UInt8(ascii: "0") })
    else { return .digits(text) }
    return .number(number)
  }

  private mutating func digits() throws(JSONError) {
    let start = index
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    if index == start { throw error(.syntax) }
  }
}
