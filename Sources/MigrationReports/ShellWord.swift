// SPDX-License-Identifier: MIT

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
