// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// A keychain snapshot in a SQLite file (contract §3).
///
/// Reading never writes, not even what SQLite writes by opening: a file that an interrupted program
/// left half written is refused, and neither rolled back nor completed, until it is ``recover()``ed.
/// Adding is one transaction; a new file appears whole, with mode 0600, or not at all.
///
/// The file is not trusted. Triggers, views, values of another type, rows that claim more than the
/// file holds and damaged pages give a `StoreError`.
public struct SnapshotFile: RemovableStore {
  /// What a missing file means.
  public enum Missing: Sendable {
    /// An error, for a source.
    case isAnError
    /// A store without items, for a target. Adding makes the file.
    case isEmpty
  }

  /// The path as it was given.
  public let path: String
  private let missing: Missing
  private let patience: Int32

  /// The snapshot at `path`, which is opened by the methods only.
  ///
  /// - Parameters:
  ///   - path: where it is, or is to be made.
  ///   - missing: what it means when there is none.
  ///   - busyTimeout: how long to wait for another program's SQLite lock, in seconds.
  public init(path: String, missing: Missing = .isAnError, busyTimeout: Double = 5) {
    self.path = path
    self.missing = missing
    patience = Int32(max(0, min(busyTimeout, 3600)) * 1000)
  }

  public func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    guard AtomicFile(path: path).exists || missing == .isAnError else { return }
    let access = try SnapshotHeader(path: path).access()
    do {
      let database = try Database(
        path: AtomicFile.resolved(path), access: access, patience: patience)
      // One transaction, so that the checks and the rows are of one state of the file.
      try database.execute("BEGIN")
      try check(database)
      try read(database, body)
    } catch let error as DatabaseError {
      throw failure(error, writing: false)
    }
  }

  private func read(_ database: Database, _ body: (KeychainItem) throws -> Void) throws {
    // Damaged pages can name each other in circles, and so give rows and bytes without end.
    var room = try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size")
    var count = 0
    let rows = try database.prepare(SnapshotSchema.select)
    while try rows.step() {
      count += 1
      let item: KeychainItem
      do {
        item = try KeychainItem(row: rows)
      } catch {
        throw notACache("row \(count) in key order has an unusable \(error.column)")
      }
      room -= max(item.size, 1)
      guard room >= 0 else { throw notACache("it is damaged: its rows hold more than the file") }
      try body(item)
    }
    // The rows above come by the key's index, which in a damaged file may lack some.
    let all = "SELECT count(*) FROM (SELECT 1 FROM items NOT INDEXED LIMIT \(count + 1))"
    guard try database.integer(all) == count else {
      throw notACache("it is damaged: its index lacks rows")
    }
  }

  public func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    guard !items.isEmpty else { return [] }
    if let large = items.first(where: { $0.size > Database.largestValue }) {
      throw StoreError(.unwritable, "an item of \(large.size) bytes is too large for \(path)")
    }
    let file = AtomicFile(path: path)
    guard !file.exists, missing == .isEmpty else { return try addToExisting(items) }
    do {
      return try make(file, of: items)
    } catch let error as StoreError where error.code == .locked && file.exists {
      // Another program was quicker. What it made is added to.
      return try addToExisting(items)
    }
  }

  private func make(_ file: AtomicFile, of items: [KeychainItem]) throws -> [KeychainItem] {
    var taken: [KeychainItem] = []
    try file.create { temporary in
      do throws(DatabaseError) {
        let database = try Database(
          path: AtomicFile.resolved(temporary), access: .fill, patience: patience)
        try SnapshotSchema.create(in: database)
        try database.execute("BEGIN")
        taken = try insert(items, into: database)
        try database.execute("COMMIT")
      } catch {
        throw failure(error, writing: true)
      }
    }
    return taken
  }

  private func addToExisting(_ items: [KeychainItem]) throws -> [KeychainItem] {
    _ = try SnapshotHeader(path: path)
    do {
      let database = try Database(
        path: AtomicFile.resolved(path), access: .write, patience: patience)
      // Closing the connection rolls back what was not committed.
      try database.execute("BEGIN IMMEDIATE")
      try check(database)
      let taken = try insert(items, into: database)
      let isTaken = Set(taken.map(\.key))
      guard let one = items.first(where: { !isTaken.contains($0.key) }) else {
        try database.execute("ROLLBACK")
        return taken
      }
      try commit(database, one.key, isThere: true)
      return taken
    } catch let error as DatabaseError {
      throw failure(error, writing: true)
    }
  }

  /// Ends the transaction that has added an item, or removed it. What fails once the journal is gone fails too
  /// late; where nothing can be read either, nobody knows.
  private func commit(_ database: Database, _ key: KeychainItem.Key, isThere: Bool) throws {
    do {
      try database.execute("COMMIT")
    } catch {
      if let found = holds(key) {
        throw found == isThere ? StoreError.unconfirmed(path, error.words) : error
      }
      let journal = AtomicFile(path: AtomicFile.resolved(path) + "-journal")
      throw journal.exists ? error : StoreError.unknown(path, error.words)
    }
  }

  /// Whether an item is in the file for whoever opens it now; nil when nobody can.
  private func holds(_ key: KeychainItem.Key) -> Bool? {
    var isThere = false
    do {
      try SnapshotFile(path: path).forEachItem { isThere = isThere || $0.key == key }
      return isThere
    } catch {
      return nil
    }
  }

  /// Removes items; see `RemovableStore`.
  public func remove(
    _ keys: Set<KeychainItem.Key>, where isMeant: (KeychainItem) -> Bool
  ) throws -> Set<KeychainItem.Key> {
    guard !keys.isEmpty, AtomicFile(path: path).exists else { return [] }
    _ = try SnapshotHeader(path: path)
    do {
      let database = try Database(
        path: AtomicFile.resolved(path), access: .write, patience: patience)
      try database.execute("BEGIN IMMEDIATE")
      try check(database)
      var removed: Set<KeychainItem.Key> = []
      try read(database) { if keys.contains($0.key), isMeant($0) { removed.insert($0.key) } }
      let statement = try database.prepare(SnapshotSchema.delete)
      for key in removed.sorted() {
        for (index, text) in [key.accessGroup, key.account, key.service].enumerated() {
          try statement.bind(.text(Array(text.utf8)), at: Int32(index + 1))
        }
        _ = try statement.step()
        statement.reset()
      }
      guard let one = removed.first else {
        try database.execute("ROLLBACK")
        return removed
      }
      try commit(database, one, isThere: false)
      return removed
    } catch let error as DatabaseError {
      throw failure(error, writing: true)
    }
  }

  /// Brings the file in order after a program that was interrupted while it wrote: what that program had
  /// not committed goes, what it had is kept. SQLite does it, under its own lock; a file that is in order
  /// is not written. For a file that will be added to, before it is read.
  ///
  /// - Throws: `StoreError.locked` when a program goes on writing, another `StoreError` when the file
  ///   cannot be written or is no snapshot.
  public func recover() throws {
    guard AtomicFile(path: path).exists else { return }
    let header = try SnapshotHeader(path: path)
    guard header.hasJournal || header.hasLog else { return removeDeadJournal() }
    do {
      let database = try Database(
        path: AtomicFile.resolved(path), access: .write, patience: patience)
      // The first look at the file is what makes SQLite do it; a log is written into the file only when
      // asked for, or with the last connection.
      _ = try database.integer("SELECT count(*) FROM sqlite_master")
      _ = try database.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      throw failure(error, writing: true)
    }
    guard !header.hasLog else { throw StoreError(.locked, "\(path) is locked by another program") }
  }

  /// Removes a journal that nobody will roll back: of a program that was interrupted before it wrote into
  /// the file, or is done. SQLite lets it lie. Who has the file to itself knows that no program goes on with
  /// it; while one does, it stays.
  private func removeDeadJournal() {
    let path = AtomicFile.resolved(path)
    let journal = path + "-journal"
    guard AtomicFile(path: journal).exists, !SnapshotHeader.isInUse(journal),
      let database = try? Database(path: path, access: .write, patience: 0),
      (try? database.execute("BEGIN EXCLUSIVE")) != nil
    else { return }
    if !SnapshotHeader.isInUse(journal) { unlink(journal) }
    try? database.execute("ROLLBACK")
  }

  private func insert(
    _ items: [KeychainItem], into database: Database
  ) throws(DatabaseError) -> [KeychainItem] {
    let statement = try database.prepare(SnapshotSchema.insert)
    var taken: [KeychainItem] = []
    for item in items {
      for (index, value) in item.row.enumerated() {
        try statement.bind(value, at: Int32(index + 1))
      }
      _ = try statement.step()
      if database.added == 0 { taken.append(item) }
      statement.reset()
    }
    return taken
  }

  private func check(_ database: Database) throws {
    if let objection = try SnapshotSchema.objection(to: database) { throw notACache(objection) }
  }

  private func notACache(_ why: String) -> StoreError {
    StoreError(.notACache, "\(path) is not a keychain snapshot: \(why)")
  }

  private func failure(_ error: DatabaseError, writing: Bool) -> StoreError {
    if error.isOfInterruptedWriting { return SnapshotHeader.unfinished(path, "-journal") }
    let sentence = "\(path): \(error.words)"
    switch error.kind {
    case .busy: return StoreError(.locked, "\(path) is locked by another program")
    case .notADatabase, .corrupt: return notACache(error.words)
    case .cannotOpen where AtomicFile.resolved(path).utf8.count > Database.longestPath:
      return StoreError(
        writing ? .unwritable : .unreadable,
        "\(path): its path is too long for SQLite, which takes \(Database.longestPath) bytes")
    case .readOnly, .cannotOpen:
      return StoreError(writing ? .unwritable : .unreadable, sentence)
    case .full, .inputOutput: return StoreError(.interrupted, sentence)
    case .tooBig, .other:
      return writing ? StoreError(.unwritable, sentence) : notACache(error.words)
    }
  }
}

