// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import CacheScrub

/// The law of `scrub` on caches that hide what they say: of nothing hidden eight bytes are left in any spelling.
///
/// `SCRUB_SEEDS` says how many caches, `SCRUB_SEED` names one.
@Suite struct HostileLawTests {
  /// Seeds for which the law once failed.
  private static let found: [UInt64] = [
    43,  // an app's identifier behind a library's name
    73,  // a key of an archive that is longer than any name
    116,  // the same in another place
  ]

  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let one = environment["SCRUB_SEED"].flatMap(UInt64.init) { return [one] }
    return found + Array(0..<(environment["SCRUB_SEEDS"].flatMap(UInt64.init) ?? 56))
  }()

  @Test func nothingHiddenIsLeft() throws {
    var (refused, different): ([UInt64], [UInt64]) = ([], [])
    var (readable, hidden, found) = (0, 0, 0)
    for seed in Self.seeds {
      let cache = HostileCache(seed: seed)
      let wanted = Self.windows(cache.hidden)
      let there = Self.found(in: cache, cache.content, wanted)
      // A text that the reader does not find in the source would be found nowhere. A writer leaves some fields out.
      let missing = cache.hidden.filter { there.isDisjoint(with: Self.windows([$0])) }
      let whole = Self.windows(cache.hidden.subtracting(missing))
      let unread = whole.subtracting(there).filter(Self.isPlain)
      #expect(unread.isEmpty, "seed \(seed): \(Self.texts(unread))")
      (hidden, found) = (hidden + cache.hidden.count, found + cache.hidden.count - missing.count)
      let (made, isRefused) = Self.scrubbed(cache.content)
      if isRefused {
        refused.append(seed)
        continue
      }
      let left = Self.found(in: cache, made, wanted)
      #expect(left.isEmpty, "seed \(seed), \(cache.format): \(Self.texts(left).sorted().prefix(9))")
      #expect(Self.scrubbed(cache.content).made.bytes == made.bytes, "seed \(seed)")
      guard let report = try cache.content.report() else { continue }
      readable += 1
      let after = try #require(try made.report(), "seed \(seed), \(cache.format)")
      if Content.outline(of: after) != Content.outline(of: report) { different.append(seed) }
    }
    print("\(Self.seeds.count) caches, \(readable) readable, \(found) of \(hidden) found")
    print("\(refused.count) refused, \(different.count) of another report: \(different)")
    #expect(refused == [], "the search finds what is left, and nothing is")
    #expect(different == [], "the copy has the report of its source")
    #expect(10 * found >= 9 * hidden && 10 * readable >= 7 * Self.seeds.count)
  }

  @Test func theReaderReadsEverySpelling() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let secret = "0.AéB1xY7zQ9-_\(seed * 7_919_000_000_003)"
      for isText in [true, false] {
        let spelled = HostileSpelling.spell(Array(secret.utf8), isText: isText, &random)
        var reader = HostileReader(wanted: Self.windows([secret]))
        reader.read(spelled)
        #expect(reader.windows == Self.windows([secret]), "seed \(seed)")
      }
    }
  }

  /// The command's copy of a cache, and whether it refuses to publish it.
  private static func scrubbed(_ old: Content) -> (made: Content, isRefused: Bool) {
    let windows = old.windows
    var scrub = CacheScrub(seed: ScrubLawTests.seed, avoiding: windows)
    let made = old.scrubbed(by: &scrub)
    return (made, old.isFound(in: made, by: windows) || kind(of: made) != kind(of: old))
  }

  private static func kind(of content: Content) -> CacheFile.Kind? {
    guard case .file(let bytes) = content else { return nil }
    return CacheFile(bytes: bytes, name: "cache").kind
  }

  // Windows

  /// The windows of texts that say something, as the command's search counts them: three bytes or more are of
  /// words of three letters or more.
  private static func windows(_ texts: Set<String>) -> Set<UInt64> {
    var windows: Set<UInt64> = []
    for text in texts {
      let bytes = Array(text.utf8)
      let words = bytes.split(omittingEmptySubsequences: false) {
        !HostileReader.isPlain($0) && $0 < 0x80
      }
      let says = words.flatMap { Array(repeating: $0.count >= 3, count: $0.count) + [false] }
      var place = 0
      HostileReader.visitWindows(of: bytes) { window in
        if says[place..<place + 8].count(where: \.self) >= 3 { windows.insert(window) }
        place += 1
      }
    }
    return windows
  }

  /// Whether a window has nothing but ASCII, so that every reading of a text has it.
  private static func isPlain(_ window: UInt64) -> Bool { window & 0x8080_8080_8080_8080 == 0 }

  private static func found(
    in cache: HostileCache, _ content: Content, _ wanted: Set<UInt64>
  ) -> Set<UInt64> {
    var reader = HostileReader(wanted: wanted)
    content.forEachPart {
      reader.read($0)
      if cache.format.isBroken { reader.readLines($0) }
    } item: { item in
      let texts = [
        item.accessGroup, item.account, item.service, item.label, item.itemDescription,
        item.comment,
        item.accessibility,
      ]
      for text in texts { reader.read(Array((text ?? "").utf8)) }
      for part in item.service.split(separator: "|") { reader.read(Array(part.utf8)) }
      // Reveal: what is left in it is looked for.
      for bytes in [item.generic, item.data?.reveal()] { reader.read(bytes ?? []) }
    }
    return reader.windows
  }

  private static func texts(_ windows: Set<UInt64>) -> [String] {
    windows.map { window in
      withUnsafeBytes(of: window.bigEndian) { String(decoding: $0, as: UTF8.self) }
    }
  }
}
