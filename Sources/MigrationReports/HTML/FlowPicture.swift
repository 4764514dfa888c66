// SPDX-License-Identifier: MIT

/// A picture of a flow: a bar for each node, as high as it has rows, and a ribbon for each stream.
struct FlowPicture {
  /// The layout: for a screen or paper, or for a phone.
  struct Layout {
    var width: Double
    var bars: [Double]
    var barWidth: Double
    /// The number of letters that fit a label of each column.
    var letters: [Int]
    /// Whether a number stands under its label, and not after it.
    var isTwoLined: Bool
    var labelsLeft: [Bool]
    var style: StaticString

    static let wide = Layout(
      width: 960, bars: [196, 420, 660], barWidth: 12, letters: [22, 22, 28], isTwoLined: false,
      labelsLeft: [true, false, false], style: "flow wide")
    static let narrow = Layout(
      width: 340, bars: [0, 116, 332], barWidth: 8, letters: [15, 13, 13], isTwoLined: true,
      labelsLeft: [false, false, true], style: "flow narrow")
  }

  private struct Bar {
    var y: Double
    var height: Double
    /// The part of its edges that streams have taken.
    var arrived = 0.0
    var left = 0.0
  }

  let flow: Flow
  let layout: Layout

  private static let top = 34.0
  /// The height that all rows together have.
  private static let body = 220.0
  private static let thinnest = 2.0
  private var slot: Double { layout.isTwoLined ? 34 : 25 }

  /// The picture; nothing when there are no rows.
  var html: HTML {
    let all = flow.columns.first?.nodes.reduce(0) { $0 + $1.rows } ?? 0
    guard all > 0 else { return .none }
    let scale = Self.body / Double(all)
    // The part of a column that each of its nodes takes, with its label.
    let slots = flow.columns.map { column in
      column.nodes.map { max(slot, Self.height($0, scale) + 6) }
    }
    let height = slots.map { $0.reduce(0, +) }.max() ?? 0
    var columns = zip(flow.columns, slots).map { bars(of: $0.nodes, $1, scale, height) }
    var ribbons: [HTML] = []
    for (column, streams) in flow.streams.enumerated() {
      // By where they arrive, streams do not cross inside a bar.
      for stream in streams {
        ribbons.append(ribbon(stream, column, scale, &columns))
      }
    }
    let nodes = zip(flow.columns.indices, columns).flatMap { column, bars in
      [title(column)] + zip(flow.columns[column].nodes, bars).map { node($0, $1, column) }
    }
    return .element(
      .svg,
      [
        .style(layout.style), .own("role", "img"),
        HTML.Attribute(name: "aria-label", value: description),
        .numbers("viewBox", 0, 0, layout.width, Self.top + height + 14),
      ], ribbons + nodes)
  }

  private var description: String {
    flow.columns.map { column in
      let nodes = column.nodes.map { "\($0.rows) \($0.label)" }.joined(separator: ", ")
      return "\(column.title): \(nodes)."
    }.joined(separator: " ")
  }

  private static func height(_ node: Flow.Node, _ scale: Double) -> Double {
    max(thinnest, Double(node.rows) * scale)
  }

  private func bars(
    of nodes: [Flow.Node], _ slots: [Double], _ scale: Double, _ height: Double
  ) -> [Bar] {
    var y = Self.top + (height - slots.reduce(0, +)) / 2
    return zip(nodes, slots).map { node, slot in
      defer { y += slot }
      let height = Self.height(node, scale)
      return Bar(y: y + (slot - height) / 2, height: height)
    }
  }

  private func ribbon(
    _ stream: Flow.Stream, _ column: Int, _ scale: Double, _ columns: inout [[Bar]]
  ) -> HTML {
    let thickness = max(1, Double(stream.rows) * scale)
    let from = columns[column][stream.from]
    let to = columns[column + 1][stream.to]
    columns[column][stream.from].left += Double(stream.rows) * scale
    columns[column + 1][stream.to].arrived += Double(stream.rows) * scale
    let (x0, x1) = (layout.bars[column] + layout.barWidth, layout.bars[column + 1])
    let (y0, y1) = (from.y + from.left, to.y + to.arrived)
    let tone = flow.columns[column + 1].nodes[stream.to].tone
    // Curves that leave and arrive level, by a point in the middle.
    let middle = (x0 + x1) / 2
    let outline = [
      ("M", [x0, y0]), ("C", [middle, y0, middle, y1, x1, y1]), ("L", [x1, y1 + thickness]),
      ("C", [middle, y1 + thickness, middle, y0 + thickness, x0, y0 + thickness]), ("Z", []),
    ].map { $0 + HTML.Attribute.text($1) }.joined()
    return .tag(.path, .style("ribbon", tone), HTML.Attribute(name: "d", value: outline))
  }

  private func title(_ column: Int) -> HTML {
    let isEnd = layout.labelsLeft[column]
    let x = layout.bars[column] + (isEnd ? layout.barWidth : 0)
    return Self.text("title", x, 16, isEnd: isEnd, .shown(flow.columns[column].title))
  }

  private func node(_ node: Flow.Node, _ bar: Bar, _ column: Int) -> HTML {
    let x = layout.bars[column]
    let isLeft = layout.labelsLeft[column]
    let textX = isLeft ? x - 7 : x + layout.barWidth + 7
    let middle = bar.y + bar.height / 2
    let name = HTML.shown(name(of: node, letters: layout.letters[column]))
    let number = HTML.shown(HTMLPage.grouped(node.rows))
    let label: HTML =
      layout.isTwoLined
      ? .group([
        Self.text(nil, textX, middle - 2, isEnd: isLeft, name),
        Self.text("count", textX, middle + 12, isEnd: isLeft, number),
      ])
      : Self.text(
        nil, textX, middle + 4.5, isEnd: isLeft, name, "\u{A0}\u{A0}",
        .tag(.tspan, .style("count"), content: number))
    let rectangle = HTML.tag(
      .rect, .style("bar", node.tone), .numbers("x", x), .numbers("y", bar.y),
      .numbers("width", layout.barWidth), .numbers("height", bar.height))
    return .group([rectangle, label])
  }

  private static func text(
    _ style: StaticString?, _ x: Double, _ y: Double, isEnd: Bool, _ content: HTML...
  ) -> HTML {
    let attributes: [HTML.Attribute] =
      (style.map { [.style($0)] } ?? []) + [.numbers("x", x), .numbers("y", y)]
    return .element(
      .text, attributes + (isEnd ? [.own("text-anchor", "end")] : []), content)
  }

  private func name(of node: Flow.Node, letters: Int) -> String {
    let isShort = layout.isTwoLined || !TextLines.fits(node.label, in: letters)
    let name = isShort ? node.short : node.label
    var room = letters
    // On a phone, labels of two columns share the room between their bars: wide letters count for more.
    while layout.isTwoLined, room > 4, Self.width(TextTable.cut(name, to: room)) > Double(letters) {
      room -= 1
    }
    return TextTable.cut(name, to: room)
  }

  /// The width of a text, in letters of the usual width, in any font.
  private static func width(_ text: String) -> Double {
    text.reduce(0) { sum, letter in
      let isWide = letter.isUppercase || "mw@%…—".contains(letter)
      return sum + Double(DisplayWidth.columns(letter)) * (isWide ? 1.4 : 1)
    }
  }
}
