// SPDX-License-Identifier: MIT
import ADALMigration

extension MaskedReport {
  /// The report as GitHub's Markdown: headline, accounts, findings, and every row folded away.
  ///
  /// A comment on a pull request takes 65,536 characters, so tables end before that.
  func markdown() -> String {
    MarkdownReport(report: content).text
  }
}

private struct MarkdownReport {
  let report: Report
  let words: ReportWords
  private var isInspection: Bool { report.kind == .inspection }

  /// The bytes for the accounts, for the files, and for everything.
  private static let accountsBudget = 20_000
  private static let filesBudget = 20_000
  private static let budget = 60_000
  private static let mostNames = 5

  init(report: Report) {
    self.report = report
    words = ReportWords(report: report)
  }

  var text: String {
    var blocks = ["### \(MarkdownWords.escape(isInspection ? words.inspected : words.headline))"]
    if !isInspection && report.summary.rows > 0 {
      blocks.append(MarkdownWords.escape(words.counts))
    }
    if !report.accounts.isEmpty { blocks.append(accounts) }
    if !report.caches.isEmpty { blocks.append(files) }
    if !isInspection && !report.findings.isEmpty { blocks.append(findings) }
    blocks.append(MarkdownWords.escape(words.written))
    if !report.entries.isEmpty {
      let used = blocks.reduce(0) { $0 + $1.utf8.count }
      blocks.append(
        MarkdownWords.folded(
          report.summary.rows.counted(words.rowNoun),
          entries(budget: max(0, Self.budget - used))))
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var accounts: String {
    let tallies = report.tallies
    let rows = report.accountsWorstFirst.lazy.map { index in
      let account = report.accounts[index]
      let tally = tallies[index] ?? Tally()
      let name = MarkdownWords.code(shown: account.shownName)
      return isInspection
        ? [
          name, MarkdownWords.code(account.homeAccountID), account.confidence.rawValue,
          String(tally.all),
        ]
        : [
          name, account.signedIn == .no ? "**no**" : account.signedIn.shown,
          String(tally.converted), String(tally.alreadyThere), String(tally.notConverted),
        ]
    }
    return MarkdownWords.table(
      isInspection
        ? ["account", "home account", "certainty", words.rowNouns]
        : ["account", "signed in", "converted", "already there", "not converted"],
      numericFrom: isInspection ? 3 : 2, rows, budget: Self.accountsBudget, more: "accounts")
  }

  private var files: String {
    func names(_ cache: Report.Cache, _ isMeant: (Report.SignedIn) -> Bool) -> String {
      report.names(of: cache, atMost: Self.mostNames, where: isMeant) {
        MarkdownWords.code(shown: $0.shownName)
      } ?? ""
    }
    return MarkdownWords.table(
      ["file", "exit status", words.rowNouns]
        + (isInspection ? ["accounts"] : ["signed in", "must sign in"]),
      report.caches.lazy.map { cache in
        let start = [
          MarkdownWords.code(cache.file), cache.status == 0 ? "0" : "**\(cache.status)**",
          String(cache.rows),
        ]
        if let objection = cache.objection {
          return start + [MarkdownWords.escape(PlainText.show(objection))]
            + (isInspection ? [] : [""])
        }
        return start
          + (isInspection
            ? [names(cache) { _ in true }]
            : [names(cache) { $0 != .no }, names(cache) { $0 == .no }])
      }, budget: Self.filesBudget, more: "files; the JSON report has them all")
  }

  private var findings: String {
    MarkdownWords.table(
      ["", "what happened", "who", words.rowNouns, "what to do", "reason"],
      words.findings.map { finding in
        [
          finding.severity == .error ? "**error**" : finding.severity.rawValue,
          MarkdownWords.escape(finding.shownStart),
          words.who(finding, atMost: Self.mostNames) { MarkdownWords.code(shown: $0.shownName) }
            ?? "",
          finding.rows.isEmpty ? "" : String(finding.rows.count),
          MarkdownWords.escape(PlainText.show(finding.remedy)), "`\(finding.reason.code)`",
        ]
      }, budget: .max, more: "findings")
  }

  private func entries(budget: Int) -> String {
    MarkdownWords.table(
      ["row", "kind", "account", "client", "scope or authority"] + (isInspection ? [] : ["outcome"])
        + ["reasons"],
      report.entries.lazy.map { entry in
        [
          String(entry.row), entry.kind.rawValue, MarkdownWords.code(entry.userID),
          MarkdownWords.code(entry.clientID), MarkdownWords.code(entry.scope ?? entry.authority),
        ] + (isInspection ? [] : [entry.outcome.rawValue])
          + [entry.reasons.map { "`\($0.code)`" }.joined(separator: " ")]
      }, budget: budget, more: "rows; the JSON report has them all")
  }
}
