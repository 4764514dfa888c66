// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ADALMigration
@testable import MigrationReports

/// How the report for a person is laid out.
@Suite struct ReportTextTests {
  @Test(
    "columns of a terminal",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("山田", 4), ("ｆｕｌｌ", 8), ("אורי", 4),
      ("👩‍👩‍👧‍👦", 2), ("🇫🇷", 2), ("\u{2068}אב\u{2069}", 2), ("한글", 4), ("…", 1), ("→", 1),
    ])
  func columns(text: String, columns: Int) {
    #expect(DisplayWidth.columns(text) == columns)
  }

  @Test("no line is wider than the terminal", arguments: [60, 72, 80, 100, 132, 200])
  func width(width: Int) {
    for sample in ReportSample.allCases where sample != .hostile && sample != .names {
      let text = ReportFormat.text.render(sample.printed, style: TextStyle(width: width))
      for line in text.split(separator: "\n") {
        // A word that is longer than the line stands alone in it.
        let words = line.split(separator: " ")
        #expect(DisplayWidth.columns(line) <= width || words.count <= 2, "\(sample): \(line)")
      }
    }
  }

  @Test("lines are never padded at their ends")
  func trailingSpaces() {
    for sample in ReportSample.allCases {
      for width in [nil, 60, 80, 200] {
        let text = ReportFormat.text.render(sample.printed, style: TextStyle(width: width))
        #expect(!text.contains(" \n"), "\(sample), \(width ?? 0)")
      }
    }
  }

  @Test("colours are there when asked for, and change no word")
  func color() {
    for sample in ReportSample.allCases {
      for width in [nil, 60, 80] {
        let plain = ReportFormat.text.render(sample.printed, style: TextStyle(width: width))
        let colored = ReportFormat.text.render(
          sample.printed, style: TextStyle(width: width, color: true))
        #expect(!plain.contains("\u{1B}"))
        #expect(colored.contains("\u{1B}[1m"))
        #expect(colored.replacing(/\x1B\[[0-9;]*m/, with: "") == plain)
      }
    }
  }

  @Test("the first line says how many accounts stay signed in")
  func headlines() {
    func headline(_ answers: [Report.SignedIn], _ severity: Report.Severity = .error) -> String {
      let report = Report(
        kind: .dryRun, accounts: answers.map { .sample("a@b", nil, signedIn: $0) },
        entries: [.sample(0, .accessToken, nil, .notConverted, [.rtMissing])],
        findings: [
          Report.Finding(
            reason: .rtMissing, severity: severity, rows: [0], fragments: ["x"], remedy: "y")
        ])
      return ReportWords(report: report).headline
    }
    #expect(headline([]) == "The cache has tokens, but none of them is a usable sign-in.")
    #expect(headline([.yes]) == "The account stays signed in.")
    #expect(headline([.byUserName]) == "The account stays signed in (by user name only).")
    #expect(headline([.yes, .yes]) == "Both accounts stay signed in.")
    #expect(
      headline([.yes, .byUserName])
        == "Both accounts stay signed in (1 of them by user name only).")
    #expect(headline([.no]) == "The only account must sign in again.")
    #expect(headline([.no, .no]) == "Both accounts must sign in again.")
    #expect(headline([.no, .yes]) == "1 account stays signed in, 1 must sign in again.")
    #expect(headline([.yes, .no, .yes]) == "2 accounts stay signed in, 1 must sign in again.")
    #expect(
      headline([.no], .note)
        == "The only account must sign in (ADAL could not have signed it in silently either).")
    #expect(
      headline([.no, .yes, .no], .warning)
        == "1 account stays signed in, 2 must sign in (ADAL could not have signed them in silently either)."
    )
  }

  @Test("the first line does not say of a sign-out with MSAL that ADAL could not have signed in")
  func headlinesOfSignOuts() {
    func headline(_ reasons: [Reason]..., losing lost: Int? = nil) -> String {
      let accounts = reasons.map { reasons in
        var account = Report.Account.sample("a@b", nil, signedIn: .no)
        account.reasons = reasons
        return account
      }
      return ReportWords(
        report: Report(
          kind: .dryRun, accounts: accounts,
          entries: [.sample(0, .multiResourceRefreshToken, lost, .notConverted, [.rtSessionKey])],
          findings: lost.map { _ in
            [Report.Finding(.rtSessionKey, severity: .error, rows: [0])]
          } ?? [])
      ).headline
    }
    #expect(
      headline([.accountSignedOut])
        == "The only account must sign in (its user signed out with MSAL).")
    #expect(
      headline([.accountSignedOut], [.accountSignedOut])
        == "Both accounts must sign in (their users signed out with MSAL).")
    #expect(
      headline([.accountSignedOut], [.rtTombstone])
        == "Both accounts must sign in (their users signed out with MSAL, or ADAL could not have "
        + "signed them in silently either).")
    // An account that also loses a sign-in is told of as lost.
    #expect(
      headline([.rtSessionKey, .accountSignedOut], [.rtTombstone], losing: 0)
        == "1 account must sign in again, 1 must sign in (ADAL could not have signed it in "
        + "silently either).")
  }

  /// "All stay signed in" above "expect that the service may ask them" were two answers.
  @Test("the first line says that sign-ins depend on tokens that are old")
  func headlinesOfStaleTokens() {
    func report(_ answers: [Report.SignedIn], stale: Set<Int>) -> Report {
      Report(
        kind: .dryRun, accounts: answers.map { .sample("a@b", nil, signedIn: $0) },
        entries: answers.indices.flatMap { index in
          [0, 1].map { copy in
            .sample(
              2 * index + copy, .multiResourceRefreshToken, index, .converted,
              stale.contains(index) ? [.okMRRT, .rtPossiblyStale] : [.okMRRT])
          }
        }, findings: [])
    }
    func headline(_ answers: [Report.SignedIn], stale: Set<Int>) -> String {
      ReportWords(report: report(answers, stale: stale)).headline
    }
    #expect(
      headline([.yes], stale: [0])
        == "The account stays signed in if its refresh token is still good.")
    #expect(
      headline([.yes, .yes], stale: [0, 1])
        == "Both accounts stay signed in if their refresh tokens are still good.")
    #expect(
      headline([.yes, .yes, .yes, .yes], stale: [1, 3])
        == "All 4 accounts stay signed in, 2 of them if their refresh tokens are still good.")
    #expect(
      headline([.yes, .byUserName], stale: [0])
        == "Both accounts stay signed in (1 of them by user name only), "
        + "1 of them if its refresh token is still good.")
    #expect(
      headline([.yes, .no, .yes], stale: [0, 1])
        == "2 accounts stay signed in, 1 of them if its refresh token is still good, "
        + "1 must sign in (ADAL could not have signed it in silently either).")
    // Whoever must sign in anyway does not wait for a refresh token.
    #expect(
      headline([.no, .no], stale: [0, 1])
        == "Both accounts must sign in (ADAL could not have signed them in silently either).")
    let masked = report([.yes, .yes], stale: [0, 1]).masked()
    for format in [ReportFormat.text, .markdown, .github, .azure] {
      #expect(
        format.render(masked).contains(
          "Both accounts stay signed in if their refresh tokens are still good."), "\(format)")
    }
  }

  @Test(
    "a name is cut in the middle",
    arguments: [
      (38, "auth.placeholder-9f86d081__contoso.com"),
      (37, "auth.placeholder-9f86d08…_contoso.com"), (20, "auth.placehol…so.com"), (5, "aut…m"),
    ])
  func cut(width: Int, cut: String) {
    #expect(TextTable.cut("auth.placeholder-9f86d081__contoso.com", to: width).count <= width)
    #expect(TextTable.cut("auth.placeholder-9f86d081__contoso.com", to: width) == cut)
  }

  @Test func cutKeepsIsolates() {
    #expect(TextTable.cut("\u{2068}אבגדה\u{2069}", to: 3) == "\u{2068}אב…\u{2069}")
    #expect(TextTable.cut("山田太郎", to: 5) == "山…")
    #expect(TextTable.cut("short", to: 5) == "short")
  }

  @Test(
    arguments: [
      (".txt", ReportFormat.text), ("a.json", .json), ("a.b/c.MD", .markdown), ("a.sarif", .sarif),
      ("a.json.xml", .junit), ("a.html", .html),
    ])
  func extensions(path: String, format: ReportFormat) {
    #expect(ReportFormat(path: path) == format)
  }

  @Test(arguments: ["", ".", "json", "a.", "a.htm", "a.yml", "a.text", "a.markdown", "a.json/b"])
  func unknownExtensions(path: String) {
    #expect(ReportFormat(path: path) == nil)
  }

  @Test(
    "findings of an inspection mean nothing and are not printed", arguments: ReportFormat.allCases)
  func inspectionHasNoFindings(format: ReportFormat) {
    var report = ReportSample.inspection.report
    let without = format.render(report.masked())
    report.findings = ReportSample.mixed.report.findings
    #expect(format.render(report.masked()) == without)
  }

  @Test func worstSeverity() {
    #expect(ReportSample.mixed.report.worstSeverity == .error)
    #expect(ReportSample.again.report.worstSeverity == .note)
    #expect(ReportSample.everybody.report.worstSeverity == nil)
    #expect(Report.Severity.note < .warning && .warning < Report.Severity.error)
    #expect(Report.Confidence.none < .usernameOnly && Report.Confidence.homeAuthority < .exact)
  }

  @Test("a terminal shows each account that must sign in and some of the others; a file shows all")
  func longTable() {
    let answers: [Report.SignedIn] = (0..<60).map { $0 % 2 == 0 ? .yes : .no }
    let report = Report(
      kind: .dryRun, accounts: answers.map { .sample("a@contoso.com", nil, signedIn: $0) },
      entries: [.sample(0, .accessToken, nil, .notConverted, [.rtMissing])], findings: [])
    func names(_ width: Int?) -> Int {
      let text = ReportFormat.text.render(report.masked(), style: TextStyle(width: width))
      return text.components(separatedBy: "auth.placeholder-").count - 1
    }
    #expect(names(nil) == 60)
    #expect(names(80) == 50)
    #expect(names(50) == 50)
    let text = ReportFormat.text.render(report.masked(), style: TextStyle(width: 80))
    #expect(text.contains("\n  … and 10 more, all signed in\n"))
  }

  @Test("Markdown stays below the limit of a comment, with any number of rows")
  func markdownCap() {
    let accounts = (0..<2000).map { Report.Account.sample("user\($0)@contoso.com", nil) }
    let report = Report(
      kind: .dryRun, accounts: accounts,
      entries: (0..<2000).map { .sample($0, .accessToken, $0, .notConverted, [.atExpired]) },
      findings: [])
    let text = ReportFormat.markdown.render(report.masked())
    #expect(text.utf8.count < 65_000)
    #expect(text.contains("more accounts.") && text.contains("more rows; the JSON report has"))
    #expect(text.hasSuffix("</details>\n"))
  }

  @Test("SARIF names at most 1000 places for a finding")
  func sarifCap() {
    let report = Report(
      kind: .dryRun, accounts: [],
      entries: (0..<1500).map { .sample($0, .accessToken, nil, .notConverted, [.atExpired]) },
      findings: [
        Report.Finding(
          reason: .atExpired, severity: .note, rows: Array(0..<1500), fragments: ["x"], remedy: "y")
      ])
    let text = ReportFormat.sarif.render(report.masked())
    #expect(text.components(separatedBy: "artifactLocation").count - 1 == 1000)
  }
}
