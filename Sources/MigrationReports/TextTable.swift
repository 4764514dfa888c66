// SPDX-License-Identifier: MIT

/// A table for a terminal: a column of names and some of short values or numbers.
package struct TextTable {
  struct Column {
    var heading: [String]
    var isNumeric = true
    /// Whether the column is left out where there is no place for it.
    var isOptional = false
    var cells: [String]
    var emphasis: [TextStyle.Emphasis?] = []

    var width: Int {
      (heading + cells).map(DisplayWidth.columns).max() ?? 0
    }
  }

  var nameHeading: String
  var names: [String]
  var columns: [Column]

  private static let indent = 2
  private static let gap = 2
  /// A name that is cut shorter than this loses the digits that tell masked names apart.
  static let shortestName = 38

  /// The lines of the table, or nil when it does not fit into the width.
  func lines(style: TextStyle) -> [String]? {
    var columns = columns
    let wanted = (names + [nameHeading]).map(DisplayWidth.columns).max() ?? 0
    func room() -> Int {
      guard let width = style.width else { return wanted }
      return width - Self.indent - columns.reduce(0) { $0 + Self.gap + $1.width }
    }
    while room() < wanted, let index = columns.lastIndex(where: \.isOptional) {
      columns.remove(at: index)
    }
    let nameWidth = min(wanted, room())
    guard nameWidth >= min(wanted, Self.shortestName) else { return nil }

    // Asked for each cell, and so measured once.
    let widths = columns.map(\.width)
    let height = columns.map { $0.heading.count }.max() ?? 1
    var lines: [String] = []
    for line in 0..<height {
      let isLast = line == height - 1
      var text = String.spaces(Self.indent) + pad(isLast ? nameHeading : "", to: nameWidth)
      for (column, width) in zip(columns, widths) {
        // Headings stand at the bottom.
        let index = line - (height - column.heading.count)
        let words = column.heading.indices.contains(index) ? column.heading[index] : ""
        text += String.spaces(Self.gap) + pad(words, to: width, right: column.isNumeric)
      }
      lines.append(style.apply(.dim, to: text.withoutBlanksAtEnd))
    }
    for (row, name) in names.enumerated() {
      var text = String.spaces(Self.indent) + pad(Self.cut(name, to: nameWidth), to: nameWidth)
      for (column, width) in zip(columns, widths) where column.cells.indices.contains(row) {
        let cell = column.cells[row]
        let padding = String.spaces(width - DisplayWidth.columns(cell))
        let emphasis = column.emphasis.indices.contains(row) ? column.emphasis[row] : nil
        let shown = style.apply(emphasis, to: cell)
        text += String.spaces(Self.gap) + (column.isNumeric ? padding + shown : shown + padding)
      }
      lines.append(text.withoutBlanksAtEnd)
    }
    return lines
  }

  /// A name in at most so many columns, cut before its last third: both ends tell names apart.
  package static func cut(_ name: String, to width: Int) -> String {
    guard DisplayWidth.columns(name) > width, width > 1 else { return name }
    let isolated = name.unicodeScalars.first == "\u{2068}"
    let characters = isolated ? Array(name.dropFirst().dropLast()) : Array(name)
    let tailRoom = (width - 1) / 3
    let head = characters.fitting(width - 1 - tailRoom)
    let tail = String(characters.reversed().fitting(tailRoom).reversed())
    return isolated ? "\u{2068}\(head)…\(tail)\u{2069}" : "\(head)…\(tail)"
  }

  private func pad(_ text: String, to width: Int, right: Bool = false) -> String {
    let padding = String.spaces(width - DisplayWidth.columns(text))
    return right ? padding + text : text + padding
  }
}

extension Sequence where Element == Character {
  /// The beginning of a text that fits so many columns.
  fileprivate func fitting(_ width: Int) -> String {
    var result = ""
    var columns = 0
    for character in self {
      columns += DisplayWidth.columns(character)
      if columns > width { break }
      result.append(character)
    }
    return result
  }
}
