// SPDX-License-Identifier: MIT

/// Values as JSON text that is safe to print.
package enum JSONText {
  /// Equivalent JSON in which characters that a terminal or a build log could act on are escaped.
  package static func harmless(_ json: String) -> String {
    PlainText.escape(json) { scalar in
      // Above the basic plane JSON takes a pair of surrogates; the line breaks are the encoder's.
      scalar == "\n"
        ? "\n" : scalar.utf16.map { "\\u" + PlainText.hex($0, digits: 4) }.joined()
    }
  }
}
