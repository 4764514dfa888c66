// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration

/// A store that is cut off after so many additions, as when the process is killed.
private struct MortalStore: ItemStore {
  let store: MemoryStore
  let limit: Int

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws { try store.forEachItem(body) }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    let taken = try store.add(Array(items.prefix(limit)))
    if items.count > limit { throw StoreError(.interrupted, "killed") }
    return taken
  }
}

/// D22: killed at any write, the next run completes, and MSAL sees nobody less in between.
@Suite struct InterruptionTests {
  /// Where a migration starts: keychain items in place, or a blob beside an empty keychain.
  struct Start: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: [KeychainItem]
    let blob: [UInt8]?
    let now: Double

    func migration(into store: any ItemStore) -> Migration {
      let now = now
      return Migration(
        from: [blob.map { .blob($0) } ?? .items(store)],
        into: .items(store, accessGroup: blob == nil ? nil : ADALVector.macGroup),
        now: { Date(timeIntervalSince1970: now) })
    }
  }

  /// The vectors of one version for each form that ADAL stored, and a few made caches.
  static let starts: [Start] = {
    let versions = ["ios-2.6.6", "ios-2.7.18", "ios-6", "mac-2.6.6", "mac-2.7.18"]
    let vectors = Vectors.adal.filter { vector in
      versions.contains { vector.name.hasPrefix($0) } && !vector.name.contains("big-200")
    }.compactMap { vector in
      try? Start(
        testDescription: vector.name, before: vector.items(),
        blob: vector.isMac ? vector.blob() : nil, now: vector.now)
    }
    return vectors
      + (0..<40 as Range<UInt64>).map { SyntheticCache(seed: $0) }.filter { $0.rows.count < 25 }
      .map { cache in
        Start(
          testDescription: "made cache \(cache.seed)", before: cache.items, blob: nil,
          now: cache.now)
      }
  }()

  /// The accounts and their sign-ins, without the evidence, because a second run knows more.
  private func seen(_ report: Report) -> [[String?]] {
    report.accounts.map { [$0.userID, $0.homeAccountID, $0.environment, $0.signedIn.rawValue] }
  }

  @Test("killed at any write, the next run completes", arguments: starts)
  func killedAtEveryWrite(start: Start) throws {
    let whole = MemoryStore(start.before)
    let report = try start.migration(into: whole).run()
    let end = Set(try whole.items())
    #expect(end.count == start.before.count + report.summary.written)
    let hides = report.findings.contains { $0.reason == .coexistenceHiddenClient }
    let visible = Visibility(start.before, now: start.now)

    for writes in 0..<report.summary.written {
      let store = MemoryStore(start.before)
      #expect(throws: StoreError(.interrupted, "killed")) {
        _ = try start.migration(into: MortalStore(store: store, limit: writes)).run()
      }
      let items = try store.items()
      #expect(items.count == start.before.count + writes)
      if !hides {
        let losses = visible.losses(until: Visibility(items, now: start.now))
        #expect(losses.isEmpty, "after \(writes) writes: \(losses)")
      }
      let resumed = try start.migration(into: store).run()
      #expect(Set(try store.items()) == end, "resumed after \(writes) writes")
      #expect(seen(resumed) == seen(report), "resumed after \(writes) writes")
    }
  }
}
