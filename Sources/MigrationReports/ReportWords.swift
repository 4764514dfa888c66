// SPDX-License-Identifier: MIT
import ADALMigration

/// The sentences that several formats have in common.
struct ReportWords {
  let report: Report
  /// The noun for rows: tokens, unless some are entries in MSAL's form.
  let rowNoun: String
  var rowNouns: String { rowNoun == "token" ? "tokens" : "entries" }

  init(report: Report) {
    self.report = report
    let entries = report.entries
    let hasOther = entries.indices.contains {
      entries[$0].kind == .unifiedAccount || entries[$0].kind == .unifiedAppMetadata
    }
    rowNoun = hasOther ? "entry" : "token"
  }

  /// The sentence about the accounts that stay signed in, the first question of every reader.
  var headline: String {
    let unread = report.unread.count
    guard unread > 0, report.kind != .inspection else { return ofReadFiles }
    let whose = unread == 1 ? "its" : "their"
    return
      "\(unread.counted("file")) cannot be read, and \(whose) users are unknown. \(ofReadFiles)"
  }

  /// The same of the files that can be read.
  private var ofReadFiles: String {
    guard report.findings.contains(where: { $0.reason == .policyMatchesNothing }) else {
      return answer
    }
    let missing = "A selected client or access group is not in the cache."
    let hasAccounts = report.summary.accountsSignedIn + report.summary.accountsToSignIn > 0
    return hasAccounts ? "\(missing) \(answer)" : missing
  }

  private var answer: String {
    let summary = report.summary
    let (stay, leave) = (summary.accountsSignedIn, summary.accountsToSignIn)
    let anyway = summary.accountsSignedOut
    let others = report.unread.isEmpty ? "" : " of the other files"
    if let unknownUsers {
      return known(stay, leave - 1, anyway).map { "\($0), and \(unknownUsers)." }
        ?? unknownUsers.asSentence
    }
    switch (stay, leave) {
    case (0, 0):
      return summary.rows == 0
        ? "Nothing to migrate\(source): there are no tokens."
        : "The cache has tokens, but none of them is a usable sign-in."
    case (0, 1): return "The only account\(others) \(mustSignIn(1, anyway: anyway == 1))."
    case (0, _) where anyway == 0 || anyway == leave:
      return "\(Self.all(leave))\(others) \(mustSignIn(leave, anyway: anyway > 0))."
    case (0, _):
      return "\((leave - anyway).counted("account")) \(leaving(leave, anyway))."
    case (1, 0): return "The account\(others) stays signed in\(byUserName)\(ifStillGood)."
    case (_, 0): return "\(Self.all(stay))\(others) stay signed in\(byUserName)\(ifStillGood)."
    default:
      let lost = anyway == leave ? "" : "\(leave - anyway) "
      return "\(staying(stay)), \(lost)\(leaving(leave, anyway))."
    }
  }

  /// The result for the users of unreadable rows that name no user (D42); nil without such rows.
  private var unknownUsers: String? {
    guard
      let unknown = report.accounts.firstIndex(where: { $0.isUnknownUsers && $0.signedIn == .no })
    else { return nil }
    let rows = report.entries.count { $0.account == unknown }
    return "unknown users (\(rows.counted(rowNoun))) \(mustSignIn(2, anyway: false))"
  }

