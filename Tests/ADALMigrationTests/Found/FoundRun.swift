// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALMigration

/// A run over one of the caches of `Tests/Vectors/found`, and what is compared of it.
struct FoundRun {
  static let now = 1_700_000_100.0
  static let group = "ABCDE12345.com.microsoft.adalcache"

  /// The subject of the case: two clients, Ann at home, and as a guest.
  static let client = "0000000a-0000-4000-8000-00000000000a"
  static let otherClient = "0000000b-0000-4000-8000-00000000000b"
  static let home = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa.11111111-1111-4111-8111-111111111111"
  static let tenant = "11111111-1111-4111-8111-111111111111"
  static let ann = "ann@contoso.com"

  let report: Report
  let target: MemoryStore
  let before: [KeychainItem]

  /// The items of a case; several files are several sources.
  static func items(_ name: String) throws -> [KeychainItem] {
    let file = Vectors.folder.appendingPathComponent("found/\(name).items.json")
    return try ItemFile(path: file.path).items()
  }

  /// A run into the same store.
  static func inPlace(_ name: String, policy: Policy = Policy()) throws -> FoundRun {
    try inPlace(items(name), policy: policy)
  }

  static func inPlace(_ items: [KeychainItem], policy: Policy = Policy()) throws -> FoundRun {
    let store = MemoryStore(items)
    return try FoundRun([.items(store)], store, policy)
  }

  /// A run into a target of its own, which is new unless a file is named.
  static func into(
    _ target: String? = nil, _ names: String..., policy: Policy = Policy()
  ) throws -> FoundRun {
    try FoundRun(
      names.map { .items(MemoryStore(try items($0)), file: $0) },
      MemoryStore(try target.map(items) ?? []), policy)
  }

  static func intoNew(_ items: [KeychainItem], policy: Policy = Policy()) throws -> FoundRun {
    try FoundRun([.items(MemoryStore(items))], MemoryStore(), policy)
  }

  /// Runs twice: the second run must write nothing and have nothing left to convert.
  private init(_ sources: [Source], _ target: MemoryStore, _ policy: Policy) throws {
    self.target = target
    before = try target.items()
    let migration = Migration(
      from: sources, into: .items(target), policy: policy,
      now: { Date(timeIntervalSince1970: Self.now) })
    report = try migration.run()
    let after = try target.items()
    let again = try migration.run()
    #expect(try target.items() == after)
    #expect(again.summary.written == 0 && again.summary.converted == 0)
    #expect(again.accounts.map(\.userID) == report.accounts.map(\.userID))
    // Among the rows are now the entries that were written.
    let there = Set(
      again.entries.filter { $0.outcome == .alreadyThere }.map { RowKey($0, isOfBlob: false) })
    for entry in report.entries where entry.outcome != .notConverted {
      #expect(there.contains(RowKey(entry, isOfBlob: false)))
    }
  }

  /// One line for each row: its outcome and reasons.
  var rows: [String] { report.entries.map { Self.line($0) { _ in true } } }

  private static func line(
    _ entry: Report.Entry, _ isAbout: (String) -> Bool
  ) -> String {
    ([entry.outcome.rawValue] + entry.reasons.map(\.code).filter(isAbout)).joined(separator: " ")
  }

  /// Compares the outcome of each row, and of its reasons those that the case is about.
  func expectRows(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(report.entries.count == expected.count, sourceLocation: sourceLocation)
    let lines = zip(report.entries, expected).map { entry, line in
      Self.line(entry, Set(line.split(separator: " ").map(String.init)).contains)
    }
    #expect(lines == expected, "\(rows)", sourceLocation: sourceLocation)
  }

  /// Compares the errors and warnings, and of the notes those that the case is about.
  func expectFindings(
    _ expected: Set<GoldenFinding>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = Set(report.findings.map(GoldenFinding.init))
    #expect(
      found.filter { $0.severity != .note || expected.contains($0) } == expected,
      sourceLocation: sourceLocation)
  }

  var accounts: [GoldenAccount] { report.accounts.map(GoldenAccount.init) }

  /// The added entries.
  var added: Set<SyntheticEntry> {
    get throws {
      let before = Set(before.map(\.key))
      return Set(
        try target.items().filter { !before.contains($0.key) }.compactMap(SyntheticEntry.init))
    }
  }

  /// The refresh tokens of a client in the target.
  func refreshTokens(of client: String = Self.client) throws -> [String] {
    try target.items().compactMap(SyntheticEntry.init)
      .filter { $0["credential_type"] == "RefreshToken" && $0["client_id"] == client }
      .compactMap { $0["secret"] }.sorted()
  }

  /// Whom MSAL lists in the target for a client, by user name.
  func listed(for client: String = Self.client, named name: String? = nil) throws -> [String?] {
    let items = try target.items()
    let lookup = Lookup(
      MSALIndex(items: items.filter { $0.type != nil }),
      fallbackRows: ADALFallbackRow.rows(of: items),
      now: Self.now)
    return lookup.listedAccounts(
      LookupQuery(.listedAccounts, clientID: client, username: name, withLegacy: true)
    ).map(\.username)
  }
}
