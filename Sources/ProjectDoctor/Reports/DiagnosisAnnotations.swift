// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension ProjectDiagnosis {
  /// Annotations of GitHub Actions: one for each place, ten of a kind, then how many more.
  package func githubAnnotations() -> String {
    var lines = [
      "::notice title=adal2msal::"
        + AnnotationText.percent(DiagnosisWords(diagnosis: self).headline, [])
    ]
    for (severity, kind) in [(Severity.error, "error"), (.warning, "warning"), (.note, "notice")] {
      let places = counted.filter { $0.severity == severity }.flatMap { finding in
        finding.places.map { (finding, $0) }
      }
      // GitHub shows ten of a kind for a step; the headline is a notice.
      let room = AnnotationText.mostOfAKind - (kind == "notice" ? 1 : 0)
      let shown = places.count <= room ? places.count : room - 1
      lines += places.prefix(shown).map { AnnotationText.github(kind, $0, $1) }
      if shown < places.count {
        lines.append("::\(kind) title=adal2msal::\(places.count - shown) more places")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Annotations of Azure Pipelines, which knows errors and warnings; notes are plain lines.
  package func azureAnnotations() -> String {
    let lines = counted.flatMap { finding in
      finding.places.map { AnnotationText.azure(finding, $0) }
    }
    return ([DiagnosisWords(diagnosis: self).headline] + lines).joined(separator: "\n") + "\n"
  }
}

/// What the build services take.
private enum AnnotationText {
  static let mostOfAKind = 10

  static func github(
    _ kind: String, _ finding: ProjectDiagnosis.Finding, _ place: ProjectDiagnosis.Place
  ) -> String {
    var properties: [String] = []
    if let span = place.span {
      properties = [
        "file=\(percent(PlainText.show(place.file), [":", ","]))", "line=\(span.start.line)",
        "endLine=\(span.end.line)", "col=\(span.start.column)", "endColumn=\(span.end.column)",
      ]
    }
    properties.append("title=\(finding.check.id)")
    return "::\(kind) \(properties.joined(separator: ","))::\(percent(text(finding), []))"
  }

  static func azure(
    _ finding: ProjectDiagnosis.Finding, _ place: ProjectDiagnosis.Place
  ) -> String {
    let start = place.span?.start
    guard finding.severity > .note else {
      let position = start.map { ":\($0.line):\($0.column)" } ?? ""
      return "note \(finding.check.id) \(PlainText.show(place.file))\(position) \(text(finding))"
    }
    var properties = ["type=\(finding.severity.rawValue)"]
    if let start {
      properties += [
        "sourcepath=\(percent(PlainText.show(place.file), [";", "]"], "%AZP25"))",
        "linenumber=\(start.line)",
        "columnnumber=\(start.column)",
      ]
    }
    properties.append("code=\(finding.check.id)")
    return "##vso[task.logissue \(properties.joined(separator: ";"))]"
      + percent(text(finding), [], "%AZP25")
  }

  private static func text(_ finding: ProjectDiagnosis.Finding) -> String {
    "\(finding.shownMessage). To do: \(finding.shownRemedy)"
  }

  /// Escapes characters by their codes, as both services decode them; line breaks always.
  static func percent(
    _ text: String, _ characters: Set<Unicode.Scalar>, _ sign: String = "%25"
  ) -> String {
    text.unicodeScalars.map { scalar in
      if scalar == "%" { return sign }
      let acts =
        characters.contains(scalar) || scalar.value < 0x20 || scalar.value == 0x7F
        || scalar.value == 0x2028 || scalar.value == 0x2029
      return acts
        ? scalar.utf8Bytes.map { "%" + PlainText.hex($0, digits: 2) }.joined() : String(scalar)
    }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var utf8Bytes: [UInt8] { Array(String(self).utf8) }
}