  /// The result for the other users; nil without other users.
  private func known(_ stay: Int, _ leave: Int, _ anyway: Int) -> String? {
    let lost = anyway == leave ? "" : "\((leave - anyway).counted("account")) "
    let parts = [
      stay == 0 ? nil : staying(stay), leave == 0 ? nil : lost + leaving(leave, anyway),
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func all(_ number: Int) -> String {
    number == 2 ? "Both accounts" : "All \(number) accounts"
  }

  private func staying(_ number: Int) -> String {
    let accounts = number == 1 ? "1 account stays" : "\(number) accounts stay"
    return "\(accounts) signed in\(byUserName)\(ifStillGood)"
  }

  /// The condition of sign-ins that were not used for long.
  private var ifStillGood: String {
    let entries = report.entries
    let stale = entries.indices.lazy.filter { entries[$0].reasons.contains(.rtPossiblyStale) }
    let number = Set(stale.compactMap { entries[$0].account }).count {
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

  /// Among accounts without a sign-in, those that lose one come before those that had none with ADAL either.
  private func leaving(_ number: Int, _ anyway: Int) -> String {
    let parts = [
      anyway == number ? nil : mustSignIn(number - anyway, anyway: false),
      anyway == 0 ? nil : "\(anyway) \(mustSignIn(anyway, anyway: true))",
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  private func mustSignIn(_ number: Int, anyway: Bool) -> String {
    anyway ? "must sign in (\(causeBefore(number)))" : "must sign in again"
  }

  /// The reason why so many sign-ins had ended before the migration.
  private func causeBefore(_ number: Int) -> String {
    let lost = Report.Summary.accountsThatLose(
      report.entries, report.accounts, report.findings)
    let signedOut = report.accounts.indices.count {
      let account = report.accounts[$0]
      return account.signedIn == .no && account.reasons.contains(.accountSignedOut)
        && !lost.contains($0)
    }
    let withADAL =
      "ADAL could not have signed \(number == 1 ? "it" : "them") in silently either"
    if signedOut == 0 { return withADAL }
    let withMSAL = "\(number == 1 ? "its user" : "their users") signed out with MSAL"
    return signedOut < number ? "\(withMSAL), or \(withADAL)" : withMSAL
  }

  private var byUserName: String {
    let number = report.accounts.count(where: { $0.signedIn == .byUserName })
    if number == 0 { return "" }
    return number == report.summary.accountsSignedIn
      ? " (by user name only)" : " (\(number) of them by user name only)"
  }

  var counts: String {
    let summary = report.summary
    let tally = Tally(
      converted: summary.converted, alreadyThere: summary.alreadyThere,
      notConverted: summary.notConverted)
    let outcomes = summary.rows == 0 || tally.all == 0 ? "" : ": \(tally.outcomes)"
    let sentence = "\(population)\(outcomes).\(libraries)"
    return foreign.map { "\(sentence) \($0)" } ?? sentence
  }

  var population: String {
    let summary = report.summary
    let ofAccounts = summary.accounts == 0 ? "" : " of \(summary.accounts.counted("account"))"
    return "\(summary.rows.counted(rowNoun))\(ofAccounts)\(source)"
  }

  var inspected: String {
    switch report.leftOut {
    case 0: "\(population).\(libraries)"
    case 1: "\(population). 1 of another client is not included."
    case let number: "\(population). \(number) of other clients are not included."
    }
  }

  /// The libraries that stored the rows, if they are not ADAL for iOS and macOS.
  private var libraries: String {
    let kept = report.entries.indices.compactMap { report.entries[$0].generation.library }
    guard !kept.isEmpty else { return "" }
    let names = Set(kept).map(\.name).sorted().joined(separator: " and ")
    return kept.count == report.entries.count
      ? " \(names) kept \(kept.count == 1 ? "it" : "them")."
      : " \(names) kept \(kept.count) of them."
  }

  var foreign: String? {
    switch report.summary.foreign {
    case 0: nil
    case 1: "1 item skipped (not a token)."
    case let number: "\(number) items skipped (not tokens)."
    }
  }

  var written: String {
    let number = report.summary.written
    let entries = number.counted("entry")
    switch (report.kind, number) {
    case (.inspection, _): return "Nothing was written."
    case (.dryRun, 0): return "Nothing was written (dry run\(asIf)), and there is nothing to write."
    case (.dryRun, _): return "Nothing was written (dry run\(asIf)); \(entries) would be added."
    case (.applied, 0): return "Nothing to add: the target already has all entries."
    case (.applied, 1): return "1 entry was added; nothing else changed."
    case (.applied, _): return "\(entries) were added; nothing else changed."
    }
  }

  private var asIf: String {
    guard let target = report.target else { return "" }
    return ", as if into \(target.place.map(PlainText.show) ?? "an empty items file")"
  }

  /// The users of a finding, `a, b and 3 more`, if its message names none; nil for a note, which asks nothing of them.
  func who(
    _ finding: Report.Finding, in rows: Set<Int>? = nil, atMost room: Int = Self.mostNames,
    _ shown: (Report.Account) -> String = \.shownName
  ) -> String? {
    let isNamed = finding.fragments.contains { if case .user = $0 { true } else { false } }
    guard finding.severity > .note, !isNamed else { return nil }
    let rows = rows ?? Set(finding.rows)
    let accounts = Set(report.entries.filter { rows.contains($0.row) }.compactMap(\.account))
    return report.accounts.indices.filter(accounts.contains)
      .listed(atMost: room) { shown(report.accounts[$0]) }
  }

  static let mostNames = 20

  /// The users of a finding in some rows, and the remedy, as sentences.
  func advice(_ finding: Report.Finding, in rows: [Int]) -> String {
    (who(finding, in: Set(rows)).map { "Who: \($0). " } ?? "") + finding.toDo
  }

  /// The findings, the worst first, otherwise in their order. An inspection has none, because it decides nothing.
  var findings: [Report.Finding] {
    report.kind == .inspection
      ? []
      : [Report.Severity.error, .warning, .note].flatMap { severity in
        report.findings.filter { $0.severity == severity }
      }
  }

  /// The command that tries a migration of the inspected cache, between backquotes.
  var trying: String {
    let files = Set(report.entries.map(\.place.file))
    guard files.count == 1, let file = files.first.flatMap({ $0 }), !file.contains("`") else {
      return "`adal2msal migrate -n`, of the same place"
    }
    return "`adal2msal migrate \(ShellWord.quoted(PlainText.show(file))) -n`"
  }

  /// ` in cache.plist`, ` in 3 files` or nothing, as far as the rows tell.
  private var source: String {
    let files = Set(report.entries.compactMap(\.place.file))
    guard let file = files.first else { return "" }
    return files.count == 1 ? " in \(PlainText.show(file))" : " in \(files.count) files"
  }
}

extension Report.Finding {
  var asksNothing: Bool { remedy.hasPrefix("nothing to do") }

  /// The remedy, as an escaped sentence.
  var toDo: String {
    let remedy = PlainText.show(remedy)
    return asksNothing ? remedy.asSentence : "To do: \(remedy)."
  }

  /// The message as the start of a sentence. A name that it begins with keeps its letters.
  var shownStart: String {
    if case .user? = fragments.first { return shownMessage }
    return shownMessage.capitalizedStart
  }

  /// The message in one piece, harmless, with each name isolated if it needs to be.
  var shownMessage: String {
    fragments.map { fragment in
      switch fragment {
      case .text(let words), .user(let words): PlainText.show(words)
      }
    }.joined()
  }
}

extension Int {
  /// A number with its noun: `1 token`, `2 entries`.
  package func counted(_ noun: String) -> String {
    if self == 1 { return "1 \(noun)" }
    return noun.hasSuffix("y") ? "\(self) \(noun.dropLast())ies" : "\(self) \(noun)s"
  }
}

extension String {
  package var capitalizedStart: String { prefix(1).uppercased() + dropFirst() }
  package var asSentence: String { capitalizedStart + "." }
}

/// The number of rows of an account or a file by result.
struct Tally: Equatable {
  var converted = 0
  var alreadyThere = 0
  var notConverted = 0

  var all: Int { converted + alreadyThere + notConverted }

  mutating func add(_ outcome: Report.Outcome) {
    switch outcome {
    case .converted: converted += 1
    case .alreadyThere: alreadyThere += 1
    case .notConverted: notConverted += 1
    }
  }

  /// `1 converted, 2 not converted`.
  var outcomes: String {
    [(converted, "converted"), (alreadyThere, "already there"), (notConverted, "not converted")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// `3 tokens: 1 converted, 2 not converted`.
  func sentence(_ words: ReportWords) -> String {
    "\(all.counted(words.rowNoun)): \(outcomes)"
  }
}

extension Report {
  /// The files of a folder that cannot be read as a cache, and why not, harmless.
  var unread: [(file: String, status: Int, objection: String)] {
    caches.compactMap { cache in
      cache.objection.map { (cache.file, cache.status, PlainText.show($0)) }
    }
  }

  /// The rows of each account, by its index; rows without an account under nil.
  var tallies: [Int?: Tally] {
    entries.indices.reduce(into: [:]) { tallies, index in
      tallies[entries[index].account, default: Tally()].add(entries[index].outcome)
    }
  }

  /// The accounts by index, those that must sign in again first; as they come where nothing was decided.
  var accountsWorstFirst: [Int] {
    kind == .inspection
      ? Array(accounts.indices)
      : SignedIn.worstFirst.flatMap { answer in
        accounts.indices.filter { accounts[$0].signedIn == answer }
      }
  }

  /// The accounts of a file with an answer, `a, b and 3 more`; nil if there are none.
  func names(
    of cache: Cache, atMost room: Int, where isMeant: (SignedIn) -> Bool,
    _ shown: (Account) -> String
  ) -> String? {
    cache.accounts.compactMap { accounts.indices.contains($0) ? accounts[$0] : nil }
      .filter { isMeant($0.signedIn) }.listed(atMost: room, shown)
  }
}

extension Collection {
  /// As many as fit, or one more instead of words for it; and the number of those left out.
  func cut(to room: Int) -> (shown: SubSequence, more: Int) {
    let shown = prefix(count <= room + 1 ? count : room)
    return (shown, count - shown.count)
  }

  /// `a, b and 3 more`; nil when there are none.
  func listed(atMost room: Int, _ text: (Element) -> String) -> String? {
    guard !isEmpty else { return nil }
    let (shown, more) = cut(to: room)
    return shown.map(text).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}

extension Report.Account {
  var shownName: String {
    if let userID, !userID.isEmpty { return PlainText.show(userID) }
    if let homeAccountID { return PlainText.show(homeAccountID) }
    return isUnknownUsers ? "unknown users" : "(no name)"
  }
}

extension Report.SignedIn {
  var shown: String {
    switch self {
    case .yes: "yes"
    case .byUserName: "by name"
    case .no: "no"
    }
  }
}
