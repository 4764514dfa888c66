// SPDX-License-Identifier: MIT
import ADALMigration

/// A piece of a page: elements, and text that only ever stands there.
///
/// A string literal is text of our own. There is no way to write markup, a style or a foreign address
/// else: an attribute is one of those that ``Attribute`` makes, and a link leads to an ``Anchor`` or to a ``PageAddress``.
package indirect enum HTML: Sendable {
  case element(Tag, [Attribute], [HTML])
  /// Text that is harmless already (``PlainText/show(_:)``), or of our own.
  case shown(String)
  case group([HTML])

  package enum Tag: String, Sendable {
    case a, article, b, bdi, caption, code, dd, details, div, dl, dt, footer, h1, h2, h3, header, li
    case main, p, path, rect, section, small, span, summary, svg, table, tbody, td, text, th, thead
    case tr, tspan, ul

    /// Whether a line ends after it.
    var endsLine: Bool {
      switch self {
      case .a, .b, .bdi, .code, .small, .span, .tspan: false
      default: true
      }
    }
  }

  /// A place in the page that links lead to.
  package struct Anchor: Sendable, Hashable, ExpressibleByStringLiteral {
    let name: String

    package init(stringLiteral name: StaticString) { self.name = name.description }

    /// The anchor of something that has a number: `row-3`.
    package init(_ name: StaticString, _ number: Int) { self.name = "\(name)-\(number)" }
    package init(_ reason: Reason) { name = "reason-\(reason.anchor)" }
  }

  /// The tone of an element. The style sheet has a color for each.
  package enum Tone: String, Sendable {
    case plain, good, there, left, fair, bad
  }

  /// An attribute with a value from this package, or one that is only read aloud.
  package struct Attribute: Sendable {
    let name: StaticString
    let value: String

    package static func style(_ names: StaticString) -> Self {
      Self(name: "class", value: names.description)
    }

    /// The classes of something that looks good or bad.
    package static func style(_ name: StaticString, _ tone: Tone) -> Self {
      Self(name: "class", value: "\(name) \(tone.rawValue)")
    }

    package static func style(_ tone: Tone) -> Self { Self(name: "class", value: tone.rawValue) }
    package static func id(_ anchor: Anchor) -> Self { Self(name: "id", value: anchor.name) }

    package static func link(_ anchor: Anchor) -> Self {
      Self(name: "href", value: "#\(anchor.name)")
    }

    package static func link(_ address: PageAddress) -> Self {
      Self(name: "href", value: address.url)
    }

    /// An attribute with a value from this package.
    static func own(_ name: StaticString, _ value: StaticString) -> Self {
      Self(name: name, value: value.description)
    }

    /// Coordinates or lengths in a picture.
    static func numbers(_ name: StaticString, _ numbers: Double...) -> Self {
      Self(name: name, value: text(numbers))
    }

    /// Numbers with a digit after the point, where that is not zero.
    static func text(_ numbers: [Double]) -> String {
      numbers.map { number in
        let tenths = Int((number * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
      }.joined(separator: " ")
    }
  }
}

extension HTML: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  package init(stringLiteral text: StaticString) { self = .shown(text.description) }
  package init(arrayLiteral elements: HTML...) { self = .group(elements) }

  package static let none = HTML.group([])

  package static func tag(_ tag: Tag, _ attributes: Attribute..., content: HTML...) -> HTML {
    .element(tag, attributes, content)
  }

  package static func link(_ anchor: Anchor, _ content: HTML) -> HTML {
    .element(.a, [.link(anchor)], [content])
  }

  package static func link(_ address: PageAddress, _ content: HTML) -> HTML {
    .element(.a, [.link(address)], [content])
  }

  /// Foreign text, made harmless.
  package static func text(_ text: String) -> HTML { .shown(PlainText.show(text)) }

  /// Words of our own in which backquotes mark code, and lines may be broken anywhere.
  package static func words(_ words: String) -> HTML {
    let line = String(words.map { $0 == "\n" ? " " : $0 })
    return .group(
      line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .map { index, piece in
          let text = HTML.text(String(piece))
          return index % 2 == 1 ? .tag(.code, content: text) : text
        })
  }

  /// The same as the beginning of a sentence.
  package static func sentence(_ words: String) -> HTML {
    .words(words.capitalizedStart)
  }

  /// A name that takes more columns is shortened: user names have 113 characters at most, and one of
  /// thousands would bury the others.
  private static let longestName = 256

  /// A name, an identifier or an address from a cache, apart from the words around it.
  package static func name(shown: String) -> HTML {
    .tag(.bdi, .style("name"), content: .shown(TextTable.cut(shown, to: longestName)))
  }

  /// The same of text that is not harmless yet; nothing for no text.
  package static func name(_ text: String?) -> HTML {
    text.map { .name(shown: PlainText.show($0)) } ?? .none
  }

  package static func folded(_ title: HTML, _ content: HTML) -> HTML {
    .tag(.details, content: .tag(.summary, content: title), content)
  }

  package static func chapter(_ anchor: Anchor, _ title: HTML, _ content: HTML...) -> HTML {
    .tag(
      .section, Attribute(name: "aria-labelledby", value: anchor.name),
      content: .tag(.h2, .id(anchor), content: title), .group(content))
  }

  /// A finding as a card: a badge, a name with its number of occurrences, a heading, and more.
  package static func card(
    _ tone: Tone, badge: String, code: String? = nil, count: String? = nil, title: HTML,
    _ content: HTML...
  ) -> HTML {
    .tag(
      .article, .style("card", tone),
      content: .tag(
        .p, .style("about"),
        content: .tag(.span, .style("badge", tone), content: .shown(badge)),
        code.map { [" ", .tag(.code, content: .shown($0))] } ?? .none,
        count.map { [" ", .tag(.span, .style("count"), content: .shown($0))] } ?? .none),
      .tag(.h3, content: title), .group(content))
  }

  /// A table that a script can sort and that is a list of cards on a narrow screen.
  ///
  /// - Parameters:
  ///   - caption: the subject of the rows, for screen readers.
  ///   - numeric: the columns of numbers, which stand to the right.
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

  package var markup: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Text as HTML and XML write it. Characters that XML cannot contain were made visible before.
  static func escaped(_ text: String) -> String { HTML.shown(text).markup }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .group(let pieces): for piece in pieces { piece.write(to: &bytes) }
    case .shown(let text): Self.escape(text, to: &bytes)
    case .element(let tag, let attributes, let content):
      bytes.append(UInt8(ascii: "<"))
      bytes += tag.rawValue.utf8
      for attribute in attributes {
        bytes.append(UInt8(ascii: " "))
        attribute.name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes += "=\"".utf8
        Self.escape(attribute.value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
      }
      bytes.append(UInt8(ascii: ">"))
      for piece in content { piece.write(to: &bytes) }
      bytes += "</".utf8
      bytes += tag.rawValue.utf8
      bytes += (tag.endsLine ? ">\n" : ">").utf8
    }
  }

  /// Everything that could end a text, an attribute or a comment, or begin an element or a reference.
  private static func escape(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { text in
      var start = 0
      for (place, byte) in text.enumerated() {
        guard let reference = reference(to: byte) else { continue }
        bytes += text[start..<place]
        bytes += reference.utf8
        start = place + 1
      }
      bytes += text[start...]
    }
  }

  private static func reference(to byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }
}

extension HTML.Tone {
  package init(_ severity: Report.Severity) {
    self =
      switch severity {
      case .error: .bad
      case .warning: .fair
      case .note: .plain
      }
  }

  init(_ answer: Report.SignedIn) {
    self =
      switch answer {
      case .yes: .good
      case .byUserName: .fair
      case .no: .bad
      }
  }
}
