// SPDX-License-Identifier: MIT
import ADALMigration
import Foundation

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
