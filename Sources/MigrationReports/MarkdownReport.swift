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
  private var words: ReportWords { ReportWords(report: report) }

  /// The bytes for the accounts, and for everything.
  private static let accountsBudget = 20_000
  private static let budget = 60_000

  init(report: Report) {
    self.report = report
  }

  var text: String {
    let isInspection = report.kind == .inspection
    var blocks = ["### \(Self.escape(isInspection ? words.inspected : words.headline))"]
    if !isInspection && report.summary.rows > 0 { blocks.append(Self.escape(words.counts)) }
    if !report.accounts.isEmpty { blocks.append(accounts) }
    if !isInspection && !report.findings.isEmpty { blocks.append(findings) }
    blocks.append(Self.escape(words.written))
    if !report.entries.isEmpty {
      let used = blocks.reduce(0) { $0 + $1.utf8.count }
      blocks.append(
        "<details><summary>\(words.count(report.summary.rows, words.rowNoun))</summary>")
      blocks.append(entries(budget: max(0, Self.budget - used)))
      blocks.append("</details>")
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var accounts: String {
    let tallies = report.tallies
    if report.kind == .inspection {
      return Self.table(
        ["account", "home account", "certainty", words.rowNoun == "token" ? "tokens" : "entries"],
        numericFrom: 3,
        report.accounts.indices.map { index in
          let account = report.accounts[index]
          return [
            Self.code(shown: account.shownName), Self.code(account.homeAccountID),
            account.confidence.rawValue, String(tallies[index]?.all ?? 0),
          ]
        }, budget: Self.accountsBudget, more: "accounts")
    }
    let order: [Report.SignedIn] = [.no, .byUserName, .yes]
    let sorted = order.flatMap { answer in
      report.accounts.indices.filter { report.accounts[$0].signedIn == answer }
    }
    return Self.table(
      ["account", "signed in", "converted", "already there", "not converted"], numericFrom: 2,
      sorted.map { index in
        let account = report.accounts[index]
        let tally = tallies[index] ?? Tally()
        return [
          Self.code(shown: account.shownName),
          account.signedIn == .no ? "**no**" : account.signedIn.shown,
          String(tally.converted), String(tally.alreadyThere), String(tally.notConverted),
        ]
      }, budget: Self.accountsBudget, more: "accounts")
  }

  private var findings: String {
    Self.table(
      [
        "", "reason", words.rowNoun == "token" ? "tokens" : "entries", "what happened",
        "what to do",
      ],
      numericFrom: nil,
      words.findings.map { finding in
        [
          finding.severity == .error ? "**error**" : finding.severity.rawValue,
          "`\(finding.reason.code)`", finding.rows.isEmpty ? "" : String(finding.rows.count),
          Self.escape(finding.shownMessage), Self.escape(PlainText.show(finding.remedy)),
        ]
      }, budget: .max, more: "findings")
  }

  private func entries(budget: Int) -> String {
    let isInspection = report.kind == .inspection
    return Self.table(
      ["row", "kind", "account", "client", "scope or authority"] + (isInspection ? [] : ["outcome"])
        + ["reasons"],
      numericFrom: nil,
      report.entries.map { entry in
        [
          String(entry.row), entry.kind.rawValue, Self.code(entry.userID),
          Self.code(entry.clientID), Self.code(entry.scope ?? entry.authority),
        ] + (isInspection ? [] : [entry.outcome.rawValue])
          + [entry.reasons.map { "`\($0.code)`" }.joined(separator: " ")]
      }, budget: budget, more: "rows; the JSON report has them all")
  }

  /// A table of cells that are Markdown, with as many rows as the budget in bytes allows.
  private static func table(
    _ headings: [String], numericFrom: Int?, _ rows: [[String]], budget: Int, more: String
  ) -> String {
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    let rule = headings.indices.map { column in
      if let numericFrom, column >= numericFrom { "---:" } else { "---" }
    }
    var lines = [line(headings), line(rule)]
    var left = budget
    for (index, row) in rows.enumerated() {
      let text = line(row)
      left -= text.utf8.count + 1
      if left < 0 {
        lines += ["", "… and \(rows.count - index) more \(more)."]
        break
      }
      lines.append(text)
    }
    return lines.joined(separator: "\n")
  }

  /// Text of a cache as code, in which neither mentions nor links work.
  private static func code(_ text: String?) -> String {
    code(shown: text.map(PlainText.show) ?? "")
  }

  /// The same for text that has been made harmless already.
  private static func code(shown text: String) -> String {
    text.isEmpty ? "" : "<code>\(escape(text))</code>"
  }

  /// Text as it stands, with character references for everything that Markdown, HTML or GitHub's
  /// links could act on; a full stop inside a word is one of them (`www.example.com`).
  static func escape(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let isEnd = index + 1 == scalars.count || scalars[index + 1] == " "
      let isPlain =
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", ",", ";", "?", "/", "'", "%", "-", "(", ")":
          true
        case ".": isEnd
        default: !scalar.isASCII && scalar.value != 0x2068 && scalar.value != 0x2069
        }
      if isPlain {
        result.append(scalar)
      } else {
        result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      }
    }
    return String(result)
  }
}
