// SPDX-License-Identifier: MIT
import Foundation

/// Values as JSON text that is safe to print.
package enum JSONText {
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

  /// JSON that says the same, in which whatever a terminal or a build log could act on is an escape.
  package static func harmless(_ json: String) -> String {
    PlainText.escape(json) { scalar in
      // Above the basic plane JSON takes a pair of surrogates; the line breaks are the encoder's.
      scalar == "\n"
        ? "\n" : scalar.utf16.map { "\\u" + PlainText.hex($0, digits: 4) }.joined()
    }
  }
}
