// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration

/// One golden vector of mapping-rules §6: what is in a keychain, and what a migration in place makes of
/// it. The expectations follow from the specification, not from the code.
///
/// Entries, accounts and outcomes are compared exactly. A case names only the reasons and notes that it is about. A few
/// whole cases name all of them.
struct GoldenCase: Sendable, CustomTestStringConvertible {
  let name: String
  /// ADAL's rows with what the report says of each.
  let rows: [GoldenRow]
  /// The other items in the keychain.
  var target: [KeychainItem] = []
  var policy = Policy()
  /// The accounts of the report.
  let accounts: Set<GoldenAccount>
  /// The findings of the report: all errors and warnings, and the notes that the case is about.
  var findings: Set<GoldenFinding> = []
  /// The entries that are added.
  var writes: Set<SyntheticEntry> = []
  /// Whether the case names every reason and every note.
  let isWhole: Bool

  var testDescription: String { name }

  init(
    _ name: String, _ rows: [GoldenRow], target: [KeychainItem] = [], policy: Policy = Policy(),
    accounts: Set<GoldenAccount>, findings: Set<GoldenFinding> = [],
    writes: [SyntheticEntry] = [], isWhole: Bool = false
  ) {
    self.name = name
    self.rows = rows
    self.target = target
    self.policy = policy
    self.accounts = accounts
    self.findings = findings
    self.writes = Set(writes)
    self.isWhole = isWhole
  }

  /// The store that the case starts from.
  var store: MemoryStore { MemoryStore(rows.map(\.row.item) + target) }

  func migration(in store: MemoryStore) -> Migration {
    Migration(
      from: [.items(store)], into: .items(store), policy: policy,
      now: { Date(timeIntervalSince1970: World.now) })
  }

  /// Migrates, and compares.
  func check() throws {
    let store = store
    let before = try store.items()
    let report = try migration(in: store).run()
    let added = try store.items().filter { !before.contains($0) }

    try checkEntries(report)
    #expect(Set(report.accounts.map(GoldenAccount.init)) == accounts)
    #expect(report.accounts.count == accounts.count)
    let found = Set(report.findings.map(GoldenFinding.init))
    #expect(found.count == report.findings.count)
    #expect(findings.subtracting(found) == [])
    #expect(found.subtracting(findings).filter { isWhole || $0.severity != .note } == [])
    #expect(Set(added.compactMap(SyntheticEntry.init)) == writes)
    #expect(added.count == writes.count && report.summary.written == writes.count)
    for item in added {
      let entry = try #require(SyntheticEntry(item))
      var expected = entry.item(accessGroup: World.group, at: World.now)
      expected.data = item.data
      #expect(item == expected)
    }
  }

  private func checkEntries(_ report: Report) throws {
    var others = report.entries
    for row in rows {
      let item = row.row.item
      let index = try #require(
        others.firstIndex {
          $0.place.account == item.account && $0.place.service == item.service
        }, "no entry for the row \(row.kind)")
      row.check(others.remove(at: index), isWhole: isWhole)
    }
    // The entries in MSAL's form are there, and all other rows are ADAL's.
    for entry in others {
      #expect(entry.outcome == .alreadyThere)
      #expect(entry.reasons == [.keepIdentical])
    }
  }
}

/// A row of ADAL's and what the report says of it.
struct GoldenRow: Sendable {
  let row: SyntheticRow
  let kind: Report.RowKind
  let outcome: Report.Outcome
  /// Those that the case is about; the first is the first of the report where the row is not converted.
  let reasons: [Reason]
  /// Compared only where a case names it.
  var home: String??
  var scope: String??
  var evidence: [String]?

  init(
    _ row: SyntheticRow, _ kind: Report.RowKind, _ outcome: Report.Outcome, _ reasons: [Reason],
    home: String?? = nil, scope: String?? = nil,
    evidence: [String]? = nil
  ) {
    self.row = row
    self.kind = kind
    self.outcome = outcome
    self.reasons = reasons
    self.home = home
    self.scope = scope
    self.evidence = evidence
  }

  /// A refresh token for every resource.
  init(
    _ row: SyntheticRow, _ outcome: Report.Outcome, _ reasons: [Reason], home: String?? = nil,
    scope: String?? = nil, evidence: [String]? = nil
  ) {
    self.init(
      row, .multiResourceRefreshToken, outcome, reasons, home: home, scope: scope,
      evidence: evidence)
  }

  func check(_ entry: Report.Entry, isWhole: Bool) {
    #expect(entry.kind == kind)
    #expect(entry.outcome == outcome, "\(entry.reasons.map(\.code))")
    let said = Set(entry.reasons)
    #expect(said.count == entry.reasons.count)
    #expect(Set(reasons).subtracting(said) == [])
    if isWhole { #expect(said.subtracting(reasons) == []) }
    if outcome == .notConverted { #expect(entry.reasons.first == reasons.first) }
    if let home { #expect(entry.homeAccountID == home) }
    if let scope { #expect(entry.scope == scope) }
    if let evidence { #expect(entry.evidence == evidence) }
    #expect(entry.clientID == row.clientID)
    #expect(entry.authority == row.authority)
    #expect(entry.resource == row.resource)
  }
}

/// An account as the report lists it.
struct GoldenAccount: Sendable, Hashable {
  let userID: String?
  let home: String?
  let environment: String?
  let confidence: Report.Confidence
  let signedIn: Report.SignedIn

  init(
    _ userID: String?, _ home: String?, _ confidence: Report.Confidence,
    _ signedIn: Report.SignedIn, at environment: String? = "login.windows.net"
  ) {
    self.userID = userID
    self.home = home
    self.environment = environment
    self.confidence = confidence
    self.signedIn = signedIn
  }

  init(_ account: Report.Account) {
    self.init(
      account.userID, account.homeAccountID, account.confidence, account.signedIn,
      at: account.environment)
  }
}

/// A finding of the report: the reason, how bad it is, how many rows it is about.
struct GoldenFinding: Sendable, Hashable {
  let reason: String
  let severity: Report.Severity
  let rows: Int

  init(_ finding: Report.Finding) {
    reason = finding.reason.code
    severity = finding.severity
    rows = finding.rows.count
  }

  private init(_ reason: Reason, _ severity: Report.Severity, _ rows: Int) {
    self.reason = reason.code
    self.severity = severity
    self.rows = rows
  }

  static func error(_ reason: Reason, _ rows: Int = 1) -> Self { Self(reason, .error, rows) }
  static func warning(_ reason: Reason, _ rows: Int = 1) -> Self { Self(reason, .warning, rows) }
  static func note(_ reason: Reason, _ rows: Int = 1) -> Self { Self(reason, .note, rows) }
}

extension [Reason] {
  /// The reasons of every row whose account and ID token are written with it.
  static let account: [Reason] = [.okAccount, .okAppMeta, .okIDTokenV1, .clientInfoSynthesised]
}
