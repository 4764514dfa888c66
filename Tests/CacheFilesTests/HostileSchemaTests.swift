// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import ProcessUsage
import Testing

@testable import CacheFiles

/// Schemas that have SQLite compute something. Each is refused before anything of it is evaluated.
@Suite struct HostileSchemaTests {
  private let folder: TemporaryFolder
  private var store: SnapshotFile { SnapshotFile(path: folder.path("a.sqlite"), busyTimeout: 0) }
  private let one = KeychainItem(
    accessGroup: "G", account: "a", service: "s", data: TokenSecret([1]))

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Terms that take SQLite a minute and gigabytes together; none is of a kind that it calls unsafe.
  private static let slow = (0..<50)
    .map { "length(hex(zeroblob(15000000 + \($0) + length(acct))))" }.joined(separator: "+")
  private static let large =
    "length(max("
    + (0..<20).map { "hex(zeroblob(30000000 + \($0) + length(acct)))" }.joined(separator: ",")
    + "))"
  private static let columns = SnapshotStatements.columns
  private static let unique = "UNIQUE (agrp, acct, svce)"

  private static func quoted(_ text: String) -> String {
    text.replacingOccurrences(of: "'", with: "''")
  }

  /// A snapshot with twenty rows whose schema then gets `expression` in the place of `7`.
  private func make(_ statements: [String], _ expression: String) throws {
    let rows = (0..<20).map { row in
      "INSERT INTO items (agrp, acct, svce, data) VALUES ('G', 'account\(row)', 's', x'01')"
    }
    try folder.makeSnapshot(
      SnapshotStatements.identity + statements + rows + [
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, '(7)', '(\(Self.quoted(expression)))')",
      ])
  }

  private func expectRefusal(_ sentence: String? = nil) throws {
    let bytes = try folder.bytes("a.sqlite")
    let start = ProcessUsage.seconds
    for refused in [
      { _ = try store.items() },
      { _ = try store.add([one]) },
      {
        _ = try store.remove([KeychainItem.Key(accessGroup: "G", account: "account1", service: "s")]
        ) { _ in true }
      },
    ] as [() throws -> Void] {
      let error = #expect(throws: StoreError(.notACache, "")) { try refused() }
      if let sentence { #expect(error?.message.hasSuffix(": \(sentence)") == true) }
    }
    // Evaluated, it takes minutes. Tests/Faults/test_limits.py sees to a second of processor time.
    #expect(ProcessUsage.seconds - start < 20)
    #expect(try folder.bytes("a.sqlite") == bytes)
    #expect(try folder.names == ["a.sqlite"])
  }

  @Test(arguments: [slow, large, "acct || acct", "1"])
  func generatedColumns(expression: String) throws {
    try make(
      [
        "CREATE TABLE items (\(Self.columns), g INT GENERATED ALWAYS AS (7) VIRTUAL NOT NULL, "
          + "\(Self.unique))"
      ], expression)
    try expectRefusal()
    try make(
      [
        SnapshotStatements.table, "CREATE TABLE other (acct, g INT AS (7) NOT NULL)",
        "INSERT INTO other (acct) VALUES ('a')",
      ], expression)
    try expectRefusal()
  }

  @Test(arguments: [slow, large, "acct <> 'b'", "1"])
  func checkConstraints(expression: String) throws {
    try make(["CREATE TABLE items (\(Self.columns), \(Self.unique), CHECK (7))"], expression)
    try expectRefusal()
    try make(
      ["CREATE TABLE items (\(Self.columns), more TEXT CHECK(7), \(Self.unique))"], expression)
    try expectRefusal()
  }

  @Test(arguments: [slow, large, "acct || agrp", "NOT acct", "acct IS agrp", "acct + 1"])
  func expressionIndexes(expression: String) throws {
    try make([SnapshotStatements.table, "CREATE INDEX e ON items((7))"], expression)
    try expectRefusal()
    try make([SnapshotStatements.table, "CREATE INDEX e ON items(acct) WHERE (7)"], expression)
    try expectRefusal()
  }

  @Test(arguments: [slow, large, "'x' || 'y'", "load_extension('x')"])
  func computedDefaults(expression: String) throws {
    try make(
      ["CREATE TABLE items (\(Self.columns), more TEXT DEFAULT (7), \(Self.unique))"], expression)
    try expectRefusal()
  }

  /// SQLite reads its statistics as it loads the schema, before anybody can look at it.
  @Test(arguments: [slow, large, "tbl || tbl"])
  func computedStatistics(expression: String) throws {
    try make(
      [
        SnapshotStatements.table, "ANALYZE",
        "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('items', 'i', '1 1')",
      ], "")
    try folder.changeSnapshot([
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_master SET sql = 'CREATE TABLE sqlite_stat1(tbl, idx, acct, "
        + "stat AS (\(Self.quoted(expression))))' "
        + "WHERE name = 'sqlite_stat1'",
    ])
    try expectRefusal()
  }

  @Test func sentencesNameTheKind() throws {
    for (statement, sentence) in [
      ("CREATE TABLE o (a CHECK (a > 1))", "it has a CHECK constraint"),
      ("CREATE TABLE o (a /* as */ )", "it has a generated column"),
      ("CREATE TABLE o (a, b AS (a) STORED)", "it has a generated column"),
      ("CREATE TABLE o (a DEFAULT (1 + 1))", "it has an expression as a default"),
      ("CREATE TABLE o (a UNIQUE ON CONFLICT REPLACE)", "it has a rule for conflicts"),
      ("CREATE TABLE o (a TEXT COLLATE NOCASE)", "it has a collation"),
      ("CREATE INDEX o ON items(acct COLLATE RTRIM)", "it has a collation"),
      ("CREATE INDEX o ON items(acct || 'b')", "it has an index on an expression"),
      (
        "CREATE INDEX o ON items(acct) WHERE acct IS NOT NULL",
        "it has a partial index, or one on an expression"
      ),
      ("CREATE VIEW o AS SELECT 1", "it has a view"),
      ("CREATE TRIGGER o AFTER INSERT ON items BEGIN SELECT 1; END", "it has a trigger"),
      ("CREATE VIRTUAL TABLE o USING fts5(a)", "it has a virtual table"),
    ] {
      try? FileManager.default.removeItem(atPath: folder.path("a.sqlite"))
      try folder.makeSnapshot(
        SnapshotStatements.identity + [SnapshotStatements.table, statement])
      try expectRefusal(sentence)
    }
  }

  /// With a rule of its own another unique key would have rows replaced; with a collation of its own a
  /// column would have others removed.
  @Test func otherRowsAreSafe() throws {
    for table in [
      "CREATE TABLE items (\(Self.columns), \(Self.unique), UNIQUE (acct) ON CONFLICT REPLACE)",
      "CREATE TABLE items (\(Self.columns.replacingOccurrences(of: "acct TEXT", with: "acct TEXT COLLATE NOCASE")), "
        + "UNIQUE (agrp, acct COLLATE BINARY, svce))",
    ] {
      try make([table], "7")
      try expectRefusal()
    }
  }

  @Test func aCollationThatNobodyKnowsIsRefused() throws {
    try make([SnapshotStatements.table], "7")
    try folder.changeSnapshot([
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_master SET sql = replace(sql, 'acct TEXT', 'acct TEXT COLLATE other')",
    ])
    try expectRefusal()
  }

  @Test func plainTablesBesideItAreAccepted() throws {
    try folder.makeSnapshot(
      SnapshotStatements.identity + [
        SnapshotStatements.table, "CREATE INDEX i ON items (svce DESC, acct COLLATE BINARY)",
        "CREATE TABLE \"my notes\" (id INTEGER PRIMARY KEY AUTOINCREMENT, "
          + "text TEXT NOT NULL DEFAULT 'none', number REAL DEFAULT -1.5, "
          + "at TEXT DEFAULT CURRENT_TIMESTAMP, of INTEGER REFERENCES items (type))",
        "INSERT INTO \"my notes\" (text) VALUES ('a')", "ANALYZE",
      ] + (0..<50).map { "CREATE TABLE t\($0) (a, b, c, PRIMARY KEY (a, b))" })
    #expect(try store.add([one]) == [])
    #expect(try store.items() == [one])
  }

  @Test func manyStatementsAreRefused() throws {
    let checks = Array(repeating: "1", count: 1500).joined(separator: ",")
    try folder.makeSnapshot(
      SnapshotStatements.identity + [SnapshotStatements.table, "BEGIN"]
        + (0..<4000).map { "CREATE TABLE t\($0) (a)" } + [
          "PRAGMA writable_schema = ON",
          "UPDATE sqlite_master SET sql = name || '' WHERE 0",
          "UPDATE sqlite_master SET sql = replace(sql, '(a)', '(a CHECK (a IN (\(checks))))')",
          "COMMIT",
        ])
    try expectRefusal()
  }

  @Test func longStatementsAreRefused() throws {
    let comment = String(repeating: "x", count: 5000)
    try folder.makeSnapshot(
      SnapshotStatements.identity + [
        SnapshotStatements.table, "CREATE TABLE o (a /* \(comment) */)",
      ])
    try expectRefusal()
    try? FileManager.default.removeItem(atPath: folder.path("a.sqlite"))
    let columns = (0..<65).map { "c\($0)" }.joined(separator: ",")
    try folder.makeSnapshot(
      SnapshotStatements.identity + [SnapshotStatements.table, "CREATE TABLE o (\(columns))"])
    try expectRefusal()
  }
}
