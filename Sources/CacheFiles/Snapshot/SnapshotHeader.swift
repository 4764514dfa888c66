// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

/// The headers of a SQLite file and the files beside it, read before SQLite opens them.
struct SnapshotHeader {
  /// The first bytes of every SQLite file.
  static let magic = Array("SQLite format 3\0".utf8)
  /// The endings that SQLite adds to the name of a file for its journal, its write-ahead log and the log's index.
  static let companions = ["-journal", "-wal", "-shm"]

  private let place: FilePlace
  private var path: String { place.path }
  /// The absolute path, without links, which SQLite gets.
  var real: String { place.real }
  private let hasWriteAheadMode: Bool
  private let status: FileStatus

  /// - Throws: ``StoreError`` if it is not a SQLite file, or if the files beside it are not SQLite's.
  init(path: String, for use: FilePlace.Use) throws(StoreError) {
    let file = try OpenFile(reading: path)
    place = try FilePlace(path, for: use)
    guard file.status.isRegular else {
      throw StoreError(.unreadable, "\(path) is not an ordinary file, so it cannot be a snapshot")
    }
    status = file.status
    // Bytes 18 and 19 are 2 in write-ahead mode (SQLite's file format, section 1.3.3).
    let header = try reading(path) { () throws(PosixError) in try file.read(atMost: 20) }
    guard header.count == 20, header.starts(with: Self.magic) else {
      throw StoreError(.notACache, "\(path) is not a keychain snapshot: it is not a SQLite file")
    }
    hasWriteAheadMode = header[18] == 2 || header[19] == 2
    // SQLite would wait for a pipe without end.
    for suffix in Self.companions {
      guard let companion = try FileStatus.ofCompanion(real + suffix), !companion.isRegular else {
        continue
      }
      throw StoreError(.unreadable, "\(path)\(suffix) is not an ordinary file")
    }
  }

  /// Whether there is a rollback journal: of a program that is writing, or was interrupted.
  func hasJournal() throws(StoreError) -> Bool { try Self.isInUse(real + "-journal") }

  /// Whether there is a write-ahead log with changes that may not be in the file.
  func hasLog() throws(StoreError) -> Bool { try Self.isInUse(real + "-wal") }

  /// The way to open the file for reading. SQLite's locks tell whether a journal belongs to a running program. The file
  /// can be read beside that program until it commits.
  ///
  /// - Throws: ``StoreError`` when there are changes that are not in the file: `.locked` while a program is at
  ///   work, `.unreadable` when it was interrupted.
  func access() throws(StoreError) -> Database.Access {
    if try hasLog() {
      throw try isLogHeld() ? Self.atWork(path) : Self.unfinished(path, "-wal")
    }
    guard hasWriteAheadMode else { return .read }
    // A connection that only reads takes no lock and sees no journal.
    if try hasJournal() { throw Self.unfinished(path, "-journal") }
    return .readAlone
  }

  /// Checks that no program has written in the meantime. A program that only reads does not notice it otherwise.
  func checkIsSettled(_ access: Database.Access) throws(StoreError) {
    guard access == .readAlone else { return }
    let now = try FileStatus.ofCompanion(real)
    guard now?.identity == status.identity, now?.size == status.size,
      now?.modified == status.modified, try !hasLog()
    else { throw Self.atWork(path) }
  }

  /// Whether a program has the write-ahead log open: SQLite then has a shared lock on byte 128 of its index
  /// (`UNIX_SHM_DMS` of os_unix.c).
  private func isLogHeld() throws(StoreError) -> Bool {
    let index = real + "-shm"
    guard let file = try OpenFile.companion(index) else { return false }
    return try reading(index) { () throws(PosixError) in try file.isLocked(at: 128) }
  }

  static func atWork(_ path: String) -> StoreError {
    StoreError(.locked, "\(path) is being written by another program; try again when it is done")
  }

  static func unfinished(_ path: String, _ suffix: String) -> StoreError {
    StoreError(
      .unreadable,
      "\(path)\(suffix) has changes that are not in \(path) yet: another program is using it, "
        + "or was interrupted; migrate into it, open and close it with the sqlite3 command, or close "
        + "that program")
  }

  /// Whether a journal or log has content. SQLite leaves an empty one, or one with a zeroed header, when it is done.
  static func isInUse(_ path: String) throws(StoreError) -> Bool {
    guard let file = try OpenFile.companion(path) else { return false }
    let start = try reading(path) { () throws(PosixError) in try file.read(atMost: 8) }
    return start.contains { $0 != 0 }
  }
}
