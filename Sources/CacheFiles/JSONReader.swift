// SPDX-License-Identifier: MIT

/// A cursor over untrusted JSON (RFC 8259, UTF-8) that says where things are, so that a file can be
/// added to without rewriting what is there.
struct JSONReader {
  /// Malformed JSON, and where in the text, in bytes from its start.
  struct Malformed: Error, Equatable {
    var offset: Int
  }

  /// A value that is no object and no array.
  enum Scalar: Equatable {
    case null
    case bool(Bool)
    /// A number as it is spelled.
    case number(String)
    case string(String)
  }

  /// How deep values may be nested. Items are two levels deep, what other programs add not much more.
  static let deepest = 128

  private let bytes: [UInt8]
  /// Where the cursor is, in bytes from the start.
  private(set) var offset = 0

  /// A cursor at the first character, after a byte order mark if there is one.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// The next character after white space, which is not consumed; nil at the end.
  mutating func peek() -> UInt8? {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
    return current
  }

  private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private var malformed: Malformed { Malformed(offset: offset) }

  /// Consumes white space and then `character`, if that is next.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(Malformed) {
    guard skip(character) else { throw malformed }
  }

  /// Sees that nothing but white space is left.
  mutating func expectEnd() throws(Malformed) {
    guard peek() == nil else { throw malformed }
  }

  /// Reads an array; `element` must consume each value.
  mutating func array(_ element: (inout JSONReader) throws -> Void) throws {
    try list("[", "]", element)
  }

  /// Reads an object; `member` gets each key and must consume each value.
  mutating func object(_ member: (inout JSONReader, String) throws -> Void) throws {
    try list("{", "}") { reader in
      let key = try reader.string()
      try reader.expect(":")
      try member(&reader, key)
    }
  }

  private mutating func list(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ part: (inout JSONReader) throws -> Void
  ) throws {
    try expect(open)
    if skip(close) { return }
    repeat { try part(&self) } while skip(",")
    try expect(close)
  }

  /// Consumes any value.
  mutating func skipValue(depth: Int = 0) throws {
    guard depth < Self.deepest else { throw malformed }
    switch peek() {
    case UInt8(ascii: "["):
      try array { try $0.skipValue(depth: depth + 1) }
    case UInt8(ascii: "{"):
      try object { reader, _ in try reader.skipValue(depth: depth + 1) }
    case UInt8(ascii: "\""), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      _ = try scalar()
    default: try skipNumber()
    }
  }

  /// Reads a value that is no object and no array.
  mutating func scalar() throws(Malformed) -> Scalar {
    switch peek() {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return .bool(try word("true", true))
    case UInt8(ascii: "f"): return .bool(try word("false", false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default:
      let start = offset
      try skipNumber()
      return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
    }
  }

  private mutating func word<Meaning>(
    _ word: StaticString, _ meaning: Meaning
  ) throws(Malformed) -> Meaning {
    let letters = word.description.utf8
    guard bytes[offset...].starts(with: letters) else { throw malformed }
    offset += letters.count
    return meaning
  }

  private mutating func skipNumber() throws(Malformed) {
    if current == UInt8(ascii: "-") { offset += 1 }
    let hasLeadingZero = current == UInt8(ascii: "0")
    let digits = try skipDigits()
    guard digits == 1 || !hasLeadingZero else { throw malformed }
    if current == UInt8(ascii: ".") {
      offset += 1
      try skipDigits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      offset += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
      try skipDigits()
    }
  }

  @discardableResult
  private mutating func skipDigits() throws(Malformed) -> Int {
    let start = offset
    while let byte = current, (0x30...0x39).contains(byte) { offset += 1 }
    guard offset > start else { throw malformed }
    return offset - start
  }

  /// Reads a string.
  mutating func string() throws(Malformed) -> String {
    try expect("\"")
    var text: [UInt8] = []
    while true {
      let start = offset
      while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20
      {
        offset += 1
      }
      text += bytes[start..<offset]
      guard let byte = current, byte >= 0x20 else { throw malformed }
      offset += 1
      if byte == UInt8(ascii: "\"") { break }
      text += String(try escaped()).utf8
    }
    guard let string = String(validUTF8: text) else { throw malformed }
    return string
  }

  /// Reads what follows a backslash.
  private mutating func escaped() throws(Malformed) -> Unicode.Scalar {
    guard let byte = current else { throw malformed }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw malformed
    }
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // Half of a surrogate pair; the other half must follow.
    guard first < 0xDC00, bytes[offset...].starts(with: [0x5C, 0x75]) else { throw malformed }
    offset += 2
    let second = try codeUnit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(first) - 0xD800) * 0x400 + (UInt32(second) - 0xDC00))
    else { throw malformed }
    return scalar
  }

  private mutating func codeUnit() throws(Malformed) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = current.flatMap(Hexadecimal.value) else { throw malformed }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }
}

extension String {
  /// The text of bytes that are UTF-8; nil when they are not.
  init?(validUTF8 bytes: [UInt8]) {
    self.init(decoding: bytes, as: UTF8.self)
    // A repaired character shows as a difference; the validating initialiser of the standard library is
    // newer than the systems that this library runs on.
    guard Array(utf8) == bytes else { return nil }
  }
}
