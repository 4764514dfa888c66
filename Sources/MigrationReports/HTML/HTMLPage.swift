// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON

/// A whole page: one file that needs nothing else, and that a browser lets do nothing else.
package struct HTMLPage: Sendable {
  /// A number that matters, and what it is the number of.
  package struct Figure: Sendable {
    let number: Int
    let what: HTML
    let tone: HTML.Tone

    package init(_ number: Int, _ what: HTML, _ tone: HTML.Tone = .plain) {
      self.number = number
      self.what = what
      self.tone = tone
    }
  }

  private let kind: String
  private let headline: String
  private let tone: HTML.Tone
  private let lead: [String]
  private let figures: [Figure]
  private let chapters: [HTML]
  private let remarks: [HTML]

  /// - Parameters:
  ///   - kind: what kind of report it is, such as `Dry run`.
  ///   - headline: the answer, harmless.
  ///   - lead: the sentences under it, harmless.
  ///   - remarks: what stands at the foot.
  package init(
    kind: String, headline: String, tone: HTML.Tone, lead: [String], figures: [Figure],
    chapters: [HTML], remarks: [HTML]
  ) {
    self.kind = kind
    self.headline = headline
    self.tone = tone
    self.lead = lead
    self.figures = figures
    self.chapters = chapters
    self.remarks = remarks
  }

  /// What browsers are told to allow: this style sheet, this script, and nothing from anywhere.
  package static let policy = [
    "default-src 'none'", "style-src '\(source(HTMLStyle.sheet))'",
    "script-src '\(source(HTMLScript.text))'", "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")

  /// The hash by which a policy allows an inline element with this content.
  private static func source(_ content: String) -> String {
    "sha256-\(Base64.text(of: SHA256.hash(of: Array(content.utf8)), .standard))"
  }

  /// The page, ending in a line break.
  package var text: String {
    var writer = HTMLWriter()
    writer.write(
      verbatim: """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <meta name="robots" content="noindex">
        <title>
        """)
    writer.write(.group([.shown("\(kind): \(headline)"), " – adal2msal"]))
    writer.write(verbatim: "</title>\n<style>\(HTMLStyle.sheet)</style>\n</head>\n")
    writer.write(verbatim: "<body>\n")
    writer.write(header)
    writer.write(.element(.main, [], chapters))
    writer.write(footer)
    writer.write(verbatim: "<script>\(HTMLScript.text)</script>\n</body>\n</html>\n")
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private var header: HTML {
    let figures: HTML =
      self.figures.isEmpty
      ? .none
      : .element(
        .dl, [.style("figures")],
        self.figures.map { figure in
          .tag(
            .div, .style(figure.tone),
            content: .tag(.dt, content: figure.what),
            .tag(.dd, content: .shown(Self.grouped(figure.number))))
        })
    return .tag(
      .header, .style(tone),
      content: .tag(
        .p, .style("kind"),
        content: .tag(.b, content: "adal2msal"), " ", .tag(.span, content: .shown(kind))),
      .tag(.h1, content: .shown(headline)),
      .group(lead.filter { !$0.isEmpty }.map { .tag(.p, content: .shown($0)) }),
      figures)
  }

  private var footer: HTML {
    .tag(
      .footer,
      content: .group(remarks.map { .tag(.p, content: $0) }),
      .tag(
        .p,
        content: .shown(
          "Made by adal2msal \(Report.toolVersion). This page is one file: it loads nothing and "
            + "sends nothing.")))
  }

  /// The digits in groups of three, which a long number is read by.
  static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var end = digits.endIndex
    while let comma = digits.index(end, offsetBy: -3, limitedBy: digits.startIndex),
      comma > digits.startIndex
    {
      digits.insert(",", at: comma)
      end = comma
    }
    return digits
  }
}
