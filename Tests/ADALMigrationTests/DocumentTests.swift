// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
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

  @Test("an account's environment is that of the document that it is carried into")
  func environment() throws {
    let host = "login.microsoftonline.com"
    var there = CacheDocument()
    _ = there.add(
      Credential(
        kind: .refreshToken, homeAccountID: World.eve.home, environment: host,
        clientID: World.client, secret: Secret("rt-eve")))
    _ = there.add(
      Account(
        homeAccountID: World.eve.home, environment: host, realm: World.fabrikam,
        localAccountID: World.eve.oid, username: World.eve.upn))
    let ann = World.ann.written("rt-ann", World.ann.token()).map {
      $0.item(accessGroup: World.group, at: World.now)
    }
    let document = MemoryDocument(there.encoded())
    let migration = Migration(
      from: .items(MemoryStore(ann)), into: .document(document),
      now: { Date(timeIntervalSince1970: World.now) })
    #expect(try migration.plan().accounts.map(\.environment) == [host])
    let report = try migration.run()
    #expect(report.accounts.map(\.environment) == [host])
    #expect(report.accounts.map(\.signedIn) == [.yes])
    let written = try CacheDocument(document.bytes)
    #expect(Set(written.accounts.map(\.value.environment)) == [host])
    let inspection = try Migration.inspect([.document(document.bytes)])
    #expect(inspection.report.accounts.map(\.environment) == [host, host])
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
