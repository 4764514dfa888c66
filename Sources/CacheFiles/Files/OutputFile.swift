// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

/// A file that is written as a whole and is no cache: a report, an account map to fill in.
///
/// It is replaced atomically, and a new one has mode 0600, as for caches; no lock is taken.
package struct OutputFile: Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// Whether the path exists, possibly as a broken link.
  package var exists: Bool {
    get throws(StoreError) { try FilePlace.exists(path, for: .writing) }
  }

  /// Sees before any work whether the file can be written, as far as that can be known.
  ///
  /// - Throws: `StoreError.unwritable` when it is a folder, a device or a pipe, a link that is not followed,
  ///   or its folder does not exist or may not be written.
  package func check() throws(StoreError) {
    let place = try FilePlace(path, for: .writing)
    _ = try place.look()
    let isFolder: Bool
    do {
      isFolder = try FileStatus.at(place.folder, followsLinks: true)?.isFolder ?? false
      if isFolder { try retrying { access(place.folder, W_OK | X_OK) } }
    } catch {
      throw error.failure(.unwritable, "cannot write \(path): ", about: place.folder)
    }
    guard isFolder else {
      throw StoreError(.unwritable, "cannot write \(path): its parent is not a folder")
    }
  }

  /// Sees before any work that nothing but a file is there, which is not opened for it.
  package func checkKind() throws(StoreError) {
    guard try exists else { return }
    _ = try FilePlace(path, for: .writing).look()
  }

  /// Replaces the file, or makes it, with these bytes.
  ///
  /// - Parameter tidiesUp: whether to look for leftovers of an interrupted run. Not in a new folder, where each file
  ///   would search all the others.
  package func replace(with bytes: [UInt8], tidiesUp: Bool = true) throws {
    let place = try FilePlace(path, for: .writing)
    if tidiesUp { place.removeLeftovers() }
    try place.replace(with: bytes)
  }

  /// Makes a folder with mode 0700 in the place of a file, unless another program has made it.
  package func makeFolder() throws(StoreError) {
    let place = try FilePlace(path, for: .writing)
    do throws(PosixError) {
      let folder = try OpenFolder(place.folder)
      do throws(PosixError) {
        try folder.makeFolder(place.name)
      } catch  where error.number == EEXIST {
        guard try folder.look(at: place.name)?.isFolder == true else { throw error }
      }
    } catch {
      throw error.failure(.unwritable, "cannot create a folder: ", about: path)
    }
  }

  /// Whether two paths name one file, also through links. For files that do not exist yet, whether they would be one.
  package func isSame(as other: String) throws(StoreError) -> Bool {
    if let mine = try Self.status(path), let theirs = try Self.status(other) {
      return mine.identity == theirs.identity
    }
    guard let mine = try FilePlace.find(path, for: .reading),
      let theirs = try FilePlace.find(other, for: .reading), mine.name == theirs.name
    else { return false }
    return try Self.status(mine.folder)?.identity == Self.status(theirs.folder)?.identity
  }

  /// Whether two paths are known to name one file. Where that cannot be seen, the file is read under both names.
  static func areSame(_ one: String, _ other: String) -> Bool {
    one == other || (try? OutputFile(path: one).isSame(as: other)) ?? false
  }

  private static func status(_ path: String) throws(StoreError) -> FileStatus? {
    try reading(path) { () throws(PosixError) in try FileStatus.at(path, followsLinks: true) }
  }

  /// The files that programs make beside a cache: the lock of MSAL's libraries, SQLite's journals.
  package static func companions(of path: String) throws(StoreError) -> [String] {
    guard let place = try FilePlace.find(path, for: .reading) else { return [] }
    return [Lock(for: place).path] + SnapshotHeader.companions.map { place.real + $0 }
  }

  /// The other users that can read the file, in words; nil if there are none, or no file.
  package var otherReaders: String? {
    get throws(StoreError) {
      guard let status = try Self.status(path), status.isRegular else { return nil }
      if !status.isOwn { return "it belongs to user \(status.owner), who can read it" }
      guard status.mode & 0o044 != 0 else { return nil }
      let mode = String(status.mode & 0o777, radix: 8)
      return "others can read it (mode \(mode)); 'chmod 600' keeps them out"
    }
  }

  /// Removes the leftovers of a run that was killed while it made or replaced a cache here. Only a run that may write
  /// calls it.
  ///
  /// - Parameter isLocked: whether a run has a lock file beside it, as it has not of a snapshot.
  package func removeLeftovers(isLocked: Bool) throws(StoreError) {
    guard let place = try FilePlace.find(path, for: .writing) else { return }
    place.removeLeftovers()
    if isLocked { Lock(for: place).removeIfAbandoned() }
  }

  /// The same for every file of a folder at this path.
  package func removeLeftoversOfFolder() throws(StoreError) {
    guard let place = try FilePlace.find(path, for: .writing),
      let folder = try? OpenFolder(place.real)
    else { return }
    TemporaryFile.removeLeftovers(in: folder)
    for name in (try? folder.names().names) ?? [] {
      Lock(named: name, inFolder: place)?.removeIfAbandoned()
    }
  }

  /// Removes the other name that the file has when the run was killed that gave it its own.
  package func removeOtherName() throws(StoreError) {
    guard let place = try FilePlace.find(path, for: .reading),
      let folder = try? OpenFolder(place.folder)
    else { return }
    TemporaryFile.removeOtherName(of: place.name, in: folder)
  }
}
