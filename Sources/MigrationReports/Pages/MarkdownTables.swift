// SPDX-License-Identifier: MIT

/// The tables of a file of Markdown, by the headings above them. No cell has a vertical bar.
package struct MarkdownTables: Sendable {
  private var tables: [String: [[String: String]]] = [:]

  package init(_ file: [UInt8]) {
    var heading = ""
    var columns: [String] = []
    for line in String(decoding: file, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("#") {
        heading = String(line.drop { $0 == "#" }.dropFirst())
        columns = []
      } else if line.hasPrefix("|---") {
        continue
      } else if line.hasPrefix("|") {
        let cells = line.split(separator: "|").map { cell in
          String(cell.drop { $0 == " " }).withoutBlanksAtEnd
        }
        if columns.isEmpty {
          columns = cells
        } else {
          let row = zip(columns, cells).filter { !$0.1.isEmpty }
          tables[heading, default: []].append(Dictionary(row) { first, _ in first })
        }
      }
    }
  }

  /// The rows below a heading: the text of each cell by its column, but for empty cells.
  package subscript(heading: String) -> [[String: String]] { tables[heading] ?? [] }
}
