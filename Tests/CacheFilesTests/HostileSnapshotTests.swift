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

  private static let columns = SnapshotStatements.columns
  private static let identity = SnapshotStatements.identity
  private static let table = SnapshotStatements.table

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
    try folder.makeSnapshot(statements + ["CREATE TABLE IF NOT EXISTS filler (x)"])
    try expectRefusal()
  }

  @Test func aSchemaOfTheSameMeaningIsAccepted() throws {
    for (index, table) in [
      "CREATE TABLE Items (\(Self.columns.uppercased()), PRIMARY KEY (svce, acct, agrp))",
      "CREATE TABLE items (\(Self.columns), PRIMARY KEY (agrp, acct, svce)) WITHOUT ROWID",
      "CREATE TABLE items (id INTEGER PRIMARY KEY, \(Self.columns), UNIQUE (agrp, acct, svce))",
    ].enumerated() {
      try? FileManager.default.removeItem(atPath: path)
      try folder.makeSnapshot(Self.identity + [table])
      let two = KeychainItem(accessGroup: "A", account: "z", service: "z", data: TokenSecret([1]))
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
    try folder.makeSnapshot(Self.identity + [Self.table, insert])
    do {
      _ = try store.items()
      Issue.record("accepted")
    } catch let error as StoreError {
      #expect(error.code == .notACache)
      #expect(error.message.contains("row 1 in key order has an unusable "))
    }
  }

  @Test func unusualValuesAreRead() throws {
    try folder.makeSnapshot(
      Self.identity + [
        Self.table,
        "INSERT INTO items (agrp, acct, svce, gena, cdat, mdat, data) "
          + "VALUES ('', 'a' || char(0) || 'b', '', 'MSOpenTech', 9e999, 1700000000, '{}')",
      ])
    #expect(
      try store.items() == [
        KeychainItem(
          account: "a\0b", generic: Array("MSOpenTech".utf8), modified: 1_700_000_000,
          data: TokenSecret("{}"))
      ])
  }

  @Test func constraintsOfTheFileAreUnwritableNotACrash() throws {
    try folder.makeSnapshot(
      Self.identity + [
        "CREATE TABLE items (\(Self.columns), more TEXT NOT NULL, UNIQUE (agrp, acct, svce))"
      ])
    #expect(throws: StoreError(.unwritable, "")) { try store.add([one]) }
    #expect(try store.items() == [])
  }

  @Test(arguments: [
    ("", "it is not a SQLite file"), ("SQLite format 3", "it is not a SQLite file"),
    ("SQLite format 3\0", "it is not a SQLite file"), ("bplist00", "it is not a SQLite file"),
    ("{}", "it is not a SQLite file"),
    (String(repeating: "x", count: 5000), "it is not a SQLite file"),
    ("SQLite format 3\0" + String(repeating: "x", count: 5000), "file is not a database"),
    ("SQLite format 3\0" + String(repeating: "\0", count: 100), "file is not a database"),
  ])
  func whatIsNoDatabaseIsRefused(text: String, why: String) throws {
    try folder.write(text, to: "a.sqlite")
    try expectRefusal()
    let error = #expect(throws: StoreError.self) { try store.items() }
    #expect(error?.message.hasSuffix(why) == true)
  }

  @Test(arguments: 0..<40)
  func damagedBytesGiveAnErrorOrItems(seed: Int) throws {
    try folder.makeSnapshot(
      ["PRAGMA page_size = 512", "VACUUM"] + Self.identity + [Self.table])
    let items = (0..<40).map { index in
      KeychainItem(
        accessGroup: "G", account: "account\(index)", service: "s",
        data: TokenSecret([UInt8](repeating: UInt8(index), count: index * 40)))
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
    try folder.makeSnapshot(
      ["PRAGMA page_size = 512", "VACUUM"] + Self.identity + [Self.table])
    let large = TokenSecret([UInt8](repeating: 0xAB, count: 2000))
    _ = try store.add([KeychainItem(accessGroup: "G", account: "b", service: "s", data: large)])
    var bytes = try folder.bytes("a.sqlite")
    // The large value goes on in the file's first page, which adding a row changes.
    let page = try #require(
      stride(from: 512, to: bytes.count, by: 512).first { (page: Int) -> Bool in
        guard bytes[page + 3] != 0 else { return false }
        return bytes[(page + 4)..<(page + 512)].allSatisfy { $0 == 0xAB }
      })
    bytes.replaceSubrange(page..<(page + 4), with: [0, 0, 0, 1])
    try folder.write(bytes, to: "a.sqlite")
    try expectRefusal()
    do {
      _ = try store.items()
    } catch let error as StoreError {
      #expect(error.message.hasSuffix("it is damaged: its pages are inconsistent"))
    }
  }

  @Test func pagesThatRepeatThemselvesEnd() throws {
    try folder.makeSnapshot(
      ["PRAGMA page_size = 512", "VACUUM"] + Self.identity + [Self.table])
    _ = try store.add(
      (0..<400).map { KeychainItem(account: "\(1000 + $0)", data: TokenSecret("0123456789")) })
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

  /// SQLite's quick check does not compare an index with its table.
  @Test func anIndexThatNamesALargeRowAgainIsNoticed() throws {
    try folder.makeSnapshot(Self.identity + [Self.table])
    let large = TokenSecret([UInt8](repeating: 0xAB, count: 20_000))
    _ = try store.add(
      (0..<20).map { KeychainItem(account: "\($0 + 10)", data: $0 == 0 ? large : nil) })
    var bytes = try folder.bytes("a.sqlite")
    // An entry of the index is three texts and the number of a row, here two digits and then 1 for the large one.
    let header: [UInt8] = [5, 13, 17, 13, 1]
    for row in 2...20 {
      let entry = header + "\(row + 9)".utf8 + [UInt8(row)]
      let place = try #require(
        bytes.indices.first { bytes[$0...].starts(with: entry) }, "row \(row)")
      bytes[place + entry.count - 1] = 1
    }
    try folder.write(bytes, to: "a.sqlite")
    let error = #expect(throws: StoreError(.notACache, "")) { try store.items() }
    #expect(error?.message.hasSuffix("it is damaged: its rows are larger than the file") == true)
  }

  @Test func anIndexThatLacksRowsIsNoticed() throws {
    try folder.makeSnapshot(Self.identity + [Self.table])
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
