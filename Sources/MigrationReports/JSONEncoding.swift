// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON
import PlatformFoundation

extension JSONText {
  /// The value as JSON with sorted keys, ending in a line break.
  ///
  /// Whatever a terminal or a build log could act on is written as an escape of JSON's, which changes
  /// nothing for a program that reads it.
  package static func encode(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("reports consist of strings and whole numbers, which JSON has")
    }
    return harmless(String(decoding: data, as: UTF8.self)) + "\n"
  }
}

extension JSONValue {
  /// An object with those of its members that are there.
  package static func members(_ members: [String: JSONValue?]) -> JSONValue {
    .object(members.compactMapValues { $0 })
  }

  package static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
  package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
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
