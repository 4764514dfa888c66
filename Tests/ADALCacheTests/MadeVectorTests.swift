// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import KeychainItems
import KeyedArchive
import Testing

/// The vectors of Tests/Vectors/make.py: each row is exactly what its maker says it is.
@Suite struct MadeVectorTests {
  private static func vectors(with part: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: Vectors.folder.appendingPathComponent("made").path
    ).filter { try vector($0)[part] != nil }.sorted()
  }

  private static func vector(_ name: String) throws -> [String: Any] {
    try #require(try Vectors.json("made/\(name)") as? [String: Any])
  }

  private static func expected(_ vector: [String: Any]) throws -> [ExpectedRow] {
    try #require(vector["expected"] as? [[String: Any]]).map(ExpectedRow.init)
  }

  private static func bytes(_ vector: [String: Any], _ part: String) throws -> [UInt8] {
    let text = try #require(vector[part] as? String)
    return [UInt8](try #require(Data(base64Encoded: text)))
  }

  @Test("keychain items", arguments: try vectors(with: "items"))
  func items(name: String) throws {
    let vector = try Self.vector(name)
    let items = Vectors.items(vector["items"])
    let expected = try Self.expected(vector)
    try #require(items.count == expected.count)
    for (index, (item, row)) in zip(items, expected).enumerated() {
      let actual = LegacyItem(item)
      #expect(actual == row.item(given: actual), "no. \(index) of \(name)")
    }
  }

  @Test("items archived alone", arguments: try vectors(with: "archive"))
  func archives(name: String) throws {
    let vector = try Self.vector(name)
    let actual = LegacyItem(archive: try Self.bytes(vector, "archive"))
    #expect(try Self.expected(vector).map { $0.item(given: actual) } == [actual])
  }

  @Test("whole caches", arguments: try vectors(with: "blob"))
  func blobs(name: String) throws {
    let vector = try Self.vector(name)
    let bytes = try Self.bytes(vector, "blob")
    guard vector["expected"] != nil else {
      #expect(throws: KeyedArchiveError.self) { try LegacyBlob(bytes) }
      return
    }
    let blob = try LegacyBlob(bytes)
    var actual = blob.tokens.map { LegacyItem.token($0) }[...]
    var unreadable = blob.unreadable.map { LegacyItem.unreadable($0) }[...]
    for (index, row) in try Self.expected(vector).enumerated() {
      let next = row.isToken ? actual.popFirst() : unreadable.popFirst()
      let item = try #require(next, "no. \(index) of \(name)")
      #expect(item == row.item(given: item), "no. \(index) of \(name)")
    }
    #expect(actual.isEmpty && unreadable.isEmpty)
    #expect(blob.version == vector["version"] as? Double)
  }
}
