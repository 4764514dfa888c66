// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import SyntheticCaches
import Testing

@testable import ADALMigration
@testable import CacheScrub

/// The law of `scrub` on generated caches: nothing of the source is found in the copy, and a migration in place treats
/// both alike.
@Suite struct SyntheticScrubTests {
  @Test(arguments: 0..<UInt64(12)) func bothAreTreatedAlike(_ seed: UInt64) throws {
    let cache = SyntheticCache(seed: seed, shapes: Set(SyntheticShape.allCases))
    let text = try ItemText()
    _ = try text.add(cache.items)
    let old = Content.file(text.bytes)
    let windows = old.windows
    var scrub = CacheScrub(seed: Array("\(seed)".utf8), avoiding: windows)
    let new = old.scrubbed(by: &scrub)
    #expect(!old.isFound(in: new, by: windows))
    #expect(old.isFound(in: old, by: windows))
    let (before, after) = try (Outcomes(old), Outcomes(new))
    #expect(after == before)
  }

  /// The result for a cache, without names. If one of several tokens of the same age is written, their bytes decide
  /// which, so the reasons of their rows may be exchanged.
  private struct Outcomes: Equatable {
    let outline: [Int]
    let accounts: [String: Int]
    let kinds: [String: Int]

    init(_ content: Content) throws {
      let text = try ItemText(content.bytes)
      let store = MemoryStore(try text.items())
      let report = try Migration(
        from: [.items(store)], into: .items(store), now: { Content.clock }
      ).plan()
      let outline = Content.outline(of: report)
      self.outline = outline.counts
      accounts = outline.accounts
      kinds = Dictionary(grouping: report.entries) { "\($0.kind) \($0.outcome)" }.mapValues(\.count)
    }
  }
}
