// SPDX-License-Identifier: MIT

/// Reads the OpenStep property lists that Xcode writes, and JSON. Both consist of brackets, strings and a few
/// separators, and their differences do not matter here.
package struct NestedText: TextCursor {
  let bytes: [UInt8]
  var index = 0
  private var builder = PlacedValueBuilder()

  /// The value of a text; nil where the brackets do not fit or nest deeper than 256.
  package static func read(_ text: FileText) -> PlacedValue? {
    var reader = NestedText(bytes: text.bytes)
    return reader.read()
  }

  package static func json(_ text: FileText) throws(Unreadable) -> PlacedValue {
    guard let value = read(text) else { throw Unreadable(why: "not JSON") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func read() -> PlacedValue? {
    while !isAtEnd {
      let character = peek()
      switch character {
      case "{", "(", "[":
        guard builder.begin(array: character != "{", at: index..<(index + 1)) else { return nil }
        index += 1
      case "}", ")", "]":
        guard builder.end(array: character != "}") else { return nil }
        index += 1
      case "\"", "'": add(quoted(character), isQuoted: true)
      case "<": skip(past: ">")
      case "/" where peek(1) == "*":
        index += 2
        skip(past: "*/")
      case "/" where peek(1) == "/": skipToLineBreak()
      case "\0"..." ", "=", ":", ";", ",": index += 1
      default: add(bare(), isQuoted: false)
      }
    }
    return builder.isOpen ? nil : builder.root
  }

  /// Files a string as a key or as a value, by where it stands.
  private mutating func add(_ piece: (text: String, range: Range<Int>), isQuoted: Bool) {
    if builder.expectsKey {
      builder.setKey(piece.text, piece.range)
    } else {
      let isOther = !isQuoted && ["true", "false", "null"].contains(piece.text)
      builder.add(isOther ? .other(piece.text) : .string(piece.text), at: piece.range)
    }
  }

  private mutating func bare() -> (String, Range<Int>) {
    let start = index
    repeat { index += 1 } while isBare(peek())
    return (string(start..<index), start..<index)
  }

  /// Whether a word goes on. A colon ends a key of JSON's and is part of a word of OpenStep's.
  private func isBare(_ character: Unicode.Scalar) -> Bool {
    switch character {
    case "\0"..." ", "{", "}", "(", ")", "[", "]", "=", ";", ",", "\"", "'", "<": false
    case "/": peek(1) != "*"
    default: true
    }
  }

  private mutating func quoted(_ quote: Unicode.Scalar) -> (String, Range<Int>) {
    let start = index
    var text: [UInt8] = []
    index += 1
    while !isAtEnd, peek() != quote {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\\"), !isAtEnd { text += escaped() } else { text.append(byte) }
    }
    index = min(index + 1, bytes.count)
    return (String(decoding: text, as: UTF8.self), start..<index)
  }

  /// The meaning of a backslash and the byte at the index.
  private mutating func escaped() -> [UInt8] {
    let byte = bytes[index]
    index += 1
    switch Unicode.Scalar(byte) {
    case "n": return [UInt8(ascii: "\n")]
    case "t": return [UInt8(ascii: "\t")]
    case "r": return [UInt8(ascii: "\r")]
    case "u", "U":
      let digits = index..<min(index + 4, bytes.count)
      guard let code = UInt16(string(digits), radix: 16) else { return [byte] }
      index = digits.upperBound
      return Array(String(decoding: [code], as: UTF16.self).utf8)
    default: return [byte]
    }
  }
}
