// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The schema of a keychain snapshot (contract §3), version 1.
enum SnapshotSchema {
  /// `PRAGMA application_id`: "A2MS".
  static let applicationID = 0x4132_4D53
  /// `PRAGMA user_version`.
  static let version = 1

  /// The columns and their types, in the order of the table.
  static let columns: [(name: String, type: String)] = [
    ("agrp", "TEXT"), ("acct", "TEXT"), ("svce", "TEXT"), ("gena", "BLOB"), ("type", "INTEGER"),
    ("pdmn", "TEXT"), ("labl", "TEXT"), ("desc", "TEXT"), ("icmt", "TEXT"), ("invi", "INTEGER"),
    ("cdat", "REAL"), ("mdat", "REAL"), ("data", "BLOB"),
  ]

  private static let key: Set = ["agrp", "acct", "svce"]

  // `desc` is also a word of SQL, so every name is quoted.
  private static let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")

  static let select =
    "SELECT \(names) FROM items "
    + "ORDER BY agrp COLLATE BINARY, acct COLLATE BINARY, svce COLLATE BINARY"

  static let insert =
    "INSERT INTO items (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", "))) "
    + "ON CONFLICT (agrp, acct, svce) DO NOTHING"

  static let delete = "DELETE FROM items WHERE agrp = ? AND acct = ? AND svce = ?"

  static func create(in database: Database) throws(DatabaseError) {
    try database.execute("PRAGMA application_id = \(applicationID)")
    try database.execute("PRAGMA user_version = \(version)")
    let definitions = columns.map { column in
      "\"\(column.name)\" \(column.type)" + (key.contains(column.name) ? " NOT NULL" : "")
    }
    try database.execute(
      "CREATE TABLE items (\(definitions.joined(separator: ", ")), UNIQUE (agrp, acct, svce))")
  }

  /// The reason why the file is not a snapshot that can be read and added to; nil if it is one.
  ///
  /// Said in words that do not repeat anything the file says.
  static func objection(to database: Database) throws(DatabaseError) -> String? {
    let application = try database.integer("PRAGMA application_id")
    guard application == applicationID else {
      return "its application_id is \(application), not \(applicationID) (\"A2MS\")"
    }
    let version = try database.integer("PRAGMA user_version")
    guard version <= self.version else {
      return "it has version \(version), and this program knows versions up to \(self.version)"
    }
    guard version == self.version else { return "it has version \(version), not \(self.version)" }
    // In other encodings SQLite's order is not that of the keys' UTF-8.
    let isUTF8 = "SELECT encoding = 'UTF-8' FROM pragma_encoding"
    guard try database.integer(isUTF8) == 1 else { return "its text is not in UTF-8" }
    if let objection = try objectionToStatements(in: database) { return objection }
    let tables =
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'items' COLLATE NOCASE"
    guard try database.integer(tables) == 1 else { return "it has no table items" }
    if let objection = try objectionToColumns(in: database) { return objection }
    if let objection = try objectionToKey(in: database) { return objection }
    let pages = try database.integer("PRAGMA page_count")
    // 65,536 bytes at most, or SQLite does not open the file.
    let pageSize = try database.integer("PRAGMA page_size")
    database.acceptSchema()
    database.allow(each: Database.operationsPerFile)
    database.allow(pages, each: pageSize * Database.operationsPerByte)
    return nil
  }

  /// A schema of plain tables and plain indexes has nothing that SQLite evaluates. That is asked of every
  /// statement, whatever it is for: checking the pages looks at all tables.
  private static func objectionToStatements(
    in database: Database
  ) throws(DatabaseError) -> String? {
    let rows = try database.prepare("SELECT type, rootpage, sql FROM sqlite_master")
    while try rows.step() {
      guard let type = rows.text(at: 0),
        ["table", "index", "view", "trigger"].contains(type)
      else {
        return "its schema has an entry of an unknown type"
      }
      var statement = SchemaStatement(text: [])
      switch rows.value(at: 2) {
      case .text(let bytes): statement.text = bytes
      // An index that is made for a constraint.
      case .null where type == "index": break
      default: return "its schema has an entry without a statement"
      }
      let objection: String?
      switch type {
      case "view": objection = "it has a view"
      case "trigger": objection = "it has a trigger"
      case "index": objection = statement.objectionToIndex
      default:
        // Virtual tables are tables without pages.
        let page = rows.value(at: 1).integer ?? 0
        objection = page < 1 ? "it has a virtual table" : statement.objectionToTable
      }
      if let objection { return objection }
    }
    return nil
  }

