// SPDX-License-Identifier: MIT
import ADALMigration

/// A build service that takes annotations from the output of a step.
enum AnnotationDialect {
  case github
  case azure
}

extension MaskedReport {
  /// The headline and an annotation for each finding in each file, in the build service's words.
  ///
  /// GitHub shows ten annotations of each kind for a step, so the tenth says how many more there are.
  /// Azure Pipelines knows errors and warnings only; notes are plain lines there.
  func annotations(for dialect: AnnotationDialect, files: RepositoryFiles = .asNamed) -> String {
    let words = ReportWords(report: content)
    let isInspection = content.kind == .inspection
    let headline =
      isInspection ? words.inspected : "\(words.headline) \(words.counts) \(words.written)"
    let annotations = isInspection ? [] : annotations(words, files)
    let lines =
      switch dialect {
      case .github: github(headline, annotations)
      case .azure: [headline] + annotations.map(\.azure)
      }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The files that cannot be read, then the findings, the worst first.
  private func annotations(_ words: ReportWords, _ files: RepositoryFiles) -> [Annotation] {
    let places = FindingPlaces(content, files)
    let unread = content.caches.compactMap { cache in
      cache.objection.map { objection in
        Annotation(
          severity: .error, title: "File cannot be read as a cache", code: nil,
          file: PlainText.show(files.name(of: cache.file)), details: [],
          message: PlainText.show(objection), more: "")
      }
    }
    return unread
      + words.findings.flatMap { finding in
        places.places(of: finding).map { place in
          let who = words.who(finding, in: Set(place.rows)).map { "Who: \($0). " } ?? ""
          let rows = place.rows.count
          return Annotation(
            severity: finding.severity, title: finding.reason.summary.capitalizedStart,
            code: finding.reason.code, file: place.file.map(PlainText.show),
            details: rows == 0 ? [] : [words.count(rows, words.rowNoun)],
            message: finding.shownMessage, more: ". \(who)\(finding.toDo)")
        }
      }
  }

  private func github(_ headline: String, _ annotations: [Annotation]) -> [String] {
    var lines = [BuildLog.github("notice", ["title": "adal2msal"], headline)]
    for (severity, kind) in [
      (Report.Severity.error, "error"), (.warning, "warning"), (.note, "notice"),
    ] {
      let ofKind = annotations.filter { $0.severity == severity }
      let room = BuildLog.githubAnnotations - (kind == "notice" ? 1 : 0)
      let shown = ofKind.count <= room ? ofKind.count : room - 1
      lines += ofKind.prefix(shown).map { $0.github(kind) }
      if shown < ofKind.count {
        var codes: [String] = []
        for annotation in ofKind.dropFirst(shown) {
          if let code = annotation.code, !codes.contains(code) { codes.append(code) }
        }
        let names = codes.isEmpty ? "" : ": \(codes.joined(separator: ", "))"
        lines.append(
          BuildLog.github(kind, ["title": "adal2msal"], "\(ofKind.count - shown) more\(names)"))
      }
    }
    return lines
  }
}

/// What a build service shows at a file: words first, the code after them.
private struct Annotation {
  var severity: Report.Severity
  var title: String
  /// That of the reason, which `explain` takes.
  var code: String?
  var file: String?
  /// What stands in parentheses after the message.
  var details: [String]
  var message: String
  /// What follows the parentheses.
  var more: String

  func github(_ kind: String) -> String {
    let title = code.map { "\(self.title) (\($0))" } ?? title
    let text = message + Self.parentheses(details) + more
    guard let file else { return BuildLog.github(kind, ["title": title], text) }
    return BuildLog.github(kind, ["file": file, "title": title], text)
  }

  var azure: String {
    let text = message + Self.parentheses([code].compactMap { $0 } + details) + more
    let type = severity.rawValue
    guard severity > .note else { return "\(type): \(text)" }
    switch (file, code) {
    case (let file?, let code?):
      return BuildLog.azure(["type": type, "sourcepath": file, "code": code], text)
    case (let file?, nil): return BuildLog.azure(["type": type, "sourcepath": file], text)
    case (nil, let code?): return BuildLog.azure(["type": type, "code": code], text)
    case (nil, nil): return BuildLog.azure(["type": type], text)
    }
  }

  private static func parentheses(_ details: [String]) -> String {
    details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
  }
}
