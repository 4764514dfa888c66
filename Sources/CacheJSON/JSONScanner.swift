// SPDX-License-Identifier: MIT

/// A cursor over untrusted JSON (RFC 8259, UTF-8) that gives the places of values. A caller can read fields without
/// making values, and can add to a file without rewriting the rest.
///
/// It reads only the parts that a caller asks for. Keys may occur twice, and the caller decides the meaning of that.
/// Every function that reads something skips the white space before it.
package struct JSONScanner: Sendable {
  /// A value that is no object and no array.
  package enum Scalar: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number as it is spelled.
    case number(String)
    case string(String)
  }

  // Reading values in values uses the stack, and the smallest of a thread on Apple systems has 512 KB.
  /// The deepest nesting of values in a value that is skipped or parsed.
  package static let depthLimit = 128

  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  let bytes: [UInt8]
  /// The place of the cursor, in bytes from the start.
  package internal(set) var offset = 0

  /// A cursor at that place; else at the first character, after a byte order mark if there is one.
  package init(_ bytes: [UInt8], at place: Int? = nil) {
    self.bytes = bytes
    let hasMark = bytes.first == 0xEF && bytes.starts(with: Self.byteOrderMark)
    offset = place.map { min(max($0, 0), bytes.count) } ?? (hasMark ? 3 : 0)
  }

  /// The next character after white space, which is not consumed; nil at the end.
  @inline(__always)
  package mutating func peek() -> UInt8? {
    while let byte = current {
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      offset &+= 1
    }
    return nil
  }

  /// Consumes white space and then `character`, if that is next.
  @inline(__always)
  package mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// Sees that nothing but white space is left.
  package mutating func expectEnd() throws(JSONError) {
    guard peek() == nil else { throw error(.trailingBytes) }
  }

  func error(_ code: JSONError.Code) -> JSONError { JSONError(code: code, offset: offset) }

  var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    offset += 1
    return true
  }
}

// Objects and arrays, member by member.
extension JSONScanner {
  /// Consumes the opening bracket of an object, and of an empty one both; whether a member follows.
  package mutating func opensObject() throws(JSONError) -> Bool { try opens("{", "}") }

  /// Consumes the comma after a member or the closing bracket; whether another member follows.
  package mutating func continuesObject() throws(JSONError) -> Bool { try continues("}") }

  package mutating func opensArray() throws(JSONError) -> Bool { try opens("[", "]") }

  package mutating func continuesArray() throws(JSONError) -> Bool { try continues("]") }

  private mutating func opens(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar
  ) throws(JSONError) -> Bool {
    guard skip(open) else { throw error(.syntax) }
    return !skip(close)
  }

  private mutating func continues(_ close: Unicode.Scalar) throws(JSONError) -> Bool {
    if skip(close) { return false }
    let comma = offset
    guard skip(",") else { throw error(.syntax) }
    guard peek() != UInt8(ascii: close) else {
      throw JSONError(code: .trailingComma, offset: comma)
    }
    return true
  }

  /// Consumes a key and its colon; where the key stands.
  package mutating func keyText() throws(JSONError) -> Text {
    let key = try text()
    guard skip(":") else { throw error(.syntax) }
    return key
  }

  /// Reads a key and consumes its colon.
  package mutating func key() throws(JSONError) -> String { try string(of: try keyText()) }

  /// Reads an object; `member` gets each key and must consume each value.
  package mutating func object(_ member: (inout JSONScanner, String) throws -> Void) throws {
    var isMore = try opensObject()
    while isMore {
      let key = try key()
      try member(&self, key)
      isMore = try continuesObject()
    }
  }

  /// Reads an array; `element` must consume each value.
  package mutating func array(_ element: (inout JSONScanner) throws -> Void) throws {
    var isMore = try opensArray()
    while isMore {
      try element(&self)
      isMore = try continuesArray()
    }
  }

  /// Consumes any value, which is in so many others; where it stands.
  @discardableResult
  package mutating func skipValue(depth: Int = 0) throws(JSONError) -> Range<Int> {
    let first = peek()
    let start = offset
    try skip(first, depth: depth)
    return start..<offset
  }

  private mutating func skip(_ first: UInt8?, depth: Int) throws(JSONError) {
    guard depth < Self.depthLimit else { throw error(.tooDeep) }
    switch first {
    case UInt8(ascii: "["):
      var isMore = try opensArray()
      while isMore {
        try skip(peek(), depth: depth + 1)
        isMore = try continuesArray()
      }
    case UInt8(ascii: "{"):
      var isMore = try opensObject()
      while isMore {
        _ = try keyText()
        try skip(peek(), depth: depth + 1)
        isMore = try continuesObject()
      }
    case UInt8(ascii: "\""): _ = try text()
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
    case UInt8(ascii: "n"): try null()
    default: try skipNumber()
    }
  }
}

// Values that are no object and no array.
extension JSONScanner {
  package mutating func scalar() throws(JSONError) -> Scalar {
    switch peek() {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try bool())
    case UInt8(ascii: "n"):
      try null()
      return .null
    default: return .number(try number())
    }
  }

  package mutating func bool() throws(JSONError) -> Bool {
    let isTrue = peek() == UInt8(ascii: "t")
    try word(isTrue ? "true" : "false")
    return isTrue
  }

  package mutating func null() throws(JSONError) {
    _ = peek()
    try word("null")
  }

  private mutating func word(_ word: StaticString) throws(JSONError) {
    let end = offset + word.utf8CodeUnitCount
    guard isSpelled(offset..<end, word) else { throw error(.syntax) }
    offset = end
  }

  package mutating func number() throws(JSONError) -> String { try string(of: numberText()) }

  /// Consumes a number; where it stands.
  package mutating func numberText() throws(JSONError) -> Text {
    _ = peek()
    let start = offset
    try skipNumber()
    return Text(range: start..<offset, hasEscapes: false)
  }

  /// The number that stands there when it is no more than fifteen digits, so that a double holds it; else nil.
  package func digits(of text: Text) -> Int? {
    guard (1...15).contains(text.range.count), text.range.upperBound <= bytes.count else {
      return nil
    }
    var number = 0
    for byte in bytes[text.range] {
      guard byte.isDigit else { return nil }
      number = number &* 10 &+ Int(byte & 0xF)
    }
    return number
  }

  private mutating func skipNumber() throws(JSONError) {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try skipDigits() }
    if take(UInt8(ascii: ".")) { try skipDigits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws(JSONError) {
    let start = offset
    while let byte = current, byte.isDigit { offset += 1 }
    if offset == start { throw error(.syntax) }
  }
}
