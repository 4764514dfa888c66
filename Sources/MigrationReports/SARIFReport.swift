// SPDX-License-Identifier: MIT
import ADALMigration

extension MaskedReport {
  /// The findings as SARIF 2.1.0: a rule for each reason that occurs, a result for each finding.
  ///
  /// A cache has no lines, so a result points at the first line of the file, as GitHub asks, and names
  /// the rows as logical locations. GitHub shows the first location alone, so each file has a result of its own.
  func sarif(files: RepositoryFiles = .asNamed) -> String {
    let words = ReportWords(report: content)
    let findings = words.findings
    let places = FindingPlaces(content, files)
    let reasons = Set(findings.map(\.reason)).sorted { $0.code < $1.code }
    let results = findings.flatMap { finding in
      let index = reasons.firstIndex(of: finding.reason) ?? 0
      return places.places(of: finding).map { place in
        // Every result has to have a place; one about the whole run is at the first file.
        let file = finding.rows.isEmpty ? places.first : place.file
        return SARIFResult(finding, .init(file: file, rows: place.rows), ruleIndex: index, words)
      }
    }
    let unread = content.caches.compactMap { cache in
      cache.objection.map { SARIFResult.unread(files.name(of: cache.file), $0) }
    }
    let rules = reasons.map(SARIFRule.init)
    return JSONText.encode(
      SARIFLog(
        SARIFRun(
          unread.isEmpty ? rules : rules + [.unread], results + unread.map { $0(rules.count) })))
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

extension SARIFRule {
  /// That a file of a folder cannot be read as a cache.
  fileprivate static let unread = SARIFRule(
    id: "file.unreadable", summary: "file cannot be read as a cache",
    happened: "The file looks like a cache and cannot be read as one, so its users are unknown.",
    help: SARIFText(text: "Export the cache again, or take the file out of the folder."),
    page: .readingReports)
}

extension SARIFResult {
  /// What GitHub takes for one result.
  private static let maximumOfLocations = 1000

  fileprivate init(
    _ finding: Report.Finding, _ place: FindingPlaces.Place, ruleIndex: Int, _ words: ReportWords
  ) {
    let concerned = Set(place.rows.prefix(Self.maximumOfLocations))
    let rows = words.report.entries.filter { concerned.contains($0.row) }
    var locations = rows.map { entry in
      Location(Self.artifact(place.file), .start, name: "row \(entry.row), \(entry.kind.rawValue)")
    }
    if locations.isEmpty { locations = [Location(Self.artifact(place.file), .start)] }
    // The rows are not part of it: a cache that grows does not reopen an alert.
    let identity = [finding.reason.code, finding.severity.rawValue, place.file ?? ""]
    let who = words.who(finding, in: Set(place.rows)).map { "Who: \($0). " } ?? ""
    self.init(
      ruleID: finding.reason.code, ruleIndex: ruleIndex, finding.severity,
      "\(finding.shownStart). \(who)\(finding.toDo)", locations,
      fingerprint: Report.digest(identity.joined(separator: "\n"), digits: 32))
  }

  /// A file of a folder that cannot be read, given the position of its rule.
  fileprivate static func unread(_ file: String, _ objection: String) -> (Int) -> SARIFResult {
    { ruleIndex in
      SARIFResult(
        ruleID: SARIFRule.unread.id, ruleIndex: ruleIndex, .error,
        PlainText.show(objection).capitalizedStart + ".", [Location(artifact(file), .start)],
        fingerprint: Report.digest("\(SARIFRule.unread.id)\n\(file)", digits: 32))
    }
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
