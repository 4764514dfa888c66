// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments

/// A source that is read before the run, as the files of a folder are.
@Suite struct SourceReadTests {
  private let now = Date(timeIntervalSince1970: World.now)

  private func document() throws -> [UInt8] {
    let document = MemoryDocument()
    let row = SyntheticRow.refresh("rt", World.ann.upn, World.ann.token())
    let now = now
    _ = try Migration(
      from: .items(MemoryStore([row.item])), into: .document(document), now: { now }
    ).run()
    return document.bytes
  }

  @Test("a run takes the rows of bytes as they were read") func bytes() throws {
    let source = Source.document(try document(), file: "a.json")
    let read = try source.read()
    #expect(source.rows == nil)
    #expect(read.rows?.map(\.file) == ["a.json", "a.json", "a.json", "a.json"])
    let report = try Migration.inspect([source], now: now).report
    #expect(report.summary.rows == 4)
    #expect(try Migration.inspect([read], now: now).report == report)
    // The rows count, and the bytes are not asked again.
    var none = read
    none.rows = []
    #expect(try Migration.inspect([none], now: now).report.summary.rows == 0)
  }

  @Test("a fault of a source as a whole is known after reading") func damage() throws {
    let error = #expect(throws: StoreError.self) { try Source.blob([0], file: "a").read() }
    #expect(error?.code == .notACache)
    #expect(throws: StoreError.self) { try Source.document(Array("{".utf8)).read() }
    #expect(throws: StoreError.self) { try Source.items(Broken()).read() }
    #expect(try Source.items(MemoryStore()).read().rows == nil)
  }

  private struct Broken: ItemStore {
    func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
      throw StoreError(.notACache, "broken")
    }
    func add(_ items: [KeychainItem]) throws -> [KeychainItem] { [] }
  }
}
