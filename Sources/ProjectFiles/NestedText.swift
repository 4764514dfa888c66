// SPDX-License-Identifier: MIT

/// Reads the OpenStep property lists that Xcode writes, and JSON: both are brackets, strings and a few
/// separators, and what one has that the other has not does not matter here.
package struct NestedText {
  private let bytes: [UInt8]
  private var index = 0
  private var builder = PlacedValueBuilder()

  /// The value of a text; nil where the brackets do not fit or nest deeper than 256.
  package static func read(_ text: FileText) -> PlacedValue? {
    var reader = NestedText(text.bytes)
    return reader.read()
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func read() -> PlacedValue? {
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["):
        guard builder.begin(array: byte != UInt8(ascii: "{"), at: index..<(index + 1)) else {
          return nil
        }
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
        guard builder.end(array: byte != UInt8(ascii: "}")) else { return nil }
        index += 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        take(quoted(byte), isQuoted: true)
      case UInt8(ascii: "<"):
        skip(to: UInt8(ascii: ">"))
      case UInt8(ascii: "/") where follows(UInt8(ascii: "*")):
        skipComment()
      case UInt8(ascii: "/") where follows(UInt8(ascii: "/")):
        while index < bytes.count, !TokenReader.isLineBreak(bytes[index]) { index += 1 }
      case 0...0x20, UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: ","):
        index += 1
      default:
        take(bare(), isQuoted: false)
      }
    }
    return builder.isOpen ? nil : builder.root
  }

  private func follows(_ byte: UInt8) -> Bool {
    index + 1 < bytes.count && bytes[index + 1] == byte
  }

  /// Files a string as a key or as a value, by where it stands.
  private mutating func take(_ piece: (text: String, range: Range<Int>), isQuoted: Bool) {
    if builder.isOpen, !builder.isInArray, !builder.hasKey {
      builder.setKey(piece.text, piece.range)
      return
    }
    let words: Set<String> = ["true", "false", "null"]
    let isOther = !isQuoted && words.contains(piece.text)
    builder.add(
      PlacedValue(
        content: isOther ? .other(piece.text) : .string(piece.text), range: piece.range))
  }

  private static let ends = Set("{}()[]=;,\"'<".utf8)

  private mutating func bare() -> (String, Range<Int>) {
    let start = index
    while index < bytes.count, bytes[index] > 0x20, !Self.ends.contains(bytes[index]) {
      // A colon ends a key of JSON's and is part of a word of OpenStep's.
      if bytes[index] == UInt8(ascii: "/"), follows(UInt8(ascii: "*")) { break }
      index += 1
    }
    if index == start { index += 1 }
    return (String(decoding: bytes[start..<index], as: UTF8.self), start..<index)
  }

  private mutating func quoted(_ quote: UInt8) -> (String, Range<Int>) {
    let start = index
    var text: [UInt8] = []
    index += 1
    while index < bytes.count, bytes[index] != quote {
      if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
        index += 1
        text += escaped()
      } else {
        text.append(bytes[index])
        index += 1
      }
    }
    index = min(index + 1, bytes.count)
    return (String(decoding: text, as: UTF8.self), start..<index)
  }

  /// What a backslash and the byte at the index stand for.
  private mutating func escaped() -> [UInt8] {
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "n"): return [UInt8(ascii: "\n")]
    case UInt8(ascii: "t"): return [UInt8(ascii: "\t")]
    case UInt8(ascii: "r"): return [UInt8(ascii: "\r")]
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let digits = bytes[index..<min(index + 4, bytes.count)]
      guard let code = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
        return [byte]
      }
      index += digits.count
      return Array(String(decoding: [code], as: UTF16.self).utf8)
    default: return [byte]
    }
  }

  private mutating func skip(to end: UInt8) {
    while index < bytes.count, bytes[index] != end { index += 1 }
    index = min(index + 1, bytes.count)
  }

  private mutating func skipComment() {
    index += 2
    while index < bytes.count, !(bytes[index] == UInt8(ascii: "*") && follows(UInt8(ascii: "/"))) {
      index += 1
    }
    index = min(index + 2, bytes.count)
  }
}
