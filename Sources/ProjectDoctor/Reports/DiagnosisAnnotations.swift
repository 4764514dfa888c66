// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension DiagnosisReport {
  /// Annotations of GitHub Actions: one for each place, ten of a kind, then how many more.
  var githubAnnotations: String {
    var lines = [BuildLog.github("notice", ["title": "adal2msal"], diagnosis.headline)]
    for (severity, kind) in [(Severity.error, "error"), (.warning, "warning"), (.note, "notice")] {
      let places = diagnosis.counted.filter { $0.severity == severity }.flatMap { finding in
        finding.places.map { githubLine(kind, finding, $0) }
      }
      // The headline is a notice.
      let room = BuildLog.githubAnnotations - (kind == "notice" ? 1 : 0)
      let shown = places.count <= room ? places.count : room - 1
      lines += places.prefix(shown)
      if shown < places.count {
        let more = "\(places.count - shown) more places"
        lines.append(BuildLog.github(kind, ["title": "adal2msal"], more))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func githubLine(_ kind: String, _ finding: Finding, _ place: Occurrence) -> String {
    let title = "\(finding.check.summary.capitalizedStart) (\(finding.check.code))"
    let text = "\(finding.shownMessage). To do: \(finding.shownRemedy)"
    guard let span = place.span else { return BuildLog.github(kind, ["title": title], text) }
    return BuildLog.github(
      kind,
      [
        "file": PlainText.show(files.name(of: place.file)), "line": String(span.start.line),
        "endLine": String(span.end.line), "col": String(span.start.column),
        "endColumn": String(span.end.column), "title": title,
      ], text)
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
