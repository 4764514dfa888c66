// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import Testing

@testable import adal2msal

/// A copy that still says what the source says is not published.
@Suite struct ScrubbedCopyTests {
  private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Samples/Caches").path

  @Test(arguments: ["contoso.items.json", "contoso.adalcache", "contoso.keychain.txt"])
  func aCopyWithPartsOfItsSourceEndsWith70(name: String) throws {
    let file = try CacheFile(path: "\(Self.samples)/\(name)")
    var copy = try ScrubbedCopy([file], seed: Array("a seed".utf8), keeping: [])
    try copy.check([try copy.content(of: file)], target: "new")
    let failure = #expect(throws: Failure.self) {
      try copy.check([.bytes(file.bytes)], target: "new")
    }
    #expect(failure?.status.rawValue == 70)
    #expect(
      failure?.message
        == "the copy still has a part of a token, name, identifier or host; new was not written")
    #expect(failure?.hint?.contains("do not attach the cache") == true)
  }

  @Test func namesOfFilesAreSearchedToo() throws {
    let file = try CacheFile(path: "\(Self.samples)/contoso.items.json")
    var copy = try ScrubbedCopy([file], seed: Array("a seed".utf8), keeping: [])
    let made = try copy.content(of: file)
    try copy.check([made], names: ["cache.items.json"], target: "new")
    let failure = #expect(throws: Failure.self) {
      try copy.check([made], names: ["27922004-5251-4030-b22d-91ecd9a37ea4.json"], target: "new")
    }
    #expect(failure?.status.rawValue == 70)
  }
}
