// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension ProjectDiagnosis {
  /// The diagnosis as text, ending in a line break.
  package func text(
    style: TextStyle, showingSuppressed: Bool = false, plan: String? = nil
  ) -> String {
    let lines = DiagnosisText(
      diagnosis: self, style: style, findings: showingSuppressed ? findings : counted, plan: plan
    ).lines
    return lines.joined(separator: "\n") + "\n"
  }
}

private struct DiagnosisText {
  let diagnosis: ProjectDiagnosis
  let style: TextStyle
  let findings: [ProjectDiagnosis.Finding]
  let plan: String?

  /// A terminal shows so many files of a finding and lines of a file; files and pipes have all.
  private static let mostFiles = 3
  private static let mostLines = 8

  var lines: [String] {
    var lines = fill(diagnosis.headline).map { style.apply(.bold, to: $0) }
    lines += fill(diagnosis.sentenceOfReading)
    lines += diagnosis.remarks.flatMap { fill($0) }
    guard !findings.isEmpty else { return lines + [plan].compactMap { $0 } }
    let idWidth = findings.map(\.check.id.count).max() ?? 0
    let counts = findings.map { ProjectDiagnosis.count($0.places.count, "place") }
    let countWidth = counts.map(\.count).max() ?? 0
    lines.append("")
    for (finding, count) in zip(findings, counts) {
      lines += head(finding, count, idWidth, countWidth) + places(finding)
      if finding.severity > .note {
        lines += TextLines.fill(
          "to do: \(finding.shownRemedy)", width: style.width ?? .max, indent: 9, hanging: 16)
      }
    }
    lines.append("")
    lines.append(plan ?? "For the steps in order, run: \(diagnosis.planning)")
    if let first = findings.first { lines.append("More: adal2msal explain \(first.check.id)") }
    return lines
  }

  private func fill(_ text: String) -> [String] {
    TextLines.fill(text, width: style.width ?? .max)
  }

  private func head(
    _ finding: ProjectDiagnosis.Finding, _ count: String, _ idWidth: Int, _ countWidth: Int
  ) -> [String] {
    let severity = finding.severity.rawValue
    let id = finding.check.id
    let start =
      style.apply(emphasis(finding.severity), to: severity) + String.spaces(9 - severity.count) + id
      + String.spaces(idWidth - id.count + 2)
    let cell = count + String.spaces(countWidth - count.count) + "   "
    let column = 9 + idWidth + 2 + cell.count
    guard let width = style.width else { return [start + cell + finding.shownMessage] }
    guard width - column >= 40 else {
      return [start + count]
        + TextLines.fill(finding.shownMessage, width: width, indent: 9, hanging: 9)
    }
    let filled = TextLines.fill(
      finding.shownMessage, width: width, indent: column, hanging: column)
    let first = filled.first.map { String($0.dropFirst(column)) } ?? ""
    return [start + cell + first] + filled.dropFirst()
  }

  /// `App/SignIn.m:12, 14` for each file.
  private func places(_ finding: ProjectDiagnosis.Finding) -> [String] {
    var files: [(file: String, lines: [String])] = []
    for place in finding.places {
      let line = place.span.map { "\($0.start.line)\(place.mark)" } ?? ""
      if files.last?.file == place.file {
        if files[files.count - 1].lines.last != line { files[files.count - 1].lines.append(line) }
      } else {
        files.append((place.file, [line]))
      }
    }
    let isShort = style.width != nil
    let shown = isShort ? Array(files.prefix(Self.mostFiles)) : files
    var result = shown.flatMap { file, lines in
      let numbers = isShort ? Array(lines.prefix(Self.mostLines)) : lines
      let more = numbers.count < lines.count ? ", … \(lines.count - numbers.count) more" : ""
      let list = numbers.joined(separator: ", ")
      let name = PlainText.show(file)
      return [String.spaces(9) + (list.isEmpty ? name : "\(name):\(list)\(more)")]
    }
    if shown.count < files.count {
      result.append(String.spaces(9) + "… \(files.count - shown.count) more files")
    }
    return result
  }

  private func emphasis(_ severity: Severity) -> TextStyle.Emphasis {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .note: .dim
    }
  }
}
