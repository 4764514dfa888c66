// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

/// A keychain snapshot in a SQLite file (contract §3).
///
/// Reading never writes, and it avoids the writes that SQLite makes when it opens a file. A file that an interrupted
/// program left half written is refused, and neither rolled back nor completed, until ``recover()``. Adding is one
/// transaction. A new file appears whole, with mode 0600, or not at all.
///
/// The file is not trusted. Triggers, views, values of another type, rows that claim more than the
/// file holds and damaged pages give a `StoreError`.
public struct SnapshotFile: RemovableStore {
  /// The meaning of a missing file.
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
  /// Whether reading takes part in a write-ahead log, for which SQLite makes files beside the snapshot.
  private var joinsLog = false

  /// The snapshot at `path`, which is opened by the methods only.
  ///
  /// - Parameters:
  ///   - path: where it is, or is to be made.
  ///   - missing: the meaning of a missing file.
  ///   - busyTimeout: how long to wait for another program's SQLite lock, in seconds.
  public init(path: String, missing: Missing = .isAnError, busyTimeout: Double = 5) {
    self.path = path
    self.missing = missing
    patience = Int32(max(0, min(busyTimeout, 3600)) * 1000)
  }

  /// The same snapshot for a run that writes to it: other programs that write are waited for, and not refused.
  package func writing() -> SnapshotFile {
    var file = self
    file.joinsLog = true
    return file
  }

  /// Limits SQLite's memory in this process to the size of the largest value. Only for a program of its own, because
  /// the limit applies to the whole process.
  package static func limitMemory() { Database.limitHeap() }

