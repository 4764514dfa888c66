// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON

extension MaskedReport {
  private static let mostLocations = 1000
  private static let unreadRule = "file.unreadable"

  /// The findings as SARIF 2.1.0: a rule for each reason that occurs, a result for each finding.
  ///
  /// A cache has no lines, so a result points at the first line of the file, as GitHub asks, and names
  /// the rows as logical locations. GitHub shows the first location alone, so each file has a result of its own.
  func sarif(files: RepositoryFiles = .asNamed) -> String {
    let words = ReportWords(report: content)
    let findings = words.findings
    let places = FindingPlaces(content, files)
    let reasons = Set(findings.map(\.reason)).sorted { $0.code < $1.code }
    var rules = reasons.map { reason in
      SARIFLog.rule(
        id: reason.code, summary: reason.summary, happened: reason.written.happened,
        help: reason.page(width: .max), markdown: reason.markdownPage, page: reason.address)
    }
    var results = findings.flatMap { finding in
      let index = reasons.firstIndex(of: finding.reason) ?? 0
      return places.places(of: finding).map { place in
        // Every result has to have a place; one about the whole run is at the first file.
        let file = finding.rows.isEmpty ? places.first : place.file
        return result(finding, (file, place.rows), ruleIndex: index, words)
      }
    }
    if !content.unread.isEmpty {
      results += content.unread.map { file, _, objection in
        let file = files.name(of: file)
        return SARIFLog.result(
          ruleID: Self.unreadRule, ruleIndex: rules.count, .error,
          objection.asSentence, [Self.location(file)],
          fingerprint: Report.digest("\(Self.unreadRule)\n\(file)", digits: 32))
      }
      rules.append(
        SARIFLog.rule(
          id: Self.unreadRule, summary: "file cannot be read as a cache",
          happened:
            "The file looks like a cache and cannot be read as one, so its users are unknown.",
          help: "Export the cache again, or take the file out of the folder.",
          page: .readingReports))
    }
    return SARIFLog.text(rules: rules, results: results)
  }

  private func result(
    _ finding: Report.Finding, _ place: FindingPlaces.Place, ruleIndex: Int, _ words: ReportWords
  ) -> JSONValue {
    let concerned = Set(place.rows.prefix(Self.mostLocations))
    let rows = content.entries.filter { concerned.contains($0.row) }
    let locations = rows.map { entry in
      Self.location(place.file, name: "row \(entry.row), \(entry.kind.rawValue)")
    }
    // The rows are not part of it: a cache that grows does not reopen an alert.
    let identity = [finding.reason.code, finding.severity.rawValue, place.file ?? ""]
    return SARIFLog.result(
      ruleID: finding.reason.code, ruleIndex: ruleIndex, finding.severity,
      "\(finding.shownStart). \(words.advice(finding, in: place.rows))",
      locations.isEmpty ? [Self.location(place.file)] : locations,
      fingerprint: Report.digest(identity.joined(separator: "\n"), digits: 32))
  }

  /// The beginning of a file, which has no lines; the keychain has no file and goes by its own name.
  private static func location(_ file: String?, name: String? = nil) -> JSONValue {
    let path = file.flatMap { $0.isEmpty ? nil : $0 } ?? "keychain"
    let uri = (path.hasPrefix("/") ? "file://" : "") + path.asRelativeReference
    return SARIFLog.location(uri: uri, ["startLine": 1, "byteOffset": 0], name: name)
  }
}
