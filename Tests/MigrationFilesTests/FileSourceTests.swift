// SPDX-License-Identifier: MIT
import Foundation
// The imports of an app or a server, and no other module of ours.
import MigrationFiles
import Testing

/// Files of every kind as sources of a migration.
@Suite struct FileSourceTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func path(_ path: String) -> String { root.appendingPathComponent(path).path }

  /// A file that goes away with the test.
  private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("adal2msal-\(UUID().uuidString)")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.path(path))))
  }

  private func rows(_ sources: [Source]) throws -> Int {
    try Migration.inspect(sources, now: Date(timeIntervalSince1970: 1_700_000_000)).report.summary
      .rows
  }

  @Test(
    "whatever a file is, its rows are migrated",
    arguments: [
      ("Samples/Caches/contoso.sqlite", 12), ("Samples/Caches/contoso.items.json", 12),
      ("Samples/Caches/contoso.adalcache", 12), ("Samples/Caches/contoso.objection.json", 12),
      ("Samples/Caches/contoso.keychain.txt", 12),
      ("Tests/Vectors/built/ios-2.6.10-mrrt.bplist", 1),
    ])
  func kinds(file: String, count: Int) throws {
    let sources = try Source.caches(inFile: Self.path(file))
    #expect(sources.count == 1)
    #expect(try rows(sources) == count)
    let entry = try #require(try Migration.inspect(sources).report.entries.first)
    #expect(entry.place.file == Self.path(file))
  }

  @Test func whatAMigrationWroteIsASourceToo() throws {
    let document = MemoryDocument()
    let path = Self.path("Samples/Caches/contoso.adalcache")
    let report = try Migration(
      from: Source.caches(inFile: path), into: .document(document),
      now: { Date(timeIntervalSince1970: 1_700_000_000) }
    ).run()
    #expect(report.summary.rows == 12)
    try withFile(document.bytes) { path in
      let sources = try Source.caches(inFile: path)
      #expect(try rows(sources) == report.summary.written)
    }
    let sources = try Source.caches(in: document.bytes, named: "row 7")
    #expect(try rows(sources) == report.summary.written)
  }

  @Test func aWrappingOfSeveralIsSeveralSources() throws {
    let folder = "Tests/Vectors/other-adals/containers-adal-net/hex-text/cache.sql.txt"
    let text = try bytes(folder)
    let sources = try Source.caches(in: text, named: "column")
    #expect(sources.count == 1)
    let one = try rows(sources)
    #expect(one > 0)
    let other = try bytes("Tests/Vectors/other-adals/adal-net-4.5.1/guests/cache.dat")
    let digits = other.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let both = try Source.caches(in: text + Array("\n0x\(digits)\n".utf8), named: "column")
    #expect(both.count == 2)
    #expect(try rows(both) > one)
  }

  private func answer(_ body: () throws -> [Source]) -> String {
    do {
      return "\(try body().count)"
    } catch StoreError.notACache {
      return "no cache"
    } catch StoreError.unreadable {
      return "unreadable"
    } catch {
      return "\(error)"
    }
  }

  @Test func whatIsNoneSaysWhy() throws {
    #expect(answer { try Source.caches(inFile: "/nowhere/at/all") } == "unreadable")
    #expect(answer { try Source.caches(inFile: Self.path("Samples")) } == "unreadable")
    for text in ["", "hello", #"{"Account": [}"#, "0x0"] {
      try withFile(Array(text.utf8)) { path in
        #expect(answer { try Source.caches(inFile: path) } == "no cache", "\(text)")
      }
      #expect(answer { try Source.caches(in: Array(text.utf8), named: "it") } == "no cache")
    }
    // A snapshot is not read from memory.
    let snapshot = try bytes("Samples/Caches/contoso.sqlite")
    #expect(answer { try Source.caches(in: snapshot, named: "it") } == "no cache")
  }

  @Test func whatIsBrokenFurtherDownIsToldWhenItIsRead() throws {
    let sources = try Source.caches(in: Array("[1, 2]".utf8), named: "it")
    #expect(throws: StoreError(.notACache, "")) { try Migration.inspect(sources) }
  }

  private func message(_ body: () throws -> [Source]) -> String {
    do {
      return "\(try body().count)"
    } catch {
      return "\(error)"
    }
  }

  @Test func messagesNameThePlaceAndNothingOfWhatIsInIt() throws {
    try withFile(Array("eyJhbGciOi".utf8)) { path in
      #expect(message { try Source.caches(inFile: path) } == "\(path) is not a token cache")
    }
    let nothing = message { try Source.caches(in: [], named: "row 7") }
    #expect(nothing == "row 7 is not a token cache: it is empty")
  }
}
