// SPDX-License-Identifier: MIT

extension HTML {
  /// A table that a script can sort and that is a list of cards on a narrow screen.
  ///
  /// - Parameters:
  ///   - caption: what the rows are, for screen readers.
  ///   - numeric: the columns of numbers, which stand to the right.
  ///   - rows: a cell for each column.
  ///   - anchors: where links to each row lead; none where there are no links.
  package static func table(
    _ caption: String, _ columns: [String], numeric: Set<String> = [], _ rows: [[HTML]],
    anchors: [Anchor] = []
  ) -> HTML {
    func style(_ column: String) -> [Attribute] {
      numeric.contains(column) ? [.style("number")] : []
    }
    let head = columns.map { column in
      HTML.element(
        .th, [.own("role", "columnheader"), .own("scope", "col")] + style(column), [.shown(column)])
    }
    let attributes = columns.map { column in
      [.own("role", "cell"), Attribute(name: "data-column", value: column)] + style(column)
    }
    let body = rows.enumerated().map { index, cells in
      HTML.element(
        .tr, [.own("role", "row")] + (anchors.indices.contains(index) ? [.id(anchors[index])] : []),
        zip(attributes, cells).map { .element(.td, $0, [$1]) })
    }
    return .tag(
      .table, .own("role", "table"), .style("sortable"),
      content: .tag(.caption, content: .shown(caption)),
      .tag(.thead, .own("role", "rowgroup"), content: .element(.tr, [.own("role", "row")], head)),
      .element(.tbody, [.own("role", "rowgroup")], body))
  }
}
