// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension ProjectDiagnosis {
  /// What GitHub takes in one run.
  private static let mostResults = 5000

  /// The diagnosis as SARIF 2.1.0: a rule for each that fired, a result for each place.
  ///
  /// GitHub shows suppressed results as open ones, so they are left out unless asked for.
  ///
  /// - Parameters:
  ///   - root: The folder that ``files`` names them below, as a `file://` address that ends in a slash.
  ///   - files: How build services name files.
  package func sarif(
    root: String, files: RepositoryFiles = .asNamed, showingSuppressed: Bool = false
  ) -> String {
    let shown = showingSuppressed ? findings : counted
    let checks = Set(shown.map(\.check)).sorted()
    var results: [SARIFResult] = []
    // The findings are sorted, errors first.
    for finding in shown {
      let index = checks.firstIndex(of: finding.check) ?? 0
      for place in finding.places where results.count < Self.mostResults {
        results.append(SARIFResult(finding, place, files, ruleIndex: index))
      }
    }
    let leftOut = shown.reduce(0) { $0 + $1.places.count } - results.count
    let run = SARIFRun(
      checks.map(SARIFRule.init), results, root: root,
      warnings: leftOut > 0 ? ["\(leftOut) more places were left out."] : [])
    return JSONText.encode(SARIFLog(run))
  }
}

extension SARIFRule {
  fileprivate init(_ check: Check) {
    self.init(
      id: check.id, summary: check.summary, happened: check.happened,
      help: SARIFText(text: check.page(width: .max), markdown: check.markdownPage),
      page: check.address, severity: check.severity)
  }
}

extension SARIFResult {
  fileprivate init(
    _ finding: ProjectDiagnosis.Finding, _ place: ProjectDiagnosis.Occurrence,
    _ files: RepositoryFiles, ruleIndex: Int
  ) {
    let region = place.span.map {
      Region(
        startLine: $0.start.line, startColumn: $0.start.column, endLine: $0.end.line,
        endColumn: $0.end.column)
    }
    let name = region == nil ? PlainText.show(place.symbol ?? finding.check.id) : nil
    let artifact = Artifact(
      file: region == nil ? place.file : files.name(of: place.file), isBelowRoot: region != nil)
    self.init(
      ruleID: finding.check.id, ruleIndex: ruleIndex, finding.severity,
      "\(finding.shownMessage.asSentence) To do: \(finding.shownRemedy).",
      [Location(artifact, region, name: name)], fingerprint: place.fingerprint)
    if place.isSuppressed {
      suppressions = [Suppression(kind: "inSource", justification: place.justification)]
    } else if place.isBaselined {
      suppressions = [Suppression(kind: "external")]
      baselineState = "unchanged"
    }
  }
}
