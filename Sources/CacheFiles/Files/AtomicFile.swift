// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

// A file is replaced as a whole or not at all: a temporary file in the same folder, fsync,
// rename, fsync of the folder (contract §2).
//
// A program that opens the path at any time sees either the old content or all of the new. A new file has
// mode 0600; one that takes another's place has that one's owner and mode. A symbolic link stays, and
// the file that it names is replaced.
extension FilePlace {
  /// The status of the existing file; nil if there is none.
  ///
  /// - Throws: `StoreError` when that cannot be seen, or it is no file: a device or a pipe would be gone once
  ///   it is replaced.
  func look() throws(StoreError) -> FileStatus? {
    let found: FileStatus?
    do {
      found = try FileStatus.at(real, followsLinks: false)
    } catch {
      throw error.writing(path)
    }
    try checkIsFile(found)
    return found
  }

  private func checkIsFile(_ found: FileStatus?) throws(StoreError) {
    guard let found, !found.isRegular else { return }
    throw StoreError(
      .unwritable, found.isFolder ? "\(path) is a folder" : "\(path) is not an ordinary file")
  }

  /// Replaces the file, or makes it, with these bytes.
  ///
  /// - Throws: `StoreError.unwritable` if the file cannot be made there, `.interrupted` if the disk is full or fails.
  ///   An existing file then stays as it was.
  func replace(with bytes: [UInt8]) throws {
    try publish(overExisting: true) { _, file in try file.write(bytes) }
  }

  /// Makes a file that does not exist yet: `fill` gets the path of an empty file to write into.
  ///
  /// - Throws: as ``replace(with:)``; `StoreError.locked` if another program made the file in the meantime; the errors
  ///   of `fill`.
  func create(_ fill: (String) throws -> Void) throws {
    try publish(overExisting: false) { temporary, file in
      try fill(temporary)
      // A path may lead to another file by the time it is opened.
      try file.expectName(temporary)
    }
  }

  func removeLeftovers() {
    if let folder = try? OpenFolder(folder) { TemporaryFile.removeLeftovers(in: folder) }
  }

  private func publish(
    overExisting: Bool, _ fill: (String, borrowing OpenFile) throws -> Void
  ) throws {
    do {
      try finishing {
        let folder = try OpenFolder(folder)
        try publish(in: folder, overExisting: overExisting, fill)
        if let why = folder.unconfirmed() { throw StoreError.unconfirmed(path, why) }
      }
    } catch let error as PosixError {
      throw switch error.number {
      case EEXIST: StoreError.createdByAnother(path)
      case ENOENT, ENOTDIR: StoreError.noFolder(of: path)
      default: error.writing(path)
      }
    }
  }

  private func publish(
    in folder: borrowing OpenFolder, overExisting: Bool,
    _ fill: (String, borrowing OpenFile) throws -> Void
  ) throws {
    let old = try folder.look(at: name)
    try checkIsFile(old)
    let temporary = try TemporaryFile(in: folder)
    do {
      try fill(folder.path(temporary.name), temporary.file)
      if overExisting, let old { try keepOwner(of: old, temporary.file) }
      try temporary.file.sync()
      try move(temporary, in: folder, overExisting: overExisting)
    } catch {
      folder.remove(temporary.name)
      throw error
    }
  }

  private func keepOwner(of old: FileStatus, _ file: borrowing OpenFile) throws {
    do {
      try file.takeOwnership(from: old)
    } catch {
      guard error.number == EPERM else { throw error }
      throw StoreError(
        .unwritable,
        "\(path) \(old.isOwn ? "has a group that this user is not in" : "belongs to user \(old.owner)"), "
          + "and the new file could not keep its owner and mode")
    }
  }

  private func move(
    _ temporary: borrowing TemporaryFile, in folder: borrowing OpenFolder, overExisting: Bool
  ) throws(PosixError) {
    guard try folder.holds(temporary.file.status, as: temporary.name) else {
      throw PosixError(number: ENOENT)
    }
    if !overExisting {
      do {
        try folder.link(temporary.name, as: name)
        folder.remove(temporary.name)
        return
      } catch {
        // Not every file system has hard links.
        if error.number == EEXIST { throw error }
      }
      guard try folder.look(at: name) == nil else { throw PosixError(number: EEXIST) }
    }
    try folder.rename(temporary.name, to: name)
  }
}
