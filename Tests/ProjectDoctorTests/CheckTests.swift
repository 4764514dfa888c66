// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ProjectDoctor

/// The texts of the rules, and the copy of them in Documentation/rules.md.
@Suite struct CheckTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: Check.allCases) func everyRuleIsExplained(_ check: Check) {
    for words in [check.summary, check.remedy] {
      #expect(!words.isEmpty && !words.hasSuffix(".") && !words.contains("\n"))
    }
    for words in [check.written.happened, check.written.because] + check.written.advice.map(\.what)
    {
      #expect(words.hasSuffix(".") || words.hasSuffix("…"), "\(check.code): \(words)")
    }
    let link = "Link: \(check.address.url)"
    #expect(
      check.page(width: 60).split(separator: "\n").allSatisfy { $0.count <= 72 || $0 == link })
  }

  @Test("every rule has a page, every page a rule, and every paragraph a name")
  func pages() {
    #expect(Check.pages.all.map(\.title).sorted() == Check.allCases.map(\.code).sorted())
    for page in Check.pages.all {
      let names = page.paragraphs.map(\.name)
      let expected = ["", "Summary", "Why", "What to do", "The app's team"]
      #expect(names == expected || names == expected.dropLast(), "\(page.title)")
    }
  }

  @Test func everyRuleHasATopic() {
    #expect(Check.topics.flatMap(\.checks).sorted() == Check.allCases.sorted())
  }

  @Test func theDocumentHasEveryPage() throws {
    let pages = Check.topics.map { title, checks in
      "## \(title)\n\n" + checks.map(\.markdownPage).joined(separator: "\n")
    }.joined(separator: "\n")
    let path = Self.root.appendingPathComponent("Documentation/rules.md")
    let document = try String(contentsOf: path, encoding: .utf8)
    let begin =
      "<!-- Rules: begin, written by RECORD_GOLDENS=1 swift test from"
      + " Sources/ProjectDoctor/Diagnosis/CheckPages.md -->\n\n"
    let end = "\n<!-- Rules: end -->"
    let parts = document.components(separatedBy: begin)
    let rest = parts.last?.components(separatedBy: end) ?? []
    try #require(parts.count == 2 && rest.count == 2)
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try (parts[0] + begin + pages + end + rest[1])
        .write(to: path, atomically: true, encoding: .utf8)
    }
    #expect(rest[0] == pages)
  }
}
