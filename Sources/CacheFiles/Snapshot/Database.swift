// SPDX-License-Identifier: MIT
import CKeychainSnapshot
import CacheJSON

/// One connection to a SQLite file. Every call of SQLite is in this file.
///
/// The file may come from anywhere, so nothing that its schema brings along runs. Triggers and views
/// are off, SQL cannot damage the file's own structure, and no statement may call a function with an
/// argument, so that a schema with such a call does not even load. Until ``acceptSchema()`` the limits
/// are those of a small schema. SQLite works only as long as ``allow(_:each:)`` lets it.
final class Database {
  enum Access {
    /// Read, sharing SQLite's locks with other programs. Never writes.
    case read
    /// Read a file that needs files beside it to be shared (write-ahead log), without making them.
    case readAlone
    /// Add to a file that exists.
    case write
    /// Fill a file that no other program knows yet. No lock, no journal and no fsync: a half-written file is
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
  /// The number of operations of SQLite's virtual machine that are left. SQLite's own callback counts them.
  private let operations: UnsafeMutablePointer<Int>

  /// Opens the file at the absolute path `path`; waits up to `patience` milliseconds for locks.
  init(path: String, access: Access, patience: Int32) throws(DatabaseError) {
    let (flags, parameter) =
      switch access {
      case .read: (SQLITE_OPEN_READONLY, "")
      case .readAlone: (SQLITE_OPEN_READONLY, "?immutable=1")
      case .write: (SQLITE_OPEN_READWRITE, "")
      case .fill: (SQLITE_OPEN_READWRITE, "?nolock=1")
      }
    let uri = "file://" + Self.percentEncoded(path) + parameter
    var opened: OpaquePointer?
    // One thread at a time uses a connection, so SQLite need not guard it.
    let result = sqlite3_open_v2(
      uri, &opened, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened, result == SQLITE_OK else {
      sqlite3_close_v2(opened)
      throw DatabaseError(code: result)
    }
    connection = opened
    operations = .allocate(capacity: 1)
    operations.initialize(to: Self.schemaOperations)
    limitWork()
    try configure(patience: patience)
    if case .fill = access {
      // SQLite does without a journal only where SQL may damage the file.
      try check(keychain_snapshot_configure(connection, SQLITE_DBCONFIG_DEFENSIVE, 0))
      try execute("PRAGMA page_size = 16384")
      try execute("PRAGMA journal_mode = OFF")
      try execute("PRAGMA synchronous = OFF")
      // A new file has nothing to remove. Some builds overwrite even data that they only move.
      try execute("PRAGMA secure_delete = OFF")
    } else {
      // EXTRA also syncs the folder after the journal is gone, so that a commit survives a power cut.
      try execute("PRAGMA synchronous = EXTRA")
      // Removed data does not stay in the file's free pages.
      try execute("PRAGMA secure_delete = ON")
    }
  }

  deinit {
    sqlite3_progress_handler(connection, 0, nil, nil)
    sqlite3_close_v2(connection)
    operations.deallocate()
  }

  /// The longest text of a schema, in bytes. Ours has 260.
  private static let schemaText: Int32 = 4096
  /// The columns of a table, an index or a statement. Ours has 13.
  private static let columns: Int32 = 64
  /// The most operations for reading and examining a schema. This package's schema costs 2,500, and 4,100 with 50 plain
  /// tables beside it.
  private static let schemaOperations = 1 << 14
  /// After so many operations SQLite asks whether it may go on.
  private static let operationsPerStep: Int32 = 256
  /// The most operations for checking and reading a file, for each of its bytes and in addition. A file of the smallest
  /// rows costs 1 operation a byte.
  static let operationsPerByte = 8
  static let operationsPerFile = 1 << 20
  /// The most operations for adding or removing an item: 60, and some for each other index of the table.
  static let operationsPerItem = 1 << 12
  /// The most memory that SQLite may have at one time in this process, in bytes: the largest value, as it is
  /// bound, in its row and on its way to the file.
  private static let heap: Int64 = 4 << 26

  /// Keeps all of SQLite in this process within ``heap``.
  static func limitHeap() { _ = sqlite3_hard_heap_limit64(heap) }

  /// Whether SQLite came near ``heap``. Otherwise it is the system that has no memory.
  static var reachedHeapLimit: Bool { sqlite3_memory_highwater(0) > heap / 2 }

  private func limitWork() {
    for (limit, value) in [
      // In bytes: a value, and a row of the schema, until the schema is accepted.
      (SQLITE_LIMIT_LENGTH, 8192), (SQLITE_LIMIT_SQL_LENGTH, Self.schemaText),
      // This package's statements have no expression of 10 levels.
      (SQLITE_LIMIT_COLUMN, Self.columns), (SQLITE_LIMIT_EXPR_DEPTH, 32),
      // A schema may call no function. Our statements have none with arguments, and no pattern.
      (SQLITE_LIMIT_FUNCTION_ARG, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 0),
      (SQLITE_LIMIT_ATTACHED, 0),
    ] as [(Int32, Int32)] {
      sqlite3_limit(connection, limit, value)
    }
    // SQLite hands `operations` back as it was given, whatever the file says: one initialized Int, which lives until
    // deinit has removed the handler. Below zero it is not counted down any more, so it cannot overflow.
    let goesOn: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { left in
      guard let left = left?.assumingMemoryBound(to: Int.self), left.pointee >= 0 else { return 1 }
      left.pointee -= Int(Database.operationsPerStep)
      return left.pointee < 0 ? 1 : 0
    }
    sqlite3_progress_handler(connection, Self.operationsPerStep, goesOn, operations)
  }

  /// Lets values be as long as a cache needs them: the schema has nothing that could make longer ones of them.
  func acceptSchema() {
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(Self.largestValue))
  }

