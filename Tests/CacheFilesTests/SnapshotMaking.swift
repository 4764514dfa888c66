// SPDX-License-Identifier: MIT
import CKeychainSnapshot

@testable import CacheFiles

/// SQLite's message about a statement that makes a test file.
struct MakingError: Error {
  var words: String
}

/// The parts of a snapshot (contract §4).
enum SnapshotStatements {
  static let columns =
    "agrp TEXT NOT NULL, acct TEXT NOT NULL, svce TEXT NOT NULL, gena BLOB, type INTEGER, pdmn TEXT, "
    + "labl TEXT, \"desc\" TEXT, icmt TEXT, invi INTEGER, cdat REAL, mdat REAL, data BLOB"
  static let identity = [
    "PRAGMA application_id = 0x41324D53", "PRAGMA user_version = 1",
  ]
  static let table = "CREATE TABLE items (\(columns), UNIQUE (agrp, acct, svce))"
}

extension TemporaryFolder {
  /// Makes `a.sqlite` of these statements; without any, a snapshot that has no items.
  func makeSnapshot(
    _ statements: [String] = SnapshotStatements.identity + [SnapshotStatements.table]
  ) throws {
    try write("", to: "a.sqlite")
    try changeSnapshot(["PRAGMA synchronous = OFF"] + statements)
  }

  /// Has SQLite run these statements on `a.sqlite`.
  func changeSnapshot(_ statements: [String]) throws {
    // Without the limits of the reader, which refuses what these statements may make.
    var database: OpaquePointer?
    sqlite3_open(path("a.sqlite"), &database)
    defer { sqlite3_close(database) }
    for statement in statements {
      guard sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK else {
        throw MakingError(words: "\(statement): \(String(cString: sqlite3_errmsg(database)))")
      }
    }
  }
}
