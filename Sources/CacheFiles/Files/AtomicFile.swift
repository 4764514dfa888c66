// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// A file that is replaced as a whole or not at all: a temporary file in the same folder, fsync,
/// rename, fsync of the folder (contract §2).
///
/// A program that opens the path at any time sees either the old content or all of the new. A new file has
/// mode 0600; one that takes another's place has that one's owner and mode. A symbolic link stays, and
/// the file that it names is replaced.
struct AtomicFile {
  let place: FilePlace
  /// The path as it was given, for messages.
  private var path: String { place.path }

  /// - Throws: `StoreError.unwritable` when the folder does not exist, or the path leads through a link that
  ///   is not followed.
  init(path: String) throws(StoreError) {
    place = try FilePlace(path, for: .writing)
  }

  init(_ place: FilePlace) {
    self.place = place
  }

  /// What is there.
  ///
  /// - Throws: `StoreError` when that cannot be seen, or it is no file: a device or a pipe would be gone once
  ///   it is replaced.
  func look() throws(StoreError) -> FilePresence {
    let found: FilePresence
    do {
      found = try FilePresence.of(place.real, followsLinks: false)
    } catch {
      throw error.writing(path)
    }
    try check(found)
    return found
  }

  private func check(_ found: FilePresence) throws(StoreError) {
    guard case .present(let status) = found, !status.isRegular else { return }
    throw StoreError(
      .unwritable, status.isFolder ? "\(path) is a folder" : "\(path) is not an ordinary file")
  }

  /// Replaces the file, or makes it, with these bytes.
  ///
  /// - Throws: `StoreError.unwritable` when the file cannot be made there, `.interrupted` when the disk
  ///   is full or fails. What was there is then still there.
  func replace(with bytes: [UInt8]) throws {
    try publish(overExisting: true) { _, file in try file.write(bytes) }
  }

  /// Makes a file that does not exist yet: `fill` gets the path of an empty file to write into.
  ///
  /// - Throws: as ``replace(with:)``; `StoreError.locked` when another program made the file in the meantime;
  ///   what `fill` throws.
  func create(_ fill: (String) throws -> Void) throws {
    try publish(overExisting: false) { temporary, file in
      try fill(temporary)
      // A path may lead to another file by the time it is opened.
      try file.expectName(temporary)
    }
  }

  /// Removes what processes left in the folder that were killed while they replaced or made a file there.
  func removeLeftovers() {
    guard let folder = try? OpenFolder(place.folder) else { return }
    TemporaryFile.removeLeftovers(in: folder)
  }

  /// Removes what a process left that was killed as it gave this file its name.
  func removeOtherName() {
    guard let folder = try? OpenFolder(place.folder) else { return }
    TemporaryFile.removeOtherName(of: place.name, in: folder)
  }

  private func publish(
    overExisting: Bool, _ fill: (String, borrowing OpenFile) throws -> Void
  ) throws {
    do {
      try finishing { try publishWhole(overExisting: overExisting, fill) }
    } catch let error as PosixError {
      throw failure(error)
    }
  }

  private func publishWhole(
    overExisting: Bool, _ fill: (String, borrowing OpenFile) throws -> Void
  ) throws {
    let folder = try OpenFolder(place.folder)
    try publish(in: folder, overExisting: overExisting, fill)
    if let why = folder.unconfirmed() { throw StoreError.unconfirmed(path, why) }
  }

  private func publish(
    in folder: borrowing OpenFolder, overExisting: Bool,
    _ fill: (String, borrowing OpenFile) throws -> Void
  ) throws {
    let old = try folder.look(at: place.name)
    try check(old)
    let temporary = try TemporaryFile(in: folder)
    do {
      try fill(folder.path(temporary.name), temporary.file)
      if overExisting { try keepOwner(of: old, temporary.file) }
      try temporary.file.sync()
      try move(temporary, in: folder, overExisting: overExisting)
    } catch {
      folder.remove(temporary.name)
      throw error
    }
  }

  private func keepOwner(of old: FilePresence, _ file: borrowing OpenFile) throws {
    guard let old = old.status else { return }
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
        try folder.link(temporary.name, as: place.name)
        folder.remove(temporary.name)
        return
      } catch {
        // Not every file system has hard links.
        if error.number == EEXIST { throw error }
      }
      guard try folder.look(at: place.name).status == nil else { throw PosixError(number: EEXIST) }
    }
    try folder.rename(temporary.name, to: place.name)
  }

  private func failure(_ error: PosixError) -> StoreError {
    switch error.number {
    case EEXIST: StoreError(.locked, "\(path) was created by another program in the meantime")
    case ENOENT, ENOTDIR:
      StoreError(.unwritable, "\(path) cannot be created: its folder does not exist")
    default: error.writing(path)
    }
  }
}

extension StoreError {
  /// The disk has failed where it takes what is new, and does not say what it has.
  static func unknown(_ path: String, _ why: String) -> StoreError {
    StoreError(
      .interrupted,
      "cannot confirm that \(path) was written (\(why)): it is the old file or the new one; run again"
    )
  }

  /// The new content is visible now, but may be gone after a power cut.
  static func unconfirmed(_ path: String, _ why: String) -> StoreError {
    StoreError(
      .interrupted,
      "\(path) was written, but the disk did not confirm it, so that it may be as it was after a "
        + "power cut (\(why)); run again")
  }
}
