// SPDX-License-Identifier: MIT
import ADALMigration

/// What is to be said about a reason beyond its summary and remedy, written once: reports, `adal2msal explain` and
/// Documentation/reasons.md take it from here.
///
/// Lines may be broken anywhere; a paragraph is filled when it is shown. Backquotes mark code, as in
/// Markdown.
struct ReasonPage: Sendable {
  /// What happened, in full.
  var happened: String
  /// Why MSAL or the service is like that.
  var because: String
  /// What the user who signs in can do.
  var user: String?
  /// What the team that ships the app can do.
  var team: String?
  /// What an administrator of the directory can do.
  var administrator: String?

  /// Who can do what, beyond the remedy.
  var advice: [(who: String, what: String)] {
    [("The user", user), ("The app's team", team), ("The administrator", administrator)]
      .compactMap { who, what in what.map { (who, $0) } }
  }
}

extension ReasonPage {
  /// The page of each reason.
  static let all: [Reason: ReasonPage] = [
    ofCache, ofHome, ofOthers, ofPeople, ofPlaces, ofTokens,
  ].reduce(into: [:]) { all, pages in
    all.merge(pages) { _, _ in preconditionFailure("a reason has two pages") }
  }

  /// The page of a reason.
  init(_ reason: Reason) {
    guard let page = Self.all[reason] else {
      preconditionFailure("the reason \(reason.code) has no page")
    }
    self = page
  }
}

extension Reason {
  /// The page that `adal2msal explain` shows, as plain text that ends in a line break.
  ///
  /// - Parameter width: The columns to fill; never less than 40.
  package func page(width: Int = 80) -> String {
    let page = ReasonPage(self)
    let width = max(40, width)
    let remedy = TextLines.fill(toDo ?? "What to do: \(remedy).", width: width)
    let advice = page.advice.flatMap { who, what in
      TextLines.fill("\(who): \(what)", width: width, indent: 2, hanging: 4)
    }
    return [
      TextLines.fill("\(code): \(summary)", width: width),
      TextLines.fill("What happened: \(page.happened)", width: width),
      TextLines.fill("Why: \(page.because)", width: width),
      remedy + advice,
      ["Link: \(PageAddress(self).url)"],
    ].map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  /// The page in Documentation/reasons.md: Markdown with an anchor, that ends in a line break.
  package var markdownPage: String {
    let page = ReasonPage(self)
    var blocks = [
      ["<a id=\"\(anchor)\"></a>"],
      ["### \(code)"],
      TextLines.fill("**\(summary.asSentence)** \(page.happened)", width: 120),
      TextLines.fill("*Why:* \(page.because)", width: 120),
      TextLines.fill(toDo ?? "*What to do:* \(remedy).", width: 120),
    ]
    let advice = page.advice.flatMap { who, what in
      TextLines.fill("- \(who): \(what)", width: 120, hanging: 2)
    }
    if !advice.isEmpty { blocks.append(advice) }
    return blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }
}

extension Reason {
  /// The remedy as a sentence of its own where it says that there is nothing to do.
  fileprivate var toDo: String? {
    remedy.hasPrefix("nothing to do") ? remedy.asSentence : nil
  }
}

extension String {
  /// The words as a sentence: with a capital letter and a full stop.
  package var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
