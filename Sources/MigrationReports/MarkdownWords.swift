// SPDX-License-Identifier: MIT
import ADALMigration

/// Text for GitHub's Markdown in which nothing of the text acts.
package enum MarkdownWords {
  /// Text as it stands, with character references for everything that Markdown, HTML or GitHub's
  /// links could act on; a full stop inside a word is one of them (`www.example.com`).
  package static func escape(_ text: String) -> String { escape(text, keeping: []) }

  /// A link. Inside its text there are no other links, so a path stays readable.
  package static func link(_ text: String, to reference: String) -> String {
    "[\(escape(text, keeping: [".", ":"]))](\(reference))"
  }

  private static func escape(_ text: String, keeping kept: Set<Unicode.Scalar>) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let isEnd = index + 1 == scalars.count || scalars[index + 1] == " "
      let isPlain =
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", ",", ";", "?", "/", "'", "%", "-", "(", ")":
          true
        case ".": isEnd
        default: !scalar.isASCII && scalar.value != 0x2068 && scalar.value != 0x2069
        }
      if isPlain || kept.contains(scalar) {
        result.append(scalar)
      } else {
        result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      }
    }
    return String(result)
  }

  /// Text of somebody else's as code, in which neither mentions nor links work; nothing for no text.
  package static func code(_ text: String?) -> String {
    code(shown: text.map(PlainText.show) ?? "")
  }

  /// The same for text that has been made harmless already.
  package static func code(shown text: String) -> String {
    text.isEmpty ? "" : "<code>\(escape(text))</code>"
  }

  /// Words of our own, in which backquotes mark code.
  package static func text(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, piece in
      index % 2 == 1 ? code(String(piece)) : escape(PlainText.show(String(piece)))
    }.joined()
  }

  /// A table of cells that are Markdown, with as many rows as the budget in bytes allows.
  ///
  /// - Parameters:
  ///   - numericFrom: The column from which on cells are numbers, which stand to the right.
  ///   - more: What the rows are that there is no room for.
  package static func table(
    _ headings: [String], numericFrom: Int? = nil, _ rows: [[String]], budget: Int, more: String
  ) -> String {
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    let rule = headings.indices.map { column in
      if let numericFrom, column >= numericFrom { "---:" } else { "---" }
    }
    var lines = [line(headings), line(rule)]
    var left = budget
    for (index, row) in rows.enumerated() {
      let text = line(row)
      left -= text.utf8.count + 1
      if left < 0 {
        lines += ["", "… and \(rows.count - index) more \(more)."]
        break
      }
      lines.append(text)
    }
    return lines.joined(separator: "\n")
  }

  /// Something that is folded away under a title.
  package static func folded(_ title: String, _ content: String) -> String {
    "<details><summary>\(title)</summary>\n\n\(content)\n\n</details>"
  }
}
