// SPDX-License-Identifier: MIT
import ADALMigration

extension MaskedReport {
  /// The report as JUnit XML: a suite for each account, a case for each row.
  ///
  /// A row of an error finding has failed; one that stays as it is without an effect on users was
  /// skipped.
  func junit() -> String {
    JUnitReport(report: content).text
  }
}

private struct JUnitReport {
  let report: Report

  var text: String {
    var worst: [Int: Report.Finding] = [:]
    for finding in ReportWords(report: report).findings.reversed() {
      for row in finding.rows { worst[row] = finding }
    }
    let byAccount = Dictionary(grouping: report.entries, by: \.account)
    var suites = JUnitSuites(name: "adal2msal")
    for (index, account) in report.accounts.enumerated() {
      let entries = byAccount[index] ?? []
      suites.add(account.shownName, entries.map { testCase($0, worst[$0.row]) })
    }
    if let entries = byAccount[nil] {
      suites.add("(no account)", entries.map { testCase($0, worst[$0.row]) })
    }
    let unread = report.caches.compactMap { cache in
      cache.objection.map { objection in
        JUnitSuites.Case(
          PlainText.show(cache.file), .error, code: "exit status \(cache.status)",
          message: PlainText.show(objection),
          remedy: "To do: export the cache again, or take the file out of the folder.")
      }
    }
    if report.kind != .inspection, !unread.isEmpty { suites.add("(the files)", unread) }
    let general = report.findings.filter(\.rows.isEmpty)
    if report.kind != .inspection, !general.isEmpty {
      suites.add("(the run)", general.map { testCase($0.reason.code, $0) })
    }
    return suites.text
  }

  private func testCase(_ entry: Report.Entry, _ finding: Report.Finding?) -> JUnitSuites.Case {
    let subject = (entry.resource ?? entry.authority).map { " " + PlainText.show($0) } ?? ""
    let name = "row \(entry.row): \(entry.kind.rawValue)\(subject)"
    let codes = entry.reasons.map(\.code).joined(separator: ", ")
    if report.kind == .inspection { return .passed(name, printing: codes) }
    guard let finding, finding.severity > .note || entry.outcome == .notConverted else {
      return entry.outcome == .notConverted
        ? .skipped(name, codes) : .passed(name, printing: codes)
    }
    return testCase(name, finding)
  }

  private func testCase(_ name: String, _ finding: Report.Finding) -> JUnitSuites.Case {
    JUnitSuites.Case(
      name, finding.severity, code: finding.reason.code, message: finding.shownMessage,
      remedy: finding.toDo)
  }
}
