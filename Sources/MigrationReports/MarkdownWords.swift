// SPDX-License-Identifier: MIT
import ADALMigration

/// Text for GitHub's Markdown in which nothing of the text acts.
package enum MarkdownWords {
  /// Prose as it stands, with character references for everything that Markdown, HTML or GitHub's
  /// links could act on. A full stop between letters (`www.example.com`) and a colon before a letter
  /// (`https://…`) are among them.
  package static func escape(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : " "
      let previous = index > 0 ? scalars[index - 1] : " "
      let isPlain =
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", ",", ";", "?", "/", "'", "\"", "%", "-", "(",
          ")":
          true
        case ".": next == " " || isDigit(previous) && isDigit(next)
        case ":": next == " "
        default: !scalar.isASCII && scalar.value != 0x2068 && scalar.value != 0x2069
        }
      if isPlain {
        result.append(scalar)
      } else {
        result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      }
    }
    return String(result)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// A link whose text is escaped code.
  package static func link(shown text: String, to reference: String) -> String {
    "[\(code(shown: text))](\(reference))"
  }

  /// Foreign text as code, in which neither mentions nor links work; nothing for no text.
  package static func code(_ text: String?) -> String {
    code(shown: text.map(PlainText.show) ?? "")
  }

  /// The same for text that has been made harmless already.
  ///
  /// A code span, between fences longer than any run of backquotes in the text. A pipe would end a
  /// table's cell even there, so a text with one consists of character references.
  package static func code(shown text: String) -> String {
    guard !text.isEmpty else { return "" }
    guard !text.utf8.contains(UInt8(ascii: "|")) else { return "<code>\(escape(text))</code>" }
    let fence = String(repeating: "`", count: longestFence(in: text) + 1)
    // Markdown takes one blank from both ends, where both have one.
    let isPadded =
      ["`", " "].contains(where: text.hasPrefix) || ["`", " "].contains(where: text.hasSuffix)
    return isPadded ? "\(fence) \(text) \(fence)" : "\(fence)\(text)\(fence)"
  }

  /// Lines of code, between fences longer than any run of backquotes in them.
  package static func fenced(_ language: String, _ lines: [String]) -> String {
    let shown = lines.map(PlainText.show)
    let longest = shown.map(longestFence).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return (["\(fence)\(language)"] + shown + [fence]).joined(separator: "\n")
  }

  private static func longestFence(in text: String) -> Int {
    let fence = UInt8(ascii: "`")
    return text.utf8.contains(fence) ? text.utf8.split { $0 != fence }.map(\.count).max() ?? 0 : 0
  }

  /// Words of our own, in which backquotes mark code.
  package static func text(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, piece in
      index % 2 == 1 ? code(String(piece)) : escape(PlainText.show(String(piece)))
    }.joined()
  }

  /// A table of cells that are Markdown, with as many rows as the budget in bytes allows; others are not asked for.
  ///
  /// - Parameters:
  ///   - numericFrom: The column from which on cells are numbers, which stand to the right.
  ///   - more: The words for rows that do not fit.
  package static func table(
    _ headings: [String], numericFrom: Int? = nil, _ rows: some Collection<[String]>, budget: Int,
    more: String
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
