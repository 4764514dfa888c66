// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import CacheFiles

/// SQLite files that are not what they should be. None of them may crash, be changed by reading, or run
/// anything.
@Suite struct HostileSnapshotTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("a.sqlite") }
  private var store: SnapshotFile { SnapshotFile(path: path, busyTimeout: 0) }
  private let one = KeychainItem(accessGroup: "G", account: "a", service: "s")

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let columns =
    "agrp TEXT NOT NULL, acct TEXT NOT NULL, svce TEXT NOT NULL, gena BLOB, type INTEGER, pdmn TEXT, "
    + "labl TEXT, \"desc\" TEXT, icmt TEXT, invi INTEGER, cdat REAL, mdat REAL, data BLOB"
  private static let identity = [
    "PRAGMA application_id = 0x41324D53", "PRAGMA user_version = 1",
  ]
  private static let table = "CREATE TABLE items (\(columns), UNIQUE (agrp, acct, svce))"

  private func make(_ statements: [String]) throws {
    try folder.write("", to: "a.sqlite")
    let database = try Database(path: path, access: .fill, patience: 0)
    for statement in statements { try database.execute(statement) }
  }

  private func expectRefusal(_ code: StoreError.Code = .notACache) throws {
    let bytes = try folder.bytes("a.sqlite")
    let names = try folder.names
    #expect(throws: StoreError(code, "")) { try store.items() }
    #expect(throws: StoreError(code, "")) { try store.add([one]) }
    #expect(try folder.bytes("a.sqlite") == bytes)
    #expect(try folder.names == names)
  }

  @Test(arguments: [
    [],
    ["PRAGMA user_version = 1", table],
    ["PRAGMA application_id = 1", "PRAGMA user_version = 1", table],
    ["PRAGMA application_id = 0x41324D53", table],
    ["PRAGMA application_id = 0x41324D53", "PRAGMA user_version = 2", table],
    identity,
    identity + ["CREATE TABLE other (x)"],
    identity + [
      table.replacingOccurrences(of: "TABLE items", with: "TABLE t"),
      "CREATE VIEW items AS SELECT * FROM t",
    ],
    identity + ["CREATE TABLE items (\(columns))"],
    identity + ["CREATE TABLE items (\(columns), UNIQUE (agrp, acct))"],
    identity + ["CREATE TABLE items (\(columns), UNIQUE (agrp, acct, svce, type))"],
    identity + ["CREATE TABLE items (\(columns), UNIQUE (agrp, acct COLLATE NOCASE, svce))"],
    identity + [
      "CREATE TABLE items (\(columns))",
      "CREATE UNIQUE INDEX i ON items (agrp, acct, svce) WHERE type = 1",
    ],
    identity + [table.replacingOccurrences(of: "data BLOB", with: "data TEXT")],
    identity + [table.replacingOccurrences(of: "mdat REAL, ", with: "")],
    identity + [
      table.replacingOccurrences(
        of: "data BLOB", with: "data BLOB GENERATED ALWAYS AS (CAST(agrp AS BLOB)) VIRTUAL")
    ],
    identity + [
      table, "CREATE TABLE log (x)",
      "CREATE TRIGGER t AFTER INSERT ON items BEGIN INSERT INTO log VALUES (1); END",
    ],
    identity + ["CREATE VIRTUAL TABLE items USING fts5(agrp, acct, svce)"],
    ["PRAGMA encoding = 'UTF-16le'"] + identity + [table],
  ])
  func anotherSchemaIsRefused(statements: [String]) throws {
    try make(statements + ["CREATE TABLE IF NOT EXISTS filler (x)"])
    try expectRefusal()
  }

  @Test func aSchemaOfTheSameMeaningIsAccepted() throws {
    for (index, table) in [
      "CREATE TABLE Items (\(Self.columns.uppercased()), PRIMARY KEY (svce, acct, agrp))",
      "CREATE TABLE items (\(Self.columns), PRIMARY KEY (agrp, acct, svce)) WITHOUT ROWID",
      "CREATE TABLE items (id INTEGER PRIMARY KEY, \(Self.columns), UNIQUE (agrp, acct, svce))",
    ].enumerated() {
      try? FileManager.default.removeItem(atPath: path)
      try make(Self.identity + [table])
      let two = KeychainItem(accessGroup: "A", account: "z", service: "z", data: Secret([1]))
      #expect(try store.add([one, two]) == [], "\(index)")
      #expect(try store.items() == [two, one], "\(index)")
      #expect(try store.add([one]) == [one], "\(index)")
    }
  }

  @Test(arguments: [
    "INSERT INTO items (agrp, acct, svce) VALUES (x'41', 'a', 's')",
    "INSERT INTO items (agrp, acct, svce) VALUES ('G', CAST(x'C328' AS TEXT), 's')",
    "INSERT INTO items (agrp, acct, svce, type) VALUES ('G', 'a', 's', 'text')",
    "INSERT INTO items (agrp, acct, svce, type) VALUES ('G', 'a', 's', 1.5)",
    "INSERT INTO items (agrp, acct, svce, invi) VALUES ('G', 'a', 's', 'yes')",
    "INSERT INTO items (agrp, acct, svce, cdat) VALUES ('G', 'a', 's', 'today')",
    "INSERT INTO items (agrp, acct, svce, mdat) VALUES ('G', 'a', 's', x'00')",
    "INSERT INTO items (agrp, acct, svce, labl) VALUES ('G', 'a', 's', x'41')",
    "INSERT INTO items (agrp, acct, svce, data) VALUES ('G', 'a', 's', 17)",
  ])
  func aValueOfAnotherTypeIsRefused(insert: String) throws {
    try make(Self.identity + [Self.table, insert])
    do {
      _ = try store.items()
      Issue.record("accepted")
    } catch let error as StoreError {
      #expect(error.code == .notACache)
      #expect(error.message.contains("row 1 in key order has an unusable "))
    }
  }

  @Test func unusualValuesAreRead() throws {
    try make(
      Self.identity + [
        Self.table,
        "INSERT INTO items (agrp, acct, svce, gena, cdat, mdat, data) "
          + "VALUES ('', 'a' || char(0) || 'b', '', 'MSOpenTech', 9e999, 1700000000, '{}')",
      ])
    #expect(
      try store.items() == [
        KeychainItem(
          account: "a\0b", generic: Array("MSOpenTech".utf8), modified: 1_700_000_000,
          data: Secret("{}"))
      ])
  }

  @Test func constraintsOfTheFileAreUnwritableNotACrash() throws {
    try make(
      Self.identity + [
        "CREATE TABLE items (\(Self.columns), more TEXT NOT NULL, UNIQUE (agrp, acct, svce))"
      ])
    #expect(throws: StoreError(.unwritable, "")) { try store.add([one]) }
    #expect(try store.items() == [])
  }

  @Test func functionsInTheSchemaDoNotRun() throws {
    // What a schema may call is what SQLite calls harmless; this is not.
    try make(
      Self.identity + [
        "CREATE TABLE items (\(Self.columns), "
          + "more TEXT DEFAULT (load_extension('x')), UNIQUE (agrp, acct, svce))"
      ])
    #expect(throws: StoreError(.unwritable, "")) { try store.add([one]) }
  }

  @Test(arguments: [
    "", "SQLite format 3", "SQLite format 3\0", "bplist00", "{}",
    "SQLite format 3\0" + String(repeating: "x", count: 5000),
    "SQLite format 3\0" + String(repeating: "\0", count: 100),
  ])
  func whatIsNoDatabaseIsRefused(text: String) throws {
    try folder.write(text, to: "a.sqlite")
    try expectRefusal()
  }

  @Test func aHotJournalIsRefusedAndNotRolledBack() throws {
    try make(Self.identity + [Self.table])
    _ = try store.add((0..<100).map { KeychainItem(account: "\($0)", data: Secret("\($0)")) })
    // A program that dies after it has begun to write into the file.
    let victim = folder.path("b.sqlite")
    let writer = try Database(path: path, access: .write, patience: 0)
    try writer.execute("PRAGMA cache_size = 1")
    try writer.execute("BEGIN")
    try writer.execute("UPDATE items SET data = randomblob(100000)")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: victim + suffix)
    }
    try writer.execute("ROLLBACK")
    let before = try (folder.bytes("b.sqlite"), folder.bytes("b.sqlite-journal"))
    let names = try folder.names
    do {
      _ = try SnapshotFile(path: victim).items()
      Issue.record("accepted")
    } catch let error as StoreError {
      #expect(error.code == .unreadable)
      #expect(error.message.contains("b.sqlite-journal holds changes"))
    }
    #expect(try folder.bytes("b.sqlite") == before.0)
    #expect(try folder.bytes("b.sqlite-journal") == before.1)
    #expect(try folder.names == names)
    // Who writes has SQLite roll it back.
    #expect(try SnapshotFile(path: victim).add([one]) == [])
    #expect(try folder.names == names.filter { $0 != "b.sqlite-journal" })
    let database = try Database(path: victim, access: .read, patience: 0)
    #expect(try database.integer("SELECT sum(length(data)) FROM items") == 190)
    #expect(try database.integer("SELECT count(*) FROM items") == 101)
  }

  /// D40.
  @Test func whatAnInterruptedProgramLeftIsBroughtInOrder() throws {
    try make(Self.identity + [Self.table])
    _ = try store.add((0..<100).map { KeychainItem(account: "\($0)", data: Secret("\($0)")) })
    let before = try store.items()
    let victim = folder.path("b.sqlite")
    let writer = try Database(path: path, access: .write, patience: 0)
    try writer.execute("PRAGMA cache_size = 1")
    try writer.execute("BEGIN")
    try writer.execute("UPDATE items SET data = randomblob(100000)")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: victim + suffix)
    }
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
    try make(Self.identity + [Self.table])
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
    try make(Self.identity + [Self.table])
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
    try make(Self.identity + [Self.table])
    for leftover in [[], [UInt8](repeating: 0, count: 512)] {
      try folder.write(leftover, to: "a.sqlite-journal")
      #expect(try store.items() == [])
      #expect(try folder.bytes("a.sqlite-journal") == leftover)
    }
  }

  /// Of no bytes, and with a header that SQLite has not called valid yet, or not any more.
  @Test(arguments: [[], [UInt8](repeating: 0, count: 12) + Array("synthetic-at".utf8)])
  func aJournalThatNobodyRollsBackGoesWhenNobodyWrites(journal: [UInt8]) throws {
    try make(Self.identity + [Self.table])
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
    try make(Self.identity + [Self.table])
    var writer: Database? = try Database(path: path, access: .write, patience: 0)
    try writer?.execute("PRAGMA journal_mode = WAL")
    try writer?.execute("INSERT INTO items (agrp, acct, svce) VALUES ('G', 'a', 's')")
    do {
      _ = try store.items()
      Issue.record("accepted")
    } catch let error as StoreError {
      #expect(error.code == .unreadable)
      #expect(error.message.contains("a.sqlite-wal holds changes"))
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

  @Test(arguments: 0..<40)
  func damagedBytesGiveAnErrorOrItems(seed: Int) throws {
    try make(["PRAGMA page_size = 512", "VACUUM"] + Self.identity + [Self.table])
    let items = (0..<40).map { index in
      KeychainItem(
        accessGroup: "G", account: "account\(index)", service: "s",
        data: Secret([UInt8](repeating: UInt8(index), count: index * 40)))
    }
    _ = try store.add(items)
    let whole = try folder.bytes("a.sqlite")
    var state = UInt64(truncatingIfNeeded: seed)
    func random() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33)
    }
    for _ in 0..<25 {
      var damaged = whole
      for _ in 0...(random() % 8) {
        damaged[random() % damaged.count] = UInt8(random() % 256)
      }
      if random() % 5 == 0 { damaged.removeLast(random() % damaged.count) }
      try folder.write(damaged, to: "a.sqlite")
      do {
        _ = try store.items()
      } catch {
        #expect(error is StoreError)
      }
      #expect(try folder.bytes("a.sqlite") == damaged)
      do {
        _ = try store.add([one])
      } catch {
        #expect(error is StoreError)
      }
    }
  }

  @Test func pagesWithTwoOwnersAreRefused() throws {
    try make(["PRAGMA page_size = 512", "VACUUM"] + Self.identity + [Self.table])
    let large = Secret([UInt8](repeating: 0xAB, count: 2000))
    _ = try store.add([KeychainItem(accessGroup: "G", account: "b", service: "s", data: large)])
    var bytes = try folder.bytes("a.sqlite")
    // The large value goes on in the file's first page, which adding a row changes.
    let page = try #require(
      stride(from: 512, to: bytes.count, by: 512).first { page in
        bytes[page + 3] != 0 && bytes[(page + 4)..<(page + 512)].allSatisfy { $0 == 0xAB }
      })
    bytes.replaceSubrange(page..<(page + 4), with: [0, 0, 0, 1])
    try folder.write(bytes, to: "a.sqlite")
    try expectRefusal()
    do {
      _ = try store.items()
    } catch let error as StoreError {
      #expect(error.message.hasSuffix("it is damaged: its pages contradict each other"))
    }
  }

  @Test func pagesThatRepeatThemselvesEnd() throws {
    try make(["PRAGMA page_size = 512", "VACUUM"] + Self.identity + [Self.table])
    _ = try store.add(
      (0..<400).map { KeychainItem(account: "\(1000 + $0)", data: Secret("0123456789")) })
    var bytes = try folder.bytes("a.sqlite")
    // All children of every interior page become its first child.
    for page in stride(from: 512, to: bytes.count, by: 512)
    where bytes[page] == 2 || bytes[page] == 5 {
      let cells = Int(bytes[page + 3]) << 8 | Int(bytes[page + 4])
      let first = (0..<4).map { bytes[page + cell(bytes, page, 0) + $0] }
      for index in 1..<max(cells, 1) {
        for offset in 0..<4 { bytes[page + cell(bytes, page, index) + offset] = first[offset] }
      }
    }
    try folder.write(bytes, to: "a.sqlite")
    #expect(throws: StoreError(.notACache, "")) { try store.items() }
  }

  private func cell(_ bytes: [UInt8], _ page: Int, _ index: Int) -> Int {
    Int(bytes[page + 12 + 2 * index]) << 8 | Int(bytes[page + 13 + 2 * index])
  }

  @Test func anIndexThatLacksRowsIsNoticed() throws {
    try make(Self.identity + [Self.table])
    _ = try store.add([one])
    // A row that only the table has: SQLite lets a table be told that its index is another one.
    let script = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      c.execute("CREATE TABLE spare (agrp, acct, svce, UNIQUE (agrp, acct, svce))")
      c.execute("PRAGMA writable_schema = ON")
      c.execute("UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE "
                "name = 'sqlite_autoindex_spare_1') WHERE name = 'sqlite_autoindex_items_1'")
      c.execute("DELETE FROM sqlite_master WHERE tbl_name = 'spare'")
      c.commit()
      """
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = ["python3", "-c", script, path]
    try python.run()
    python.waitUntilExit()
    #expect(python.terminationStatus == 0)
    do {
      _ = try store.items()
      Issue.record("accepted")
    } catch let error as StoreError {
      #expect(error.code == .notACache)
    }
  }
}
