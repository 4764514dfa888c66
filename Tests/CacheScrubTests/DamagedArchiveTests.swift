// SPDX-License-Identifier: MIT
import ADALCache
import CacheFiles
import Foundation
import KeychainItems
import KeyedArchive
import Testing

@testable import CacheScrub

/// A damaged archive says wrong things of its objects; a token goes all the same.
struct DamagedArchiveTests {
  @Test("no reference that leads to a text makes a name of it")
  func aTextIsNoName() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Samples/Caches/contoso.items.json").path
    let items = try ItemFile(path: path).items()
    // Reveal: the archive is what is damaged here.
    let archives = items.compactMap { $0.data?.reveal() }
      .filter { $0.starts(with: Array("bplist00".utf8)) }
      .sorted { $0.count < $1.count }
    let archive = try #require(archives.first { (Self.longestText(in: $0)?.text.count ?? 0) >= 30 })
    let secret = try #require(Self.longestText(in: archive))
    let needle = Data(secret.text[8..<24])
    for place in archive.indices.dropFirst(8) {
      var damaged = archive
      damaged[place] = UInt8(truncatingIfNeeded: secret.index)
      var scrub = CacheScrub(seed: ScrubLawTests.seed)
      let made = scrub.archive(damaged)
      if Data(made).range(of: needle) != nil {
        Issue.record("byte \(place) lets \(String(decoding: secret.text, as: UTF8.self)) through")
        return
      }
    }
  }

  /// The longest text that is no URL and no ID token, whose header stays; and which object it is.
  private static func longestText(in archive: [UInt8]) -> (index: Int, text: [UInt8])? {
    guard var list = try? BinaryPropertyList(archive) else { return nil }
    return (0..<list.objectCount).compactMap { index in
      guard let object = try? list.object(at: index), object.kind == .ascii else { return nil }
      return (index, Array(archive[object.contentRange]))
    }.filter { !$0.text.contains(UInt8(ascii: "/")) && !$0.text.starts(with: Array("eyJ".utf8)) }
      .max { $0.text.count < $1.text.count }
  }
}
