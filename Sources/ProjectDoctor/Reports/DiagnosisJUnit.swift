// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension ProjectDiagnosis {
  /// The diagnosis as JUnit XML: a suite for each file, a case for each place; an error has failed, a
  /// note was skipped.
  package func junit(showingSuppressed: Bool = false) -> String {
    var cases: [String: [JUnitSuites.Case]] = [:]
    for finding in showingSuppressed ? findings : counted {
      for place in finding.places {
        let suite = place.span == nil ? "(the project)" : PlainText.show(place.file)
        let position = place.span.map { " at \($0.start.line):\($0.start.column)" } ?? ""
        cases[suite, default: []].append(
          JUnitSuites.Case(
            finding.check.id + position, finding.severity, code: finding.check.id,
            message: finding.shownMessage, remedy: finding.shownRemedy))
      }
    }
    var suites = JUnitSuites(name: "adal2msal doctor")
    for (name, cases) in cases.sorted(by: { $0.key < $1.key }) { suites.add(name, cases) }
    return suites.text
  }
}
