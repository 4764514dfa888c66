// SPDX-License-Identifier: MIT
import ADALMigration

extension MaskedReport {
  /// The headline and an annotation for each finding in each file, in GitHub's words.
  func githubAnnotations(files: RepositoryFiles) -> String {
    let (headline, annotations) = annotations(files)
    return BuildLog.github(headline, annotations) { more in
      var codes: [String] = []
      for code in more.compactMap(\.code) where !codes.contains(code) { codes.append(code) }
      let names = codes.isEmpty ? "" : ": \(codes.joined(separator: ", "))"
      return "\(more.count) more\(names)"
    }
  }

  /// The same in the words of Azure Pipelines.
  func azureAnnotations(files: RepositoryFiles) -> String {
    let (headline, annotations) = annotations(files)
    return BuildLog.azure(headline, annotations)
  }

  private func annotations(
    _ files: RepositoryFiles
  ) -> (headline: String, [BuildLog.Annotation]) {
    let words = ReportWords(report: content)
    guard content.kind != .inspection else { return (words.inspected, []) }
    let places = FindingPlaces(content, files)
    let unread = content.unread.map { file, _, objection in
      var annotation = BuildLog.Annotation(
        .error, title: "File cannot be read as a cache", code: nil, message: objection, advice: nil)
      annotation.file = PlainText.show(files.name(of: file))
      return annotation
    }
    let found = words.findings.flatMap { finding in
      places.places(of: finding).map { place in
        let rows = place.rows.count
        var annotation = BuildLog.Annotation(
          finding.severity, title: finding.reason.summary.capitalizedStart,
          code: finding.reason.code, message: finding.shownMessage,
          advice: words.advice(finding, in: place.rows))
        annotation.file = place.file.map(PlainText.show)
        annotation.details = rows == 0 ? [] : [rows.counted(words.rowNoun)]
        return annotation
      }
    }
    return ("\(words.headline) \(words.counts) \(words.written)", unread + found)
  }
}
