// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension ProjectDiagnosis {
  /// The diagnosis as JUnit XML: a suite for each file, a case for each place; an error has failed, a
  /// note was skipped.
  package func junit(showingSuppressed: Bool = false) -> String {
    var suites: [String: [JUnitCase]] = [:]
    for finding in showingSuppressed ? findings : counted {
      for place in finding.places {
        let suite = place.span == nil ? "(the project)" : PlainText.show(place.file)
        suites[suite, default: []].append(JUnitCase(finding, place, suite: suite))
      }
    }
    let names = suites.keys.sorted()
    let all = names.flatMap { suites[$0] ?? [] }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites name=\"adal2msal doctor\" \(JUnitCase.counts(all))>",
    ]
    for name in names {
      let cases = suites[name] ?? []
      lines.append(
        "  <testsuite name=\"\(JUnitCase.escape(name))\" \(JUnitCase.counts(cases))>")
      lines += cases.flatMap(\.lines).map { "    \($0)" }
      lines.append("  </testsuite>")
    }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n") + "\n"
  }
}

/// A place as a test case.
private struct JUnitCase {
  var severity: Severity
  var lines: [String]

  init(
    _ finding: ProjectDiagnosis.Finding, _ place: ProjectDiagnosis.Place, suite: String
  ) {
    severity = finding.severity
    let position = place.span.map { " at \($0.start.line):\($0.start.column)" } ?? ""
    let id = finding.check.id
    let name = id + position
    let message = Self.escape("\(id): \(finding.shownMessage)")
    let remedy = Self.escape(finding.shownRemedy)
    let content =
      switch finding.severity {
      case .error: "<failure type=\"\(id)\" message=\"\(message)\">\(remedy)</failure>"
      case .warning: "<system-out>warning: \(message). \(remedy)</system-out>"
      case .note: "<skipped message=\"\(message)\"/>"
      }
    lines = [
      "<testcase classname=\"\(Self.escape(suite))\" name=\"\(Self.escape(name))\" time=\"0\">",
      "  \(content)", "</testcase>",
    ]
  }

  static func counts(_ cases: [JUnitCase]) -> String {
    let failures = cases.filter { $0.severity == .error }.count
    let skipped = cases.filter { $0.severity == .note }.count
    return
      "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\" time=\"0\""
  }

  /// Text for an attribute or an element; what XML cannot hold at all was made visible before.
  static func escape(_ text: String) -> String {
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
