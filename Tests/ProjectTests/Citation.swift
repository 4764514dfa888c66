// SPDX-License-Identifier: MIT
import Foundation

/// The pages of `Documentation`, and what can be cited of them.
struct Documentation {
  /// The sections of each page, such as `2.3` and `4.c`, by the page's name.
  var sections: [String: Set<String>] = [:]
  var decisions: Set<String> = []
  var laws: Set<String> = []

  init(_ pages: [SourceFile]) {
    for page in pages {
      let name = page.path.split(separator: "/").last?.dropLast(3) ?? ""
      let headings = page.lines.filter { $0.hasPrefix("#") }
        .compactMap { Pattern.heading.matches(in: $0).first?[0] }
      sections[String(name)] = Set(headings.filter { !$0.hasPrefix("D") })
      decisions.formUnion(headings.filter { $0.hasPrefix("D") })
      if name == "laws" {
        laws = Set(page.lines.compactMap { Pattern.numbered.matches(in: $0).first?[0] })
      }
    }
  }

  /// The citations in a text that lead nowhere. `page` is the page of the text, in which a section without a page's
  /// name is looked up; nil for a comment, which has to name the page.
  func unresolved(in text: String, of page: String? = nil) -> [String] {
    // Most texts cite nothing, and that is seen faster without expressions.
    guard text.contains("§") || text.contains("D") || text.contains("aw") || text.contains(".md")
    else { return [] }
    var faults: [String] = []
    var last: String?
    for match in Pattern.section.matches(in: text) {
      let word = match[0]
      // `page §1, §2` goes on with the page.
      let goesOn = [",", "and", "or", "to"].contains(word)
      let cited = sections[word] != nil ? word : (goesOn ? last : nil) ?? page
      last = cited
      if !(cited.map { sections[$0]?.contains(match[1]) ?? false } ?? false) {
        faults.append("\(word) §\(match[1])".trimmingCharacters(in: .whitespaces))
      }
    }
    faults += Pattern.decision.matches(in: text).map { $0[0] }.filter { !decisions.contains($0) }
    for match in Pattern.laws.matches(in: text) {
      let numbers = Pattern.number.matches(in: match[0]).map { $0[0] }
      faults += numbers.filter { !laws.contains($0) }.map { "law \($0)" }
    }
    faults += Pattern.page.matches(in: text).map { $0[0] }.filter { sections[$0] == nil }
      .map { "\($0).md" }
    return faults
  }
}

/// The forms of citations.
private struct Pattern: Sendable {
  /// The number of a section or decision that a heading begins with.
  static let heading = Pattern("^#+ (D[0-9]+|[0-9]+(?:\\.[0-9a-z]+)*)\\.?(?= )")
  static let numbered = Pattern("^([0-9]+)\\. ")
  /// The word before the sign, or the comma, and the number after it.
  static let section = Pattern("(?:([A-Za-z-]+|,)(?:\\.md)?\\)? )?§ ?([0-9]+(?:\\.[0-9a-z]+)*|)")
  static let decision = Pattern("\\b(D[0-9]{1,2})\\b")
  static let laws = Pattern("\\b[Ll]aws? ([0-9]+(?:(?:, | and |–)[0-9]+)*)")
  static let number = Pattern("([0-9]+)")
  /// A page of ours has a name in lower case; README.md and its like are elsewhere.
  static let page = Pattern("(?<![A-Za-z/.*-])([a-z]+(?:-[a-z]+)*)\\.md\\b")

  private let expression: NSRegularExpression?

  init(_ pattern: String) {
    // One that is no pattern matches nothing, which this file's tests notice.
    expression = try? NSRegularExpression(pattern: pattern)
  }

  /// The groups of each match, without the whole; empty where a group has none.
  func matches(in text: String) -> [[String]] {
    let found = expression?.matches(in: text, range: NSRange(text.startIndex..., in: text)) ?? []
    return found.map { match in
      (1..<match.numberOfRanges).map { group in
        Range(match.range(at: group), in: text).map { String(text[$0]) } ?? ""
      }
    }
  }
}

extension SourceFile {
  /// Comments and documentation, each with the number of its first line. Lines that follow one another
  /// are one text, since a citation may be broken across them.
  var comments: [(line: Int, text: String)] {
    path.hasSuffix(".py") ? pythonComments : joined(lines.map(Self.comment))
  }

  private static func comment(of line: String) -> String? {
    let trimmed = line.drop { $0 == " " }
    if trimmed.hasPrefix("//") {
      return trimmed.drop { $0 == "/" }.trimmingCharacters(in: .whitespaces)
    }
    return line.range(of: " // ").map { String(line[$0.upperBound...]) }
  }

  /// The text after a number sign, and any text between three quotation marks.
  private var pythonComments: [(line: Int, text: String)] {
    var isText = false
    return joined(
      lines.map { line in
        let marks = line.components(separatedBy: "\"\"\"").count - 1
        defer { if marks % 2 == 1 { isText.toggle() } }
        if isText || marks > 0 { return line.trimmingCharacters(in: .whitespaces) }
        let isWhole = line.drop { $0 == " " }.hasPrefix("# ")
        return line.range(of: isWhole ? "# " : " # ").map { String(line[$0.upperBound...]) }
      })
  }

  private func joined(_ comments: [String?]) -> [(line: Int, text: String)] {
    var texts: [(line: Int, text: String)] = []
    var isOpen = false
    for (number, comment) in zip(1..., comments) {
      defer { isOpen = comment != nil }
      guard let comment else { continue }
      if isOpen, let last = texts.indices.last {
        texts[last].text += " " + comment
      } else {
        texts.append((number, comment))
      }
    }
    return texts
  }
}
