// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments

/// A folder in memory.
final class MemoryFolder: DocumentFolder, @unchecked Sendable {
  // Only the one thread of a test reads and writes.
  private(set) var documents: [String: MemoryDocument] = [:]
  /// The action of another program just before a document is written.
  var beforeUpdate: [String: () throws -> Void] = [:]

  func document(named name: String) -> any DocumentStore {
    let document = documents[name] ?? MemoryDocument()
    documents[name] = document
    return Watched(document: document, before: { [self] in try beforeUpdate[name]?() })
  }

  private struct Watched: DocumentStore, @unchecked Sendable {
    let document: MemoryDocument
    let before: () throws -> Void

    func read() -> [UInt8] { document.read() }
    func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
      try before()
      try document.update(change)
    }
  }

  /// The documents that something is in.
  var written: [String: [UInt8]] {
    documents.mapValues(\.bytes).filter { !$0.value.isEmpty }
  }
}

/// One document for each account (other-adals §8.4).
@Suite struct PersonalDocumentTests {
  private static let now = 1_700_000_000.0
  private let clock: @Sendable () -> Date = { Date(timeIntervalSince1970: now) }

  private func vectors(_ names: String...) throws -> [OtherADALVector] {
    try names.map { name in try #require(OtherADALVector.all.first { $0.name == name }) }
  }

  private func migration(
    _ vectors: [OtherADALVector], _ folder: MemoryFolder, for reader: MSALLibrary? = nil
  ) throws -> Migration {
    Migration(
      from: try vectors.map { try $0.source }, into: .folder(folder, for: reader), now: clock)
  }

  @Test("one that fails after others says so", arguments: [StoreError.Code.unwritable, .locked])
  func theSecondFails(code: StoreError.Code) throws {
    let vectors = try vectors("adal-net-5.2.9/members")
    let folder = MemoryFolder()
    let migration = try migration(vectors, folder)
    _ = try migration.plan()
    let names = folder.documents.keys.sorted()
    try #require(names.count > 1)
    folder.beforeUpdate[names[0]] = { throw StoreError(code, "no") }
    let first = #expect(throws: StoreError.self) { try migration.run() }
    #expect(first?.code == code && first?.message == "no")
    folder.beforeUpdate = [names[1]: { throw StoreError(code, "no") }]
    let second = #expect(throws: StoreError.self) { try migration.run() }
    #expect(second?.code == (code == .unwritable ? .interrupted : code))
    #expect(
      second?.message
        == "no; 1 of \(names.count) documents was written before, so run again")
    #expect(folder.written.keys.sorted() == [names[0]])
    folder.beforeUpdate = [:]
    _ = try migration.run()
    #expect(folder.written.keys.sorted() == names)
  }

  @Test("every document holds one account, and all of it") func onePerson() throws {
    let vectors = try vectors(
      "adal-net-5.2.9/guests", "adal-net-5.2.9/members", "adal-net-5.2.9/mixed",
      "adal-net-3.19.8/msa", "adal-net-3.19.8/guests")
    let folder = MemoryFolder()
    let migration = try migration(vectors, folder)
    var planned = try migration.plan()
    #expect(folder.written.isEmpty)
    let report = try migration.run()
    planned.kind = .applied
    #expect(planned == report)

    let people = Set(vectors.flatMap(\.rows).compactMap(\.home))
    #expect(Set(folder.written.keys).isSubset(of: people))
    #expect(Set(folder.written.keys) == Set(report.accounts.compactMap(\.homeAccountID)))
    var count = 0
    for (name, bytes) in folder.written {
      let document = try CacheDocument(bytes)
      #expect(document.accounts.allSatisfy { $0.value.homeAccountID == name })
      #expect(document.credentials.allSatisfy { $0.value.homeAccountID == name })
      #expect(!document.appMetadata.isEmpty)
      for token in document.credentials where token.value.isRefreshToken {
        let grants = vectors.compactMap { $0.grants[token.value.secret.revealText() ?? ""] }
        #expect(grants.contains { $0.map(\.home) == [name] })
      }
      count +=
        document.accounts.count + document.credentials.count + document.appMetadata.count
    }
    #expect(count == report.summary.written)
    for entry in report.entries {
      #expect(entry.document == (entry.outcome == .notConverted ? nil : entry.homeAccountID))
    }

    let before = folder.written
    let again = try migration.run()
    #expect(again.summary.written == 0 && folder.written == before)
    #expect(again.accounts.map(\.signedIn) == report.accounts.map(\.signedIn))
    #expect(again.entries.allSatisfy { !$0.reasons.contains(.targetCorrupt) })
  }

  @Test("all documents together hold the entries of a single one") func together() throws {
    let vectors = try vectors("adal-net-5.2.9/guests", "adal-net-5.2.9/members")
    let folder = MemoryFolder()
    _ = try migration(vectors, folder).run()
    let one = MemoryDocument()
    _ = try Migration(
      from: try vectors.map { try $0.source }, into: .document(one), now: clock
    ).run()
    let whole = try CacheDocument(one.bytes)
    let parts = try folder.written.values.map { try CacheDocument($0) }
    func byKey(_ entries: [CacheDocument.Entry]) -> [String: MSALEntry] {
      Dictionary(entries.map { ($0.key, $0.value) }) { first, other in
        #expect(first == other)
        return first
      }
    }
    #expect(byKey(parts.flatMap { $0.credentials }) == byKey(whole.credentials))
    #expect(byKey(parts.flatMap { $0.accounts }) == byKey(whole.accounts))
  }

