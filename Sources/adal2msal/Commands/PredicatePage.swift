// SPDX-License-Identifier: MIT
import MSALLookup
import MigrationReports

/// What a look-up asks of an entry, with the page for the case that it fails.
struct PredicatePage: Hashable {
  let code: String

  /// The pages of all checks, in the order in which they are asked.
  static let pages = WrittenPages(PackageResources.PredicatePages_md)

  /// Every check, in the same order.
  static let all = [accessGroup] + LookupPredicate.allCases.map(PredicatePage.init)

  /// A row in a group that is not asked. No look-up of MSAL's ever meets one.
  static let accessGroup = PredicatePage(name: "access_group")

  private init(name: String) { code = name }

  /// The check that an answer names; nil when there is none of that name.
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
