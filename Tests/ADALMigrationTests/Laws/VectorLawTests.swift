// SPDX-License-Identifier: MIT
import CacheFiles
import CacheJSON
import Foundation
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import Testing

@testable import ADALMigration

/// Report and look-up never contradict each other: the laws of look-ups that hold of any cache, on every vector
/// and golden. On generated caches `LawsTests` has them.
@Suite struct VectorLawTests {
  /// How many reports were held against look-ups.
  private struct Counts: Equatable {
    var reports = 0
    var accounts = 0
    /// Lists that may lack an identifier, as the report says.
    var nameless = 0
  }

  @Test("every vector of ADAL's")
  func vectors() throws {
    var counts = Counts()
    for vector in Vectors.adal {
      let (migration, store) = try vector.migration()
      try check(try migration.run(), store, vector.now, vector.name, &counts)
    }
    #expect(counts == Counts(reports: 106, accounts: 160, nameless: 0))
  }

  @Test("every golden")
  func goldens() throws {
    var counts = Counts()
    for golden in GoldenTests.all {
      let store = golden.store
      let report = try golden.migration(in: store).run()
      try check(report, store, World.now, golden.name, policy: golden.policy, &counts)
    }
    #expect(counts == Counts(reports: 77, accounts: 68, nameless: 1))
  }

  @Test("every cache that was found, that MSAL wrote, or that look-ups were recorded of")
  func others() throws {
    var counts = Counts()
    for folder in ["found", "msal-reference", "lookup"] {
      let root = Vectors.folder.appendingPathComponent(folder)
      let names = (FileManager.default.enumerator(atPath: root.path)?.allObjects ?? [])
        .compactMap { $0 as? String }.sorted()
      for name in names {
        let file = root.appendingPathComponent(name)
        guard let (items, now) = try Self.cache(file) else { continue }
        let store = MemoryStore(items)
        let report = try Migration(
          from: [.items(store)], into: .items(store),
          now: { Date(timeIntervalSince1970: now) }
        ).run()
        try check(report, store, now, "\(folder)/\(name)", &counts)
      }
    }
    #expect(counts == Counts(reports: 177, accounts: 239, nameless: 11))
  }

  /// The items of a file and the instant to read them at; nil for a file of something else.
  private static func cache(_ file: URL) throws -> (items: [KeychainItem], now: Double)? {
    let name = file.lastPathComponent
    if name.hasSuffix(".items.json") || name.hasPrefix("msal-items-") {
      return (try ItemFile(path: file.path).items(), FoundRun.now)
    }
    guard file.pathComponents.contains("lookup"), name.hasSuffix(".json") else { return nil }
    let recorded = try JSONValue(Array(try Data(contentsOf: file)))
    let now = try #require(recorded.member("now").stringOrNumber.flatMap(Double.init))
    return (recorded.member("items").elements.map { KeychainItem(vector: $0) }, now)
  }

  private func check(
    _ report: Report, _ store: MemoryStore, _ now: Double, _ name: String,
    policy: Policy = Policy(), _ counts: inout Counts
  ) throws {
    let items = try store.items()
    let contradictions = Contradictions(
      report, items, clients: Contradictions.clients(of: report), now: now)
    #expect(contradictions.sentences == [], "\(name)")
    counts.reports += 1
    counts.nameless += report.findings.count { $0.reason == .coexistenceNamelessListing }

    // Whoever is said to be found is listed: by name alone under the name that the report says.
    let lookups = Dictionary(grouping: items, by: \.accessGroup).values.map { items in
      Lookup(
        MSALIndex(items: items.filter { $0.type != nil }),
        fallbackRows: ADALFallbackRow.rows(of: items),
        now: now)
    }
    for account in report.accounts where account.signedIn != .no {
      // A family's row alone is of no client.
      let clients = account.clients.isEmpty ? policy.clientIDs ?? [] : account.clients
      guard let userID = account.userID, !clients.isEmpty else { continue }
      counts.accounts += 1
      let isListed = lookups.contains { lookup in
        clients.contains { client in
          lookup.listedAccounts(
            LookupQuery(
              .listedAccounts, clientID: client,
              username: account.signedIn == .byUserName ? userID : nil, withLegacy: true)
          ).contains { account.signedIn == .byUserName || $0.identifier == account.homeAccountID }
        }
      }
      #expect(isListed, "\(name): \(userID) is \(account.signedIn), and not listed")
    }
  }
}