  @Test("a document that is there is added to, as its host has it") func merge() throws {
    let vectors = try vectors("adal-python-1.2.7/members")
    let folder = MemoryFolder()
    let report = try migration(vectors, folder, for: .net).run()
    #expect(Set(report.accounts.map(\.environment)) == ["login.windows.net"])
    let more = try migration(try self.vectors("adal-python-1.2.7/family"), folder).run()
    #expect(Set(more.accounts.map(\.environment)) == ["login.windows.net"])
    #expect(more.accounts.map(\.signedIn).allSatisfy { $0 == .yes })
    let fresh = try migration(vectors, MemoryFolder()).run()
    #expect(Set(fresh.accounts.map(\.environment)) == ["login.microsoftonline.com"])
  }

  @Test("entries that another program writes in between stay") func race() throws {
    let vectors = try vectors("adal-net-5.2.9/members")
    let folder = MemoryFolder()
    let plan = try migration(vectors, folder).plan()
    let name = try #require(plan.accounts.last?.homeAccountID)
    var theirs = CacheDocument()
    _ = theirs.add(
      MSALEntry(
        kind: .refreshToken, homeAccountID: name, environment: "login.microsoftonline.com",
        clientID: "d2ccf621-1a22-514f-b438-01ed6749a666", secret: TokenSecret("theirs")))
    let bytes = theirs.encoded()
    folder.beforeUpdate[name] = { [folder] in
      folder.beforeUpdate[name] = nil
      try folder.documents[name]?.update { _ in bytes }
    }
    let report = try migration(vectors, folder).run()
    let document = try CacheDocument(try #require(folder.written[name]))
    let tokens = document.credentials.map(\.value).filter(\.isRefreshToken)
    #expect(tokens.contains { $0.secret == TokenSecret("theirs") })
    #expect(document.credentials.allSatisfy { $0.value.environment == "login.microsoftonline.com" })
    #expect(report.accounts.allSatisfy { $0.signedIn == .yes })
    let written = try folder.written.values.reduce(-1) { count, bytes in
      let document = try CacheDocument(bytes)
      return count + document.accounts.count + document.credentials.count
        + document.appMetadata.count
    }
    #expect(report.summary.written == written)
    #expect(try migration(vectors, folder).run().summary.written == 0)
  }

  @Test("archived rows and entries of MSAL's go to their documents too") func otherSources() throws
  {
    let items = World.ann.written("rt-ann", World.ann.token()).map {
      $0.item(accessGroup: World.group, at: World.now)
    }
    let eve = SyntheticRow.refresh("rt-eve", World.eve.upn, World.eve.token())
    let folder = MemoryFolder()
    let migration = Migration(
      from: .items(MemoryStore(items + [eve.item])), into: .folder(folder),
      now: { Date(timeIntervalSince1970: World.now) })
    let report = try migration.run()
    #expect(Set(folder.written.keys) == [World.ann.home, World.eve.home])
    #expect(report.accounts.allSatisfy { $0.signedIn == .yes })
    for entry in report.entries where entry.outcome == .notConverted {
      #expect(entry.reasons == [.targetNoAccount] && entry.kind == .unifiedAppMetadata)
    }
    #expect(try migration.run().summary.written == 0)
  }

  @Test("a row that only its user name leads to the account is no second sign-in") func byName()
    throws
  {
    let (ann, other) = (World.ann, World.otherClient)
    func run(_ client: String) throws -> Report {
      let rows = [
        SyntheticRow.refresh("rt", ann.upn, ann.token()),
        SyntheticRow.refresh("rt-2", ann.upn, nil, at: World.tenant("contoso.com")) {
          $0.clientID = client
        },
      ]
      return try Migration(
        from: .items(MemoryStore(rows.map(\.item))), into: .folder(MemoryFolder()),
        now: { Date(timeIntervalSince1970: World.now) }
      ).run()
    }
    let report = try run(World.client)
    #expect(report.accounts.map(\.signedIn) == [.yes])
    #expect(report.accounts.map(\.homeAccountID) == [ann.home])
    #expect(report.entries.map(\.account) == [0, 0])
    #expect(report.findings.filter { $0.severity != .note } == [])
    // The sign-in of another client is lost.
    let lost = try run(other)
    #expect(lost.accounts.map(\.signedIn) == [.no])
    #expect(lost.findings.filter { $0.severity == .error }.map(\.reason) == [.homeUsernameOnly])
  }

  @Test(
    "a name is one that every file system takes",
    arguments: [
      ("a-1_2.b", "a-1_2.b"), ("..", "%2e."), ("../../etc/passwd.x", "%2e.%2f..%2fetc%2fpasswd.x"),
      ("a\u{0}.b", "a%00.b"), ("ä.b%", "%c3%a4.b%25"),
    ])
  func names(id: String, name: String) { #expect(PersonalDocument.name(of: id) == name) }

  @Test func longNamesAreShort() {
    let long = String(repeating: "a", count: 300)
    #expect(PersonalDocument.name(of: "\(long).b").count == 64)
    #expect(PersonalDocument.name(of: "\(long).b") != PersonalDocument.name(of: "\(long).c"))
  }
}
