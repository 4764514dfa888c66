// SPDX-License-Identifier: MIT
// The import of an app's tests. The vectors are of the package.
import ADALMigration
import Testing

/// Reports as an app's own tests make them, without a run.
@Suite struct ReportPartsTests {
  private let report = Report(
    accounts: [
      Report.Account(userID: "adele@contoso.com", homeAccountID: "uid.utid", signedIn: .yes),
      Report.Account(userID: "carol@fabrikam.com", signedIn: .no),
      Report.Account(userID: "dave@fabrikam.com", signedIn: .byUserName),
      Report.Account(userID: nil, signedIn: .no),
    ],
    entries: [
      Report.Entry(row: 0, account: 0, outcome: .converted, reasons: [.okMRRT, .homeExact]),
      Report.Entry(row: 1, account: 1, outcome: .notConverted, reasons: [.homeGuestUnresolved]),
      Report.Entry(
        row: 2, kind: .accessToken, account: 0, outcome: .alreadyThere, reasons: [.keepAT]),
      Report.Entry(row: 3, kind: .tombstone, outcome: .notConverted, reasons: [.rtTombstone]),
    ],
    findings: [
      Report.Finding(.homeGuestUnresolved, severity: .error, rows: [1]),
      Report.Finding(.rtTombstone, severity: .note, rows: [3]),
    ], foreign: 2)

  /// An app's questions to a report.
  private func sentences(_ report: Report) -> [String] {
    report.accounts.indices.filter { report.accounts[$0].signedIn == .no }.map { index in
      let entry = report.entries.first { $0.account == index }
      let why = entry?.reasons.first?.summary ?? "nothing is known"
      return "\(report.accounts[index].userID ?? "somebody") signs in again: \(why)"
    }
  }

  @Test func anAppSaysWhoSignsInAgainAndWhy() {
    #expect(
      sentences(report) == [
        "carol@fabrikam.com signs in again: \(Reason.homeGuestUnresolved.summary)",
        "somebody signs in again: nothing is known",
      ])
  }

  @Test func countsFollowFromTheParts() {
    let summary = report.summary
    #expect(
      [summary.rows, summary.converted, summary.alreadyThere, summary.notConverted] == [4, 1, 1, 2])
    #expect(
      [summary.accounts, summary.accountsSignedIn, summary.accountsToSignIn] == [4, 2, 2])
    #expect([summary.foreign, summary.written] == [2, 0])
    #expect(report.kind == .applied)
    #expect(report.worstSeverity == .error)
    #expect(report.accounts.map(\.confidence) == [.exact, .usernameOnly, .usernameOnly, .none])
    #expect(report.findings[0].remedy == Reason.homeGuestUnresolved.remedy)
    #expect(report.findings[0].fragments == [.text(Reason.homeGuestUnresolved.summary)])
  }

  @Test func whatRowsNeedIsWritten() {
    var account = Report.Write(type: .account, environment: "login.windows.net")
    account.realm = "tenant"
    let token = Report.Write(type: .refreshToken, environment: "login.windows.net")
    var entries = Array(report.entries.prefix(3))
    for index in entries.indices { entries[index].writes = [token, account] }
    let written = Report(accounts: report.accounts, entries: entries).summary.written
    #expect(written == 6)
  }

  @Test func anIndexOfNobodyIsNobody() {
    let report = Report(
      accounts: [Report.Account(userID: "a@b.c", signedIn: .yes)],
      entries: [-1, 0, 1, Int.max].enumerated().map { row, account in
        Report.Entry(row: row, account: account, outcome: .converted, reasons: [.okMRRT])
      })
    #expect(report.entries.map(\.account) == [nil, 0, nil, nil])
    #expect(report.masked() == report.masked())
  }

  @Test func aFailureIsAStoreThatFails() {
    struct LockedKeychain: ItemStore {
      func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
        throw StoreError(.locked, "the device has not been unlocked")
      }
      func add(_ items: [KeychainItem]) throws -> [KeychainItem] { [] }
    }
    let keychain = LockedKeychain()
    let migration = Migration(from: .items(keychain), into: .items(keychain))
    #expect(throws: StoreError(.locked, "")) { try migration.run() }
  }
}

/// The report of a run equals the report made of its parts.
@Suite struct RunPartsTests {
  @Test(arguments: Vectors.adal.prefix(12))
  func countsOfARunAreThoseOfItsParts(vector: ADALVector) throws {
    let (migration, _) = try vector.migration()
    let report = try migration.run()
    let again = Report(
      kind: report.kind, accounts: report.accounts, entries: report.entries,
      findings: report.findings, foreign: report.summary.foreign)
    var summary = again.summary
    // Rows share what they need.
    summary.written = report.summary.written
    #expect(summary == report.summary)
    #expect(again.entries == report.entries)
  }
}
