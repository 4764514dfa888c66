// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON
import MigrationReports

extension DiagnosisReport {
  /// The most results that GitHub takes in one run.
  private static let mostResults = 5000

  /// The diagnosis as SARIF 2.1.0: a rule for each that fired, a result for each place.
  ///
  /// GitHub shows suppressed results as open ones, so they are left out unless asked for.
  var sarif: String {
    let checks = Set(findings.map(\.check)).sorted()
    // The findings are sorted, errors first.
    let all = findings.eachPlace
    let results = all.prefix(Self.mostResults).map { finding, place in
      result(finding, place, ruleIndex: checks.firstIndex(of: finding.check) ?? 0)
    }
    let leftOut = all.count - results.count
    return SARIFLog.text(
      rules: checks.map(Self.rule), results: results, root: root,
      warnings: leftOut > 0 ? ["\(leftOut) more places were left out."] : [])
  }

  private static func rule(_ check: Check) -> JSONValue {
    SARIFLog.rule(
      id: check.code, summary: check.summary, happened: check.written.happened,
      help: check.page(width: .max), markdown: check.markdownPage, page: check.address,
      severity: check.severity)
  }

  private func result(_ finding: Finding, _ place: Occurrence, ruleIndex: Int) -> JSONValue {
    let region = place.region
    let file = region == nil ? place.file : files.name(of: place.file)
    let location = SARIFLog.location(
      uri: file.asRelativeReference, isBelowRoot: region != nil, region,
      name: region == nil ? PlainText.show(place.symbol ?? finding.check.code) : nil)
    let isBaselined = !place.isSuppressed && place.isBaselined
    let suppression = JSONValue.members([
      "kind": .string(isBaselined ? "external" : "inSource"),
      "justification": isBaselined ? nil : .text(place.justification),
    ])
    return SARIFLog.result(
      ruleID: finding.check.code, ruleIndex: ruleIndex, finding.severity,
      "\(finding.shownMessage.asSentence) To do: \(finding.shownRemedy).", [location],
      fingerprint: place.fingerprint,
      suppression: place.isSuppressed || place.isBaselined ? suppression : nil,
      baselineState: isBaselined ? "unchanged" : nil)
  }
}
