// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ADALMigration
@testable import MigrationReports

/// Telemetry contains only numbers and words of fixed lists, and no personal data.
@Suite struct TelemetryTests {
  @Test("the counts of the mixed sample")
  func counts() {
    let summary = ReportSample.mixed.report.summaryForTelemetry
    #expect(summary.run == .dryRun && summary.rows == 11 && summary.foreign == 2)
    #expect(summary.outcomes[.converted] == 5 && summary.outcomes[.alreadyThere] == 1)
    #expect(summary.outcomes.total == 11 && summary.kinds.total == 11)
    #expect(summary.reasons[.homeGuestUnresolved] == 2 && summary.reasons[.okMRRT] == 3)
    #expect(summary.findings.error[.homeGuestUnresolved] == 2)
    #expect(summary.findings.note[.coexistenceLogout] == 1)
    #expect(summary.accounts[.yes] == 3 && summary.accounts[.no] == 1)
    #expect(summary.milliseconds == nil)
    let inspection = ReportSample.inspection.report.summaryForTelemetry
    #expect(inspection.outcomes.total == 0 && inspection.accounts.total == 0)
    #expect(inspection.kinds.total == 11 && inspection.written.total == 0)
  }

  @Test("an encoded value is decoded, also with the fields of newer versions")
  func codable() throws {
    for sample in ReportSample.allCases {
      let summary = sample.report.summaryForTelemetry
      let data = try JSONEncoder().encode(summary)
      #expect(try JSONDecoder().decode(Report.TelemetrySummary.self, from: data) == summary)
      let newer = String(decoding: data, as: UTF8.self)
        .replacingOccurrences(of: "\"kinds\":{", with: "\"kinds\":{\"unheard-of\":1,")
        .replacingOccurrences(of: ",}", with: "}")
      #expect(
        try JSONDecoder().decode(Report.TelemetrySummary.self, from: Data(newer.utf8)) == summary)
    }
  }

  @Test("by construction there is no text in it but words of fixed lists")
  func construction() {
    func leaves(_ value: Any) -> [Any] {
      let mirror = Mirror(reflecting: value)
      if mirror.displayStyle == .enum { return [] }
      return mirror.children.isEmpty && mirror.displayStyle == nil
        ? [value] : mirror.children.flatMap { leaves($0.value) }
    }
    for sample in ReportSample.allCases {
      for leaf in leaves(sample.report.summaryForTelemetry) {
        #expect(leaf is Int, "\(type(of: leaf))")
      }
    }
    // The search for texts finds them.
    #expect(leaves(ReportSample.mixed.report).contains { $0 is String })
  }

  @Test("no 8 bytes of a name, an id or a secret of a cache are in it", arguments: Vectors.adal)
  func windows(vector: ADALVector) throws {
    let (migration, store) = try vector.migration()
    let source: Source = vector.isMac ? .blob(try vector.blob()) : .items(store)
    var windows = ByteWindows(except: [], width: 8)
    for row in try Inventory(of: [source], into: .items(store), accessGroups: nil).rows {
      guard case .legacy(let shared) = row.content, case let token = shared.token,
        !token.isTombstone
      else { continue }
      for secret in [token.accessToken, token.refreshToken, token.rawIDToken] {
        // Reveal: what must not be in the summary has to be looked for.
        windows.add(secret?.revealText() ?? "", width: 8)
      }
    }
    let reports = [
      try Migration.inspect([source], now: vector.clock()).report, try migration.plan(),
      try migration.run(),
    ]
    for report in reports {
      for name in report.namesAndIDs { windows.add(name, width: 8) }
      let text = report.masked().telemetry()
      #expect(windows.first(in: text) == nil)
      #expect(text == ReportFormat.summary.render(report.unmasked()))
      #expect(report.summaryForTelemetry.generations.total == report.summary.rows)
    }
    #expect(reports[1].summaryForTelemetry.written.total == reports[1].summary.written)
    #expect(reports[2].summaryForTelemetry.written.total == reports[2].summary.written)
  }

  @Test("the version that wrote a row, as far as its form tells")
  func generations() throws {
    var found: [String: Set<Report.Generation>] = [:]
    // A cache that went through an upgrade has rows of every version.
    for vector in Vectors.adal where !vector.scenario.hasPrefix("upgrade") {
      let report = try vector.migration().0.plan()
      let version = vector.name.split(separator: "-")[1].split(separator: ".").prefix(2)
        .joined(separator: ".")
      found[version, default: []].formUnion(report.entries.map(\.generation))
    }
    #expect(found["1.2"] == [.adal1])
    #expect(found["2.6"]?.isSubset(of: [.adal21, .unknown]) == true)
    #expect(found["2.7"]?.isSubset(of: [.adal27, .adal21, .msal, .unknown]) == true)
    #expect(found["2.7"]?.isSuperset(of: [.adal27, .msal]) == true)
  }
}

extension Report {
  /// Everything of somebody or of some app that the report has.
  var namesAndIDs: [String] {
    var names: [String?] = []
    for account in accounts {
      names += [account.userID, account.homeAccountID]
      names += account.clients
      names += account.realms
    }
    for entry in entries {
      names += [entry.userID, entry.clientID, entry.homeAccountID, entry.resource]
      names += [entry.place.account, entry.place.accessGroup, entry.place.file]
    }
    return names.compactMap { $0 }
  }
}
