// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import Foundation

extension ProjectDiagnosis {
  /// The diagnosis as SARIF 2.1.0: a rule for each that fired, a result for each place.
  ///
  /// GitHub shows suppressed results as open ones, so they are left out unless asked for.
  ///
  /// - Parameter root: The folder as a `file://` address, which ends in a slash.
  package func sarif(root: String, showingSuppressed: Bool = false) -> String {
    let shown = showingSuppressed ? findings : counted
    let checks = Set(shown.map(\.check)).sorted()
    var results: [SARIFResult] = []
    // The findings are sorted, errors first.
    for finding in shown {
      let index = checks.firstIndex(of: finding.check) ?? 0
      for place in finding.places where results.count < SARIFResult.most {
        results.append(SARIFResult(finding, place, ruleIndex: index))
      }
    }
    let all = shown.reduce(0) { $0 + $1.places.count }
    let run = SARIFRun(
      tool: .init(
        driver: .init(
          name: "adal2msal", version: Report.toolVersion, semanticVersion: Report.toolVersion,
          informationUri: Report.homepage, rules: checks.map(SARIFRule.init))),
      originalUriBaseIds: ["SRCROOT": .init(uri: root)],
      invocations: [
        .init(
          toolExecutionNotifications: results.count < all
            ? [
              .init(
                level: "warning",
                message: SARIFText(text: "\(all - results.count) more places were left out."))
            ] : [])
      ],
      results: results)
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
  struct Tool: Encodable { var driver: Driver }
  struct Driver: Encodable {
    var name: String
    var version: String
    var semanticVersion: String
    var informationUri: String
    var rules: [SARIFRule]
  }
  struct Base: Encodable { var uri: String }
  struct Notification: Encodable {
    var level: String
    var message: SARIFText
  }
  struct Invocation: Encodable {
    var executionSuccessful = true
    var toolExecutionNotifications: [Notification]
  }
  var tool: Tool
  var originalUriBaseIds: [String: Base]
  var invocations: [Invocation]
  var results: [SARIFResult]
  var columnKind = "unicodeCodePoints"
}

private struct SARIFText: Encodable {
  var text: String
  var markdown: String?
}

private struct SARIFRule: Encodable {
  struct Configuration: Encodable { var level: String }
  var id: String
  var shortDescription: SARIFText
  var fullDescription: SARIFText
  var help: SARIFText
  var helpUri: String
  var defaultConfiguration: Configuration

  init(_ check: Check) {
    id = check.id
    shortDescription = SARIFText(text: check.summary.asOneSentence)
    fullDescription = SARIFText(text: check.text.happened)
    help = SARIFText(text: check.page(width: .max), markdown: check.markdownPage)
    helpUri = "\(Report.homepage)/blob/main/MIGRATION.md#\(check.anchor)"
    defaultConfiguration = Configuration(level: check.severity.rawValue)
  }
}

private struct SARIFResult: Encodable {
  struct Artifact: Encodable {
    var uri: String
    var uriBaseId: String?
  }
  struct Region: Encodable {
    var startLine: Int
    var startColumn: Int
    var endLine: Int
    var endColumn: Int
  }
  struct Physical: Encodable {
    var artifactLocation: Artifact
    var region: Region?
  }
  struct Logical: Encodable {
    var name: String
    var kind = "member"
  }
  struct Location: Encodable {
    var physicalLocation: Physical
    var logicalLocations: [Logical]?
  }
  struct Suppression: Encodable {
    var kind: String
    var justification: String?
  }
  var ruleId: String
  var ruleIndex: Int
  var level: String
  var message: SARIFText
  var locations: [Location]
  var partialFingerprints: [String: String]
  var suppressions: [Suppression]?
  var baselineState: String?

  /// What GitHub takes in one run.
  static let most = 5000

  init(
    _ finding: ProjectDiagnosis.Finding, _ place: ProjectDiagnosis.Place, ruleIndex: Int
  ) {
    ruleId = finding.check.id
    self.ruleIndex = ruleIndex
    level = finding.severity.rawValue
    message = SARIFText(
      text: "\(finding.shownMessage.asOneSentence) To do: \(finding.shownRemedy).")
    let region = place.span.map {
      Region(
        startLine: $0.start.line, startColumn: $0.start.column, endLine: $0.end.line,
        endColumn: $0.end.column)
    }
    locations = [
      Location(
        physicalLocation: Physical(
          artifactLocation: Artifact(
            uri: place.file.asRelativeReference, uriBaseId: region == nil ? nil : "SRCROOT"),
          region: region),
        logicalLocations: region == nil
          ? [Logical(name: PlainText.show(place.symbol ?? finding.check.id))] : nil)
    ]
    partialFingerprints = ["adal2msal/v1": place.fingerprint]
    if place.isSuppressed {
      suppressions = [Suppression(kind: "inSource", justification: place.justification)]
    } else if place.isBaselined {
      suppressions = [Suppression(kind: "external")]
      baselineState = "unchanged"
    }
  }
}

extension String {
  /// A path as a relative reference: everything but plain characters percent-encoded.
  package var asRelativeReference: String {
    let plain = Set(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    return utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + PlainText.hex(byte, digits: 2)
    }.joined()
  }

  /// With a capital letter and a full stop.
  var asOneSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
