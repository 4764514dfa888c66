// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import KeychainItems
import Testing

@testable import ADALMigration

/// The results for caches in each of which one row was cut in half (D42): how many dry runs end with an error, and in
/// how many another row keeps that user's client signed in.
struct HalvedRows: Equatable {
  var errors = 0
  var kept = 0
  /// Rows in the group of a broker app, which no app signs in with.
  var ofBroker = 0

  /// Cuts each of ADAL's rows in these items, one after the other, in a migration in place.
  mutating func cut(_ items: [KeychainItem], now: Double, _ name: String) throws {
    let whole = try Self.plan(items, now: now)
    for (position, item) in items.enumerated() {
      guard case .token = LegacyItem(item) else { continue }
      var halved = items
      halved[position].data = item.data.map { secret in
        // Reveal: the test cuts the archive in half.
        let bytes = secret.reveal()
        return TokenSecret(Array(bytes.prefix(bytes.count / 2)))
      }
      try count(try Self.plan(halved, now: now), beside: whole, name)
    }
  }

  private static func plan(_ items: [KeychainItem], now: Double) throws -> Report {
    let store = MemoryStore(items)
    return try Migration(
      from: [.items(store)], into: .items(store), now: { Date(timeIntervalSince1970: now) }
    ).plan()
  }

  /// Counts a dry run of a cache that has one more unreadable row than it had.
  ///
  /// - Parameter whole: the dry run before that row was cut, if it had an unreadable one.
  mutating func count(_ report: Report, beside whole: Report?, _ name: String) throws {
    let before = Set(whole.map { Self.unreadable($0).map(\.place) } ?? [])
    let cut = Self.unreadable(report).filter { !before.contains($0.place) }
    #expect(cut.count == 1, "\(name)")
    let entry = try #require(cut.first)
    if entry.place.accessGroup.map(Broker.owns) ?? false {
      ofBroker += 1
      #expect(entry.account == nil && report.worstSeverity != .error, "\(name)")
      return
    }
    let account = try #require(entry.account.map { report.accounts[$0] })
    if report.findings.contains(where: { $0.severity == .error && $0.rows.contains(entry.row) }) {
      errors += 1
      #expect(account.signedIn == .no, "\(name)")
      // The headline, too: somebody is named, or counted as unknown.
      #expect(report.summary.accountsToSignIn > 0, "\(name)")
      return
    }
    kept += 1
    // Another row of the same account and client, or of the client's family, has a refresh token that is kept.
    let refreshTokens: [Report.RowKind] = [
      .multiResourceRefreshToken, .singleResourceToken, .familyRefreshToken, .unifiedRefreshToken,
    ]
    let isKept = report.entries.contains { other in
      other.account == entry.account && refreshTokens.contains(other.kind)
        && (other.outcome != .notConverted || account.signedIn == .byUserName)
        && (other.clientID?.lowercased() == entry.clientID
          || other.kind == .familyRefreshToken || entry.clientID?.hasPrefix("foci-") ?? false)
    }
    #expect(isKept, "\(name): row \(entry.row) is a note, and nothing keeps its client")
  }

  private static func unreadable(_ report: Report) -> [Report.Entry] {
    report.entries.filter { $0.kind == .unreadable }
  }
}
