// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The words that people read: texts in Sources, and the pages that users get.
@Suite struct PlainWordTests {
  /// A word or a turn that a reader under stress trips over, and what to write in its place.
  private struct Rule {
    let pattern: Regex<AnyRegexOutput>
    let advice: String

    init(_ pattern: String, _ advice: String) throws {
      self.pattern = try Regex(pattern).ignoresCase()
      self.advice = advice
    }
  }

  /// The words that hide who does something, which comments go without, too.
  private static func actors() throws -> [Rule] {
    try [
      Rule(#"\bheirs?\b"#, "name the library that reads the document"),
      Rule(
        #"\b(nobody|somebody|whoever|whomever)\b"#, "name the actor: user, account, app, command"),
      Rule(#"\b(people|persons?)\b"#, "write 'users' or 'accounts'"),
    ]
  }

  private static func rules() throws -> [Rule] {
    try actors() + [
      Rule(#"\bleft alone\b"#, "write 'skipped'"),
      Rule(#"\b(stands?|standing) in the way\b"#, "write 'blocking problem'"),
      Rule(#"\banew\b"#, "write 'new' or 'again'"),
      Rule(#"\b(take|takes|taken|took) back\b"#, "write 'remove'"),
      Rule(#"\b(?!there\b)\w+ is no (?!longer|more)"#, "write 'is not a'"),
      Rule(#"\bgood for (every|all|its|the|that)\b"#, "write 'works for'"),
      Rule(#"\bthe very\b"#, "write 'the exact'"),
      Rule(
        #"\b(organis|recognis|authoris|anonymis|initialis|normalis|summaris|serialis|optimis)\w*"#,
        "use American spelling"),
      Rule(
        #"\b(colour|favour|behaviour|honour|neighbour|licence|cancelled|catalogue)\w*"#,
        "use American spelling"),
      Rule(#"\bhand(s|ed)? (it |them )?over\b"#, "write 'pass'"),
      Rule(#"(^|[.:;] )(Whose|Who) (is|was|are|has) "#, "begin with the subject"),
      Rule(
        #"(^|[.:;] )What (?!happened|to )(\w+ ){1,3}(is|was|are|were|stands|has|became)\b"#,
        "begin with the subject"),
    ]
  }

  /// The texts of a source file that have a space, with the numbers of their lines.
  private static func texts(in file: SourceFile) -> [(line: Int, text: String)] {
    var isInBlock = false
    return zip(1..., file.lines).flatMap { number, line -> [(Int, String)] in
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if trimmed.components(separatedBy: "\"\"\"").count == 2 {
        isInBlock.toggle()
        return []
      }
      if isInBlock { return [(number, trimmed)] }
      if trimmed.hasPrefix("//") { return [] }
      return line.matches(of: /"((?:[^"\\]|\\.)*)"/).map { (number, String($0.1)) }
    }.filter { $0.1.contains(" ") }.map { (line: $0.0, text: $0.1) }
  }

  /// The prose of a page: its lines without code blocks and code spans.
  private static func prose(of page: SourceFile) -> [(line: Int, text: String)] {
    var isInBlock = false
    return zip(1..., page.lines).compactMap { number, line in
      if line.hasPrefix("```") {
        isInBlock.toggle()
        return nil
      }
      // A code, a promise that stays, is a heading of its own and an anchor.
      if isInBlock || line.hasPrefix("### ") || line.hasPrefix("<a id=") { return nil }
      return (number, line.replacing(/`[^`]*`/, with: ""))
    }
  }

  /// The comments of a source file.
  private static func comments(in file: SourceFile) -> [(line: Int, text: String)] {
    zip(1..., file.lines).filter { _, line in
      line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
    }.map { (line: $0, text: $1.replacing(/`[^`]*`/, with: "")) }
  }

  private func check(
    _ path: String, _ texts: [(line: Int, text: String)], by rules: [Rule]? = nil
  ) throws {
    let rules = try rules ?? Self.rules()
    for (line, text) in texts {
      for rule in rules {
        if let found = text.firstMatch(of: rule.pattern) {
          Issue.record("\(path):\(line): '\(text[found.range])': \(rule.advice)")
        }
      }
    }
  }

  @Test func printedTexts() throws {
    for file in try SourceFile.all(in: "Sources") { try check(file.path, Self.texts(in: file)) }
  }

  @Test func comments() throws {
    for file in try SourceFile.all(in: "Sources") {
      try check(file.path, Self.comments(in: file), by: Self.actors())
    }
  }

  @Test(arguments: [
    "README", "MIGRATION", "REFERENCE", "SHIPPING", "SECURITY", "CONTRIBUTING",
    "Documentation/README", "Documentation/architecture", "Documentation/contract",
    "Documentation/decisions", "Documentation/files", "Documentation/laws",
    "Documentation/reasons", "Documentation/rules", "Documentation/row-to-entry",
    "Samples/README", "Samples/Caches/README", "Samples/ContinuousIntegration/README",
    "Samples/Fleet/README", "Samples/LegacyApp/README", "Samples/ObjectiveCApp/README",
    "Samples/PythonClient/README", "Samples/PythonService/README",
    "Samples/SnapshotFromDevice/README", "Samples/StartupMigration/README",
    "Samples/WebAppTable/README", "Samples/BlobOnMac/README",
  ])
  func pages(name: String) throws {
    let text = try String(contentsOfFile: "\(SourceFile.root)/\(name).md", encoding: .utf8)
    let page = SourceFile(path: "\(name).md", text: text)
    try check(page.path, Self.prose(of: page))
  }

  @Test(
    "a newcomer reads the front page at a glance, and the guide in one go",
    arguments: [
      ("README", 110), ("MIGRATION", 900),
    ])
  func lengths(name: String, most: Int) throws {
    let text = try String(contentsOfFile: "\(SourceFile.root)/\(name).md", encoding: .utf8)
    #expect(SourceFile(path: name, text: text).lines.count <= most)
  }

  @Test(
    "a rule finds its word",
    arguments: [
      ("an entry of nobody", "nobody"), ("What was read is reported", "What was read is"),
      ("it is no token cache", "it is no "), ("the colour of text", "colour"),
    ])
  func rules(text: String, found: String) throws {
    let rules = try Self.rules()
    #expect(
      rules.contains { text.firstMatch(of: $0.pattern).map { text[$0.range] == found } ?? false })
    #expect(!rules.contains { "There is no token. It is no longer there.".contains($0.pattern) })
  }
}
