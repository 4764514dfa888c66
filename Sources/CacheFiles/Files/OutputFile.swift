// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// A file that is written as a whole and is no cache: a report, an account map to fill in.
///
/// It is replaced atomically, and a new one has mode 0600, as for caches; no lock is taken.
package struct OutputFile: Sendable {
  /// The path as it was given.
  package let path: String

  /// The file at a path, be it there or not.
  package init(path: String) {
    self.path = path
  }

  /// Whether something is there, be it a link to nothing.
  package var exists: Bool { AtomicFile(path: path).exists }

  /// Sees before any work whether the file can be written, as far as that can be known.
  ///
  /// - Throws: `StoreError.unwritable` when it is a folder, a device or a pipe, or its folder does not
  ///   exist or may not be written.
  package func check() throws {
    try checkKind()
    let folder = AtomicFile(path: path).folder
    if CacheFile.isA(S_IFREG, folder) {
      throw StoreError(.unwritable, "cannot write \(path): \(folder) is not a folder")
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      let error = PosixError()
      throw StoreError(.unwritable, "cannot write \(path): " + error.sentence(about: folder))
    }
  }

  /// Sees before any work that nothing but a file is there, which is not opened for it.
  ///
  /// - Throws: `StoreError.unwritable` otherwise.
  package func checkKind() throws(StoreError) { try AtomicFile(path: path).checkKind() }

  /// Replaces the file, or makes it, with these bytes.
  ///
  /// - Throws: `StoreError.unwritable` when the file cannot be made there, `.interrupted` when the disk
  ///   is full or fails. What was there is then still there.
  package func replace(with bytes: [UInt8]) throws {
    try AtomicFile(path: path).replace(with: bytes)
  }

  /// Makes a folder in the place of a file, which nobody else may read, unless another program has made it.
  ///
  /// - Throws: `StoreError.unwritable` when it cannot be made, or something else is there.
  package func makeFolder() throws(StoreError) {
    let error: PosixError
    if path.utf8.contains(0) {
      error = PosixError(number: EINVAL)
    } else {
      guard mkdir(path, 0o700) != 0 else { return }
      error = PosixError()
    }
    guard error.number == EEXIST, CacheFile.isA(S_IFDIR, path) else {
      throw StoreError(.unwritable, "cannot make a folder: " + error.sentence(about: path))
    }
  }

  /// Whether two paths name one file, be it through links; of files that are not there yet, whether they
  /// would be one.
  package func isSame(as other: String) -> Bool {
    if let mine = Self.identity(path), let theirs = Self.identity(other) { return mine == theirs }
    return place.map { $0 == OutputFile(path: other).place } ?? false
  }

  /// The files that programs make beside a cache: the lock of MSAL's libraries, SQLite's journals.
  package static func companions(of path: String) -> [String] {
    let real = AtomicFile.resolved(path)
    return [Lock(for: path).path] + ["-journal", "-wal", "-shm"].map { real + $0 }
  }

  /// The permissions of a file that others than its owner may read, in octal; nil where nobody else may,
  /// or there is no file.
  package var modeForOthers: String? {
    var status = stat()
    guard !path.utf8.contains(0), stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & 0o044 != 0
    else { return nil }
    return String(status.st_mode & 0o777, radix: 8)
  }

  /// Removes what a run left that was killed while it made or replaced the file.
  package func removeLeftovers() {
    AtomicFile(path: path).removeLeftovers()
    Lock(for: path).removeIfAbandoned()
  }

  private struct Identity: Equatable {
    var device: UInt64
    var number: UInt64
    var name = ""
  }

  private static func identity(_ path: String) -> Identity? {
    var status = stat()
    guard !path.utf8.contains(0), stat(path, &status) == 0 else { return nil }
    return Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      number: UInt64(truncatingIfNeeded: status.st_ino))
  }

  /// The folder that it is in, or would be in, and its name there.
  private var place: Identity? {
    var identity = Self.identity(AtomicFile(path: path).folder)
    identity?.name = AtomicFile(path: path).name
    return identity
  }
}
