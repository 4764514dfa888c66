// SPDX-License-Identifier: MIT
import ADALCache
import CacheFiles
import CacheJSON
import Foundation
import KeychainItems
import Testing

@testable import ADALMigration
@testable import CacheScrub

/// The law of `scrub`: the report of the scrubbed cache is the original's but for names, and nothing of the
/// source is in it.
@Suite struct ScrubLawTests {
  static let seed = Array("a seed of the tests".utf8)

  /// Caches that are read: every vector of ADAL's own, what was found, what was built, and the samples.
  static let caches: [URL] = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let folders =
      [
        "Vectors/adal", "Vectors/built", "Vectors/found", "Vectors/msal-reference", "Vectors/made",
        "Vectors/other-adals",
      ]
      .map { tests.appendingPathComponent($0) }
      + [tests.deletingLastPathComponent().appendingPathComponent("Samples/Caches")]
    return folders.flatMap { folder in
      let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      return (names ?? []).sorted().map { folder.appendingPathComponent($0) }
    }.filter { url in
      let name = url.lastPathComponent
      guard
        ["json", "bin", "bplist", "adalcache", "sqlite", "dat", "txt", "xml"].contains(
          url.pathExtension)
      else {
        return false
      }
      return !name.contains("answers") && !name.contains("expected")
    }
  }()

  @Test func thereAreCaches() throws {
    #expect(Self.caches.count > 200)
    let outlines = try Self.caches.compactMap { try Content($0)?.report() }
      .map(Content.outline(of:))
    #expect(outlines.count > 150 && outlines.filter { $0.accounts.count > 0 }.count > 120)
  }

  @Test(arguments: caches) func theReportIsTheSameAndNothingElseOfTheSource(_ url: URL) throws {
    guard let old = try Content(url) else { return }
    var scrub = CacheScrub(seed: Self.seed)
    let new = old.scrubbed(by: &scrub)
    guard let report = try old.report() else { return }
    let before = Content.outline(of: report)
    let after = Content.outline(of: try #require(try new.report(), "\(url.lastPathComponent)"))
    #expect(after.counts == before.counts, "\(url.path)")
    #expect(after.rows == before.rows, "\(url.path)")
    #expect(after.findings == before.findings, "\(url.path)")
    #expect(after.accounts == before.accounts, "\(url.path)")
    // Equal seeds, equal bytes; other seeds, others.
    var again = CacheScrub(seed: Self.seed)
    #expect(old.scrubbed(by: &again).bytes == new.bytes)

    let windows = Windows(try old.sensitiveTexts(report))
    // A search that finds nothing in the source would find nothing anywhere.
    let isThere = old.layers.contains { windows.first(in: $0) != nil }
    #expect(isThere != windows.isEmpty, "\(url.path)")
    for text in new.layers {
      if let found = windows.first(in: text) {
        Issue.record("\(url.path) still has \(found)")
        return
      }
    }
  }

  /// Every file of the vectors and the samples, whatever it is called.
  static let files: [URL] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return ["Tests/Vectors", "Samples/Caches"].flatMap { folder in
      let folder = root.appendingPathComponent(folder)
      let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      return (names ?? []).sorted().map { folder.appendingPathComponent($0) }
    }
  }()

  /// The search before a copy is published, as the command does it: it finds nothing in what was scrubbed,
  /// or `scrub` would refuse a cache that it can scrub; and it finds the source in itself.
  @Test func theSearchRaisesNoFalseAlarm() throws {
    var (searched, alarming) = (0, 0)
    for url in Self.files {
      // A file that is damaged or not a cache is not anonymized.
      guard let old = try? Content(url) else { continue }
      let windows = old.windows
      var scrub = CacheScrub(seed: Self.seed, avoiding: windows)
      let made = old.scrubbed(by: &scrub)
      #expect(!old.isFound(in: made, by: windows), "\(url.path)")
      searched += 1
      if old.isFound(in: old, by: windows) { alarming += 1 }
    }
    #expect(searched > 200 && alarming > 150, "\(searched) searched, \(alarming) alarming")
  }
}
