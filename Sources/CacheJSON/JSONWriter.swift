// SPDX-License-Identifier: MIT

/// A member of an object that is a text. Pairs would do, but the runtime lets them go part by part.
package struct JSONField: Sendable {
  package let name: StaticString
  /// Nil for a member that is absent.
  package let text: String?

  package init(_ name: StaticString, _ text: String?) {
    self.name = name
    self.text = text
  }
}

/// Writes JSON in one stable form: keys sorted byte by byte, slashes and letters as they are.
///
/// Values are written whole, or piece by piece by a caller that has no value: its objects are then as it
/// writes them.
package struct JSONWriter: Sendable {
  // The written text, followed by room with zeros or old text.
  private var room: [UInt8] = []
  // A small object fits, so that its room is made once.
  private static let smallestRoom = 256
  package private(set) var count = 0
  private let isPretty: Bool

  /// A writer on one line, or with two spaces of indentation.
  package init(pretty: Bool = false) {
    isPretty = pretty
  }

  package var bytes: [UInt8] { Array(room[..<count]) }

  /// The written text, if nothing follows. It may have as much unused room, so do not keep it for long.
  package consuming func finished() -> [UInt8] {
    room.removeLast(room.count - count)
    return room
  }

  /// The written text after the first `start` bytes, without a copy.
  package func withBytes<Result>(
    from start: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try room.withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[min(max(start, 0), count)..<count]))
    }
  }

  /// The text of a finite double, in a form that JSON allows.
  static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    return "\(number)"
  }

  /// Writes an object of texts, those that there are in the order in which they are given, inside of so
  /// many values.
  package mutating func write(_ members: [JSONField], depth: Int = 0) {
    write(character: "{")
    var isFirst = true
    for member in members {
      guard let text = member.text else { continue }
      if !isFirst { write(character: ",") }
      newLine(depth + 1)
      write(name: member.name)
      writeColon()
      write(text)
      isFirst = false
    }
    if !isFirst { newLine(depth) }
    write(character: "}")
  }

  /// Discards the written text and keeps its room.
  package mutating func removeAll() { removeAll(after: 0) }

  package mutating func removeAll(after count: Int) { self.count = min(self.count, max(count, 0)) }

  package mutating func write(verbatim text: StaticString) {
    text.withUTF8Buffer { append($0) }
  }

  /// Writes an ASCII character as it is, which is much cheaper than a text of one.
  package mutating func write(character: Unicode.Scalar) {
    append(atMost: 1) { room in
      room[0] = UInt8(truncatingIfNeeded: character.value)
      return 1
    }
  }

  package mutating func breakLine(indentation: Int) {
    append(atMost: indentation + 1) { room in
      room.update(repeating: 0x20)
      room[0] = 0x0A
      return room.count
    }
  }

  package mutating func write(verbatim text: [UInt8]) {
    text.withUnsafeBufferPointer { append($0) }
  }

  /// Writes a value inside of so many others.
  package mutating func write(_ value: JSONValue, depth: Int = 0) {
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
    let sorted = orderedPositions(names.count) { names[$0].compareBytes(names[$1]) < 0 }
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
    var text = text
    text.withUTF8 { append($0) }
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(atMost: bytes.count) { room in
      _ = room.update(fromContentsOf: bytes)
      return bytes.count
    }
  }

  /// Adds the text that `write` writes into room that is made at once, so that a byte costs a store and not a call.
  ///
  /// - Parameters:
  ///   - most: how much that may be.
  ///   - write: gets so much room, and says how many bytes of it are written.
  @inline(__always)
  private mutating func append(
    atMost most: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) {
    let free = room.count - count
    if free < most {
      let more = max(most - free, room.count, Self.smallestRoom)
      room.append(contentsOf: repeatElement(0, count: more))
    }
    let start = count
    let written = room.withUnsafeMutableBufferPointer {
      write(UnsafeMutableBufferPointer(rebasing: $0[start..<start + most]))
    }
    count += min(written, most)
  }

  package mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write(utf8: $0) }
  }

  /// Writes a string that needs no escapes, such as a member's name.
  package mutating func write(name: StaticString) {
    name.withUTF8Buffer { write(plain: $0) }
  }

  package mutating func write(base64 content: [UInt8]) {
    write(character: "\"")
    append(atMost: Base64.capacity(for: content)) {
      Base64.encode(content, .standard, into: $0)
    }
    write(character: "\"")
  }

  private mutating func write(utf8 text: UnsafeBufferPointer<UInt8>) {
    var end = text.plainText(from: 0).end
    guard end < text.count else { return write(plain: text) }
    write(character: "\"")
    append(UnsafeBufferPointer(rebasing: text[..<end]))
    while end < text.count {
      escape(text[end])
      let start = end + 1
      end = text.plainText(from: start).end
      append(UnsafeBufferPointer(rebasing: text[start..<end]))
    }
    write(character: "\"")
  }

  private mutating func write(plain text: UnsafeBufferPointer<UInt8>) {
    append(atMost: text.count + 2) { room in
      room[0] = UInt8(ascii: "\"")
      _ = UnsafeMutableBufferPointer(rebasing: room[1...]).update(fromContentsOf: text)
      room[text.count + 1] = UInt8(ascii: "\"")
      return text.count + 2
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
    return writer.finished()
  }
}