  /// Lets SQLite do so many operations more for each of `count` things, which a file may decide.
  func allow(_ count: Int = 1, each cost: Int) {
    let (work, isTooMuch) = count.multipliedReportingOverflow(by: cost)
    let (sum, isTooLarge) = operations.pointee.addingReportingOverflow(work)
    operations.pointee = isTooMuch || isTooLarge ? .max : sum
  }

  private func configure(patience: Int32) throws(DatabaseError) {
    sqlite3_extended_result_codes(connection, 1)
    for (option, value) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_ENABLE_FKEY, 0),
    ] as [(Int32, Int32)] {
      try check(keychain_snapshot_configure(connection, option, value))
    }
    try check(sqlite3_busy_timeout(connection, patience))
    try execute("PRAGMA temp_store = MEMORY")
    try execute("PRAGMA mmap_size = 0")
    try execute("PRAGMA cell_size_check = ON")
  }

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

  var added: Int { Int(sqlite3_changes(connection)) }

  private func check(_ code: Int32) throws(DatabaseError) {
    guard code == SQLITE_OK else { throw DatabaseError(code: code, of: connection) }
  }

  /// Whether the disk failed in the last read.
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

  var integer: Int? { if case .integer(let value) = self { value } else { nil } }

  var real: Double? {
    if case .real(let value) = self { value } else { integer.map { Double($0) } }
  }

  var bytes: [UInt8]? {
    switch self {
    case .text(let bytes), .blob(let bytes): bytes
    default: nil
    }
  }
}

final class Statement {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  deinit {
    sqlite3_finalize(statement)
  }

  /// Goes to the next row; false if there is none.
  func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(code: code, of: sqlite3_db_handle(statement))
    }
  }

  func reset() {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
  }

  /// The value in a column of the current row, counted from 0.
  func value(at column: Int32) -> DatabaseValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(Int(sqlite3_column_int64(statement, column)))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: return .text(Array(letters(of: column)))
    case SQLITE_BLOB:
      guard let start = sqlite3_column_blob(statement, column) else { return .blob([]) }
      return .blob(Array(UnsafeRawBufferPointer(start: start, count: length(of: column))))
    default: return .null
    }
  }

  func isNull(at column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// The text in a column of the current row; nil for another value, and for bytes that are not UTF-8.
  func text(at column: Int32) -> String? {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return nil }
    let letters = letters(of: column)
    return letters.isUTF8 ? String(decoding: letters, as: UTF8.self) : nil
  }

  // SQLite's own memory, until it goes to the next row; nothing where it has none.
  private func letters(of column: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(statement, column)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : length(of: column))
  }

  /// The bytes of the value that was just asked for.
  private func length(of column: Int32) -> Int {
    max(0, Int(sqlite3_column_bytes(statement, column)))
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
        guard let start = raw.bindMemory(to: CChar.self).baseAddress else {
          return sqlite3_bind_text(statement, index, "", 0, keychain_snapshot_copy())
        }
        return sqlite3_bind_text64(
          statement, index, start, UInt64(raw.count), keychain_snapshot_copy(), UInt8(SQLITE_UTF8))
      }
    case .blob(let bytes):
      code = bytes.withUnsafeBytes { raw in
        guard let start = raw.baseAddress else { return sqlite3_bind_zeroblob(statement, index, 0) }
        return sqlite3_bind_blob64(
          statement, index, start, UInt64(raw.count), keychain_snapshot_copy())
      }
    }
    guard code == SQLITE_OK else { throw DatabaseError(code: code) }
  }
}

struct DatabaseError: Error {
  enum Kind {
    case busy, disk, readOnly, cannotOpen, notADatabase, corrupt, tooMuch, noMemory, other
  }

  var code: Int32

  static let ofDisk = DatabaseError(code: SQLITE_IOERR)
  static let ofMemory = DatabaseError(code: SQLITE_NOMEM)
}

extension DatabaseError {
  /// - Parameter connection: tells the system's error when SQLite calls a file damaged because the disk failed
  ///   (`SQLITE_IOERR_CORRUPTFS`).
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
    case SQLITE_FULL, SQLITE_IOERR: return .disk
    case SQLITE_READONLY: return .readOnly
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: return .cannotOpen
    case SQLITE_NOTADB: return .notADatabase
    case SQLITE_CORRUPT: return .corrupt
    case SQLITE_INTERRUPT: return .tooMuch
    case SQLITE_NOMEM: return .noMemory
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
