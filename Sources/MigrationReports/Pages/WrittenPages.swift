// SPDX-License-Identifier: MIT

/// The pages of a file of Markdown. A page begins with a heading of three signs, and other headings end it. The text
/// after those is for the authors of the file.
package struct WrittenPages: Sendable {
  package let all: [WrittenPage]
  private let byTitle: [String: WrittenPage]

  package init(_ file: [UInt8]) {
    let paragraphs = String(decoding: file, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).split(whereSeparator: \.isEmpty)
      .map { $0.joined(separator: $0.first == "```" ? "\n" : " ") }
    var pages: [WrittenPage] = []
    var isInPage = false
    for paragraph in paragraphs {
      if paragraph.hasPrefix("#") {
        isInPage = paragraph.hasPrefix("### ")
        if isInPage { pages.append(WrittenPage(title: String(paragraph.dropFirst(4)))) }
      } else if isInPage, let last = pages.indices.last {
        pages[last].add(paragraph)
      }
    }
    all = pages
    byTitle = Dictionary(pages.map { ($0.title, $0) }) { first, _ in first }
  }

  /// The page with this heading. A missing page is empty, and tests make sure that no page is missing.
  package subscript(title: String) -> WrittenPage { byTitle[title] ?? WrittenPage(title: title) }
}

/// A page of prose: paragraphs, which may begin with a name and a colon. Lines may be broken anywhere but in code, which
/// has lines of three backquotes around it. Backquotes mark code in a line.
package struct WrittenPage: Sendable {
  package let title: String
  /// Each paragraph on one line, but for code, by its name, which is empty where it has none.
  package private(set) var paragraphs: [(name: String, text: String)] = []

  private static let actors = ["The user", "The app's team", "The administrator"]
  private static let names = ["Summary", "Why", "What to do"] + actors

  fileprivate init(title: String) { self.title = title }

  fileprivate mutating func add(_ paragraph: String) {
    let name = Self.names.first { paragraph.hasPrefix("\($0): ") }
    let text = name.map { paragraph.dropFirst($0.count + 2) } ?? paragraph[...]
    paragraphs.append((name ?? "", String(text)))
  }

  private func text(_ name: String) -> String {
    paragraphs.first { $0.name == name }?.text ?? ""
  }

  /// The case, in a few words without a full stop.
  package var summary: String { text("Summary") }
  /// The event or the finding, in full.
  package var happened: String { text("") }
  /// The cause in MSAL or the service.
  package var because: String { text("Why") }
  /// The remedy, in one line without a full stop.
  package var remedy: String { text("What to do") }
  /// The actions beyond the remedy for each role: the user who signs in, the team that ships the app, an administrator
  /// of the directory.
  package var advice: [(who: String, what: String)] {
    paragraphs.filter { Self.actors.contains($0.name) }.map { ($0.name, $0.text) }
  }
}
