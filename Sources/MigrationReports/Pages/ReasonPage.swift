// SPDX-License-Identifier: MIT
import ADALMigration

/// What is to be said about a reason beyond its summary and remedy, written once: reports, `adal2msal explain` and
/// Documentation/reasons.md take it from here. Backquotes mark code, as in Markdown.
struct ReasonPage: Sendable {
  /// What happened, in full.
  private(set) var happened = ""
  /// Why MSAL or the service is like that.
  private(set) var because = ""
  /// Who can do what, beyond the remedy.
  private(set) var advice: [(who: String, what: String)] = []

  /// The page of a reason.
  init(_ reason: Reason) {
    guard let page = Self.all[reason] else {
      preconditionFailure("the reason \(reason.code) has no page")
    }
    self = page
  }

  /// The page of each reason. A text has pages with empty lines between them; the first line of a page is the code.
  static let all = [ofCache, ofHome, ofOthers, ofPeople, ofPlaces, ofTokens]
    .flatMap { text in
      text.split(separator: "\n", omittingEmptySubsequences: false).split(whereSeparator: \.isEmpty)
    }
    .reduce(into: [Reason: ReasonPage]()) { pages, lines in
      let code = lines.first.map { String($0) } ?? ""
      guard let reason = Reason(rawValue: code), pages[reason] == nil else {
        preconditionFailure("\(code) is no reason, or one with two pages")
      }
      pages[reason] = ReasonPage(lines.dropFirst())
    }

  /// Who can do something: the user who signs in, the team that ships the app, an administrator of the directory.
  private static let actors = ["The user", "The app's team", "The administrator"]

  /// Reads what happened, and then the paragraphs that begin with `Why:` or with an actor.
  private init(_ lines: some Sequence<Substring>) {
    var paragraphs = [(name: "", text: "")]
    for line in lines {
      if let name = (["Why"] + Self.actors).first(where: { line.hasPrefix("\($0): ") }) {
        paragraphs.append((name, String(line.dropFirst(name.count + 2))))
      } else {
        let paragraph = paragraphs.removeLast()
        let start = paragraph.text.isEmpty ? "" : paragraph.text + " "
        paragraphs.append((paragraph.name, start + line))
      }
    }
    for (name, text) in paragraphs {
      switch name {
      case "": happened = text
      case "Why": because = text
      default: advice.append((name, text))
      }
    }
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
