// SPDX-License-Identifier: MIT
import ADALMigration

extension MaskedReport {
  /// The findings as SARIF 2.1.0: a rule for each reason that occurs, a result for each finding.
  ///
  /// A cache has no lines, so a result points at the first line of the file, as GitHub asks, and names
  /// the rows as logical locations.
  func sarif() -> String {
    let findings = ReportWords(report: content).findings
    let reasons = Set(findings.map(\.reason)).sorted()
    let results = findings.map { finding in
      SARIFResult(
        finding, ruleIndex: reasons.firstIndex(of: finding.reason) ?? 0, entries: content.entries)
    }
    return JSONText.encode(SARIFLog(SARIFRun(reasons.map(SARIFRule.init), results)))
  }
}

extension SARIFRule {
  fileprivate init(_ reason: Reason) {
    self.init(
      id: reason.code, summary: reason.summary, happened: ReasonPage(reason).happened.folded,
      help: SARIFText(text: reason.page(width: .max), markdown: reason.markdownPage),
      page: PageAddress(reason))
  }
}

extension SARIFResult {
  /// What GitHub takes for one result.
  private static let maximumOfLocations = 1000

  fileprivate init(_ finding: Report.Finding, ruleIndex: Int, entries: [Report.Entry]) {
    let concerned = Set(finding.rows)
    let rows = entries.filter { concerned.contains($0.row) }
    let files = Set(entries.map(\.place.file)).sorted { ($0 ?? "") < ($1 ?? "") }
    var locations = rows.prefix(Self.maximumOfLocations).map { entry in
      Location(
        Self.artifact(entry.place.file), .start, name: "row \(entry.row), \(entry.kind.rawValue)")
    }
    if locations.isEmpty { locations = [Location(Self.artifact(files.first ?? nil), .start)] }
    // The rows are not part of it: a cache that grows does not reopen an alert.
    let identity = [finding.reason.code, finding.severity.rawValue] + files.map { $0 ?? "" }
    self.init(
      ruleID: finding.reason.code, ruleIndex: ruleIndex, finding.severity,
      "\(finding.shownMessage). \(finding.toDo)", locations,
      fingerprint: Report.digest(identity.joined(separator: "\n"), digits: 32))
  }

  /// A file; the keychain has none and goes by its own name.
  private static func artifact(_ file: String?) -> Artifact {
    guard let file, !file.isEmpty else { return Artifact(file: "keychain") }
    var artifact = Artifact(file: file)
    if file.hasPrefix("/") { artifact.uri = "file://\(artifact.uri)" }
    return artifact
  }
}

extension String {
  /// The words with one space between them.
  fileprivate var folded: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
