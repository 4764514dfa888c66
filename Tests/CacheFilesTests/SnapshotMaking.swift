// SPDX-License-Identifier: MIT
@testable import CacheFiles

/// What a snapshot is made of (contract §4).
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
    let database = try Database(path: path("a.sqlite"), access: .fill, patience: 0)
    for statement in statements { try database.execute(statement) }
  }
}
