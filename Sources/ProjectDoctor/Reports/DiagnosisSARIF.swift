// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON
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
    var results: [JSONValue] = []
    // The findings are sorted, errors first.
    for finding in shown {
      let index = checks.firstIndex(of: finding.check) ?? 0
      for place in finding.places where results.count < Self.mostResults {
        results.append(Self.result(finding, place, files, ruleIndex: index))
      }
    }
    let leftOut = shown.reduce(0) { $0 + $1.places.count } - results.count
    return SARIFLog.text(
      rules: checks.map(Self.rule), results: results, root: root,
      warnings: leftOut > 0 ? ["\(leftOut) more places were left out."] : [])
  }

  private static func rule(_ check: Check) -> JSONValue {
    SARIFLog.rule(
      id: check.id, summary: check.summary, happened: check.happened,
      help: check.page(width: .max), markdown: check.markdownPage, page: check.address,
      severity: check.severity)
  }

  private static func result(
    _ finding: Finding, _ place: Occurrence, _ files: RepositoryFiles, ruleIndex: Int
  ) -> JSONValue {
    let region = place.span.map {
      [
        "startLine": $0.start.line, "startColumn": $0.start.column, "endLine": $0.end.line,
        "endColumn": $0.end.column,
      ]
    }
    let file = region == nil ? place.file : files.name(of: place.file)
    let location = SARIFLog.location(
      uri: file.asRelativeReference, isBelowRoot: region != nil, region,
      name: region == nil ? PlainText.show(place.symbol ?? finding.check.id) : nil)
    let isBaselined = !place.isSuppressed && place.isBaselined
    let suppression = JSONValue.members([
      "kind": .string(isBaselined ? "external" : "inSource"),
      "justification": isBaselined ? nil : .text(place.justification),
    ])
    return SARIFLog.result(
      ruleID: finding.check.id, ruleIndex: ruleIndex, finding.severity,
      "\(finding.shownMessage.asSentence) To do: \(finding.shownRemedy).", [location],
      fingerprint: place.fingerprint,
      suppression: place.isSuppressed || place.isBaselined ? suppression : nil,
      baselineState: isBaselined ? "unchanged" : nil)
  }
}
