// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension ProjectDiagnosis {
  /// Annotations of GitHub Actions: one for each place, ten of a kind, then how many more.
  package func githubAnnotations(_ files: RepositoryFiles = .asNamed) -> String {
    let headline = headline
    var lines = [BuildLog.github("notice", ["title": "adal2msal"], headline)]
    for (severity, kind) in [(Severity.error, "error"), (.warning, "warning"), (.note, "notice")] {
      let places = counted.filter { $0.severity == severity }.flatMap { finding in
        finding.places.map { (finding, $0) }
      }
      // The headline is a notice.
      let room = BuildLog.githubAnnotations - (kind == "notice" ? 1 : 0)
      let shown = places.count <= room ? places.count : room - 1
      lines += places.prefix(shown).map { Self.githubLine(kind, $0, $1, files) }
      if shown < places.count {
        let more = "\(places.count - shown) more places"
        lines.append(BuildLog.github(kind, ["title": "adal2msal"], more))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Annotations of Azure Pipelines, which knows errors and warnings; notes are plain lines.
  package func azureAnnotations(_ files: RepositoryFiles = .asNamed) -> String {
    let lines = counted.flatMap { finding in
      finding.places.map { Self.azureLine(finding, $0, files) }
    }
    return ([headline] + lines).joined(separator: "\n") + "\n"
  }

  private static func githubLine(
    _ kind: String, _ finding: Finding, _ place: Occurrence, _ files: RepositoryFiles
  ) -> String {
    let title = "\(finding.check.summary.capitalizedStart) (\(finding.check.id))"
    guard let span = place.span else {
      return BuildLog.github(kind, ["title": title], finding.annotation)
    }
    return BuildLog.github(
      kind,
      [
        "file": PlainText.show(files.name(of: place.file)), "line": String(span.start.line),
        "endLine": String(span.end.line), "col": String(span.start.column),
        "endColumn": String(span.end.column), "title": title,
      ], finding.annotation)
  }

  private static func azureLine(
    _ finding: Finding, _ place: Occurrence, _ files: RepositoryFiles
  ) -> String {
    let file = PlainText.show(place.span == nil ? place.file : files.name(of: place.file))
    let (type, code) = (finding.severity.rawValue, finding.check.id)
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
}

extension ProjectDiagnosis.Finding {
  fileprivate var annotation: String { "\(shownMessage). To do: \(shownRemedy)" }
}
