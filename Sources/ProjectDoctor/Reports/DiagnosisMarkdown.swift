// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension ProjectDiagnosis {
  /// The diagnosis for step summaries and comments: headline, findings with links, facts folded away.
  package func markdown(showingSuppressed: Bool = false) -> String {
    let shown = showingSuppressed ? findings : counted
    var blocks = [
      "### \(headlineInMarkdown)", MarkdownWords.escape(sentenceOfReading),
    ]
    if !remarks.isEmpty {
      blocks.append(remarks.map(MarkdownWords.escape).joined(separator: "\n"))
    }
    if !shown.isEmpty {
      let rows = shown.map { finding in
        [
          finding.severity.rawValue, MarkdownWords.code(finding.check.id),
          Self.links(finding.places),
          MarkdownWords.text(finding.shownMessage), MarkdownWords.text(finding.shownRemedy),
        ]
      }
      blocks.append(
        table(["severity", "rule", "places", "what", "to do"], rows))
    }
    if !targets.isEmpty {
      let rows = targets.map { target in
        [
          MarkdownWords.code(target.name), target.platform,
          MarkdownWords.code(target.bundleID ?? ""),
          MarkdownWords.code(target.deploymentTarget ?? ""),
          target.keychainGroups.map { MarkdownWords.code($0) }.joined(separator: " "),
        ]
      }
      blocks.append(
        MarkdownWords.folded(
          "Targets",
          table(
            ["target", "platform", "bundle id", "deployment target", "keychain groups"], rows)))
    }
    let known = factRows
    if !known.isEmpty {
      blocks.append(
        MarkdownWords.folded(
          "Values in the project", table(["what", "value", "places"], known)))
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// GitHub takes a comment of 65,536 characters; there are three tables.
  private func table(_ headings: [String], _ rows: [[String]]) -> String {
    MarkdownWords.table(
      headings, rows, budget: 20_000, more: "rows; the JSON report has them all")
  }

  private var factRows: [[String]] {
    facts.named.flatMap { name, list in
      list.map { [name, MarkdownWords.code($0.value.maskedAddress), Self.links($0.places)] }
    }
  }

  private static let mostLinks = 20

  /// `[App/SignIn.m:12](App/SignIn.m#L12)` for each place.
  static func links(_ places: [Occurrence]) -> String {
    lines(places).joined(separator: " ")
  }

  /// The same as one text for each place.
  static func lines(_ places: [Occurrence]) -> [String] {
    let shown = places.prefix(mostLinks).map { place in
      guard let line = place.span?.start.line else { return MarkdownWords.code(shown: place.shown) }
      return MarkdownWords.link(
        shown: place.shown, to: "\(place.file.asRelativeReference)#L\(line)")
    }
    let more = places.count - shown.count
    return shown + (more > 0 ? ["… \(more) more"] : [])
  }
}
