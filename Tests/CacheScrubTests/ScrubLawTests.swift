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
    // What finds nothing in the source would find nothing anywhere.
    let isThere = old.layers.contains { windows.first(in: $0) != nil }
    #expect(isThere != windows.isEmpty, "\(url.path)")
    for text in new.layers {
      if let found = windows.first(in: text) {
        Issue.record("\(url.path) still has \(found)")
        return
      }
    }
  }
}
