// SPDX-License-Identifier: MIT

/// A table that a script can sort and that is a list of cards on a narrow screen.
package struct HTMLTable: Sendable {
  /// A column.
  package struct Column: Sendable {
    let title: String
    let isNumeric: Bool

    /// A column of words, or of numbers, which stand to the right.
    package init(_ title: String, isNumeric: Bool = false) {
      self.title = title
      self.isNumeric = isNumeric
    }

    fileprivate var style: [HTML.Attribute] { isNumeric ? [.style("number")] : [] }
  }

  /// A row: a cell for each column.
  package struct Row: Sendable {
    let anchor: HTML.Anchor?
    let cells: [HTML]

    package init(_ anchor: HTML.Anchor? = nil, _ cells: [HTML]) {
      self.anchor = anchor
      self.cells = cells
    }
  }

  private let caption: String
  private let columns: [Column]
  private let rows: [Row]

  /// - Parameter caption: what the rows are, for screen readers.
  package init(_ caption: String, _ columns: [Column], _ rows: [Row]) {
    self.caption = caption
    self.columns = columns
    self.rows = rows
  }

  /// The table.
  package var html: HTML {
    let head = columns.map { column in
      HTML.element(
        .th, [.role("columnheader"), .scope("col")] + column.style, [.shown(column.title)])
    }
    return .tag(
      .table, .role("table"), .style("sortable"),
      content: .tag(.caption, content: .shown(caption)),
      .tag(
        .thead, .role("rowgroup"),
        content: .element(.tr, [.role("row")], head)),
      .element(.tbody, [.role("rowgroup")], rows.map(line)))
  }

  private func line(_ row: Row) -> HTML {
    .element(
      .tr, [.role("row")] + (row.anchor.map { [.id($0)] } ?? []),
      zip(columns, row.cells).map { column, cell in
        .element(.td, [.role("cell"), .column(column.title)] + column.style, [cell])
      })
  }
}
