// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension DiagnosisReport {
  /// A terminal shows so many files of a finding and lines of a file; files and pipes have all.
  private static let most = (files: 3, lines: 8)

  var text: String {
    var lines = fill(diagnosis.headline).map { style.apply(.bold, to: $0) }
    lines += fill(diagnosis.sentenceOfReading)
    lines += diagnosis.remarks.flatMap { fill($0) }
    if let first = findings.first {
      let idWidth = findings.map(\.check.code.count).max() ?? 0
      let counts = findings.map { $0.places.count.counted("place") }
      let countWidth = counts.map(\.count).max() ?? 0
      lines.append("")
      for (finding, count) in zip(findings, counts) {
        lines += head(finding, count, idWidth, countWidth) + places(finding)
        if finding.severity > .note {
          lines += fill("to do: \(finding.shownRemedy)", indent: 9, hanging: 16)
        }
      }
      lines += ["", plan ?? "For the steps in order, run: \(diagnosis.planning)"]
      lines.append("More: adal2msal explain \(first.check.code)")
    } else if let plan {
      lines.append(plan)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fill(_ text: String, indent: Int = 0, hanging: Int = 0) -> [String] {
    TextLines.fill(text, width: style.width ?? .max, indent: indent, hanging: hanging)
  }

  private func head(
    _ finding: Finding, _ count: String, _ idWidth: Int, _ countWidth: Int
  ) -> [String] {
    let severity = finding.severity.rawValue
    let id = finding.check.code
    let cell = count + String.spaces(countWidth - count.count) + "   "
    let head =
      style.apply(.init(finding.severity), to: severity) + String.spaces(9 - severity.count) + id
      + String.spaces(idWidth - id.count + 2) + cell
    return TextLines.fill(
      finding.shownMessage, beside: head, of: 9 + idWidth + 2 + cell.count, width: style.width,
      atLeast: 40, indent: 9)
  }

  /// `App/SignIn.m:12, 14` for each file.
  private func places(_ finding: Finding) -> [String] {
    let all = finding.places.map(\.file).each
    let most = style.width == nil ? (files: .max, lines: .max) : Self.most
    let lines = Dictionary(grouping: finding.places, by: \.file).mapValues { places in
      places.reduce(into: [String]()) { lines, place in
        let line = place.span.map { "\($0.start.line)\(place.mark)" } ?? ""
        if lines.last != line { lines.append(line) }
      }
    }
    let shown = all.prefix(most.files).map { file in
      let all = lines[file] ?? []
      let numbers = all.prefix(most.lines)
      let more = numbers.count < all.count ? ", … \(all.count - numbers.count) more" : ""
      let list = numbers.joined(separator: ", ") + more
      return String.spaces(9) + PlainText.show(file) + (list.isEmpty ? "" : ":\(list)")
    }
    let more = all.count - shown.count
    return shown + (more > 0 ? ["\(String.spaces(9))… \(more) more files"] : [])
  }
}