  /// If a page is part of two things, adding a row would change another one.
  static func objectionToPages(of database: Database) throws(DatabaseError) -> String? {
    let check = try database.prepare("PRAGMA quick_check(1)")
    let text = try check.step() ? check.value(at: 0).bytes : nil
    let answer = String(decoding: text ?? [], as: UTF8.self)
    if answer == "ok" { return nil }
    // A page that the disk did not give, or the system had no memory for, is told as a damaged one.
    guard !database.isDiskBroken else { throw .ofDisk }
    guard !answer.hasSuffix("error code=\(DatabaseError.ofMemory.code)") else { throw .ofMemory }
    return "it is damaged: its pages are inconsistent"
  }

  private static func objectionToColumns(in database: Database) throws(DatabaseError) -> String? {
    for column in columns {
      let found = try database.integer(
        "SELECT count(*) FROM pragma_table_xinfo('items') "
          + "WHERE name = '\(column.name)' COLLATE NOCASE "
          + "AND type = '\(column.type)' COLLATE NOCASE AND hidden = 0")
      guard found == 1 else { return "its table has no column \(column.name) \(column.type)" }
    }
    return nil
  }

  private static func objectionToKey(in database: Database) throws(DatabaseError) -> String? {
    let keyed =
      "k.name COLLATE NOCASE IN ('agrp', 'acct', 'svce') AND k.coll = 'BINARY' COLLATE NOCASE"
    let indexes = try database.integer(
      """
      SELECT count(*) FROM pragma_index_list('items') AS l WHERE l."unique" = 1 AND l.partial = 0
      AND (SELECT count(*) FROM pragma_index_xinfo(l.name) AS k WHERE k.key = 1) = 3
      AND (SELECT count(*) FROM pragma_index_xinfo(l.name) AS k WHERE k.key = 1 AND \(keyed)) = 3
      """)
    return indexes > 0 ? nil : "its table has no unique key of agrp, acct and svce"
  }
}

extension Statement {
  /// The item of the current row, which has ``SnapshotSchema/columns``.
  func item() throws(Objection) -> KeychainItem {
    func unusable(_ column: Int) -> Objection { .unusable(SnapshotSchema.columns[column].name) }
    func value<Value>(
      _ column: Int, _ read: (DatabaseValue) -> Value?
    ) throws(Objection) -> Value? {
      let found = self.value(at: Int32(column))
      if case .null = found { return nil }
      guard let value = read(found) else { throw unusable(column) }
      return value
    }
    func key(_ column: Int) throws(Objection) -> String {
      guard let text = self.text(at: Int32(column)) else { throw unusable(column) }
      return text
    }
    func text(_ column: Int) throws(Objection) -> String? {
      try isNull(at: Int32(column)) ? nil : key(column)
    }
    func date(_ column: Int) throws(Objection) -> Double? {
      try value(column, \.real).flatMap { $0.isFinite ? $0 : nil }
    }
    return KeychainItem(
      accessGroup: try key(0), account: try key(1), service: try key(2),
      // SQLite stores other programs' strings as text.
      generic: try value(3, \.bytes), type: try value(4, \.integer), accessibility: try text(5),
      label: try text(6), itemDescription: try text(7), comment: try text(8),
      isInvisible: try value(9, \.integer).map { $0 != 0 }, created: try date(10),
      modified: try date(11), data: try value(12, \.bytes).map { TokenSecret($0) })
  }
}

extension KeychainItem {
  /// The values of ``SnapshotSchema/columns``.
  var row: [DatabaseValue] {
    func text(_ text: String) -> DatabaseValue { .text(Array(text.utf8)) }
    return [
      text(accessGroup), text(account), text(service),
      generic.map { .blob($0) } ?? .null,
      type.map { .integer($0) } ?? .null,
      accessibility.map(text) ?? .null, label.map(text) ?? .null,
      itemDescription.map(text) ?? .null, comment.map(text) ?? .null,
      isInvisible.map { .integer($0 ? 1 : 0) } ?? .null,
      created.map { .real($0) } ?? .null, modified.map { .real($0) } ?? .null,
      // Reveal: the snapshot is where the item's data is kept.
      data.map { .blob($0.reveal()) } ?? .null,
    ]
  }
}
