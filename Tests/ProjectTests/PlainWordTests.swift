// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The words that people read: texts in Sources, pages, scripts, samples and schemas.
@Suite struct PlainWordTests {
  /// A word or a turn that a reader under stress trips over, and what to write in its place.
  private struct Rule {
    private let pattern: NSRegularExpression
    let advice: String

    // Not a Regex, whose `\b` finds no "people" in "people's", and which takes ten times as long.
    init(_ pattern: String, _ advice: String) throws {
      self.pattern = try NSRegularExpression(pattern: pattern, options: .caseInsensitive)
      self.advice = advice
    }

    func words(in text: String) -> Substring? {
      let whole = NSRange(text.startIndex..., in: text)
      guard let found = pattern.firstMatch(in: text, range: whole) else { return nil }
      return Range(found.range, in: text).map { text[$0] }
    }
  }

  /// The words that hide who does something, which comments go without, too.
  private static func actors() throws -> [Rule] {
    try [
      Rule(#"\bheirs?\b"#, "name the library that reads the document"),
      Rule(
        #"\b((no|some|any|every)body|someone|everyone|whoever|whomever)\b"#,
        "name the actor: user, account, app, command"),
      Rule(#"\b(people|persons?)\b"#, "write 'users' or 'accounts'"),
    ]
  }

  /// No sentence of a comment begins so: with a clause in place of its subject, or with an inversion.
  private static let beginning = #"(^\W*|[.:] )(?-i:What|Who|Whose|Of) "#

  private static func rules() throws -> [Rule] {
    try actors() + [
      Rule(#"\b(left|leaves?|leaving) (it |them )?alone\b"#, "write 'skipped'"),
      Rule(#"\b(stands?|stood|standing) in the way\b"#, "write 'blocking problem'"),
      Rule(#"\banew\b"#, "write 'new' or 'again'"),
      Rule(#"\b(takes?|taken|took|taking) (it |them )?back\b"#, "write 'remove'"),
      Rule(#"\b(?!there\b)\w+ (is|are|was|were) no (?!longer|more)"#, "write 'is not a'"),
      Rule(#"\bgood for (every|all|its|the|that)\b"#, "write 'works for'"),
      Rule(#"\bthe very\b"#, "write 'the exact'"),
      Rule(
        #"\b(organis|recognis|authoris|anonymis|initialis|normalis|summaris|serialis|optimis)\w*"#,
        "use American spelling"),
      Rule(
        #"\b(synchronis|minimis|customis|categoris|capitalis|synthesis(?=e[ds]?\b|ing\b))\w*"#,
        "use American spelling"),
      Rule(
        #"\b(colour|favour|behaviour|honour|neighbour|licence|cancelled|catalogue|centre)\w*"#,
        "use American spelling"),
      Rule(#"\bhand(s|ed|ing)? (it |them )?over\b"#, "write 'pass'"),
      Rule(
        #"(^\W*|[.:;|] )(Whose|Who) (is|was|are|has|have|can|may|must) "#, "begin with the subject"),
      Rule(
        #"(^\W*|[.:;|] )What (?!happened|to )(\w+ ){1,3}(is|was|are|were|stands|has|became) (?=\w)"#,
        "begin with the subject"),
    ]
  }

  private func check(
    _ path: String, _ texts: [SourceFile.ReadText], by rules: [Rule]? = nil
  ) throws {
    let rules = try rules ?? Self.rules()
    for (line, text) in texts {
      for rule in rules {
        if let found = rule.words(in: text) {
          Issue.record("\(path):\(line): '\(found)': \(rule.advice)")
        }
      }
    }
  }

  @Test func printedTexts() throws {
    for file in try SourceFile.all(in: "Sources") { try check(file.path, file.texts) }
  }

  @Test func comments() throws {
    for file in try SourceFile.all(in: "Sources") {
      try check(file.path, file.commentLines, by: Self.actors())
    }
    let beginning = try Rule(Self.beginning, "begin with the subject")
    for file in try ["Sources", "Tests", "Samples"].flatMap({ try SourceFile.all(in: $0) }) {
      try check(file.path, file.commentLines, by: [beginning])
    }
  }

  @Test("pages, scripts, samples and schemas", arguments: try SourceFile.places())
  func read(in place: String) throws {
    for file in try SourceFile.read(in: place) { try check(file.path, file.readTexts) }
  }

  @Test(
    "no kind of file escapes",
    arguments: [
      ("MIGRATION.md", "."), ("action.yml", "."), ("Package.swift", "."), (".ci/run", ".ci"),
      (".github/workflows/release.yml", ".github"),
      ("Documentation/adal-cache-format.md", "Documentation"),
      ("Packaging/ci/dry-run.sh", "Packaging"), ("Samples/Fleet/fleet/child.py", "Samples"),
      ("Samples/LegacyApp/LegacyApp/SignOut.m", "Samples"), ("Samples/Fleet/run", "Samples"),
      ("Samples/ContinuousIntegration/azure-template.yml", "Samples"),
      ("Schemas/report.schema.json", "Schemas"), ("scripts/test", "scripts"),
      ("Sources/ADALMigration/ADALMigration.docc/StartUp.tutorial", "Sources"),
      ("Sources/CProcess/include/CProcess.h", "Sources"),
      ("Sources/MigrationReports/Pages/ReasonPages.md", "Sources"),
      ("Sources/MigrationReports/HTML/Page.js", "Sources"),
      ("Sources/ProjectDoctor/Plan/AppDelegate.swift.template", "Sources"),
    ])
  func reads(path: String, in place: String) throws {
    #expect(try SourceFile.places().contains(place))
    let file = try #require(try SourceFile.read(in: place).first { $0.path == path })
    #expect(!file.readTexts.isEmpty)
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

  /// For each rule a text, and the words that it finds there.
  private static let examples = [
    ("the Heir's host", "Heir"), ("an entry of nobody", "nobody"),
    ("Somebody\u{2019}s token", "Somebody"), ("Signs everybody out", "everybody"),
    ("other people's tokens", "people"), ("both persons' rows", "persons"),
    ("Person.swift", "Person"),
    ("The rest was left alone", "left alone"), ("Leaves them alone.", "Leaves them alone"),
    ("It stood in the way", "stood in the way"), ("Anew, it asks", "Anew"),
    ("undo takes it back", "takes it back"), ("it is no token cache", "it is no "),
    ("These are no tokens", "These are no "), ("Good for all apps", "Good for all"),
    ("in the very file", "the very"), ("Authorised apps'", "Authorised"),
    ("it was synthesised", "synthesised"), ("the colour of text", "colour"),
    ("a neighbour's item", "neighbour"), ("Handing it over", "Handing it over"),
    ("# Who has a token may use it", "# Who has "),
    ("What was read is reported", "What was read is "),
    ("- What the app has is kept", "- What the app has is "),
  ]

  @Test("a rule finds its word", arguments: examples)
  func rules(text: String, found: String) throws {
    #expect(try Self.rules().compactMap { $0.words(in: text) } == [found[...]])
  }

  @Test func everyRuleHasAnExample() throws {
    for rule in try Self.rules() {
      #expect(Self.examples.contains { rule.words(in: $0.0) != nil }, "\(rule.advice)")
    }
  }

  @Test(
    "a rule leaves plain words",
    arguments: [
      "There is no token. It is no longer there.", "What is a heirloom?", "What it is",
      "Nobody2 and personal accounts", "the synthesis of both",
    ])
  func plain(text: String) throws {
    #expect(try Self.rules().compactMap { $0.words(in: text) } == [])
  }

  @Test(
    "a comment begins with its subject",
    arguments: [
      ("What a row is.", "What "), ("The row. Whose it is", ". Whose "),
      ("- home: Of two the first", ": Of "), ("of the store", nil), ("The items. Offsets", nil),
    ] as [(String, String?)])
  func beginning(text: String, found: String?) throws {
    let rule = try Rule(Self.beginning, "")
    #expect(rule.words(in: text).map(String.init) == found)
  }
}
