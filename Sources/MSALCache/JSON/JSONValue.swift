// SPDX-License-Identifier: MIT

/// A JSON value as a cache holds it, compared by value and not by its text.
///
/// A number that neither a 64-bit integer nor a double holds exactly keeps its digits, so that
/// rewriting a cache never changes it. A value prints as its shape only: caches hold tokens.
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  /// The digits of a number that no other case holds exactly.
  case digits(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The value of this JSON text.
  ///
  /// - Throws: ``JSONError`` with the offset at which the text stops being JSON.
  public init(_ bytes: [UInt8]) throws(JSONError) {
    self = try JSONParser.parse(bytes, rules: .strict)
  }

  /// The text, or nil when this is not a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The members, or nil when this is not an object.
  public var object: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The text of a string or of a number, for readers that take either; else nil.
  public var stringOrNumber: String? {
    switch self {
    case .string(let text), .digits(let text): text
    case .integer(let number): String(number)
    case .number(let number): JSONWriter.text(of: number)
    case .null, .bool, .array, .object: nil
    }
  }
}

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    switch self {
    case .null: "[JSON null]"
    case .bool: "[JSON boolean]"
    case .integer, .number, .digits: "[JSON number]"
    case .string: "[JSON string]"
    case .array(let elements): "[JSON array, \(elements.count) elements]"
    case .object(let members): "[JSON object, \(members.count) members]"
    }
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

/// Why bytes are not JSON that can be read and written again without loss.
///
/// Only ``code`` takes part in equality. The description is a sentence and holds nothing of the text.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The mistakes that text can have.
  public enum Code: Sendable {
    case empty, byteOrderMark, notUTF8, syntax, trailingComma, trailingBytes, duplicateKey
    case loneSurrogate, tooDeep, tooManyValues
  }

  /// What is wrong.
  public var code: Code
  /// Where in the text, in bytes from its start.
  public var offset: Int

  public var description: String {
    switch code {
    case .empty: "there is no JSON, only white space"
    case .byteOrderMark: "the text starts with a byte order mark, which JSON does not allow"
    case .notUTF8: "the text is not UTF-8"
    case .syntax: "the text stops being JSON at byte \(offset)"
    case .trailingComma: "a comma before a closing bracket, at byte \(offset), is not JSON"
    case .trailingBytes: "more text follows the JSON value, at byte \(offset)"
    case .duplicateKey: "an object names one key twice, at byte \(offset)"
    case .loneSurrogate: "an escaped character at byte \(offset) is half of a surrogate pair"
    case .tooManyValues: "there are too many short values, from byte \(offset) on"
    case .tooDeep: "values are nested more than \(JSONParser.depthLimit) deep, at byte \(offset)"
    }
  }

  public static func == (a: JSONError, b: JSONError) -> Bool { a.code == b.code }
}
