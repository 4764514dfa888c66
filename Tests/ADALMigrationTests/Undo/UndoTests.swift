// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import KeychainItems
import KeychainModel
import MSALCache
import Testing

@testable import ADALMigration
import MigrationDocuments
@testable import MigrationUndo

/// Taking back what a run has added.
@Suite struct UndoTests {
  /// The last journal that was written.
  private final class Desk: @unchecked Sendable {
    private let lock = NSLock()
    private var journals: [Journal] = []
    var all: [Journal] { lock.withLock { journals } }
    var last: Journal { all.last ?? Journal() }
    func write(_ journal: Journal) { lock.withLock { journals.append(journal) } }
  }

  @Test(arguments: Vectors.adal.filter { !$0.isMac })
  func everyVectorIsAsItWas(_ vector: ADALVector) throws {
    let before = try vector.items()
    let store = MemoryStore(before)
    let desk = Desk()
    let target = Target.items(store).recording(desk.write)
    let report = try Migration(from: [.items(store)], into: target, now: vector.clock).run()
    #expect(desk.last.entries.count == report.summary.written)
    // The announced additions are the ones that were made.
    #expect(Set(desk.all.map(\.entries)).count <= 1)
    let text = String(decoding: desk.last.json, as: UTF8.self)
    #expect(try Journal(json: desk.last.json) == desk.last)
    for item in try store.items() {
      guard let secret = try? MSALEntry(item, as: .token).secret.revealText() else { continue }
      #expect(!text.contains(secret))
    }
    let dry = try desk.last.undo(in: store, dryRun: true)
    #expect(try store.items().count == MemoryStore(before).items().count + dry.removed.count)
    #expect(try desk.last.undo(in: store) == dry)
    #expect(dry.removed == desk.last.entries && dry.changed.isEmpty && dry.missing.isEmpty)
    #expect(try store.items() == MemoryStore(before).items())
    #expect(try desk.last.undo(in: store).missing == desk.last.entries)
  }

