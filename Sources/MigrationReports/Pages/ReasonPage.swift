// SPDX-License-Identifier: MIT
import ADALMigration

/// What is to be said about a reason beyond its summary and remedy, written once: reports, `adal2msal explain` and
/// Documentation/reasons.md take it from here.
struct ReasonPage: Sendable {
  /// What happened, in full.
  let happened: String
  /// Why MSAL or the service is like that.
  let because: String
  /// Who can do what, beyond the remedy: the user who signs in, the team that ships the app, an administrator of the
  /// directory.
  let advice: [(who: String, what: String)]

  /// The page of each reason. The first line of a page is the code.
  static let all: [Reason: ReasonPage] = {
    let actors = ["The user", "The app's team", "The administrator"]
    let texts = [ofCache, ofHome, ofOthers, ofPeople, ofPlaces, ofTokens]
    return texts.flatMap { WrittenPage.pages(in: $0, ["Why"] + actors) }.reduce(into: [:]) {
      guard let reason = Reason(rawValue: $1.title), $0[reason] == nil else {
        preconditionFailure("\($1.title) is no reason, or one with two pages")
      }
      $0[reason] = ReasonPage(
        happened: $1[""] ?? "", because: $1["Why"] ?? "",
        advice: $1.paragraphs.filter { actors.contains($0.name) }.map { ($0.name, $0.text) })
    }
  }()

  init(_ reason: Reason) {
    guard let page = Self.all[reason] else {
      preconditionFailure("the reason \(reason.code) has no page")
    }
    self = page
  }

  private init(happened: String, because: String, advice: [(who: String, what: String)]) {
    self.happened = happened
    self.because = because
    self.advice = advice
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
