// SPDX-License-Identifier: MIT
import CacheJSON

extension JSONValue {
  /// An object with those of its members that are there.
  package static func members(_ members: [String: JSONValue?]) -> JSONValue {
    .object(members.compactMapValues { $0 })
  }

  /// A text; nil for none.
  package static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }

  /// Texts.
  package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  /// A whole number.
  package static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}

/// The layout of the encoder's is that of every report.
extension JSONValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .digits(let text), .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}
