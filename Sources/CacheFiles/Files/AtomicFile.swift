// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// A file that is replaced as a whole or not at all: a temporary file in the same folder, fsync,
/// rename, fsync of the folder (contract §2).
///
/// Whoever opens the path at any time sees what was there before or all of what is new. A new file has
/// mode 0600; one that takes another's place has that one's owner and mode. A symbolic link stays, and
/// the file that it names is replaced.
struct AtomicFile {
  /// The path as it was given, for messages.
  let path: String
  /// Where the file really is.
  private let destination: String
  let folder: String

  init(path: String) {
    self.path = path
    destination = Self.resolved(path)
    folder = Self.folder(of: destination)
  }

  /// Its name in ``folder``.
  var name: String {
    String(
      destination[
        (destination.lastIndex(of: "/").map(destination.index(after:)) ?? destination.startIndex)...
      ])
  }

  /// The path without symbolic links; of a file that is not there, where it would be made.
  static func resolved(_ path: String) -> String {
    var path = path
    // As many as the systems follow.
    for _ in 0..<40 {
      if path.utf8.contains(0) { return path }
      if let found = realpath(path, nil) {
        defer { free(found) }
        return String(cString: found)
      }
      // A link to nothing.
      guard let named = linkDestination(path) else { return path }
      path = named.hasPrefix("/") ? named : "\(folder(of: path))/\(named)"
    }
    return path
  }

  private static func linkDestination(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { raw in
      raw.bindMemory(to: CChar.self).baseAddress.map { readlink(path, $0, raw.count) } ?? -1
    }
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Whether something is there, be it a link to nothing.
  var exists: Bool {
    var status = stat()
    return !path.utf8.contains(0) && lstat(path, &status) == 0
  }

  /// Sees that nothing but a file is there, or can be: a device or a pipe would be gone once it is
  /// replaced.
  ///
  /// - Throws: `StoreError.unwritable` otherwise.
  func checkKind() throws(StoreError) {
    var status = stat()
    guard !path.utf8.contains(0) else { return }
    guard stat(path, &status) == 0 else {
      let error = PosixError()
      guard [ELOOP, ENAMETOOLONG].contains(error.number) else { return }
      throw StoreError(.unwritable, "cannot write: " + error.sentence(about: path))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw StoreError(.unwritable, "\(path) is a folder")
    default: throw StoreError(.unwritable, "\(path) is not an ordinary file")
    }
  }

  /// Replaces the file, or makes it, with these bytes.
  ///
  /// - Throws: `StoreError.unwritable` when the file cannot be made there, `.interrupted` when the disk
  ///   is full or fails. What was there is then still there.
  func replace(with bytes: [UInt8]) throws {
    try checkKind()
    try publish(overExisting: true) { _, file in try file.write(bytes) }
  }

  /// Makes a file that does not exist yet: `fill` gets the path of an empty file to write into.
  ///
  /// - Throws: as ``replace(with:)``; `StoreError.locked` when somebody else made the file meanwhile;
  ///   what `fill` throws.
  func create(_ fill: (String) throws -> Void) throws {
    try publish(overExisting: false) { temporary, _ in try fill(temporary) }
  }

  /// Makes a file that has these bytes in it, and this process's lock on it, from its first moment.
  ///
  /// - Returns: the file, or nil when one is there.
  func createLocked(_ bytes: [UInt8]) throws(PosixError) -> OpenFile? {
    let temporary = try TemporaryFile(for: name, inFolder: folder)
    let place = temporary.path
    defer { unlink(place) }
    try temporary.file.write(bytes)
    do {
      try retrying { link(place, path) }
      return temporary.file
    } catch  where error.number == EEXIST {
      return nil
    } catch {
      return try createWithoutLinks(bytes)
    }
  }

  /// Not every file system has hard links.
  private func createWithoutLinks(_ bytes: [UInt8]) throws(PosixError) -> OpenFile? {
    do {
      let file = try OpenFile(creating: path)
      // Somebody who waits for a lock on the file itself may have been quicker; the file is theirs then.
      guard file.lock() != .held else { return nil }
      try file.write(bytes)
      return file
    } catch  where error.number == EEXIST {
      return nil
    }
  }

  /// Removes what a process left that was killed while it replaced or made the file.
  func removeLeftovers() { TemporaryFile.removeLeftovers(for: name, inFolder: folder) }

  private func publish(
    overExisting: Bool, _ fill: (String, borrowing OpenFile) throws -> Void
  ) throws {
    do {
      let temporary = try TemporaryFile(for: name, inFolder: folder)
      do {
        try fill(temporary.path, temporary.file)
        if overExisting, exists { try temporary.file.takeOwnership(from: destination) }
        try temporary.file.sync()
        try move(temporary.path, overExisting: overExisting)
      } catch {
        unlink(temporary.path)
        throw error
      }
    } catch let error as PosixError {
      throw failure(error)
    }
    do {
      try OpenFile(folder: folder).sync()
    } catch  where error.isOfDisk {
      throw StoreError.unconfirmed(path, error.sentence(about: folder))
    } catch {
      // The new name is there, and some file systems cannot sync a folder.
    }
  }

  private func move(_ temporary: String, overExisting: Bool) throws(PosixError) {
    if !overExisting {
      do {
        try retrying { link(temporary, destination) }
        unlink(temporary)
        return
      } catch {
        // Not every file system has hard links.
        guard error.number != EEXIST, !exists else { throw PosixError(number: EEXIST) }
      }
    }
    try retrying { rename(temporary, destination) }
  }

  private func failure(_ error: PosixError) -> StoreError {
    switch error.number {
    case EEXIST: return StoreError(.locked, "\(path) was made by another program meanwhile")
    case ENOENT, ENOTDIR:
      return StoreError(.unwritable, "\(path) cannot be made: its folder does not exist")
    default:
      let code: StoreError.Code = error.isOfDisk ? .interrupted : .unwritable
      return StoreError(code, "cannot write: " + error.sentence(about: path))
    }
  }
}

extension StoreError {
  /// The disk has failed where it takes what is new, and does not say what it has.
  static func unknown(_ path: String, _ why: String) -> StoreError {
    StoreError(
      .interrupted,
      "\(path) may be as it was or as it is to be, which the disk does not say (\(why)); run again")
  }

  /// What is there is new for whoever looks now, and nobody can say whether it is after a power cut.
  static func unconfirmed(_ path: String, _ why: String) -> StoreError {
    StoreError(
      .interrupted,
      "\(path) was written, but the disk did not confirm it, so that it may be as it was after a "
        + "power cut (\(why)); run again")
  }
}