  public func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    guard try missing == .isAnError || FilePlace.exists(path, for: .reading) else { return }
    let header = try SnapshotHeader(path: path, for: .reading)
    let access = try joinsLog ? .write : waiting { () throws(StoreError) in try header.access() }
    do {
      try read(header.real, access, body)
    } catch let error as StoreError where error.code == .notACache {
      // Pages of two moments contradict each other.
      try header.checkIsSettled(access)
      throw error
    }
    try header.checkIsSettled(access)
  }

  /// The result of `body` after other programs are done; it is called again until then.
  private func waiting<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    let pause: Int32 = 50
    for _ in 0..<patience / pause {
      do {
        return try body()
      } catch  where error.code == .locked {
        usleep(UInt32(pause) * 1000)
      }
    }
    return try body()
  }

  private func read(
    _ real: String, _ access: Database.Access, _ body: (KeychainItem) throws -> Void
  ) throws {
    do {
      let database = try Database(path: real, access: access, patience: patience)
      // One transaction, so that the checks and the rows are of one state of the file.
      try database.execute("BEGIN")
      try check(database)
      try read(database, body)
    } catch let error as DatabaseError {
      throw failure(error, writing: false, opened: real)
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
        item = try rows.item()
      } catch {
        throw notACache("row \(count) in key order \(error.words)")
      }
      room -= max(item.size, 1)
      guard room >= 0 else { throw notACache("it is damaged: its rows are larger than the file") }
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
    guard missing == .isEmpty, try !FilePlace.exists(path, for: .writing) else {
      return try addToExisting(items)
    }
    do {
      let place = try FilePlace(path, for: .writing)
      place.removeLeftovers()
      return try make(place, of: items)
    } catch let error as StoreError where error.code == .locked {
      guard try FilePlace.exists(path, for: .writing) else { throw error }
      // Another program created the file first. The items are added to it.
      return try addToExisting(items)
    }
  }

  private func make(_ place: FilePlace, of items: [KeychainItem]) throws -> [KeychainItem] {
    var taken: [KeychainItem] = []
    try place.create { temporary in
      do throws(DatabaseError) {
        let database = try Database(path: temporary, access: .fill, patience: patience)
        try SnapshotSchema.create(in: database)
        database.acceptSchema()
        try database.execute("BEGIN")
        taken = try insert(items, into: database)
        try database.execute("COMMIT")
      } catch {
        throw failure(error, writing: true, opened: temporary)
      }
    }
    return taken
  }

  private func addToExisting(_ items: [KeychainItem]) throws -> [KeychainItem] {
    try changing { database in
      let taken = try insert(items, into: database)
      let isTaken = Set(taken.map(\.key))
      guard let one = items.first(where: { !isTaken.contains($0.key) }) else {
        try database.execute("ROLLBACK")
        return taken
      }
      try commit(database, one.key, isThere: true)
      return taken
    }
  }

  /// Runs one transaction, which `body` ends.
  private func changing<Result>(_ body: (Database) throws -> Result) throws -> Result {
    let real = try SnapshotHeader(path: path, for: .writing).real
    do {
      let database = try Database(path: real, access: .write, patience: patience)
      try database.execute("BEGIN IMMEDIATE")
      // Closing the connection rolls back uncommitted changes.
      return try finishing {
        try check(database)
        return try body(database)
      }
    } catch let error as DatabaseError {
      if error.kind != .busy { try? SnapshotFile(path: path, busyTimeout: 0).recover() }
      throw failure(error, writing: true, opened: real)
    }
  }

  /// Ends the transaction that has added an item, or removed it. A failure after the journal is gone
  /// is too late; if nothing can be read either, the result is unknown.
  private func commit(_ database: Database, _ key: KeychainItem.Key, isThere: Bool) throws {
    do {
      try database.execute("COMMIT")
    } catch {
      if let found = holds(key) {
        throw found == isThere ? StoreError.unconfirmed(path, error.words) : error
      }
      let journal = (try? FilePlace(path, for: .writing)).map { $0.real + "-journal" }
      // A journal that is there is rolled back.
      guard let journal, (try? FilePlace.exists(journal, for: .writing)) == true else {
        // The disk does not say which of the two it has.
        throw StoreError(
          .interrupted,
          "cannot confirm that \(path) was written (\(error.words)): it is the old file or the new one; run again"
        )
      }
      throw error
    }
  }

  /// Whether a program that opens the file now finds an item in it; nil when none can open it.
  private func holds(_ key: KeychainItem.Key) -> Bool? {
    var isThere = false
    do {
      let real = try FilePlace(path, for: .reading).real
      try read(real, .read) { isThere = isThere || $0.key == key }
      return isThere
    } catch {
      return nil
    }
  }

  /// Removes items; see `RemovableStore`.
  public func remove(
    _ keys: Set<KeychainItem.Key>, where isMeant: (KeychainItem) -> Bool
  ) throws -> Set<KeychainItem.Key> {
    guard try !keys.isEmpty && FilePlace.exists(path, for: .writing) else { return [] }
    return try changing { database in
      var removed: Set<KeychainItem.Key> = []
      try read(database) { if keys.contains($0.key), isMeant($0) { removed.insert($0.key) } }
      database.allow(removed.count, each: Database.operationsPerItem)
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
    }
  }

  /// Recovers the file after a program that was interrupted while it wrote: uncommitted changes are rolled back and
  /// committed ones are kept. SQLite does it under its own lock, and does not write a file that is in order. Call it
  /// before reading a file to which items will be added.
  ///
  /// - Throws: `StoreError.locked` when a program goes on writing, another `StoreError` when the file
  ///   cannot be written or is no snapshot.
  public func recover() throws {
    guard try FilePlace.exists(path, for: .writing) else { return }
    let header = try SnapshotHeader(path: path, for: .writing)
    guard try header.hasJournal() || header.hasLog() else {
      return try removeDeadJournal(header.real)
    }
    do {
      let database = try Database(path: header.real, access: .write, patience: patience)
      // SQLite recovers a file at the first read. It writes a log into the file only on request, or with the last
      // connection. A log that other programs use stays.
      try finishing {
        _ = try database.integer("SELECT count(*) FROM sqlite_master")
        _ = try database.integer("PRAGMA wal_checkpoint(TRUNCATE)")
      }
    } catch let error as DatabaseError {
      throw failure(error, writing: true, opened: header.real)
    }
  }

  /// Removes a journal that no program will roll back, because its program was interrupted before it wrote into the
  /// file, or is done. SQLite leaves such a journal. A program with exclusive access knows that no other program uses
  /// the journal. While another one does, the journal stays.
  private func removeDeadJournal(_ real: String) throws {
    let journal = try FilePlace(real + "-journal", for: .writing)
    guard let dead = try journal.look(),
      let database = try? Database(path: real, access: .write, patience: 0),
      (try? database.execute("BEGIN EXCLUSIVE")) != nil
    else { return }
    if try !SnapshotHeader.isInUse(journal.real), let folder = try? OpenFolder(journal.folder),
      (try? folder.holds(dead, as: journal.name)) == true
    {
      folder.remove(journal.name)
    }
    try? database.execute("ROLLBACK")
  }

  private func insert(
    _ items: [KeychainItem], into database: Database
  ) throws(DatabaseError) -> [KeychainItem] {
    database.allow(items.count, each: Database.operationsPerItem)
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
    let objection: String?
    do {
      objection = try SnapshotSchema.objection(to: database)
    } catch {
      // If SQLite refuses anything else before a write, the cause is the file.
      let isOfFile = error.kind == .noMemory ? Database.reachedHeapLimit : error.kind == .other
      guard isOfFile else { throw error }
      throw notACache("its schema needs more memory than a snapshot's schema")
    }
    if let objection { throw notACache(objection) }
    if let objection = try SnapshotSchema.objectionToPages(of: database) {
      throw notACache(objection)
    }
  }

  private func notACache(_ why: String) -> StoreError {
    StoreError(.notACache, "\(path) is not a keychain snapshot: \(why)")
  }

  /// - Parameter opened: the path that SQLite was given.
  private func failure(
    _ error: DatabaseError, writing: Bool, opened: String
  ) -> StoreError {
    if error.isOfInterruptedWriting { return SnapshotHeader.unfinished(path, "-journal") }
    let sentence = "\(path): \(error.words)"
    let unusable: StoreError.Code = writing ? .unwritable : .unreadable
    return switch error.kind {
    case .busy: StoreError(.locked, "\(path) is locked by another program")
    case .notADatabase: notACache(error.words)
    case .corrupt: notACache("it is damaged, or its schema calls functions")
    case .tooMuch: notACache("reading it takes more work than its size explains")
    case .cannotOpen where opened.utf8.count > Database.longestPath:
      StoreError(
        unusable,
        "\(path): its path is too long for SQLite, which takes \(Database.longestPath) bytes")
    case .readOnly, .cannotOpen: StoreError(unusable, sentence)
    case .disk, .noMemory: StoreError(.interrupted, sentence)
    case .other: writing ? StoreError(.unwritable, sentence) : notACache(error.words)
    }
  }
}

extension KeychainItem {
  /// The number of bytes of its values, without numbers.
  fileprivate var size: Int {
    func size(_ text: String?) -> Int { text?.utf8.count ?? 0 }
    return size(accessGroup) + size(account) + size(service) + size(accessibility) + size(label)
      + size(itemDescription) + size(comment) + (generic?.count ?? 0) + (data?.count ?? 0)
  }
}

extension SnapshotFile {
  /// Whether both are one place; see `ItemStore`.
  public func isSamePlace(as other: any ItemStore) -> Bool {
    (other as? SnapshotFile).map { OutputFile.areSame(path, $0.path) } ?? false
  }
}
