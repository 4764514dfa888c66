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

  /// The elements that pages are made of.
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

    /// The anchor of a reason's page.
    package init(_ reason: Reason) { name = "reason-\(reason.anchor)" }
  }

  /// How something is to be taken, which the style sheet has a color for.
  package enum Tone: String, Sendable {
    case plain, good, there, left, fair, bad
  }

  /// An attribute whose value is our own, or that is only read aloud.
  package struct Attribute: Sendable {
    let name: StaticString
    let value: String

    /// The classes of the style sheet.
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

    /// An attribute whose value is our own.
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

  /// Nothing.
  package static let none = HTML.group([])

  /// An element.
  package static func tag(_ tag: Tag, _ attributes: Attribute..., content: HTML...) -> HTML {
    .element(tag, attributes, content)
  }

  /// A link to another place of the page.
  package static func link(_ anchor: Anchor, _ content: HTML) -> HTML {
    .element(.a, [.link(anchor)], [content])
  }

  /// A link to the page of a reason or a rule on the web.
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

  /// Something folded away under a title.
  package static func folded(
    _ anchor: Anchor? = nil, _ title: HTML, _ content: HTML
  ) -> HTML {
    .element(
      .details, anchor.map { [.id($0)] } ?? [], [.tag(.summary, content: title), content])
  }

  /// A chapter of a page with its heading.
  package static func chapter(_ anchor: Anchor, _ title: HTML, _ content: HTML...) -> HTML {
    .tag(
      .section, Attribute(name: "aria-labelledby", value: anchor.name),
      content: .tag(.h2, .id(anchor), content: title), .group(content))
  }
}
