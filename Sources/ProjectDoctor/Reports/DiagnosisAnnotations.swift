// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension DiagnosisReport {
  /// Annotations of GitHub Actions: one for each place.
  var githubAnnotations: String {
    let annotations = diagnosis.counted.flatMap { finding in
      finding.places.map { annotation(finding, $0) }
    }
    return BuildLog.github(diagnosis.headline, annotations) { "\($0.count) more places" }
  }

  private func annotation(_ finding: Finding, _ place: Occurrence) -> BuildLog.Annotation {
    let code = finding.check.code
    let span = place.span
    return BuildLog.Annotation(
      finding.severity,
      [
        "file": span.map { _ in PlainText.show(files.name(of: place.file)) },
        "line": span.map { String($0.start.line) }, "endLine": span.map { String($0.end.line) },
        "col": span.map { String($0.start.column) },
        "endColumn": span.map { String($0.end.column) },
        "title": "\(finding.check.summary.capitalizedStart) (\(code))",
      ], "\(finding.shownMessage). To do: \(finding.shownRemedy)", code: code)
  }

  /// Annotations of Azure Pipelines, which knows errors and warnings; notes are plain lines.
  var azureAnnotations: String {
    let lines = diagnosis.counted.flatMap { finding in
      finding.places.map { azureLine(finding, $0) }
    }
    return ([diagnosis.headline] + lines).joined(separator: "\n") + "\n"
  }

  private func azureLine(_ finding: Finding, _ place: Occurrence) -> String {
    let file = PlainText.show(place.span == nil ? place.file : files.name(of: place.file))
    let (type, code) = (finding.severity.rawValue, finding.check.code)
    let text = "\(finding.shownMessage) (\(code)). To do: \(finding.shownRemedy)"
    guard finding.severity > .note else {
      let position = place.span.map { ":\($0.start.line):\($0.start.column)" } ?? ""
      return "note: \(file)\(position) \(text)"
    }
    guard let start = place.span?.start else {
      return BuildLog.azure(["type": type, "code": code], text)
    }
    return BuildLog.azure(
      [
        "type": type, "sourcepath": file, "linenumber": String(start.line),
        "columnnumber": String(start.column), "code": code,
      ], text)
  }

  /// The diagnosis as JUnit XML: a suite for each file, a case for each place; an error has failed, a
  /// note was skipped.
  var junit: String {
    var cases: [String: [JUnitSuites.Case]] = [:]
    for finding in findings {
      for place in finding.places {
        let suite = place.span == nil ? "(the project)" : PlainText.show(place.file)
        let position = place.span.map { " at \($0.start.line):\($0.start.column)" } ?? ""
        cases[suite, default: []].append(
          JUnitSuites.Case(
            finding.check.code + position, finding.severity, code: finding.check.code,
            message: finding.shownMessage, remedy: finding.shownRemedy))
      }
    }
    var suites = JUnitSuites(name: "adal2msal doctor")
    for (name, cases) in cases.sorted(by: { $0.key < $1.key }) { suites.add(name, cases) }
    return suites.text
  }
}
