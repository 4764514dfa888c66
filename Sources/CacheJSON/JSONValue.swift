// SPDX-License-Identifier: MIT

/// A JSON value as a cache holds it, compared by value and not by its text.
///
/// A number that neither a 64-bit integer nor a double holds exactly keeps its digits, so that
/// rewriting a cache never changes it. A value prints as its shape only: caches hold tokens.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  /// The digits of a number that no other case holds exactly.
  case digits(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var object: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The text of a string or of a number, for readers that take either; else nil.
  package var stringOrNumber: String? {
    switch self {
    case .string(let text), .digits(let text): text
    case .integer(let number): String(number)
    case .number(let number): JSONWriter.text(of: number)
    case .null, .bool, .array, .object: nil
    }
  }
}

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String {
    switch self {
    case .null: "[JSON null]"
    case .bool: "[JSON boolean]"
    case .integer, .number, .digits: "[JSON number]"
    case .string: "[JSON string]"
    case .array(let elements): "[JSON array, \(elements.count) elements]"
    case .object(let members): "[JSON object, \(members.count) members]"
    }
  }

  package var debugDescription: String { description }

  package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
