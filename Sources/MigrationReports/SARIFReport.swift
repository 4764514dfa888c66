// SPDX-License-Identifier: MIT
import ADALMigration
import Foundation

extension MaskedReport {
  /// The findings as SARIF 2.1.0: a rule for each reason that occurs, a result for each finding.
  ///
  /// A cache has no lines, so a result points at the first line of the file, as GitHub asks, and names
  /// the rows as logical locations.
  func sarif() -> String {
    let findings = ReportWords(report: content).findings
    let reasons = Set(findings.map(\.reason)).sorted()
    let run = SARIFRun(
      tool: .init(
        driver: .init(
          name: "adal2msal", version: Report.toolVersion, semanticVersion: Report.toolVersion,
          informationUri: Report.homepage,
          rules: reasons.map(SARIFRule.init))),
      results: findings.map { finding in
        SARIFResult(
          finding, ruleIndex: reasons.firstIndex(of: finding.reason) ?? 0,
          entries: content.entries)
      },
      columnKind: "unicodeCodePoints")
    return JSONText.encode(SARIFLog(runs: [run]))
  }
}

private struct SARIFLog: Encodable {
  var schema = "https://json.schemastore.org/sarif-2.1.0.json"
  var version = "2.1.0"
  var runs: [SARIFRun]

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }
}

private struct SARIFRun: Encodable {
  struct Tool: Encodable {
    var driver: Driver
  }
  struct Driver: Encodable {
    var name: String
    var version: String
    var semanticVersion: String
    var informationUri: String
    var rules: [SARIFRule]
  }
  var tool: Tool
  var results: [SARIFResult]
  var columnKind: String
}

private struct SARIFText: Encodable {
  var text: String
  var markdown: String?
}

private struct SARIFRule: Encodable {
  var id: String
  var shortDescription: SARIFText
  var fullDescription: SARIFText
  var help: SARIFText
  var helpUri: String

  init(_ reason: Reason) {
    id = reason.code
    shortDescription = SARIFText(text: reason.summary.asSentence)
    fullDescription = SARIFText(text: ReasonPage(reason).happened.folded)
    help = SARIFText(text: reason.page(width: .max), markdown: reason.markdownPage)
    helpUri = "\(Report.homepage)/blob/main/MIGRATION.md#\(reason.anchor)"
  }
}

private struct SARIFResult: Encodable {
  struct Artifact: Encodable {
    var uri: String
  }
  struct Region: Encodable {
    var startLine = 1
    var byteOffset = 0
  }
  struct Physical: Encodable {
    var artifactLocation: Artifact
    var region = Region()
  }
  struct Logical: Encodable {
    var name: String
    var kind = "member"
  }
  struct Location: Encodable {
    var physicalLocation: Physical
    var logicalLocations: [Logical]?
  }
  var ruleId: String
  var ruleIndex: Int
  var level: String
  var message: SARIFText
  var locations: [Location]
  var partialFingerprints: [String: String]

  /// What GitHub takes for one result.
  private static let maximumOfLocations = 1000

  init(_ finding: Report.Finding, ruleIndex: Int, entries: [Report.Entry]) {
    ruleId = finding.reason.code
    self.ruleIndex = ruleIndex
    level = finding.severity.rawValue
    message = SARIFText(
      text: "\(finding.shownMessage). \(finding.toDo)")

    let concerned = Set(finding.rows)
    let rows = entries.filter { concerned.contains($0.row) }
    let files = Set(entries.map(\.place.file)).sorted { ($0 ?? "") < ($1 ?? "") }
    locations =
      rows.prefix(Self.maximumOfLocations).map { entry in
        Location(
          physicalLocation: Physical(artifactLocation: Artifact(uri: Self.uri(entry.place.file))),
          logicalLocations: [Logical(name: "row \(entry.row), \(entry.kind.rawValue)")])
      }
    if locations.isEmpty {
      locations = [
        Location(
          physicalLocation: Physical(artifactLocation: Artifact(uri: Self.uri(files.first ?? nil))))
      ]
    }
    // The rows are not part of it: a cache that grows does not reopen an alert.
    let identity = [finding.reason.code, finding.severity.rawValue] + files.map { $0 ?? "" }
    partialFingerprints = [
      "adal2msal/v1": Report.digest(identity.joined(separator: "\n"), digits: 32)
    ]
  }

  /// A file's name as a relative reference; the keychain has none and goes by its own.
  private static func uri(_ file: String?) -> String {
    guard let file, !file.isEmpty else { return "keychain" }
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    let path = file.utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + PlainText.hex(byte, digits: 2)
    }.joined()
    return path.hasPrefix("/") ? "file://\(path)" : path
  }
}

extension String {
  /// The words with one space between them.
  fileprivate var folded: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
