// SPDX-License-Identifier: MIT

/// Breaking words into lines for a terminal.
package enum TextLines {
  package static func fits(_ line: String, in width: Int) -> Bool {
    DisplayWidth.columns(line) <= width
  }

  /// The words of `text` in lines of at most `width` columns, but for a word that is longer.
  ///
  /// - Parameters:
  ///   - indent: The number of spaces at the start of the first line.
  ///   - hanging: The number of spaces at the start of every other line.
  package static func fill(_ text: String, width: Int, indent: Int = 0, hanging: Int = 0)
    -> [String]
  {
    var lines: [String] = []
    var line = String.spaces(indent)
    var columns = indent
    var isEmpty = true
    for word in text.unicodeScalars.split(whereSeparator: {
      $0 == " " || $0.properties.isWhitespace
    }).map(Substring.init) {
      let wordColumns = DisplayWidth.columns(word)
      if !isEmpty, columns + 1 + wordColumns > width {
        lines.append(line)
        line = String.spaces(hanging)
        columns = hanging
        isEmpty = true
      }
      if !isEmpty {
        line += " "
        columns += 1
      }
      line.append(contentsOf: word)
      columns += wordColumns
      isEmpty = false
    }
    if !isEmpty { lines.append(line) }
    return lines
  }

  /// The words of `text` beside a head of so many columns, or below it where fewer than `least` columns are left.
  ///
  /// - Parameters:
  ///   - width: the columns of the terminal; nil where lines may be as long as they are.
  ///   - indent: The number of spaces at the start of the lines below the head.
  package static func fill(
    _ text: String, beside head: String, of columns: Int, width: Int?, atLeast least: Int,
    indent: Int
  ) -> [String] {
    guard let width else { return [head + text] }
    guard width - columns >= least else {
      return [head.withoutBlanksAtEnd] + fill(text, width: width, indent: indent, hanging: indent)
    }
    let filled = fill(text, width: width, indent: columns, hanging: columns)
    return [head + (filled.first.map { String($0.dropFirst(columns)) } ?? "")] + filled.dropFirst()
  }
}

extension String {
  var withoutBlanksAtEnd: String {
    let last = utf8.lastIndex { $0 != UInt8(ascii: " ") }
    return last.map { String(self[...$0]) } ?? ""
  }
}
