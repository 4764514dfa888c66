// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// A folder that appears with all its files in it or not at all: it is filled under another name beside
/// its own, and renamed.
///
/// Nobody else may read it. What a run left that was killed while it filled the folder, the next one for
/// the same folder removes.
package struct OutputFolder: Sendable {
  /// The path as it was given.
  package let path: String
  private let place: AtomicFile
  private var temporary: String { TemporaryFile.path(of: place, "-folder" + TemporaryFile.end) }

  /// The folder at a path, where nothing is.
  package init(path: String) {
    self.path = path
    place = AtomicFile(path: path)
  }

  /// Makes the folder: `fill` gets the path of an empty one to put files into.
  ///
  /// - Throws: `StoreError.unwritable` when it cannot be made, or something is there, `.locked` when
  ///   another program makes it, `.interrupted` when the disk fails; what `fill` throws. Nothing is there
  ///   then.
  package func make(_ fill: (String) throws -> Void) throws {
    do {
      let folder = try begin()
      do {
        try fill(temporary)
        try folder.sync()
        guard !place.exists else { throw PosixError(number: EEXIST) }
        try retrying { rename(temporary, AtomicFile.resolved(path)) }
      } catch {
        empty()
        rmdir(temporary)
        throw error
      }
    } catch let error as PosixError {
      throw StoreError(
        error.isOfDisk ? .interrupted : .unwritable,
        "cannot make a folder: " + error.sentence(about: path))
    }
    do {
      try OpenFile(folder: place.folder).sync()
    } catch  where error.isOfDisk {
      throw StoreError.unconfirmed(path, error.sentence(about: place.folder))
    } catch {
      // The new name is there, and some file systems cannot sync a folder.
    }
  }

  /// Removes what a run left that was killed while it filled the folder.
  package func removeLeftovers() {
    guard let folder = try? OpenFile(folder: temporary), folder.isOwn, folder.lock() == .taken
    else { return }
    empty()
    rmdir(temporary)
    withExtendedLifetime(folder) {}
  }

  /// An empty folder, which is this process's as long as it is open.
  private func begin() throws -> OpenFile {
    guard mkdir(temporary, 0o700) == 0 || errno == EEXIST else { throw PosixError() }
    let folder = try OpenFile(folder: temporary)
    guard folder.isOwn, folder.lock() != .held, folder.isStill(at: temporary) else {
      throw StoreError(.locked, "\(path) is being made by another program")
    }
    empty()
    return folder
  }

  private func empty() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
    for name in names { unlink("\(temporary)/\(name)") }
  }
}
