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
    // The new name is there. Some file systems cannot sync a folder; that is not worth an error now.
    if let opened = try? OpenFile(folder: folder) { try? opened.sync() }
  }

  private func move(_ temporary: String, overExisting: Bool) throws(PosixError) {
    if !overExisting {
      if link(temporary, destination) == 0 {
        unlink(temporary)
        return
      }
      // Not every file system has hard links.
      guard errno != EEXIST, !exists else { throw PosixError(number: EEXIST) }
    }
    guard rename(temporary, destination) == 0 else { throw PosixError() }
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
