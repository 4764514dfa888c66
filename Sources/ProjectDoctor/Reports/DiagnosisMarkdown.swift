// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension DiagnosisReport {
  /// The diagnosis for step summaries and comments: headline, findings with links, facts folded away.
  var markdown: String {
    var blocks = [
      "### \(diagnosis.headlineInMarkdown)", MarkdownWords.escape(diagnosis.sentenceOfReading),
      diagnosis.remarks.map(MarkdownWords.escape).joined(separator: "\n"),
    ]
    if !findings.isEmpty {
      let rows = findings.map { finding in
        [
          finding.severity.rawValue, MarkdownWords.code(finding.check.code),
          finding.places.links,
          MarkdownWords.text(finding.shownMessage), MarkdownWords.text(finding.shownRemedy),
        ]
      }
      blocks.append(table(["severity", "rule", "places", "what", "to do"], rows))
    }
    if !diagnosis.targets.isEmpty {
      let rows = diagnosis.targets.map { target in
        [
          MarkdownWords.code(target.name), target.platform.rawValue,
          MarkdownWords.code(target.bundleID), MarkdownWords.code(target.deploymentTarget),
          target.keychainGroups.map { MarkdownWords.code($0) }.joined(separator: " "),
        ]
      }
      blocks.append(MarkdownWords.folded("Targets", table(Self.targetColumns, rows)))
    }
    let values = diagnosis.facts.named.map { name, fact in
      [name, MarkdownWords.code(fact.value.maskedAddress), fact.places.links]
    }
    if !values.isEmpty {
      blocks.append(
        MarkdownWords.folded("Values in the project", table(["what", "value", "places"], values)))
    }
    return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  /// GitHub takes a comment of 65,536 characters; there are three tables.
  private func table(_ headings: [String], _ rows: [[String]]) -> String {
    MarkdownWords.table(headings, rows, budget: 20_000, more: "rows; the JSON report has them all")
  }
}

extension [Occurrence] {
  private static let mostLinks = 20

  /// `[App/SignIn.m:12](App/SignIn.m#L12)` for each line.
  var links: String { linkLines.joined(separator: " ") }

  /// The same as one text for each line.
  var linkLines: [String] {
    let links = map { place in
      guard let line = place.span?.start.line else { return MarkdownWords.code(shown: place.shown) }
      return MarkdownWords.link(
        shown: place.shown, to: "\(place.file.asRelativeReference)#L\(line)")
    }.each
    let more = links.count - Self.mostLinks
    return links.prefix(Self.mostLinks) + (more > 0 ? ["… \(more) more"] : [])
  }
}
