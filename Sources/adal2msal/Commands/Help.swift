// SPDX-License-Identifier: MIT
import Foundation
import MigrationReports

/// What the help says of commands, which Help.md has.
enum Help {
  static let pages = WrittenPages(PackageResources.Help_md)

  private static let values = [
    "{{places}}": PlaceScheme.all.map(\.example),
    "{{files}}": PlaceScheme.ofFiles.map(\.example),
    "{{extensions}}": PlaceScheme.all.flatMap(\.extensions),
  ]

  /// What follows the usage of a command: paragraphs with free lines between them, and code below what it is of.
  static func text(of command: String) -> String {
    var text = ""
    for (_, paragraph) in pages[command].paragraphs {
      if paragraph.hasPrefix("```") {
        let code = paragraph.split(separator: "\n").dropFirst().dropLast()
        text += code.map { "\n  \($0)" }.joined()
      } else {
        text += (text.isEmpty ? "" : "\n\n") + paragraph
      }
    }
    return values.reduce(text) { text, value in
      text.replacingOccurrences(of: value.key, with: value.value.joined(separator: ", "))
    }
  }
}
