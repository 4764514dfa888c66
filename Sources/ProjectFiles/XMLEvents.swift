// SPDX-License-Identifier: MIT

/// A small reader of XML: tags, text and comments, in one pass, without entities of a document's own.
package struct XMLEvents: TextCursor {
  package enum Event: Sendable {
    /// A tag that opens an element, with its attributes in order.
    case open(name: String, attributes: [Attribute])
    /// A tag that closes an element; one that opens it too comes twice.
    case close(name: String)
    /// Text between tags, with its entities resolved.
    case text(String)
    case comment
  }

  package typealias Attribute = (name: String, value: String)

  let bytes: [UInt8]
  var index = 0
  /// The bytes of the event that was given last.
  package private(set) var range = 0..<0
  /// The element that the last tag opened and closed.
  private var closed: String?

  package init(_ text: FileText) { bytes = text.bytes }

  package mutating func next() -> Event? {
    if let name = closed {
      closed = nil
      return .close(name: name)
    }
    while !isAtEnd {
      let start = index
      defer { range = start..<index }
      if peek() != "<" {
        return .text(resolved(take { $0 != "<" }))
      } else if begins("<!--") {
        skip(past: "-->")
        return .comment
      } else if begins("<![CDATA[") {
        skip(past: "]]>")
        return .text(string((start + 9)..<max(start + 9, index - 3)))
      } else if begins("<?") {
        skip(past: "?>")
      } else if begins("<!") {
        skipDeclaration()
      } else {
        return tag()
      }
    }
    return nil
  }

  /// A document type. Its own declarations are in square brackets.
  private mutating func skipDeclaration() {
    var depth = 0
    take { character in
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      return character != ">" || depth > 0
    }
    index = min(index + 1, bytes.count)
  }

  private mutating func tag() -> Event {
    index += 1
    let isClose = peek() == "/"
    if isClose { index += 1 }
    let name = word()
    var attributes: [Attribute] = []
    while !isAtEnd, peek() != ">" {
      let character = peek()
      if character == "/", !isClose { closed = name }
      switch character {
      case "\0"..." ", "/", "=": index += 1
      case "\"", "'":
        index += 1
        let value = resolved(take { $0 != character })
        index = min(index + 1, bytes.count)
        if !attributes.isEmpty { attributes[attributes.count - 1].value = value }
      default: attributes.append((name: word(), value: ""))
      }
    }
    index = min(index + 1, bytes.count)
    return isClose ? .close(name: name) : .open(name: name, attributes: attributes)
  }

  private mutating func word() -> String {
    let word = take { character in
      switch character {
      case "\0"..." ", "/", ">", "=", "\"", "'", "<": false
      default: true
      }
    }
    // Something that is neither a name nor an end must not stop the reading.
    if word.isEmpty, peek() == "<" { index += 1 }
    return string(word.lowerBound..<index)
  }

  private static let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

  /// The text with the five entities and numeric ones resolved; others stay as they are.
  private func resolved(_ range: Range<Int>) -> String {
    let pieces = bytes[range].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    var result = String(decoding: pieces.first ?? [], as: UTF8.self)
    for piece in pieces.dropFirst() {
      let name = piece.prefix(12).prefix { $0 != UInt8(ascii: ";") }
      let rest = piece[name.endIndex...]
      let words = String(decoding: name, as: UTF8.self)
      if name.count < 12, !rest.isEmpty, let character = Self.entities[words] ?? Self.numeric(words)
      {
        result += character + String(decoding: rest.dropFirst(), as: UTF8.self)
      } else {
        result += "&" + String(decoding: piece, as: UTF8.self)
      }
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
