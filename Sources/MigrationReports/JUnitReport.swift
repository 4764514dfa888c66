// SPDX-License-Identifier: MIT
import ADALMigration

extension MaskedReport {
  /// The report as JUnit XML: a suite for each account, a case for each row.
  ///
  /// A row of an error finding has failed; one that stays as it is without an effect on users was
  /// skipped.
  func junit() -> String {
    let report = content
    var worst: [Int: Report.Finding] = [:]
    for finding in ReportWords(report: report).findings.reversed() {
      for row in finding.rows { worst[row] = finding }
    }
    let byAccount = Dictionary(grouping: report.entries, by: \.account)
    var suites = JUnitSuites(name: "adal2msal")
    func add(_ name: String, _ entries: [Report.Entry]) {
      suites.add(name, entries.map { testCase($0, worst[$0.row]) })
    }
    for (index, account) in report.accounts.enumerated() {
      add(account.shownName, byAccount[index] ?? [])
    }
    if let entries = byAccount[nil] { add("(no account)", entries) }
    guard report.kind != .inspection else { return suites.text }
    let unread = report.unread.map { file, status, objection in
      JUnitSuites.Case(
        PlainText.show(file), .error, code: "exit status \(status)", message: objection,
        remedy: "To do: export the cache again, or take the file out of the folder.")
    }
    if !unread.isEmpty { suites.add("(the files)", unread) }
    let general = report.findings.filter(\.rows.isEmpty)
    if !general.isEmpty {
      suites.add("(the run)", general.map { testCase($0.reason.code, $0) })
    }
    return suites.text
  }

  private func testCase(_ entry: Report.Entry, _ finding: Report.Finding?) -> JUnitSuites.Case {
    let subject = (entry.resource ?? entry.authority).map { " " + PlainText.show($0) } ?? ""
    let name = "row \(entry.row): \(entry.kind.rawValue)\(subject)"
    let codes = entry.reasons.map(\.code).joined(separator: ", ")
    let isLeft = content.kind != .inspection && entry.outcome == .notConverted
    if content.kind != .inspection, let finding, finding.severity > .note || isLeft {
      return testCase(name, finding)
    }
    return isLeft ? .skipped(name, codes) : .passed(name, printing: codes)
  }

  private func testCase(_ name: String, _ finding: Report.Finding) -> JUnitSuites.Case {
    JUnitSuites.Case(
      name, finding.severity, code: finding.reason.code, message: finding.shownMessage,
      remedy: finding.toDo)
  }
}