  @Test func whatHasChangedStays() throws {
    let vector = try #require(Vectors.adal.first { $0.scenario == "single-mrrt" && !$0.isMac })
    let store = MemoryStore(try vector.items())
    let desk = Desk()
    _ = try Migration(
      from: [.items(store)], into: Target.items(store).recording(desk.write), now: vector.clock
    ).run()
    let entry = try #require(
      desk.last.entries.first { $0.svce?.hasPrefix("refreshtoken") ?? false })
    var item = try #require(try store.items().first { $0.service == entry.svce })
    _ = try store.remove([item.key]) { _ in true }
    item.data = TokenSecret("{}")
    _ = try store.add([item])
    let outcome = try desk.last.undo(in: store)
    #expect(outcome.changed == [entry])
    #expect(outcome.removed.count == desk.last.entries.count - 1)
    #expect(try store.items().contains(item))
  }

  @Test func aJournalThatCannotBeWrittenEndsTheRun() throws {
    struct Full: Error {}
    let vector = try #require(Vectors.adal.first { $0.scenario == "single-mrrt" && !$0.isMac })
    let store = MemoryStore(try vector.items())
    let before = try store.items()
    let target = Target.items(store).recording { _ in throw Full() }
    #expect(throws: Full.self) {
      try Migration(from: [.items(store)], into: target, now: vector.clock).run()
    }
    #expect(try store.items() == before)
  }

  /// A store to which another program adds something just before we do.
  private struct Crowded: ItemStore {
    let store: MemoryStore

    func forEachItem(_ body: (KeychainItem) throws -> Void) throws { try store.forEachItem(body) }

    func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
      if var first = items.first {
        first.data = TokenSecret("{}")
        _ = try store.add([first])
      }
      return try store.add(items)
    }
  }

  @Test("an entry that another program wrote first is not in the journal")
  func whatWasTaken() throws {
    let vector = try #require(Vectors.adal.first { $0.scenario == "single-mrrt" && !$0.isMac })
    let store = MemoryStore(try vector.items())
    let desk = Desk()
    let target = Target.items(Crowded(store: store)).recording(desk.write)
    _ = try? Migration(from: [.items(store)], into: target, now: vector.clock).run()
    let announced = try #require(desk.all.first)
    #expect(desk.all.count > 1 && !desk.last.entries.contains(announced.entries[0]))

    struct Full: Error {}
    let other = MemoryStore(try vector.items())
    let full = Desk()
    let crowded = Target.items(Crowded(store: other)).recording { journal in
      if !full.all.isEmpty { throw Full() }
      full.write(journal)
    }
    let failure = #expect(throws: StoreError.self) {
      try Migration(from: [.items(other)], into: crowded, now: vector.clock).run()
    }
    #expect(failure?.code == .interrupted)
    #expect(failure?.message.hasPrefix("the target was written, but the journal") == true)
  }

  @Test func theKeychainToo() throws {
    let model = KeychainModel()
    let keychain = SystemKeychain(accessGroup: nil, calls: model.calls)
    let vector = try #require(Vectors.adal.first { $0.scenario == "single-mrrt" && !$0.isMac })
    _ = try keychain.add(try vector.items().filter { $0.accessGroup == ADALVector.macGroup })
    let before = try keychain.items()
    let desk = Desk()
    let report = try Migration(
      from: [.items(keychain)], into: Target.items(keychain).recording(desk.write),
      now: vector.clock
    ).run()
    #expect(report.summary.written > 0)
    let outcome = try desk.last.undo(in: keychain)
    #expect(outcome.removed.count == report.summary.written)
    #expect(try keychain.items() == before)
  }

  @Test func aDocumentIsAsItWas() throws {
    let first = Array(
      #"{"Account": {"a": {"home_account_id": "x.y", "environment": "login.windows.net", "authority_type": "MSSTS"}}, "more": 1}"#
        .utf8)
    var document = try CacheDocument(first)
    let credential = MSALEntry(
      kind: .refreshToken, homeAccountID: "u.t", environment: "login.windows.net",
      clientID: "c", secret: TokenSecret("secret"))
    let isAdded = document.add(credential)
    #expect(isAdded)
    var journal = Journal()
    journal.add(
      document.objects(besides: try CacheDocument(first)).map { Journal.Entry($0, in: nil) })
    #expect(journal.entries.map(\.section) == ["RefreshToken"])
    let store = MemoryDocument(document.encoded())
    let dry = try journal.undo(in: store, dryRun: true)
    #expect(dry.removed.count == 1 && store.bytes == document.encoded())
    let outcome = try journal.undo(in: store)
    #expect(try CacheDocument(store.bytes) == CacheDocument(first))
    #expect(outcome.removed.count == 1)
    #expect(try journal.undo(in: store).missing.count == 1)
    // Spelled in another way it is the same; with another value it is not.
    let spelled = String(decoding: document.encoded(), as: UTF8.self)
    let dense = Array(spelled.filter { $0 != "\n" }.utf8)
    #expect(try journal.undo(in: MemoryDocument(dense)).removed.count == 1)
    let changed = Array(spelled.replacingOccurrences(of: "secret\"", with: "other\"").utf8)
    let other = MemoryDocument(changed)
    #expect(try journal.undo(in: other).changed.count == 1)
    #expect(other.bytes == changed)
    #expect(throws: StoreError(.notACache, "")) {
      try journal.undo(in: MemoryDocument(Array("{".utf8)))
    }
  }

  @Test func whatHasChangedStaysInADocument() throws {
    func entry(_ client: String, _ secret: String) -> MSALEntry {
      MSALEntry(
        kind: .refreshToken, homeAccountID: "u.t", environment: "login.windows.net",
        clientID: client, secret: TokenSecret(secret))
    }
    func document(_ entries: [MSALEntry]) throws -> CacheDocument {
      var document = try CacheDocument([])
      for entry in entries { _ = document.add(entry) }
      return document
    }
    var journal = Journal()
    journal.add(
      try document([entry("a", "s"), entry("b", "s")]).objects(besides: try document([]))
        .map { Journal.Entry($0, in: nil) })
    #expect(journal.entries.count == 2)
    let store = MemoryDocument(try document([entry("a", "s"), entry("b", "newer")]).encoded())
    let outcome = try journal.undo(in: store)
    #expect(outcome.removed.count == 1 && outcome.changed.count == 1)
    #expect(store.bytes == (try document([entry("b", "newer")])).encoded())
  }

  private func migrate(_ name: String, into target: Target) throws -> Report {
    let vector = try #require(OtherADALVector.all.first { $0.name == name })
    return try Migration(
      from: [vector.source], into: target, now: { Date(timeIntervalSince1970: 1_700_000_000) }
    ).run()
  }

  @Test("a document's journal has the entries of all runs, and is not written without any")
  func aDocumentHasOneJournal() throws {
    let document = MemoryDocument()
    let desk = Desk()
    let target = Target.document(document).recording(desk.write)
    let names = ["adal-net-5.2.9/members", "adal-net-5.2.9/guests"]
    for (run, name) in names.enumerated() {
      let written = try migrate(name, into: target).summary.written
      #expect(written > 0 && desk.all.count == run + 1)
    }
    let entries = try CacheDocument(document.bytes).objects(besides: CacheDocument())
    #expect(Set(desk.last.entries) == Set(entries.map { Journal.Entry($0, in: nil) }))
    for target in [target, Target.document(document).recording(desk.write)] {
      #expect(try migrate(names[0], into: target).summary.written == 0)
    }
    #expect(desk.all.count == 2)
    #expect(try desk.last.undo(in: document).removed == desk.last.entries)
    #expect(try CacheDocument(document.bytes) == CacheDocument())
  }

  private static let people = ["adal-net-5.2.9/members", "adal-net-3.19.8/msa"]

  private func migrate(_ folder: MemoryFolder, _ desk: Desk) throws -> Report {
    let sources = try OtherADALVector.all.filter { Self.people.contains($0.name) }.map {
      try $0.source
    }
    let target = Target.folder(folder).recording(desk.write)
    return try Migration(
      from: sources, into: target, now: { Date(timeIntervalSince1970: 1_700_000_000) }
    ).run()
  }

  @Test func aFolderHasOneJournal() throws {
    let folder = MemoryFolder()
    let desk = Desk()
    let report = try migrate(folder, desk)
    #expect(folder.written.count > 1)
    #expect(Set(desk.last.entries.compactMap(\.document)) == Set(folder.written.keys))
    #expect(desk.last.isOfFolder && desk.last.entries.count >= report.summary.written)
    // Announced once, however many documents there are; what was added is what was announced.
    #expect(desk.all.count == 1)
    #expect(try Journal(json: desk.last.json) == desk.last)

    let dry = try desk.last.undo(in: folder, dryRun: true)
    #expect(dry.removed == desk.last.entries)
    #expect(folder.written.values.allSatisfy { $0.count > 2 })
    #expect(try desk.last.undo(in: folder) == dry)
    for bytes in folder.written.values {
      #expect(try CacheDocument(bytes) == CacheDocument())
    }
    #expect(try desk.last.undo(in: folder).missing == desk.last.entries)
  }

  @Test("an entry that another program removed meanwhile is announced before it is added again")
  func whatAnotherProgramRemovedMeanwhileIsOurs() throws {
    let folder = MemoryFolder()
    let desk = Desk()
    _ = try migrate(folder, desk)
    let name = try #require(desk.last.entries.compactMap(\.document).max())
    var partial = try CacheDocument(try #require(folder.written[name]))
    var versions: [[UInt8]] = []
    for section in [DocumentSection.refreshToken, .appMetadata] {
      partial.remove(section, key: try #require(partial.objects(in: section).first).key)
      versions.append(partial.encoded())
    }
    let beside = MemoryFolder()
    try beside.document(named: name).update { _ in versions[0] }
    beside.beforeUpdate[name] = { try beside.documents[name]?.update { _ in versions[1] } }
    let second = Desk()
    _ = try migrate(beside, second)
    let left = try CacheDocument(versions[1]).objects(besides: CacheDocument())
    let ours = Set(desk.last.entries).subtracting(left.map { Journal.Entry($0, in: name) })
    #expect(second.all.count == 3)
    #expect(Set(second.all[0].entries).isStrictSubset(of: ours))
    #expect(second.all.dropFirst().allSatisfy { Set($0.entries) == ours })
    #expect(beside.written == folder.written)
  }

  @Test func whatAnotherProgramWroteMeanwhileIsNotOurs() throws {
    let folder = MemoryFolder()
    let desk = Desk()
    _ = try migrate(folder, desk)
    let name = try #require(desk.last.entries.compactMap(\.document).max())
    let mine = try #require(folder.written[name])

    // Another program writes the same and something more just before.
    let beside = MemoryFolder()
    var before = try CacheDocument(mine)
    let isAdded = before.add(
      MSALEntry(
        kind: .refreshToken, homeAccountID: name, environment: "login.windows.net",
        clientID: "another", secret: TokenSecret("other")))
    #expect(isAdded)
    let bytes = before.encoded()
    beside.beforeUpdate[name] = {
      if beside.written[name] == nil { try beside.documents[name]?.update { _ in bytes } }
    }
    let second = Desk()
    _ = try migrate(beside, second)
    #expect(second.all.first == desk.all.first)
    #expect(!second.last.entries.contains { $0.document == name })
    #expect(Set(second.last.entries).isSubset(of: desk.last.entries))
    let outcome = try second.last.undo(in: beside)
    #expect(outcome.removed == second.last.entries && beside.written[name] == bytes)
  }

  @Test func aNameLeadsOutOfNoFolder() throws {
    for name in ["../a", "a/b", "", ".a", "A", "é", String(repeating: "a", count: 161)] {
      let text =
        #"{"format":"adal2msal-journal","version":1,"entries":[{"document":"\#(name)","sha256":""}]}"#
      #expect(throws: JournalError.notAJournal) { try Journal(json: Array(text.utf8)) }
    }
  }

  @Test(arguments: ["", "{}", "[]", #"{"format":"x","version":1,"entries":[]}"#])
  func whatIsNoJournal(text: String) {
    #expect(throws: JournalError.notAJournal) { try Journal(json: Array(text.utf8)) }
  }

  @Test func aLaterVersionIsRefused() {
    let text = #"{"format":"adal2msal-journal","version":2,"entries":[]}"#
    #expect(throws: JournalError.otherVersion(2)) { try Journal(json: Array(text.utf8)) }
  }
}
