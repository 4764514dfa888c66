// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Whatever a comment cites is in `Documentation`.
@Suite struct CitationTests {
  private func pages() throws -> [SourceFile] {
    try SourceFile.all(in: "Documentation", extensions: ["md"])
  }

  private func code() throws -> [SourceFile] {
    try ["Sources", "Tests", "Tests/Vectors", "Samples"].flatMap {
      try SourceFile.all(in: $0, extensions: ["swift", "py"])
    }
  }

  @Test func everyCitationOfTheCodeResolves() throws {
    let documentation = Documentation(try pages())
    var cited = 0
    for file in try code() where !file.path.hasPrefix("Tests/ProjectTests/Citation") {
      for (line, text) in file.comments {
        let faults = documentation.unresolved(in: text)
        #expect(faults == [], "\(file.path):\(line)")
        cited += text.count { $0 == "§" }
      }
    }
    // Comments that nothing finds would pass, too.
    #expect(cited > 50)
  }

  @Test func everyCitationOfThePagesResolves() throws {
    let pages = try pages()
    let documentation = Documentation(pages)
    for page in pages {
      let name = String(page.path.split(separator: "/").last?.dropLast(3) ?? "")
      // Code between back quotes may look like anything.
      let text = page.lines.joined(separator: "\n").components(separatedBy: "`").enumerated()
        .map { $0 % 2 == 0 ? $1 : "" }.joined()
      #expect(documentation.unresolved(in: text, of: name) == [], "\(page.path)")
    }
  }

  @Test func everyLinkOfThePagesLeadsSomewhere() throws {
    for page in try pages() {
      for part in page.lines.joined(separator: " ").components(separatedBy: "](").dropFirst() {
        let target = part.prefix { $0 != ")" && $0 != "#" }
        let path = "\(SourceFile.root)/Documentation/\(target)"
        #expect(FileManager.default.fileExists(atPath: path), "\(page.path): \(target)")
      }
    }
  }

  @Test func everyPageIsInTheList() throws {
    let pages = try pages()
    let list = try #require(pages.first { $0.path.hasSuffix("/README.md") })
    let names = pages.compactMap { $0.path.split(separator: "/").last }.filter { $0 != "README.md" }
    #expect(names.count >= 12)
    for name in names {
      #expect(list.lines.contains { $0.contains("](\(name))") }, "\(name)")
    }
  }

  @Test func whatCanBeCitedIsRead() throws {
    let documentation = Documentation(try pages())
    #expect(documentation.decisions == Set((1...48).map { "D\($0)" }))
    #expect(documentation.laws == Set((1...13).map(String.init)))
    #expect(documentation.sections["mapping-rules"]?.isSuperset(of: ["0", "2.3", "4.c"]) == true)
    #expect(documentation.sections["contract"] == ["1", "2", "3", "4", "5", "6", "7"])
  }
}

/// The search for faults, tried on faults.
@Suite struct CitationPatternTests {
  private let documentation = Documentation([
    SourceFile(path: "Documentation/a-page.md", text: "# A\n## 1. B\n### 1.2 C\n## 4.c D\n"),
    SourceFile(path: "Documentation/decisions.md", text: "## D1 Why?\n## D12 How?\n"),
    SourceFile(path: "Documentation/laws.md", text: "# Laws\n1. One.\n2. Two\n   more.\n"),
  ])

  @Test(arguments: [
    "none", "a-page §1", "(a-page §1.2).", "a-page.md §4.c: so", "a-page §1, §1.2 and §4.c",
    "D1, D12's order; 0xD9 and MD5", "Law 1: so", "laws 1 and 2", "README.md and a-page.md",
  ])
  func whatResolvesIsSilent(text: String) {
    #expect(documentation.unresolved(in: text) == [])
  }

  @Test(arguments: [
    ("§1", "§1"), ("see §1", "see §1"), ("a-page §2", "a-page §2"), ("b-page §1", "b-page §1"),
    ("a-page §1, §3", ", §3"), ("so, §1", ", §1"), ("a-page §", "a-page §"),
    ("a-page §4.d", "a-page §4.d"), ("D2", "D2"), ("laws 1 and 3", "law 3"),
    ("b-page.md", "b-page.md"),
  ])
  func whatDoesNotIsNamed(text: String, fault: String) {
    #expect(documentation.unresolved(in: text) == [fault])
  }

  @Test func aPageMayCiteItself() {
    #expect(documentation.unresolved(in: "see §1.2, §3", of: "a-page") == [", §3"])
  }

  @Test func commentsAreFoundWithTheirLines() {
    let swift = """
      /// One
      /// two.
      let a = "// no"  // three
      let b = 1
        // four
      """
    let found = SourceFile(path: "a.swift", text: swift).comments
    #expect(found.map(\.line) == [1, 5])
    #expect(found.map(\.text) == ["One two. three", "four"])
    let python = "\"\"\"One\ntwo.\"\"\"\na = 1\nb = 2  # three\n"
    let read = SourceFile(path: "a.py", text: python).comments
    #expect(read.map(\.line) == [1, 4])
    #expect(read.map(\.text) == ["\"\"\"One two.\"\"\"", "three"])
  }
}
