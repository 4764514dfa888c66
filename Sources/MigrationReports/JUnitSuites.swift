// SPDX-License-Identifier: MIT
import ADALMigration

/// Test results as JUnit XML, which every build service reads.
package struct JUnitSuites {
  /// A test case.
  package struct Case {
    fileprivate var name: String
    /// The element that says what became of it, and its attributes.
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

    private init(name: String, element: String, attributes: String = "", words: String? = nil) {
      self.name = name
      self.element = element
      self.attributes = attributes
      self.words = words
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
        let (type, message) = (HTML.escaped(code), HTML.escaped(message))
        self.init(
          name: name, element: "failure", attributes: " type=\"\(type)\" message=\"\(message)\"",
          words: remedy)
      case .warning: self = .passed(name, printing: "warning: \(message). \(remedy)")
      case .note: self = .skipped(name, message)
      }
    }

    fileprivate var markup: String {
      guard let words else { return "<\(element)\(attributes)/>" }
      return "<\(element)\(attributes)>\(HTML.escaped(words))</\(element)>"
    }
  }

  private let name: String
  private var suites: [(name: String, cases: [Case])] = []

  /// - Parameter name: What the whole is called.
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
