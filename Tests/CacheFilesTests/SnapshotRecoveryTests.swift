// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import CacheFiles

/// Journals and logs that other programs, or interrupted ones, left beside a snapshot (D40).
@Suite struct SnapshotRecoveryTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("a.sqlite") }
  private var store: SnapshotFile { SnapshotFile(path: path, busyTimeout: 0) }
  private let one = KeychainItem(accessGroup: "G", account: "a", service: "s")

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A program in the middle of a change; the file that it had left, had it died there, is at `victim`.
  private func writer(interruptedAt victim: String) throws -> Database {
    let writer = try Database(path: path, access: .write, patience: 0)
    try writer.execute("PRAGMA cache_size = 1")
    try writer.execute("BEGIN")
    writer.acceptSchema()
    let update = try writer.prepare("UPDATE items SET data = ?")
    try update.bind(.blob([UInt8](repeating: 0xA5, count: 100_000)), at: 1)
    _ = try update.step()
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: victim + suffix)
    }
    return writer
  }

  @Test func aHotJournalIsRefusedAndNotRolledBack() throws {
    try folder.makeSnapshot()
    _ = try store.add((0..<100).map { KeychainItem(account: "\($0)", data: TokenSecret("\($0)")) })
    let victim = folder.path("b.sqlite")
    let writer = try writer(interruptedAt: victim)
    try writer.execute("ROLLBACK")
    let before = try (folder.bytes("b.sqlite"), folder.bytes("b.sqlite-journal"))
    let names = try folder.names
    do {
      _ = try SnapshotFile(path: victim).items()
      Issue.record("accepted")
    } catch let error as StoreError {
      #expect(error.code == .unreadable)
      #expect(error.message.contains("b.sqlite-journal has changes"))
    }
    #expect(try folder.bytes("b.sqlite") == before.0)
    #expect(try folder.bytes("b.sqlite-journal") == before.1)
    #expect(try folder.names == names)
    // A writer has SQLite roll it back.
    #expect(try SnapshotFile(path: victim).add([one]) == [])
    #expect(try folder.names == names.filter { $0 != "b.sqlite-journal" })
    let database = try Database(path: victim, access: .read, patience: 0)
    #expect(try SnapshotFile(path: victim).items().reduce(0) { $0 + ($1.data?.count ?? 0) } == 190)
    #expect(try database.integer("SELECT count(*) FROM items") == 101)
  }

  /// D40.
  @Test func whatAnInterruptedProgramLeftIsBroughtInOrder() throws {
    try folder.makeSnapshot()
    _ = try store.add((0..<100).map { KeychainItem(account: "\($0)", data: TokenSecret("\($0)")) })
    let before = try store.items()
    let victim = folder.path("b.sqlite")
    let writer = try writer(interruptedAt: victim)
    // The program itself goes on: that means to wait, and not that something is wrong with the file.
    let waiting = SnapshotFile(path: path, busyTimeout: 0)
    #expect(throws: StoreError(.locked, "")) { try waiting.recover() }
    #expect(throws: StoreError(.locked, "")) { try waiting.items() }
    try writer.execute("ROLLBACK")

    try SnapshotFile(path: victim).recover()
    #expect(try folder.names == ["a.sqlite", "b.sqlite"])
    #expect(try SnapshotFile(path: victim).items() == before)
    // Nothing to do, nothing done.
    let bytes = try folder.bytes("b.sqlite")
    try SnapshotFile(path: victim).recover()
    try SnapshotFile(path: folder.path("c.sqlite")).recover()
    #expect(try folder.bytes("b.sqlite") == bytes)
    #expect(try folder.names == ["a.sqlite", "b.sqlite"])
  }

  @Test func aJournalOfAProgramThatHasNotWrittenYetKeepsNobodyFromReading() throws {
    try folder.makeSnapshot()
    let writer = try Database(path: path, access: .write, patience: 0)
    try writer.execute("BEGIN IMMEDIATE")
    try writer.execute("INSERT INTO items (agrp, acct, svce) VALUES ('G', 'a', 's')")
    #expect(try folder.names == ["a.sqlite", "a.sqlite-journal"])
    #expect(try folder.bytes("a.sqlite-journal").contains { $0 != 0 })
    #expect(try store.items() == [])
    try writer.execute("COMMIT")
    #expect(try store.items() == [one])
  }

  @Test func aWriteAheadLogIsBroughtInOrder() throws {
    try folder.makeSnapshot()
    let writer = try Database(path: path, access: .write, patience: 0)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("INSERT INTO items (agrp, acct, svce) VALUES ('G', 'a', 's')")
    let victim = folder.path("b.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: victim + suffix)
    }
    #expect(throws: StoreError(.unreadable, "")) { try SnapshotFile(path: victim).items() }
    try SnapshotFile(path: victim).recover()
    #expect(try SnapshotFile(path: victim).items() == [one])
    #expect(try folder.names.filter { $0.hasPrefix("b") } == ["b.sqlite"])
  }

  @Test func aJournalThatIsDoneIsNoHindrance() throws {
    try folder.makeSnapshot()
    for leftover in [[], [UInt8](repeating: 0, count: 512)] {
      try folder.write(leftover, to: "a.sqlite-journal")
      #expect(try store.items() == [])
      #expect(try folder.bytes("a.sqlite-journal") == leftover)
    }
  }

  /// An empty journal, and one with a header that is not valid yet, or no longer.
  @Test(arguments: [[], [UInt8](repeating: 0, count: 12) + Array("synthetic-at".utf8)])
  func aJournalThatNobodyRollsBackGoesWhenNobodyWrites(journal: [UInt8]) throws {
    try folder.makeSnapshot()
    let bytes = try folder.bytes("a.sqlite")
    try folder.write(journal, to: "a.sqlite-journal")
    let other = try Database(path: path, access: .write, patience: 0)
    try other.execute("BEGIN IMMEDIATE")
    try store.recover()
    #expect(try folder.bytes("a.sqlite-journal") == journal)
    try other.execute("ROLLBACK")
    try store.recover()
    #expect(try folder.names == ["a.sqlite"])
    #expect(try folder.bytes("a.sqlite") == bytes)
  }

  @Test func aWriteAheadLogIsRefusedUntilItIsMerged() throws {
    try folder.makeSnapshot()
    var writer: Database? = try Database(path: path, access: .write, patience: 0)
    try writer?.execute("PRAGMA journal_mode = WAL")
    try writer?.execute("INSERT INTO items (agrp, acct, svce) VALUES ('G', 'a', 's')")
    do {
      _ = try store.items()
      Issue.record("accepted")
    } catch let error as StoreError {
      #expect(error.code == .unreadable)
      #expect(error.message.contains("a.sqlite-wal has changes"))
    }
    writer = nil
    // Closed, it is whole, and reading makes no files beside it.
    #expect(try folder.names == ["a.sqlite"])
    #expect(try store.items() == [one])
    #expect(try folder.names == ["a.sqlite"])
    let two = KeychainItem(accessGroup: "G", account: "b", service: "s")
    #expect(try store.add([two]) == [])
    #expect(try store.items() == [one, two])
    #expect(try folder.names == ["a.sqlite"])
  }

  /// A file in write-ahead mode is read without a lock, so its time alone tells of a write that keeps its size.
  @Test func aWriteMeanwhileIsNoticed() throws {
    try folder.makeSnapshot()
    try folder.changeSnapshot(["PRAGMA journal_mode = WAL"])
    let header = try SnapshotHeader(path: path, for: .reading)
    #expect(try header.access() == .readAlone)
    try header.checkIsSettled(.readAlone)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    #expect(throws: StoreError(.locked, "")) { try header.checkIsSettled(.readAlone) }
    try header.checkIsSettled(.read)
  }
}
