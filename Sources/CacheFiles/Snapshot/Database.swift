// SPDX-License-Identifier: MIT
import CKeychainSnapshot
import CacheJSON

/// One connection to a SQLite file. Every call of SQLite is in this file.
///
/// The file may come from anywhere, so nothing that its schema brings along runs: triggers and views
/// are off, functions in its schema are not trusted, and SQL cannot damage the file's own structure.
final class Database {
  /// What a connection may do with its file.
  enum Access {
    /// Read, sharing SQLite's locks with other programs. Never writes.
    case read
    /// Read a file that needs files beside it to be shared (write-ahead log), without making them.
    case readAlone
    /// Add to a file that exists.
    case write
    /// Fill a file that nobody else knows yet. No lock, no journal and no fsync: a half-written file is
    /// thrown away.
    case fill
  }

  /// The largest text or blob that is read or written, in bytes. A token cache of a device has a few
  /// megabytes in all.
  static let largestValue = 1 << 26
  /// The longest path that SQLite opens as it is usually built: 512 bytes, with `-journal` behind it
  /// (`MAX_PATHNAME` of os_unix.c).
  static let longestPath = 504

  private let connection: OpaquePointer

  /// Opens the file at the absolute path `path`; waits up to `patience` milliseconds for locks.
  init(path: String, access: Access, patience: Int32) throws(DatabaseError) {
    let flags: Int32
    switch access {
    case .read, .readAlone: flags = SQLITE_OPEN_READONLY
    case .write, .fill: flags = SQLITE_OPEN_READWRITE
    }
    var uri = "file://" + Self.percentEncoded(path)
    switch access {
    case .read, .write: break
    case .readAlone: uri += "?immutable=1"
    case .fill: uri += "?nolock=1"
    }
    var opened: OpaquePointer?
    // One thread at a time uses a connection, so SQLite need not guard it.
    let result = sqlite3_open_v2(
      uri, &opened, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened, result == SQLITE_OK else {
      sqlite3_close_v2(opened)
      throw DatabaseError(code: result)
    }
    connection = opened
    try configure(patience: patience)
    if case .fill = access {
      // SQLite does without a journal only where SQL may damage the file.
      try check(keychain_snapshot_configure(connection, SQLITE_DBCONFIG_DEFENSIVE, 0))
      try execute("PRAGMA page_size = 16384")
      try execute("PRAGMA journal_mode = OFF")
      try execute("PRAGMA synchronous = OFF")
      // Nothing is removed from a new file; some builds overwrite even what they only move.
      try execute("PRAGMA secure_delete = OFF")
    } else {
      // EXTRA also syncs the folder after the journal is gone, so that a commit survives a power cut.
      try execute("PRAGMA synchronous = EXTRA")
      // What is removed is not left in the file's free room.
      try execute("PRAGMA secure_delete = ON")
    }
  }

  deinit {
    sqlite3_close_v2(connection)
  }

  private func configure(patience: Int32) throws(DatabaseError) {
    sqlite3_extended_result_codes(connection, 1)
    for (option, value) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    ] as [(Int32, Int32)] {
      try check(keychain_snapshot_configure(connection, option, value))
    }
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(Self.largestValue))
    try check(sqlite3_busy_timeout(connection, patience))
    try execute("PRAGMA temp_store = MEMORY")
    try execute("PRAGMA mmap_size = 0")
    try execute("PRAGMA cell_size_check = ON")
  }

  /// Runs one statement to its end.
  func execute(_ sql: String) throws(DatabaseError) {
    let statement = try prepare(sql)
    while try statement.step() {}
  }

  /// The first column of the first row that `sql` gives, or 0.
  func integer(_ sql: String) throws(DatabaseError) -> Int {
    let statement = try prepare(sql)
    guard try statement.step(), case .integer(let value) = statement.value(at: 0) else { return 0 }
    return value
  }

  func prepare(_ sql: String) throws(DatabaseError) -> Statement {
    var prepared: OpaquePointer?
    try check(sqlite3_prepare_v2(connection, sql, -1, &prepared, nil))
    guard let prepared else { throw DatabaseError(code: SQLITE_MISUSE) }
    return Statement(prepared)
  }

  /// How many rows the last statement added.
  var added: Int { Int(sqlite3_changes(connection)) }

  private func check(_ code: Int32) throws(DatabaseError) {
    guard code == SQLITE_OK else { throw DatabaseError(code: code, of: connection) }
  }

  /// Whether the disk did not give what was last read.
  var isDiskBroken: Bool { DatabaseError.isDiskBroken(connection) }

  private static func percentEncoded(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      switch byte {
      case 0x2D...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A:  // - . / 0-9 A-Z _ a-z
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += "%\(Hexadecimal.text(of: [byte]))"
      }
    }
  }
}

