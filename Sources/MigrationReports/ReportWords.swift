// SPDX-License-Identifier: MIT
import ADALMigration

/// The sentences that several formats have in common.
struct ReportWords {
  let report: Report

  /// Who stays signed in: the answer to the only question that a person has.
  var headline: String {
    guard report.findings.contains(where: { $0.reason == .policyMatchesNothing }) else {
      return people
    }
    let missing = "A client or an access group that was asked for is not there."
    let hasPeople = report.summary.accountsSignedIn + report.summary.accountsToSignIn > 0
    return hasPeople ? "\(missing) \(people)" : missing
  }

  private var people: String {
    let summary = report.summary
    let (stay, leave) = (summary.accountsSignedIn, summary.accountsToSignIn)
    switch (stay, leave) {
    case (0, 0):
      return summary.rows == 0
        ? "Nothing to migrate\(source): there is no token."
        : "Nobody is signed in, before or after."
    case (0, 1): return "The only account \(mustSignIn(1))."
    case (0, _): return "All \(leave) accounts \(mustSignIn(leave))."
    case (1, 0): return "The account stays signed in\(byUserName)\(ifStillGood)."
    case (_, 0): return "All \(stay) accounts stay signed in\(byUserName)\(ifStillGood)."
    default:
      let stays = stay == 1 ? "1 account stays" : "\(stay) accounts stay"
      return "\(stays) signed in\(byUserName)\(ifStillGood), \(leave) \(mustSignIn(leave))."
    }
  }

  /// On what the sign-ins rest that nobody has tried for long.
  private var ifStillGood: String {
    let stale = report.entries.lazy.filter { $0.reasons.contains(.rtPossiblyStale) }
    let number = Set(stale.compactMap(\.account)).count {
      report.accounts.indices.contains($0) && report.accounts[$0].signedIn != .no
    }
    let all = report.summary.accountsSignedIn
    switch (number, all) {
    case (0, _): return ""
    case (1, 1): return " if its refresh token is still good"
    case (all, _): return " if their refresh tokens are still good"
    case (1, _): return ", 1 of them if its refresh token is still good"
    default: return ", \(number) of them if their refresh tokens are still good"
    }
  }

  /// Without an error, nobody loses a sign-in: they had none with ADAL either.
  private func mustSignIn(_ number: Int) -> String {
    let isLoss = report.findings.contains {
      $0.severity == .error && $0.reason != .policyMatchesNothing
    }
    if isLoss { return "must sign in again" }
    return "must sign in, as \(number == 1 ? "it" : "they") would with ADAL"
  }

  private var byUserName: String {
    let number = report.accounts.count(where: { $0.signedIn == .byUserName })
    if number == 0 { return "" }
    return number == report.summary.accountsSignedIn
      ? " (by user name only)" : " (\(number) of them by user name only)"
  }

  /// How many rows there were and what became of them.
  var counts: String {
    let summary = report.summary
    var parts = [
      part(summary.converted, "converted"), part(summary.alreadyThere, "already there"),
      part(summary.notConverted, "not converted"),
    ].compactMap { $0 }
    if summary.rows == 0 { parts = [] }
    let sentence =
      (parts.isEmpty ? population + "." : "\(population): \(parts.joined(separator: ", ")).")
      + libraries
    return foreign.map { "\(sentence) \($0)" } ?? sentence
  }

  /// How many rows of how many accounts there are, and where.
  var population: String {
    let summary = report.summary
    let people = summary.accounts == 0 ? "" : " of \(count(summary.accounts, "account"))"
    return "\(count(summary.rows, rowNoun))\(people)\(source)"
  }

  /// What an inspection looked at.
  var inspected: String {
    switch report.leftOut {
    case 0: "\(population).\(libraries)"
    case 1: "\(population). 1 of another client is left out."
    case let number: "\(population). \(number) of other clients are left out."
    }
  }

  /// Which libraries kept the rows, where it was another ADAL than that for iOS and macOS.
  private var libraries: String {
    let kept = report.entries.compactMap(\.library)
    guard !kept.isEmpty else { return "" }
    let names = Set(kept).map(\.name).sorted().joined(separator: " and ")
    return kept.count == report.entries.count
      ? " \(names) kept \(kept.count == 1 ? "it" : "them")."
      : " \(names) kept \(kept.count) of them."
  }

  /// How many items are no business of a migration.
  var foreign: String? {
    switch report.summary.foreign {
    case 0: nil
    case 1: "1 other item was left alone."
    case let number: "\(number) other items were left alone."
    }
  }

  /// What was or would be written.
  var written: String {
    let number = report.summary.written
    let entries = number == 1 ? "1 entry" : "\(number) entries"
    switch (report.kind, number) {
    case (.inspection, _): return "Nothing was written."
    case (.dryRun, 0): return "Nothing was written (dry run), and there is nothing to write."
    case (.dryRun, _): return "Nothing was written (dry run); \(entries) would be added."
    case (.applied, 0): return "Nothing had to be written."
    case (.applied, 1): return "1 entry was added; nothing else changed."
    case (.applied, _): return "\(entries) were added; nothing else changed."
    }
  }

  /// What rows are called: tokens, unless entries in MSAL's form are among them.
  var rowNoun: String {
    let other: Set<Report.RowKind> = [.unifiedAccount, .unifiedAppMetadata]
    return report.entries.contains { other.contains($0.kind) } ? "entry" : "token"
  }

  /// A number and what is counted: `1 token`, `2 entries`.
  func count(_ number: Int, _ noun: String) -> String {
    if number == 1 { return "1 \(noun)" }
    return noun == "entry" ? "\(number) entries" : "\(number) \(noun)s"
  }

  /// The findings, the worst first, as they are otherwise ordered. Of an inspection there are none:
  /// nothing was decided.
  var findings: [Report.Finding] {
    report.kind == .inspection
      ? []
      : [Report.Severity.error, .warning, .note].flatMap { severity in
        report.findings.filter { $0.severity == severity }
      }
  }

  /// ` in cache.plist`, ` in 3 files` or nothing, as far as the rows tell.
  private var source: String {
    let files = Set(report.entries.compactMap(\.place.file))
    guard let file = files.first else { return "" }
    return files.count == 1 ? " in \(PlainText.show(file))" : " in \(files.count) files"
  }

  private func part(_ number: Int, _ words: String) -> String? {
    number == 0 ? nil : "\(number) \(words)"
  }
}

extension Report.Finding {
  /// What to do, as a sentence, harmless.
  var toDo: String {
    let remedy = PlainText.show(remedy)
    return remedy.hasPrefix("nothing to do") ? remedy.asSentence : "To do: \(remedy)."
  }

  /// The message in one piece, harmless, with each name isolated if it needs to be.
  var shownMessage: String {
    message.map { fragment in
      switch fragment {
      case .text(let words): PlainText.show(words)
      case .user(let name): PlainText.show(name)
      }
    }.joined()
  }
}

extension Report.Account {
  /// The name under which reports list the account.
  var shownName: String {
    if let userID, !userID.isEmpty { return PlainText.show(userID) }
    if let homeAccountID { return PlainText.show(homeAccountID) }
    return "(no name)"
  }
}

extension Report.SignedIn {
  /// The answer in a table.
  var shown: String {
    switch self {
    case .yes: "yes"
    case .byUserName: "by name"
    case .no: "no"
    }
  }
}
