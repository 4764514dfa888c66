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

/// Test results as JUnit XML, which every build service reads.
package struct JUnitSuites {
  package struct Case {
    fileprivate var name: String
    /// The element for the result, with its attributes.
    fileprivate var element: String
    fileprivate var attributes = ""
    fileprivate var words: String?

    /// A case that has passed and prints something.
    package static func passed(_ name: String, printing words: String) -> Case {
      Case(name: name, element: "system-out", words: words)
    }

    /// A case that was skipped.
    package static func skipped(_ name: String, _ why: String) -> Case {
      Case(name: name, element: "skipped", attributes: " message=\"\(HTML.escaped(why))\"")
    }

    fileprivate var markup: String {
      guard let words else { return "<\(element)\(attributes)/>" }
      return "<\(element)\(attributes)>\(HTML.escaped(words))</\(element)>"
    }
  }

  private let name: String
  private var suites: [(name: String, cases: [Case])] = []

  package init(name: String) { self.name = name }

  /// Adds a suite; its name is the class of its cases.
  package mutating func add(_ name: String, _ cases: [Case]) { suites.append((name, cases)) }

  /// The document, ending in a line break.
  package var text: String {
    let all = Self.attributes(name, suites.flatMap(\.cases))
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites \(all)>"]
    for suite in suites {
      let name = HTML.escaped(suite.name)
      lines.append("  <testsuite \(Self.attributes(suite.name, suite.cases))>")
      for testCase in suite.cases {
        lines += [
          "    <testcase classname=\"\(name)\" name=\"\(HTML.escaped(testCase.name))\" time=\"0\">",
          "      \(testCase.markup)", "    </testcase>",
        ]
      }
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>", ""]).joined(separator: "\n")
  }

  private static func attributes(_ name: String, _ cases: [Case]) -> String {
    [
      ("name", HTML.escaped(name)), ("tests", "\(cases.count)"),
      ("failures", "\(cases.count { $0.element == "failure" })"), ("errors", "0"),
      ("skipped", "\(cases.count { $0.element == "skipped" })"), ("time", "0"),
    ].map { "\($0)=\"\($1)\"" }.joined(separator: " ")
  }
}

extension JUnitSuites.Case {
  /// A finding with escaped words. An error has failed, a warning has passed, a note was skipped.
  package init(
    _ name: String, _ severity: Report.Severity, code: String, message: String, remedy: String
  ) {
    let message = "\(code): \(message)"
    switch severity {
    case .error:
      let (type, message) = (HTML.escaped(code), HTML.escaped(message))
      self.init(
        name: name, element: "failure", attributes: " type=\"\(type)\" message=\"\(message)\"",
        words: remedy)
    case .warning: self = .passed(name, printing: "warning: \(message). \(remedy)")
    case .note: self = .skipped(name, message)
    }
  }
}
