// SPDX-License-Identifier: MIT
import ADALMigration

/// The subject of a page: a reason, or a rule of `doctor`.
package protocol PageSubject {
  var written: WrittenPage { get }
  /// In reports: `home.guest-unresolved`.
  var code: String { get }
  /// The first line of its page in a terminal.
  var headline: String { get }
  var summary: String { get }
  var remedy: String { get }
  /// In the documentation: `home-guest-unresolved`.
  var anchor: String { get }
  var address: PageAddress { get }
}

extension PageSubject {
  /// The page that `adal2msal explain` shows, as plain text that ends in a line break.
  ///
  /// - Parameter width: The columns to fill; never less than 40.
  package func page(width: Int = 80) -> String {
    let width = max(40, width)
    let advice = written.advice.flatMap { who, what in
      TextLines.fill("\(who): \(what)", width: width, indent: 2, hanging: 4)
    }
    return Self.joined([
      TextLines.fill(headline, width: width),
      TextLines.fill("What happened: \(written.happened)", width: width),
      TextLines.fill("Why: \(written.because)", width: width),
      TextLines.fill(toDo ?? "What to do: \(remedy).", width: width) + advice,
      ["Link: \(address.url)"],
    ])
  }

  /// The page in the documentation: Markdown with an anchor, that ends in a line break.
  package var markdownPage: String {
    let advice = written.advice.flatMap { who, what in
      TextLines.fill("- \(who): \(what)", width: 120, hanging: 2)
    }
    return Self.joined([
      ["<a id=\"\(anchor)\"></a>"],
      ["### \(code)"],
      TextLines.fill("**\(summary.asSentence)** \(written.happened)", width: 120),
      TextLines.fill("*Why:* \(written.because)", width: 120),
      TextLines.fill(toDo ?? "*What to do:* \(remedy).", width: 120),
      advice,
    ])
  }

  /// The folded part of an HTML report: the event, its cause, and the actions for each role.
  package var htmlPage: HTML {
    let advice = written.advice.map { who, what in
      HTML.tag(.li, content: .tag(.b, content: .shown(who + ":")), " ", .words(what))
    }
    return [
      .tag(.p, content: .tag(.b, content: "What happened:"), " ", .words(written.happened)),
      .tag(.p, content: .tag(.b, content: "Why:"), " ", .words(written.because)),
      advice.isEmpty ? .none : .element(.ul, [], advice),
      .tag(.p, content: .link(address, .shown("About \(code)"))),
    ]
  }

  /// The remedy as a sentence of its own where it says that there is nothing to do.
  private var toDo: String? { remedy.hasPrefix("nothing to do") ? remedy.asSentence : nil }

  /// Blocks of lines with a free line between them.
  private static func joined(_ blocks: [[String]]) -> String {
    blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }
}

extension Reason: PageSubject {
  static let pages = WrittenPages(PackageResources.ReasonPages_md)

  package var written: WrittenPage { Self.pages[code] }
  package var headline: String { "\(code): \(summary)" }
  package var address: PageAddress { PageAddress(self) }
}

/// The web address of a page of this project, for reports that leave the machine.
package struct PageAddress: Sendable, Hashable {
  /// An `https` URL with the anchor of the page.
  package let url: String

  private init(document: StaticString, anchor: String) {
    url = "\(Report.homepage)/blob/main/\(document)#\(anchor)"
  }

  /// The chapter of MIGRATION.md that tells how to read a report.
  package static let readingReports = PageAddress(
    document: "MIGRATION.md", anchor: "read-the-report")

  /// The page of a reason, in Documentation/reasons.md.
  package init(_ reason: Reason) {
    self.init(document: "Documentation/reasons.md", anchor: reason.anchor)
  }

  /// The page of a rule of `doctor`, in Documentation/rules.md.
  package init(ruleAnchor anchor: String) {
    self.init(document: "Documentation/rules.md", anchor: anchor)
  }
}