/// A value in a column, of the type that SQLite stored it with.
enum DatabaseValue {
  case null
  case integer(Int)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])
}

/// One prepared statement.
final class Statement {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  deinit {
    sqlite3_finalize(statement)
  }

  /// Goes to the next row; false when there is none.
  func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(code: code, of: sqlite3_db_handle(statement))
    }
  }

  /// Makes the statement ready to run again with other values.
  func reset() {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
  }

  /// The value in a column of the current row, counted from 0.
  func value(at column: Int32) -> DatabaseValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(Int(sqlite3_column_int64(statement, column)))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let start = UnsafeRawPointer(sqlite3_column_text(statement, column))
      return .text(bytes(at: start, of: column))
    case SQLITE_BLOB:
      return .blob(bytes(at: sqlite3_column_blob(statement, column), of: column))
    default: return .null
    }
  }

  private func bytes(at start: UnsafeRawPointer?, of column: Int32) -> [UInt8] {
    let count = Int(sqlite3_column_bytes(statement, column))
    guard let start, count > 0 else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Sets a parameter, counted from 1.
  func bind(_ value: DatabaseValue, at index: Int32) throws(DatabaseError) {
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(statement, index)
    case .integer(let value): code = sqlite3_bind_int64(statement, index, Int64(value))
    case .real(let value): code = sqlite3_bind_double(statement, index, value)
    case .text(let bytes):
      code = bytes.withUnsafeBytes { raw in
        // An empty array may have no address, and no address would mean NULL.
        guard let start = raw.bindMemory(to: CChar.self).baseAddress, !raw.isEmpty else {
          return sqlite3_bind_text(statement, index, "", 0, keychain_snapshot_copy())
        }
        return sqlite3_bind_text64(
          statement, index, start, UInt64(raw.count), keychain_snapshot_copy(), UInt8(SQLITE_UTF8))
      }
    case .blob(let bytes):
      code = bytes.withUnsafeBytes { raw in
        guard let start = raw.baseAddress, !raw.isEmpty else {
          return sqlite3_bind_zeroblob(statement, index, 0)
        }
        return sqlite3_bind_blob64(
          statement, index, start, UInt64(raw.count), keychain_snapshot_copy())
      }
    }
    guard code == SQLITE_OK else { throw DatabaseError(code: code) }
  }
}

/// A failure of SQLite, by its result code.
struct DatabaseError: Error {
  enum Kind {
    case busy, full, readOnly, cannotOpen, notADatabase, corrupt, tooBig, inputOutput, other
  }

  var code: Int32

  /// The disk does not give what is asked for.
  static let ofDisk = DatabaseError(code: SQLITE_IOERR)

  init(code: Int32) {
    self.code = code
  }

  /// - Parameter connection: SQLite calls a file damaged that the disk does not give
  ///   (`SQLITE_IOERR_CORRUPTFS`); what the system said of it is known to the connection.
  fileprivate init(code: Int32, of connection: OpaquePointer?) {
    let isOfDisk = code & 0xFF == SQLITE_CORRUPT && Self.isDiskBroken(connection)
    self = isOfDisk ? .ofDisk : DatabaseError(code: code)
  }

  fileprivate static func isDiskBroken(_ connection: OpaquePointer?) -> Bool {
    var number: Int32 = 0
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &number)
    return PosixError(number: number).isOfDisk
  }

  var kind: Kind {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy
    case SQLITE_FULL: return .full
    case SQLITE_READONLY: return .readOnly
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: return .cannotOpen
    case SQLITE_NOTADB: return .notADatabase
    case SQLITE_CORRUPT: return .corrupt
    case SQLITE_TOOBIG: return .tooBig
    case SQLITE_IOERR, SQLITE_NOMEM: return .inputOutput
    default: return .other
    }
  }

  /// Whether an interrupted program left something half done, which only who may write can bring in order.
  var isOfInterruptedWriting: Bool {
    // SQLITE_READONLY_ROLLBACK and SQLITE_READONLY_RECOVERY, which are macros with arithmetic.
    [SQLITE_READONLY | (3 << 8), SQLITE_READONLY | (1 << 8)].contains(code)
  }

  /// SQLite's own fixed words for the code: nothing of the file's content.
  var words: String { String(cString: sqlite3_errstr(code)) }
}