extension KeychainItem {
  /// How many bytes its values have, without numbers.
  fileprivate var size: Int {
    let texts = [accessibility, label, itemDescription, comment].map { $0?.utf8.count ?? 0 }
    return accessGroup.utf8.count + account.utf8.count + service.utf8.count + texts.reduce(0, +)
      + (generic?.count ?? 0) + (data?.count ?? 0)
  }
}

/// What a SQLite file and the files beside it say before SQLite opens them.
struct SnapshotHeader {
  /// The first bytes of every SQLite file.
  static let magic = Array("SQLite format 3\0".utf8)

  private let path: String
  private let hasWriteAheadMode: Bool

  /// - Throws: ``StoreError`` when it is no SQLite file.
  init(path: String) throws {
    self.path = path
    let file = try OpenFile(reading: path)
    guard file.isRegular else {
      throw StoreError(.unreadable, "\(path) is not an ordinary file, so it cannot be a snapshot")
    }
    // Bytes 18 and 19 are 2 in write-ahead mode (SQLite's file format, section 1.3.3).
    let header: [UInt8]
    do {
      header = try file.read(atMost: 20)
    } catch {
      throw StoreError(.unreadable, error.sentence(about: path))
    }
    guard header.count == 20, header.starts(with: Self.magic) else {
      throw StoreError(.notACache, "\(path) is not a keychain snapshot: it is no SQLite file")
    }
    hasWriteAheadMode = header[18] == 2 || header[19] == 2
  }

