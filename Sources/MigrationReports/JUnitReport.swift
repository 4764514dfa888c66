// SPDX-License-Identifier: MIT
import ADALMigration

extension MaskedReport {
  /// The report as JUnit XML: a suite for each account, a case for each row.
  ///
  /// A row of an error finding has failed; one that is left as it is without anybody noticing was
  /// skipped.
  func junit() -> String {
    JUnitReport(report: content).text
  }
}

private struct JUnitReport {
  let report: Report

  /// A row as a test case.
  private struct Case {
    enum Result {
      case passed, failed, skipped
    }
    var result: Result
    var lines: [String]
  }

  init(report: Report) {
    self.report = report
  }

  var text: String {
    var worst: [Int: Report.Finding] = [:]
    for finding in ReportWords(report: report).findings.reversed() {
      for row in finding.rows { worst[row] = finding }
    }
    let byAccount = Dictionary(grouping: report.entries, by: \.account)
    var suites: [(name: String, cases: [Case])] = []
    for (index, account) in report.accounts.enumerated() {
      let entries = byAccount[index] ?? []
      suites.append(
        (account.shownName, entries.map { testCase($0, account.shownName, worst[$0.row]) }))
    }
    if let entries = byAccount[nil] {
      suites.append(("(no account)", entries.map { testCase($0, "(no account)", worst[$0.row]) }))
    }
    let general = report.findings.filter(\.rows.isEmpty)
    if report.kind != .inspection, !general.isEmpty {
      suites.append(("(the run)", general.map(testCase)))
    }

    let all = suites.flatMap(\.cases)
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites name=\"adal2msal\" \(counts(all))>",
    ]
    for suite in suites {
      lines.append("  <testsuite name=\"\(Self.escape(suite.name))\" \(counts(suite.cases))>")
      lines += suite.cases.flatMap(\.lines).map { "    \($0)" }
      lines.append("  </testsuite>")
    }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n") + "\n"
  }

  private func counts(_ cases: [Case]) -> String {
    let failures = cases.filter { $0.result == .failed }.count
    let skipped = cases.filter { $0.result == .skipped }.count
    return
      "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\" time=\"0\""
  }

  private func testCase(_ entry: Report.Entry, _ suite: String, _ finding: Report.Finding?) -> Case
  {
    let subject = (entry.resource ?? entry.authority).map { " " + PlainText.show($0) } ?? ""
    let name = "row \(entry.row): \(entry.kind.rawValue)\(subject)"
    let codes = entry.reasons.map(\.code).joined(separator: ", ")
    if report.kind == .inspection {
      return testCase(name, suite, .passed, ["<system-out>\(codes)</system-out>"])
    }
    guard let finding, finding.severity > .note || entry.outcome == .notConverted else {
      guard entry.outcome == .notConverted else {
        return testCase(name, suite, .passed, ["<system-out>\(codes)</system-out>"])
      }
      return testCase(name, suite, .skipped, ["<skipped message=\"\(codes)\"/>"])
    }
    return testCase(name, suite, finding)
  }

  private func testCase(_ finding: Report.Finding) -> Case {
    testCase(finding.reason.code, "(the run)", finding)
  }

  private func testCase(_ name: String, _ suite: String, _ finding: Report.Finding) -> Case {
    let message = Self.escape("\(finding.reason.code): \(finding.shownMessage)")
    let remedy = Self.escape(finding.toDo)
    switch finding.severity {
    case .error:
      return testCase(
        name, suite, .failed,
        ["<failure type=\"\(finding.reason.code)\" message=\"\(message)\">\(remedy)</failure>"])
    case .warning:
      return testCase(
        name, suite, .passed, ["<system-out>warning: \(message). \(remedy)</system-out>"])
    case .note:
      return testCase(name, suite, .skipped, ["<skipped message=\"\(message)\"/>"])
    }
  }

  private func testCase(
    _ name: String, _ suite: String, _ result: Case.Result, _ content: [String]
  ) -> Case {
    let open =
      "<testcase classname=\"\(Self.escape(suite))\" name=\"\(Self.escape(name))\" time=\"0\">"
    return Case(result: result, lines: [open] + content.map { "  \($0)" } + ["</testcase>"])
  }

  /// Text for an attribute or an element. What XML cannot hold at all has been made visible before.
  private static func escape(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: String(scalar)
      }
    }.joined()
  }
}
