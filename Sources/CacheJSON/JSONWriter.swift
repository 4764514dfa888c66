// SPDX-License-Identifier: MIT

/// Writes JSON in one stable form: keys sorted byte by byte, slashes and letters as they are.
///
/// Values are written whole, or piece by piece by a caller that has no value: its objects are then as it
/// writes them.
package struct JSONWriter: Sendable {
  /// What is written so far.
  package private(set) var bytes: [UInt8] = []
  private let isPretty: Bool

  /// A writer on one line, or with two spaces of indentation.
  package init(pretty: Bool = false) {
    isPretty = pretty
  }

  /// The text of a finite double, in a form that JSON allows.
  static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    return "\(number)"
  }

  /// Writes an object of texts, those that there are in the order in which they are given, inside of so
  /// many values.
  package mutating func write(_ members: [(name: StaticString, text: String?)], depth: Int = 0) {
    write(character: "{")
    var isFirst = true
    for case (let name, let text?) in members {
      if !isFirst { write(character: ",") }
      newLine(depth + 1)
      write(character: "\"")
      write(verbatim: name)
      write(character: "\"")
      writeColon()
      write(text)
      isFirst = false
    }
    if !isFirst { newLine(depth) }
    write(character: "}")
  }

  /// Forgets what is written and keeps the room that it took.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Takes back what was written after the first `count` bytes.
  package mutating func removeAll(after count: Int) {
    bytes.removeLast(max(bytes.count - count, 0))
  }

  /// Writes these letters as they are.
  package mutating func write(verbatim text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes an ASCII character as it is, which is much cheaper than a text of one.
  package mutating func write(character: Unicode.Scalar) {
    bytes.append(UInt8(truncatingIfNeeded: character.value))
  }

  /// Writes a line break and so many blanks.
  package mutating func breakLine(indentation: Int) {
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: indentation))
  }

  /// Writes this JSON text as it is.
  package mutating func write(verbatim text: some Sequence<UInt8>) {
    bytes.append(contentsOf: text)
  }

  /// Writes a value.
  package mutating func write(_ value: JSONValue) {
    write(value, depth: 0)
  }

  /// Writes a value inside of so many others.
  package mutating func write(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: write(verbatim: "null")
    case .bool(let flag): write(verbatim: flag ? "true" : "false")
    case .integer(let number): append(String(number))
    case .number(let number): append(Self.text(of: number))
    case .digits(let text): append(text)
    case .string(let text): write(text)
    case .array(let elements):
      bracket("[", "]", depth: depth, elements) { writer, element in
        writer.write(element, depth: depth + 1)
      }
    case .object(let members):
      let members = Array(members)
      write(members: members.map(\.key), depth: depth) { writer, position in
        writer.write(members[position].value, depth: depth + 1)
      }
    }
  }

  /// Writes an object inside of so many values, sorted by its members' names; `value` writes the value of
  /// the name at a position.
  package mutating func write(
    members names: [String], depth: Int, _ value: (inout JSONWriter, Int) -> Void
  ) {
    let sorted = names.indices.sorted {
      names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8)
    }
    bracket("{", "}", depth: depth, sorted) { writer, position in
      writer.write(names[position])
      writer.writeColon()
      value(&writer, position)
    }
  }

  private mutating func bracket<Element>(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, depth: Int, _ elements: [Element],
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    write(character: open)
    for (position, element) in elements.enumerated() {
      if position > 0 { write(character: ",") }
      newLine(depth + 1)
      body(&self, element)
    }
    if !elements.isEmpty { newLine(depth) }
    write(character: close)
  }

  private mutating func writeColon() {
    write(character: ":")
    if isPretty { write(character: " ") }
  }

  private mutating func newLine(_ depth: Int) {
    guard isPretty else { return }
    breakLine(indentation: 2 * depth)
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes a string.
  package mutating func write(_ text: String) {
    write(character: "\"")
    if text.utf8.withContiguousStorageIfAvailable({ escape($0) }) == nil {
      Array(text.utf8).withUnsafeBufferPointer { escape($0) }
    }
    write(character: "\"")
  }

  /// Writes bytes as a string of base64.
  package mutating func write(base64 content: [UInt8]) {
    write(character: "\"")
    bytes.append(contentsOf: Base64.letters(of: content, .standard))
    write(character: "\"")
  }

  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
    var offset = 0
    while true {
      let end = text.plainText(from: offset).end
      bytes.append(contentsOf: text[offset..<end])
      guard end < text.count else { return }
      escape(text[end])
      offset = end + 1
    }
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): write(verbatim: "\\\"")
    case UInt8(ascii: "\\"): write(verbatim: "\\\\")
    case 0x08: write(verbatim: "\\b")
    case 0x0C: write(verbatim: "\\f")
    case 0x0A: write(verbatim: "\\n")
    case 0x0D: write(verbatim: "\\r")
    case 0x09: write(verbatim: "\\t")
    default:
      write(verbatim: "\\u00")
      append(Hexadecimal.text(of: [byte]))
    }
  }
}

extension JSONValue {
  /// The JSON text of this value: keys sorted, no escaped slashes, on one line or indented.
  package func encoded(pretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(pretty: pretty)
    writer.write(self)
    return writer.bytes
  }
}
