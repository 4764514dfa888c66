// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

/// A folder that appears with all its files in it or not at all: it is filled under another name beside
/// its own, and renamed.
///
/// Only its owner may read it. If a run was killed while it filled a folder, the next run that makes
/// one there removes.
package struct OutputFolder: Sendable {
  package let path: String
  private static let end = "-folder" + TemporaryFile.end

  /// The folder at a path that does not exist yet.
  package init(path: String) {
    self.path = path
  }

  /// Makes the folder: `fill` gets the path of an empty one to put files into.
  ///
  /// - Throws: `StoreError.unwritable` if it cannot be made or the path exists, `.locked` if another program has made
  ///   it meanwhile, `.interrupted` if the disk fails; the errors of `fill`. The folder then does not exist.
  package func make(_ fill: (String) throws -> Void) throws {
    let place = try FilePlace(path, for: .writing)
    do {
      try finishing {
        let above = try OpenFolder(place.folder)
        Self.removeLeftovers(in: above)
        try make(place.name, in: above, fill)
        if let why = above.unconfirmed() { throw StoreError.unconfirmed(path, why) }
      }
    } catch let error as PosixError {
      throw [EEXIST, ENOTEMPTY].contains(error.number)
        ? StoreError.createdByAnother(path)
        : error.failure(.unwritable, "cannot create a folder: ", about: path)
    }
  }

  private func make(
    _ name: String, in above: borrowing OpenFolder, _ fill: (String) throws -> Void
  ) throws {
    let temporary = TemporaryFile.newName(Self.end)
    try above.makeFolder(temporary)
    let folder = try above.folder(temporary)
    do {
      guard folder.lock() != .held, try above.holds(folder.status, as: temporary) else {
        throw PosixError(number: EEXIST)
      }
      try fill(folder.path)
      try folder.sync()
      // Files were put where the path led, which is this folder if it is so still.
      let named = try FileStatus.at(folder.path, followsLinks: false)
      guard named?.identity == folder.status.identity else { throw PosixError(number: ENOENT) }
      guard try above.look(at: name) == nil else { throw PosixError(number: EEXIST) }
      try above.rename(temporary, to: name)
    } catch {
      Self.remove(folder, temporary, in: above)
      throw error
    }
  }

  /// Removes the leftovers of runs that were killed while they filled a folder: folders of this user with mode 0700
  /// that no process has locked.
  private static func removeLeftovers(in above: borrowing OpenFolder) {
    for name in (try? above.names().names) ?? [] where TemporaryFile.isMade(name, end) {
      guard let folder = try? above.folder(name), folder.status.isOwn,
        folder.status.mode & 0o777 == 0o700, folder.lock() == .taken
      else { continue }
      remove(folder, name, in: above)
    }
  }

  /// Removes the files of a folder, by its descriptor, and the folder, unless the name is another's by now.
  private static func remove(
    _ folder: borrowing OpenFolder, _ name: String, in above: borrowing OpenFolder
  ) {
    guard (try? above.holds(folder.status, as: name)) == true else { return }
    for file in (try? folder.names().names) ?? [] { folder.remove(file) }
    above.removeFolder(name)
  }
}
