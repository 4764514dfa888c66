// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON

/// A whole page: one file that needs nothing else, and that a browser lets do nothing else.
package enum HTMLPage {
  /// The page, ending in a line break.
  ///
  /// - Parameters:
  ///   - kind: the kind of report, such as `Dry run`.
  ///   - headline: the answer, harmless.
  ///   - lead: the sentences under it, harmless.
  package static func text(
    kind: String, headline: String, tone: HTML.Tone, lead: [String], figures: [HTML] = [],
    chapters: [HTML], remarks: [HTML]
  ) -> String {
    let title = HTML.group([.shown("\(kind): \(headline)"), " – adal2msal"])
    let header = HTML.tag(
      .header, .style(tone),
      content: .tag(
        .p, .style("kind"),
        content: .tag(.b, content: "adal2msal"), " ", .tag(.span, content: .shown(kind))),
      .tag(.h1, content: .shown(headline)),
      .group(lead.filter { !$0.isEmpty }.map { .tag(.p, content: .shown($0)) }),
      figures.isEmpty ? .none : .element(.dl, [.style("figures")], figures))
    let origin =
      "Made by adal2msal \(Report.toolVersion). This page is one file: it loads nothing and "
      + "sends nothing."
    let footer = HTML.tag(
      .footer,
      content: .group(remarks.map { .tag(.p, content: $0) }), .tag(.p, content: .shown(origin)))
    let body = HTML.group([header, .element(.main, [], chapters), footer])
    let lines = Template.lines(
      of: PackageResources.Page_html_template,
      [
        "policy": policy, "title": title.markup, "style": style, "body": body.markup,
        "script": script,
      ])
    return lines.joined(separator: "\n") + "\n"
  }

  package static func figure(_ number: Int, _ what: HTML, _ tone: HTML.Tone = .plain) -> HTML {
    .tag(
      .div, .style(tone),
      content: .tag(.dt, content: what), .tag(.dd, content: .shown(grouped(number))))
  }

  /// The style sheet of a page. Each color has a contrast of 4.5 to 1 or more to its background.
  private static let style = "\n" + String(decoding: PackageResources.Page_css, as: UTF8.self)

  /// The script of a page. The page has the same content without it. It sorts tables, and opens folded parts before
  /// printing.
  private static let script = "\n" + String(decoding: PackageResources.Page_js, as: UTF8.self)

  /// The policy for browsers: this style sheet, this script, and nothing from other places.
  private static let policy = [
    "default-src 'none'", "style-src '\(source(style))'", "script-src '\(source(script))'",
    "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")

  /// The hash by which a policy allows an inline element with this content.
  private static func source(_ content: String) -> String {
    "sha256-\(Base64.text(of: SHA256.hash(of: Array(content.utf8)), .standard))"
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
