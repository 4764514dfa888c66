// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import MSALLookup
import MigrationReports
import ProjectDoctor

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    "explain",
    abstract: "Explain a reason or rule from a report and how to resolve it")

  @Argument(
    help: "The code of a reason, a rule or a check of a look-up.",
    completion: .list(Self.codes))
  var reason: String?

  func run() throws {
    let width = Terminal.style(.never).width ?? 80
    guard let reason else {
      try Terminal.write(Self.list)
      return
    }
    let pages = Self.pages(reason, width: width)
    guard !pages.isEmpty else {
      let closest = Self.closest(to: reason).map { "'\($0)'" }
      throw Failure(
        .usage, "there is no reason '\(reason)'",
        hint: closest.isEmpty
          ? "'adal2msal explain' lists them all"
          : "\(closest.count == 1 ? "closest is" : "closest are") \(closest.joined(separator: ", "))"
      )
    }
    try Terminal.write(pages.joined(separator: "\n"))
  }

  private static func pages(_ code: String, width: Int) -> [String] {
    [
      Reason(code: code)?.page(width: width),
      PredicatePage(code: code)?.page(width: width),
      Check(rawValue: code.lowercased())?.page(width: width),
    ].compactMap { $0 }
  }

  /// Every code that has a page; a few are those of a reason and of a rule.
  static let codes = Set(
    Reason.allCases.map(\.code) + PredicatePage.all.map(\.code) + Check.allCases.map(\.code)
  ).sorted()

  /// Every reason by topic and then the checks, with their summaries.
  static var list: String {
    let width = codes.map(\.count).max() ?? 0
    func topic(_ title: String, _ lines: [(code: String, summary: String)]) -> String {
      "\(title)\n"
        + lines.map { code, summary in
          "  \(code)\(String.spaces(width - code.count + 2))\(summary)\n"
        }.joined()
    }
    let reasons = Reason.Topic.allCases.map { part in
      topic(part.rawValue, part.reasons.map { ($0.code, $0.summary) })
    }
    let checks = topic("Checks of lookup", PredicatePage.all.map { ($0.code, $0.summary) })
    let rules = Check.topics.map { title, checks in
      topic("In the project: \(title)", checks.map { ($0.code, $0.summary) })
    }
    return (reasons + [checks] + rules).joined(separator: "\n")
  }

  /// The likely codes for a mistyped one, the likeliest first: those that hold the text or its
  /// second half, then those that differ in a few letters.
  static func closest(to text: String) -> [String] {
    let wanted = text.lowercased()
    let topic = wanted.split(separator: ".").last.map(String.init) ?? wanted
    let ranked = codes.map { code -> (code: String, rank: Int) in
      if wanted.isEmpty { return (code, .max) }
      if code.contains(wanted) { return (code, 0) }
      if code.contains(topic), topic.count > 1 { return (code, 1) }
      let distance = distance(Array(wanted.unicodeScalars.prefix(64)), Array(code.unicodeScalars))
      return (code, distance <= 3 ? 1 + distance : .max)
    }
    return ranked.filter { $0.rank < .max }.sorted { ($0.rank, $0.code) < ($1.rank, $1.code) }
      .prefix(5).map(\.code)
  }

  /// The number of letters to insert, remove or change (Levenshtein).
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let change = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(change, row[j] + 1, diagonal + 1)
      }
    }
    return row.last ?? 0
  }
}

/// A check of a look-up, with the page for an entry that fails it.
struct PredicatePage: Hashable {
  let code: String

  /// The pages of all checks, in the order in which they are asked.
  static let pages = WrittenPages(PackageResources.PredicatePages_md)

  /// Every check, in the same order.
  static let all = [accessGroup] + LookupPredicate.allCases.map(PredicatePage.init)

  /// A row in a group that is not asked. No look-up of MSAL's ever meets one.
  static let accessGroup = PredicatePage(name: "access_group")

  private init(name: String) { code = name }

  init?(code: String) {
    guard let check = Self.all.first(where: { $0.code == code.lowercased() }) else { return nil }
    self = check
  }

  init(_ predicate: LookupPredicate) { code = predicate.rawValue }

  private var written: WrittenPage { Self.pages[code] }
  var summary: String { written.summary }
  var remedy: String { written.remedy }

  func page(width: Int) -> String {
    [
      "\(code): \(summary)", "Why: \(written.because)", "What to do: \(remedy).",
    ].map { TextLines.fill($0, width: max(40, width)).joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }
}
