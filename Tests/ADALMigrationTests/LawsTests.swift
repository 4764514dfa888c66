// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The laws of architecture §8, on generated caches (`LawSeeds`). A seed that fails makes the same cache
/// again, alone with `LAW_SEED`.
@Suite struct LawsTests {
  private static let seeds = LawSeeds.chosen(ProcessInfo.processInfo.environment, now: Date())

  @Test("every law holds", arguments: seeds) func laws(seed: UInt64) throws {
    let law = try LawsCase(seed: seed)
    try law.checkIdentities()
    try law.checkWrites()
    try law.checkConversions()
    law.checkSeverity()
    try law.checkConservation()
    law.checkDryRun()
    law.checkNothingIsChanged()
    try law.checkIdempotence()
    try law.checkOrder()
    try law.checkAttributes()
    try law.checkScopes()
    try law.checkSequence()
    try law.checkPrefixes(law.isLarge ? 1 : 2)
    try law.checkLookups()
    try law.checkListings(2)
    if seed % 5 == 0 { try law.checkSecrets() }
  }

  @Test("the generator makes what the laws are about") func generator() throws {
    let caches = (0..<200 as Range<UInt64>).map { SyntheticCache(seed: $0) }
    let rows = caches.flatMap(\.rows)
    #expect(caches.contains { $0.rows.count > 300 })
    #expect(caches.filter { $0.rows.count <= 40 }.count > 150)
    for generation in SyntheticRow.Generation.allCases {
      #expect(rows.contains { $0.row.generation == generation && $0.isCertain })
    }
    #expect(rows.contains { $0.row.isTombstone } && rows.contains { $0.row.sessionKey != nil })
    #expect(rows.contains { $0.row.clientID == "foci-1" })
    #expect(rows.contains { $0.owner == nil })
    #expect(caches.contains { !$0.signedOut.isEmpty } && caches.contains { !$0.mapped.isEmpty })
    #expect(caches.contains { Set($0.rows.map(\.row.accessGroup)).count == 2 })
    #expect(
      caches.contains { cache in
        Set(cache.people.flatMap { Set($0.names) }).count < cache.people.flatMap(\.names).count
      })
    // The same seed is the same cache.
    #expect(SyntheticCache(seed: 11).items == caches[11].items)
  }

  @Test("twice the rows are about twice the work") func work() throws {
    func seconds(_ rows: Int) throws -> Double {
      let cache = SyntheticCache(seed: 7, rows: rows)
      let store = MemoryStore(cache.items)
      let now = cache.now
      let migration = Migration(
        from: [.items(store)], into: .items(store), now: { Date(timeIntervalSince1970: now) })
      let start = Self.threadTime
      _ = try migration.plan()
      return (Self.threadTime - start) / Double(cache.rows.count)
    }
    _ = try seconds(200)
    let few = try seconds(500)
    let many = try seconds(2000)
    // Four times the rows: work that grew with the square would be four times as much for each.
    #expect(many < 2 * few, "\(few) s for each of 500 rows, \(many) s for each of 2000")
  }

  /// The time that this thread has worked, in seconds, whatever else the machine does.
  private static var threadTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
