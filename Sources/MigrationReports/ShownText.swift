// SPDX-License-Identifier: MIT
import ADALMigration

extension PlainText {
  /// The text with every character visible and harmless. Characters that steer a terminal, break a line, change the
  /// direction of writing or begin a command of a build log become escapes such as `\u{1B}`. A name in right-to-left
  /// script is isolated, so that it does not reorder its surroundings.
  package static func show(_ text: String) -> String {
    let harmless = escape(text) { "\\u{\(hex($0.value, digits: 2))}" }
    return harmless.unicodeScalars.contains(where: isRightToLeft)
      ? "\u{2068}\(harmless)\u{2069}" : harmless
  }

  /// Whether a scalar belongs to a script that is written from right to left, by block.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      return true
    default:
      return false
    }
  }
}

/// Words of commands that a report proposes.
package enum ShellWord {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:".utf8)

  /// A text as one word of a shell: as it is where that is one, else in single quotes.
  package static func quoted(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy(plain.contains) { return text }
    let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(pieces.joined(separator: "'\\''"))'"
  }
}
