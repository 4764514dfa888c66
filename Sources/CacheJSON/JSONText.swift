// SPDX-License-Identifier: MIT

// Strings: their places and their contents.
extension JSONScanner {
  /// The place of a string, without its quotation marks. The string is sound: all escapes are whole and all bytes
  /// UTF-8.
  package struct Text: Sendable {
    /// In bytes from the start of the input.
    package let range: Range<Int>
    package let hasEscapes: Bool

    /// The same text in an input that has so many bytes less before it.
    package func without(first count: Int) -> Text {
      Text(range: range.lowerBound - count..<range.upperBound - count, hasEscapes: hasEscapes)
    }
  }

  package mutating func string() throws(JSONError) -> String { try string(of: try text()) }

  package func string(of text: Text) throws(JSONError) -> String {
    guard text.hasEscapes else { return String(decoding: bytes[text.range], as: UTF8.self) }
    var unescaped: [UInt8] = []
    unescaped.reserveCapacity(text.range.count)
    var cursor = self
    cursor.offset = text.range.lowerBound
    while cursor.offset < text.range.upperBound {
      let start = cursor.offset
      cursor.skipPlain()
      unescaped += bytes[start..<cursor.offset]
      guard cursor.take(UInt8(ascii: "\\")) else { break }
      unescaped += String(try cursor.escaped()).utf8
    }
    return String(decoding: unescaped, as: UTF8.self)
  }

  /// The bytes of a string with escapes; nil when it is not base64 of the form `standard`.
  private func base64(ofEscaped text: Text) -> [UInt8]? {
    (try? string(of: text)).flatMap { Base64.bytes(of: $0, .standard) }
  }

  /// The bytes that a string means which ``base64Text()`` calls base64.
  package func bytes(ofBase64 text: Text) -> [UInt8] {
    guard !text.hasEscapes else { return base64(ofEscaped: text) ?? [] }
    return withBytes(of: text) { letters in
      let padding = letters.suffix(2).count { $0 == UInt8(ascii: "=") }
      return Base64.bytes(
        ofLetters: UnsafeBufferPointer(rebasing: letters.dropLast(padding)), .standard)
    }
  }

  /// Copies the string that stands there, with the quotation mark that ends it, behind other bytes; where it stands
  /// in those.
  ///
  /// - Parameter last: a string in the other bytes, which is not copied once more.
  package func copy(_ text: Text, behind others: inout [UInt8], unlessItIs last: Text?) -> Text {
    if let last, last.hasEscapes == text.hasEscapes {
      let order = others.withUnsafeBufferPointer { others in
        withBytes(of: text) { $0.compare(UnsafeBufferPointer(rebasing: others[last.range])) }
      }
      if order == 0 { return last }
    }
    let start = others.count
    others += bytes[text.range]
    others.append(UInt8(ascii: "\""))
    return text.without(first: text.range.lowerBound - start)
  }

  /// Negative when the string that stands there sorts before another one by its bytes, 0 when both are the same.
  package func compare(_ text: Text, _ other: Text) -> Int {
    if text.range == other.range { return 0 }
    guard !text.hasEscapes, !other.hasEscapes else {
      return ((try? string(of: text)) ?? "").compareBytes((try? string(of: other)) ?? "")
    }
    return withBytes(of: text) { one in withBytes(of: other) { one.compare($0) } }
  }

  /// Whether the string that stands there is `string`, byte by byte and without escapes.
  package func isSpelled(_ text: Text, as string: String) -> Bool {
    guard !text.hasEscapes else { return false }
    var string = string
    return string.withUTF8 { string in withBytes(of: text) { $0.compare(string) == 0 } }
  }

  private func withBytes<Result>(
    of text: Text, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[text.range])) }
  }

  /// Whether the string that stands there is `name`, byte by byte.
  package func reads(_ text: Text, _ name: StaticString) -> Bool {
    guard text.hasEscapes else { return isSpelled(text.range, name) }
    let string = try? string(of: text)
    return string?.utf8.elementsEqual(name.description.utf8) ?? false
  }

  package func position(of text: Text, among keys: JSONKeys) -> Int? {
    guard !text.hasEscapes else { return (0..<keys.count).first { reads(text, keys[$0]) } }
    return withBytes(of: text) { keys.position(of: $0) }
  }

  func isSpelled(_ range: Range<Int>, _ word: StaticString) -> Bool {
    guard range.upperBound <= bytes.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      word.withUTF8Buffer { UnsafeBufferPointer(rebasing: bytes[range]).compare($0) == 0 }
    }
  }

  /// Consumes a string; where it stands.
  package mutating func text() throws(JSONError) -> Text {
    guard skip("\"") else { throw error(.syntax) }
    return try text(from: offset)
  }

  /// Consumes a string; where it stands, and whether it is base64 of the form `standard`.
  package mutating func base64Text() throws(JSONError) -> (text: Text, isBase64: Bool) {
    guard skip("\"") else { throw error(.syntax) }
    let start = offset
    offset += bytes.withUnsafeBufferPointer {
      Base64.countOfLetters(in: $0, from: start, .standard)
    }
    let missing = (start - offset) & 3
    let padding = offset
    let text = try text(from: start)
    guard !text.hasEscapes else { return (text, base64(ofEscaped: text) != nil) }
    let isPadded = bytes[padding..<text.range.upperBound].allSatisfy { $0 == UInt8(ascii: "=") }
    return (text, isPadded && missing < 3 && text.range.upperBound - padding == missing)
  }

  /// Consumes the rest of a string that begins at `start`; all before the cursor is ASCII without escapes.
  private mutating func text(from start: Int) throws(JSONError) -> Text {
    var isASCII = true
    var hasEscapes = false
    while true {
      if !skipPlain() { isASCII = false }
      guard let byte = current, byte >= 0x20 else { throw error(.syntax) }
      offset += 1
      if byte == UInt8(ascii: "\"") { break }
      hasEscapes = true
      _ = try escaped()
    }
    let range = start..<offset - 1
    guard isASCII || bytes.withUnsafeBufferPointer({ Slice(base: $0, bounds: range).isUTF8 }) else {
      throw JSONError(code: .notUTF8, offset: start)
    }
    return Text(range: range, hasEscapes: hasEscapes)
  }

  /// Moves to the next quotation mark, backslash or control character; whether all before it is ASCII.
  @discardableResult
  private mutating func skipPlain() -> Bool {
    let plain = bytes.withUnsafeBufferPointer { $0.plainText(from: offset) }
    offset = plain.end
    return plain.isASCII
  }

  /// Reads the characters after a backslash.
  private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
    let start = offset - 1
    guard let letter = current else { throw error(.syntax) }
    offset += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw JSONError(code: .syntax, offset: start)
    }
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // Half of a surrogate pair; the other half must follow.
    let lone = JSONError(code: .loneSurrogate, offset: start)
    guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw lone }
    let second = try codeUnit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(first) - 0xD800) * 0x400 + (UInt32(second) - 0xDC00))
    else { throw lone }
    return scalar
  }

  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = current.flatMap(Hexadecimal.value) else { throw error(.syntax) }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }
}
