// SPDX-License-Identifier: MIT

/// Writes JSON in one stable form: keys sorted byte by byte, slashes and letters as they are.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let isPretty: Bool

  init(pretty: Bool) {
    isPretty = pretty
  }

  /// The text of a finite double, in a form that JSON allows.
  static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    return "\(number)"
  }

  mutating func write(_ value: JSONValue, depth: Int = 0) {
    switch value {
    case .null: append("null")
    case .bool(let flag): append(flag ? "true" : "false")
    case .integer(let number): append(String(number))
    case .number(let number): append(Self.text(of: number))
    case .digits(let text): append(text)
    case .string(let text): write(text)
    case .array(let elements):
      bracket("[", "]", depth: depth, elements) { writer, element in
        writer.write(element, depth: depth + 1)
      }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      bracket("{", "}", depth: depth, sorted) { writer, member in
        writer.write(member.key)
        writer.append(writer.isPretty ? ": " : ":")
        writer.write(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func bracket<Element>(
    _ open: String, _ close: String, depth: Int, _ elements: [Element],
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    append(open)
    for (position, element) in elements.enumerated() {
      if position > 0 { append(",") }
      newLine(depth + 1)
      body(&self, element)
    }
    if !elements.isEmpty { newLine(depth) }
    append(close)
  }

  private mutating func newLine(_ depth: Int) {
    guard isPretty else { return }
    append("\n")
    for _ in 0..<depth { append("  ") }
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case 0x08: append("\\b")
      case 0x0C: append("\\f")
      case 0x0A: append("\\n")
      case 0x0D: append("\\r")
      case 0x09: append("\\t")
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        append("\\u00" + (digits.count == 1 ? "0" : "") + digits)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONValue {
  /// The JSON text of this value: keys sorted, no escaped slashes, on one line or indented.
  public func encoded(pretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(pretty: pretty)
    writer.write(self)
    return writer.bytes
  }
}
