// SPDX-License-Identifier: MIT

/// A small reader of XML: tags, text and comments, in one pass, without entities of a document's own.
package struct XMLEvents {
  /// What can come next.
  package enum Event: Sendable {
    /// A tag that opens an element: its name, its attributes in order, whether it closes it too.
    case open(name: String, attributes: [Attribute], isEmpty: Bool)
    case close(name: String)
    /// Text between tags, with its entities resolved.
    case text(String)
    case comment
  }

  /// An attribute of a tag.
  package typealias Attribute = (name: String, value: String)

  private let bytes: [UInt8]
  private var index = 0
  /// The bytes of the event that was given last.
  package private(set) var range = 0..<0

  package init(_ text: FileText) { bytes = text.bytes }

  /// What comes next, or nil at the end.
  package mutating func next() -> Event? {
    while index < bytes.count {
      let start = index
      guard bytes[index] == UInt8(ascii: "<") else {
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
        range = start..<index
        return .text(Self.resolved(bytes[range]))
      }
      if begins("<!--") {
        skip(past: "-->")
        range = start..<index
        return .comment
      }
      if begins("<![CDATA[") {
        skip(past: "]]>")
        range = start..<index
        let words = bytes[(start + 9)..<max(start + 9, index - 3)]
        return .text(String(decoding: words, as: UTF8.self))
      }
      if begins("<?") {
        skip(past: "?>")
      } else if begins("<!") {
        skipDeclaration()
      } else {
        return tag(from: start)
      }
    }
    return nil
  }

  private func begins(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    return text.withUTF8Buffer { $0.elementsEqual(bytes[index..<(index + count)]) }
  }

  private mutating func skip(past text: StaticString) {
    while index < bytes.count, !begins(text) { index += 1 }
    index = min(index + text.utf8CodeUnitCount, bytes.count)
  }

  /// A document type, whose own declarations stand in square brackets.
  private mutating func skipDeclaration() {
    var depth = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      if byte == UInt8(ascii: ">"), depth <= 0 { return }
    }
  }

  private mutating func tag(from start: Int) -> Event {
    index += 1
    let isClose = index < bytes.count && bytes[index] == UInt8(ascii: "/")
    if isClose { index += 1 }
    let name = word()
    var attributes: [Attribute] = []
    var isEmpty = false
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
      let byte = bytes[index]
      if byte == UInt8(ascii: "/") { isEmpty = true }
      if byte <= 0x20 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=") {
        index += 1
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        let value = quoted(byte)
        if !attributes.isEmpty { attributes[attributes.count - 1].value = value }
      } else {
        attributes.append((name: word(), value: ""))
      }
    }
    index = min(index + 1, bytes.count)
    range = start..<index
    return isClose
      ? .close(name: name) : .open(name: name, attributes: attributes, isEmpty: isEmpty)
  }

  private static let ends = Set("/>=\"'<".utf8)

  private mutating func word() -> String {
    let start = index
    while index < bytes.count, bytes[index] > 0x20, !Self.ends.contains(bytes[index]) { index += 1 }
    // Something that is neither a name nor an end must not stop the reading.
    if index == start, index < bytes.count, bytes[index] == UInt8(ascii: "<") { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func quoted(_ quote: UInt8) -> String {
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != quote { index += 1 }
    let value = Self.resolved(bytes[start..<index])
    index = min(index + 1, bytes.count)
    return value
  }

  private static let entities = [
    "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
  ]

  /// The text with the five entities and numeric ones resolved; others stay as they are.
  private static func resolved(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    var result = ""
    for (number, piece) in bytes.split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false
    ).enumerated() {
      let text = String(decoding: piece, as: UTF8.self)
      guard number > 0 else {
        result += text
        continue
      }
      let end = piece.prefix(12).firstIndex(of: UInt8(ascii: ";"))
      let name = end.map { String(decoding: piece[piece.startIndex..<$0], as: UTF8.self) }
      guard let end, let name, let character = entities[name] ?? numeric(name) else {
        result += "&" + text
        continue
      }
      result += character + String(decoding: piece[(end + 1)...], as: UTF8.self)
    }
    return result
  }

  private static func numeric(_ name: String) -> String? {
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let code =
      digits.hasPrefix("x") || digits.hasPrefix("X")
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }
}
