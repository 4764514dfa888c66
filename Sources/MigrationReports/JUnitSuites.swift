// SPDX-License-Identifier: MIT
import ADALMigration

/// Test results as JUnit XML, which every build service reads.
package struct JUnitSuites {
  /// A test case.
  package struct Case {
    fileprivate enum Result {
      case passed, failed, skipped
    }
    fileprivate var name: String
    fileprivate var result: Result
    fileprivate var content: String

    /// A case that has passed and prints something.
    package static func passed(_ name: String, printing words: String) -> Case {
      Case(name: name, result: .passed, content: element("system-out", words))
    }

    /// A case that was skipped.
    package static func skipped(_ name: String, _ why: String) -> Case {
      Case(name: name, result: .skipped, content: "<skipped message=\"\(escape(why))\"/>")
    }

    /// A finding: an error has failed, a warning has passed, a note was skipped.
    ///
    /// - Parameters:
    ///   - code: The reason or rule.
    ///   - message: What is the case, and `remedy` what to do; both harmless.
    package init(
      _ name: String, _ severity: Report.Severity, code: String, message: String, remedy: String
    ) {
      let message = "\(code): \(message)"
      switch severity {
      case .error:
        let open = "failure type=\"\(Self.escape(code))\" message=\"\(Self.escape(message))\""
        self.init(name: name, result: .failed, content: Self.element(open, remedy))
      case .warning: self = .passed(name, printing: "warning: \(message). \(remedy)")
      case .note: self = .skipped(name, message)
      }
    }

    private init(name: String, result: Result, content: String) {
      self.name = name
      self.result = result
      self.content = content
    }

    private static func element(_ open: String, _ words: String) -> String {
      "<\(open)>\(escape(words))</\(open.prefix { $0 != " " })>"
    }

    private static func escape(_ text: String) -> String { JUnitSuites.escape(text) }
  }

  /// What the whole is called.
  package var name: String
  private var suites: [(name: String, cases: [Case])] = []

  package init(name: String) { self.name = name }

  /// Adds a suite; its name is the class of its cases.
  package mutating func add(_ name: String, _ cases: [Case]) { suites.append((name, cases)) }

  /// The document, ending in a line break.
  package var text: String {
    let counts = Self.counts(suites.flatMap(\.cases))
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites name=\"\(Self.escape(name))\" \(counts)>",
    ]
    for suite in suites {
      let name = Self.escape(suite.name)
      lines.append("  <testsuite name=\"\(name)\" \(Self.counts(suite.cases))>")
      for testCase in suite.cases {
        lines += [
          "    <testcase classname=\"\(name)\" name=\"\(Self.escape(testCase.name))\" time=\"0\">",
          "      \(testCase.content)", "    </testcase>",
        ]
      }
      lines.append("  </testsuite>")
    }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func counts(_ cases: [Case]) -> String {
    let failures = cases.count { $0.result == .failed }
    let skipped = cases.count { $0.result == .skipped }
    return [
      "tests=\"\(cases.count)\"", "failures=\"\(failures)\"", "errors=\"0\"",
      "skipped=\"\(skipped)\"", "time=\"0\"",
    ].joined(separator: " ")
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
