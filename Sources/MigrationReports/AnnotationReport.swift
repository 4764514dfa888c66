// SPDX-License-Identifier: MIT
import ADALMigration

/// A build service that takes annotations from the output of a step.
enum AnnotationDialect {
  case github
  case azure
}

extension MaskedReport {
  /// The headline and an annotation for each finding, in the build service's words.
  ///
  /// GitHub shows ten annotations of each kind for a step, so the tenth says how many more there are.
  /// Azure Pipelines knows errors and warnings only; notes are plain lines there. An annotation is of the file that
  /// the first of its rows is in.
  func annotations(for dialect: AnnotationDialect) -> String {
    let words = ReportWords(report: content)
    let isInspection = content.kind == .inspection
    let headline = isInspection ? words.inspected : "\(words.headline) \(words.counts)"
    let findings = isInspection ? [] : words.findings
    let lines =
      switch dialect {
      case .github: github(headline, findings, words)
      case .azure: azure(headline, findings, words)
      }
    return lines.joined(separator: "\n") + "\n"
  }

  private func github(
    _ headline: String, _ findings: [Report.Finding], _ words: ReportWords
  ) -> [String] {
    var lines = [githubLine("notice", "adal2msal", headline)]
    let files = Files(content)
    for (severity, kind) in [
      (Report.Severity.error, "error"), (.warning, "warning"), (.note, "notice"),
    ] {
      let ofKind = findings.filter { $0.severity == severity }
      let room = BuildLog.githubAnnotations - (kind == "notice" ? 1 : 0)
      let shown = ofKind.count <= room ? ofKind.count : room - 1
      lines += ofKind.prefix(shown).map { finding in
        githubLine(kind, finding.reason.code, message(finding, words), files.file(of: finding))
      }
      if shown < ofKind.count {
        let codes = ofKind.dropFirst(shown).map(\.reason.code).joined(separator: ", ")
        lines.append(githubLine(kind, "adal2msal", "\(ofKind.count - shown) more: \(codes)"))
      }
    }
    return lines
  }

  private func githubLine(
    _ kind: String, _ title: String, _ message: String, _ file: String? = nil
  ) -> String {
    guard let file else { return BuildLog.github(kind, ["title": title], message) }
    return BuildLog.github(kind, ["file": file, "title": title], message)
  }

  private func azure(
    _ headline: String, _ findings: [Report.Finding], _ words: ReportWords
  ) -> [String] {
    let files = Files(content)
    return [headline]
      + findings.map { finding in
        let text = message(finding, words)
        let type = finding.severity.rawValue
        let code = finding.reason.code
        guard finding.severity > .note else { return "note \(code): \(text)" }
        guard let file = files.file(of: finding) else {
          return BuildLog.azure(["type": type, "code": code], text)
        }
        return BuildLog.azure(["type": type, "sourcepath": file, "code": code], text)
      }
  }

  private func message(_ finding: Report.Finding, _ words: ReportWords) -> String {
    let number =
      finding.rows.isEmpty ? "" : " (\(words.count(finding.rows.count, words.rowNoun)))"
    return "\(finding.shownMessage)\(number). \(finding.toDo)"
  }
}

/// Which file of a report's sources a finding is about.
private struct Files {
  private var byRow: [Int: String] = [:]
  private var only: String?

  init(_ report: Report) {
    for entry in report.entries { byRow[entry.row] = entry.place.file.map(PlainText.show) }
    let all = Set(byRow.values)
    only = all.count == 1 ? all.first : nil
  }

  /// The file of its first row; of a finding about no row, the only file that there is.
  func file(of finding: Report.Finding) -> String? {
    guard let row = finding.rows.first else { return only }
    return byRow[row]
  }
}
