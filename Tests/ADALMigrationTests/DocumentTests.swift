// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import Testing

@testable import ADALMigration

/// A document in memory.
final class MemoryDocument: DocumentStore, @unchecked Sendable {
  // Only the one thread of a test reads and writes.
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  func read() throws -> [UInt8] { bytes }
  func update(_ change: ([UInt8]) throws -> [UInt8]) throws { bytes = try change(bytes) }
}

/// The portable document as a target and as a source.
@Suite struct DocumentTests {
  /// What ADAL archived, what ADAL 2.7 wrote beside it, one of 1.x that knows no families, a blob.
  static let names = [
    "ios-1.2.10-single-mrrt", "ios-2.6.6-foci-family", "ios-2.7.18-dual-write-foci",
    "ios-2.7.18-single-mrrt-novalidation", "mac-2.6.6-mrrt-many-resources",
  ]

  private func source(_ vector: ADALVector) throws -> Source {
    vector.isMac ? .blob(try vector.blob()) : .items(MemoryStore(try vector.items()))
  }

  @Test("every entry is as the five libraries read it", arguments: names)
  func entries(name: String) throws {
    let vector = try #require(Vectors.adal.first { $0.name == name })
    let document = MemoryDocument()
    let migration = Migration(
      from: try source(vector), into: .document(document), now: vector.clock)
    let report = try migration.run()
    #expect(report.accounts.allSatisfy { $0.signedIn == .yes })
    try Golden.check(String(decoding: document.bytes, as: UTF8.self), "documents/\(name).json")

    let before = document.bytes
    #expect(try migration.run().summary.written == 0)
    #expect(document.bytes == before)
  }

  @Test("a document becomes keychain items, and those the same document again", arguments: names)
  func roundTrip(name: String) throws {
    let vector = try #require(Vectors.adal.first { $0.name == name })
    let document = MemoryDocument()
    _ = try Migration(from: try source(vector), into: .document(document), now: vector.clock).run()
    let store = MemoryStore()
    let report = try Migration(
      from: .document(document.bytes),
      into: .items(store, accessGroup: ADALVector.macGroup), now: vector.clock
    ).run()
    #expect(report.summary.converted == report.summary.rows)
    #expect(try store.items().count == report.summary.rows)
    let again = MemoryDocument()
    _ = try Migration(from: .items(store), into: .document(again), now: vector.clock).run()
    #expect(try CacheDocument(again.bytes) == CacheDocument(document.bytes))
  }
}
