// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import Testing

@testable import ADALMigration
import MigrationDocuments

/// A store into which another process writes just before the first addition.
private final class ContestedStore: ItemStore, @unchecked Sendable {
  private let store: MemoryStore
  private let rivals: [KeychainItem]
  // Only the one thread of a test adds.
  private var isFirst = true

  init(_ items: [KeychainItem], rivals: [KeychainItem]) {
    store = MemoryStore(items)
    self.rivals = rivals
  }

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws { try store.forEachItem(body) }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    if isFirst { _ = try store.add(rivals) }
    isFirst = false
    return try store.add(items)
  }
}

/// A document that another process changes between the plan and the lock.
private final class ContestedDocument: DocumentStore, @unchecked Sendable {
  // Only the one thread of a test reads and writes.
  private(set) var bytes: [UInt8]
  private let rival: [UInt8]

  init(_ bytes: [UInt8], rival: [UInt8]) {
    self.bytes = bytes
    self.rival = rival
  }

  func read() throws -> [UInt8] { bytes }

  func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
    bytes = rival
    bytes = try change(bytes)
  }
}

@Suite struct RaceTests {
  private let vector = Vectors.adal.first { $0.name == "ios-2.6.6-single-mrrt" }
  private let client = "27922004-5251-4030-b22d-91ecd9a37ea4"
  private let home = "4c9e4509-7080-4408-8985-f9032eb84631.6fd1f5cd-a94c-4335-889b-6c598e6d8048"

  /// The entries that MSAL itself saves when the app asks it for a token in the meantime.
  private var newer: MSALEntry {
    MSALEntry(
      kind: .refreshToken, homeAccountID: home, environment: "login.windows.net",
      clientID: client, secret: TokenSecret("synthetic-rt-newer"))
  }

  @Test("a refresh token that MSAL saves in between stays, and the rest is added beside it")
  func keychain() throws {
    let vector = try #require(vector)
    let rival = newer.item(accessGroup: ADALVector.macGroup, at: 1_700_000_050)
    let store = ContestedStore(try vector.items(), rivals: [rival])
    let report = try Migration(
      from: [.items(store)], into: .items(store), now: vector.clock
    ).run()
    let token = try #require(report.entries.first { $0.kind == .multiResourceRefreshToken })
    #expect(token.outcome == .alreadyThere)
    #expect(token.reasons.contains(.keepTargetNewer))
    #expect(report.accounts.map(\.signedIn) == [.yes])
    let items = try store.items()
    #expect(items.filter { $0.key == rival.key } == [rival])
    #expect(Set(items.compactMap(\.type)) == [1003, 2001, 2002, 2003, 3001])
  }

  @Test("entries that the run wrote elsewhere hide no row of the source")
  func carriedElsewhere() throws {
    let vector = try #require(vector)
    let source = MemoryStore(try vector.items())
    _ = try Migration(from: .items(source), into: .items(source), now: vector.clock).run()
    let unified = try source.items().filter { $0.type != nil }
    let account = try #require(unified.first { $0.type == 1003 })
    var rival = account
    rival.data = TokenSecret("{}")
    let store = ContestedStore([], rivals: [rival])
    let report = try Migration(
      from: .items(MemoryStore(unified)), into: .items(store), now: vector.clock
    ).run()
    #expect(report.summary.rows == unified.count)
    #expect(report.summary.converted == unified.count - 1)
    #expect(report.summary.notConverted == 1)
    #expect(report.summary.written == unified.count - 1)
    #expect(try store.items().count == unified.count)
  }

  @Test("a document that changes before it is locked is planned anew") func document() throws {
    let vector = try #require(vector)
    var document = CacheDocument()
    _ = document.add(newer)
    let store = ContestedDocument([], rival: document.encoded())
    let report = try Migration(
      from: [.items(MemoryStore(try vector.items()))], into: .document(store), now: vector.clock
    ).run()
    let token = try #require(report.entries.first { $0.kind == .multiResourceRefreshToken })
    #expect(token.outcome == .alreadyThere)
    let written = try CacheDocument(store.bytes)
    #expect(written.credentials.count { $0.value.kind == .refreshToken } == 1)
    #expect(written.credentials.contains { $0.value.secret == TokenSecret("synthetic-rt-newer") })
    #expect(written.accounts.count == 1)
  }
}
