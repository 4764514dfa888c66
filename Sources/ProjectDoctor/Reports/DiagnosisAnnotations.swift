// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension DiagnosisReport {
  /// Annotations of GitHub Actions: one for each place.
  var githubAnnotations: String {
    BuildLog.github(diagnosis.headline, annotations) { "\($0.count) more places" }
  }

  var azureAnnotations: String { BuildLog.azure(diagnosis.headline, annotations) }

  private var annotations: [BuildLog.Annotation] {
    diagnosis.counted.eachPlace.map { finding, place in
      var annotation = BuildLog.Annotation(
        finding.severity, title: finding.check.summary.capitalizedStart, code: finding.check.code,
        message: finding.shownMessage, advice: "To do: \(finding.shownRemedy)")
      let name = PlainText.show(place.span == nil ? place.file : files.name(of: place.file))
      annotation.file = place.span == nil ? nil : name
      annotation.region = place.region
      annotation.place =
        name + (place.span.map { ":\($0.start.line):\($0.start.column)" } ?? "")
      return annotation
    }
  }

  /// The diagnosis as JUnit XML: a suite for each file, a case for each place; an error has failed, a
  /// note was skipped.
  var junit: String {
    var cases: [String: [JUnitSuites.Case]] = [:]
    for (finding, place) in findings.eachPlace {
      let suite = place.span == nil ? "(the project)" : PlainText.show(place.file)
      let position = place.span.map { " at \($0.start.line):\($0.start.column)" } ?? ""
      cases[suite, default: []].append(
        JUnitSuites.Case(
          finding.check.code + position, finding.severity, code: finding.check.code,
          message: finding.shownMessage, remedy: finding.shownRemedy))
    }
    var suites = JUnitSuites(name: "adal2msal doctor")
    for (name, cases) in cases.sorted(by: { $0.key < $1.key }) { suites.add(name, cases) }
    return suites.text
  }
}
