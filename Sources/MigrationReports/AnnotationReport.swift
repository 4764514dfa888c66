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
  /// Azure Pipelines knows errors and warnings only; notes are plain lines there.
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
    for (severity, kind) in [
      (Report.Severity.error, "error"), (.warning, "warning"), (.note, "notice"),
    ] {
      let ofKind = findings.filter { $0.severity == severity }
      let room = BuildLog.githubAnnotations - (kind == "notice" ? 1 : 0)
      let shown = ofKind.count <= room ? ofKind.count : room - 1
      lines += ofKind.prefix(shown).map { finding in
        githubLine(kind, finding.reason.code, message(finding, words))
      }
      if shown < ofKind.count {
        let codes = ofKind.dropFirst(shown).map(\.reason.code).joined(separator: ", ")
        lines.append(githubLine(kind, "adal2msal", "\(ofKind.count - shown) more: \(codes)"))
      }
    }
    return lines
  }

  private func githubLine(_ kind: String, _ title: String, _ message: String) -> String {
    BuildLog.github(kind, ["title": title], message)
  }

  private func azure(
    _ headline: String, _ findings: [Report.Finding], _ words: ReportWords
  ) -> [String] {
    [headline]
      + findings.map { finding in
        let text = message(finding, words)
        guard finding.severity > .note else { return "note \(finding.reason.code): \(text)" }
        return BuildLog.azure(
          ["type": finding.severity.rawValue, "code": finding.reason.code], text)
      }
  }

  private func message(_ finding: Report.Finding, _ words: ReportWords) -> String {
    let number =
      finding.rows.isEmpty ? "" : " (\(words.count(finding.rows.count, words.rowNoun)))"
    return "\(finding.shownMessage)\(number). \(finding.toDo)"
  }
}