  /// Whether there is a rollback journal: of a program that is writing, or was interrupted.
  var hasJournal: Bool { Self.isInUse(AtomicFile.resolved(path) + "-journal") }

  /// Whether there is a write-ahead log with changes that may not be in the file.
  var hasLog: Bool { Self.isInUse(AtomicFile.resolved(path) + "-wal") }

  /// How the file may be opened for reading. Whether a journal is of a program that goes on, which keeps
  /// nobody from reading until it commits, SQLite tells by its locks.
  ///
  /// - Throws: ``StoreError`` when there are changes that are not in the file.
  func access() throws(StoreError) -> Database.Access {
    if hasLog { throw Self.unfinished(path, "-wal") }
    guard hasWriteAheadMode else { return .read }
    // Who reads alone asks for no lock and sees no journal.
    if hasJournal { throw Self.unfinished(path, "-journal") }
    return .readAlone
  }

  static func unfinished(_ path: String, _ suffix: String) -> StoreError {
    StoreError(
      .unreadable,
      "\(path)\(suffix) holds changes that are not in \(path) yet: another program is using it, "
        + "or was interrupted; migrate into it, open and close it with the sqlite3 command, or close "
        + "that program")
  }

  /// Whether a journal or log has something in it. An empty one, or one whose header is zeroed, is what
  /// SQLite leaves behind when it is done.
  static func isInUse(_ path: String) -> Bool {
    guard AtomicFile(path: path).exists else { return false }
    guard let file = try? OpenFile(reading: path), let start = try? file.read(atMost: 8) else {
      return true
    }
    return start.contains { $0 != 0 }
  }
}
