// SPDX-License-Identifier: MIT
import ADALMigration

extension MaskedReport {
  /// The headline and an annotation for each finding in each file, in GitHub's words.
  func githubAnnotations(files: RepositoryFiles) -> String {
    let (headline, annotations) = annotations(files)
    let shown = annotations.map { annotation in
      let title = annotation.title + (annotation.code.map { " (\($0))" } ?? "")
      return BuildLog.Annotation(
        annotation.severity, ["file": annotation.file, "title": title],
        annotation.text(annotation.details), code: annotation.code ?? "")
    }
    return BuildLog.github(headline, shown) { more in
      var codes: [String] = []
      for code in more.map(\.code) where !code.isEmpty && !codes.contains(code) {
        codes.append(code)
      }
      let names = codes.isEmpty ? "" : ": \(codes.joined(separator: ", "))"
      return "\(more.count) more\(names)"
    }
  }

  /// The same in the words of Azure Pipelines, which knows errors and warnings only; notes are plain lines there.
  func azureAnnotations(files: RepositoryFiles) -> String {
    let (headline, annotations) = annotations(files)
    let lines = annotations.map { annotation in
      let type = annotation.severity.rawValue
      let code = annotation.code
      let text = annotation.text([code].compactMap { $0 } + annotation.details)
      guard annotation.severity > .note else { return "\(type): \(text)" }
      return BuildLog.azure(["type": type, "sourcepath": annotation.file, "code": code], text)
    }
    return ([headline] + lines).joined(separator: "\n") + "\n"
  }

  private func annotations(_ files: RepositoryFiles) -> (headline: String, [Annotation]) {
    let words = ReportWords(report: content)
    guard content.kind != .inspection else { return (words.inspected, []) }
    let places = FindingPlaces(content, files)
    let unread = content.unread.map { file, _, objection in
      Annotation(
        severity: .error, title: "File cannot be read as a cache", code: nil,
        file: PlainText.show(files.name(of: file)), details: [], message: objection, more: "")
    }
    let found = words.findings.flatMap { finding in
      places.places(of: finding).map { place in
        let rows = place.rows.count
        return Annotation(
          severity: finding.severity, title: finding.reason.summary.capitalizedStart,
          code: finding.reason.code, file: place.file.map(PlainText.show),
          details: rows == 0 ? [] : [rows.counted(words.rowNoun)],
          message: finding.shownMessage, more: ". \(words.advice(finding, in: place.rows))")
      }
    }
    return ("\(words.headline) \(words.counts) \(words.written)", unread + found)
  }
}

/// What a build service shows at a file: words first, the code after them.
private struct Annotation {
  let severity: Report.Severity
  let title: String
  /// That of the reason, which `explain` takes.
  let code: String?
  let file: String?
  let details: [String]
  let message: String
  let more: String

  func text(_ details: [String]) -> String {
    message + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))") + more
  }
}
