// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

/// A folder that is open. All that is done in it is done by its descriptor and one name, so that it is done
/// in this folder, whatever its path names meanwhile, and never through a link.
struct OpenFolder: ~Copyable {
  let path: String
  private let descriptor: Int32
  let status: FileStatus

  /// Opens the folder at a path without links.
  init(_ path: String) throws(PosixError) { try self.init(path, path, in: AT_FDCWD, O_NOFOLLOW) }

  /// Opens the folder at a path, which may be a link, to list its files.
  init(following path: String) throws(PosixError) { try self.init(path, path, in: AT_FDCWD, 0) }

  /// Opens a folder in this one, but not through a link.
  func folder(_ name: String) throws(PosixError) -> OpenFolder {
    try OpenFolder(path(name), name, in: descriptor, O_NOFOLLOW)
  }

  private init(
    _ path: String, _ name: String, in above: Int32, _ flags: Int32
  ) throws(PosixError) {
    self.path = path
    let descriptor = try opened(name, O_RDONLY | O_DIRECTORY | flags, in: above)
    status = try FileStatus(ofNew: descriptor)
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  func path(_ name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

  /// The status of a name in the folder, possibly of a link; nil if there is no such name.
  func look(at name: String) throws(PosixError) -> FileStatus? {
    try FileStatus.at(name, in: descriptor, followsLinks: false)
  }

  /// Whether a name is still that of a file or a folder that was opened.
  func holds(_ file: FileStatus, as name: String) throws(PosixError) -> Bool {
    try look(at: name)?.identity == file.identity
  }

  /// Creates a file that does not exist yet, readable and writable for its owner alone.
  func create(_ name: String) throws(PosixError) -> OpenFile {
    let file = try OpenFile(
      descriptor: try opened(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, in: descriptor))
    if file.status.mode & 0o777 != 0o600 {
      do {
        try file.setMode(0o600)
      } catch {
        unlinkat(descriptor, name, 0)
        throw error
      }
    }
    return file
  }

  /// Opens an existing file for reading and writing, but not through a link.
  func open(_ name: String) throws(PosixError) -> OpenFile {
    // Without waiting, should it be a pipe.
    try OpenFile(descriptor: try opened(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK, in: descriptor))
  }

  /// Makes a folder that does not exist yet, for its owner alone.
  func makeFolder(_ name: String) throws(PosixError) {
    try retrying { mkdirat(descriptor, name, 0o700) }
    guard let made = try look(at: name), made.isFolder, made.isOwn else {
      throw PosixError(number: EEXIST)
    }
    if made.mode & 0o777 != 0o700 {
      try retrying { fchmodat(descriptor, name, 0o700, AT_SYMLINK_NOFOLLOW) }
    }
  }

  func link(_ name: String, as other: String) throws(PosixError) {
    try retrying { linkat(descriptor, name, descriptor, other, 0) }
  }

  func rename(_ name: String, to other: String) throws(PosixError) {
    try retrying { renameat(descriptor, name, descriptor, other) }
  }

  /// Removes a file; one that cannot be removed stays.
  func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  func removeFolder(_ name: String) { unlinkat(descriptor, name, AT_REMOVEDIR) }

  /// Takes the lock on the folder, without waiting.
  func lock() -> LockAnswer { LockAnswer(locking: descriptor) }

  /// Waits until the names in it are on the disk.
  func sync() throws(PosixError) { try synchronize(descriptor) }

  /// The same, where some file systems cannot do that for a folder.
  ///
  /// - Returns: why the disk has not confirmed it, in words; nil when it has, or cannot be asked.
  func unconfirmed() -> String? {
    do {
      try sync()
      return nil
    } catch {
      return error.isOfDisk ? error.sentence(about: path) : nil
    }
  }

  /// The names of all that is in it, in no order, and how many others are not UTF-8, by which nothing could
  /// be opened.
  func names() throws(PosixError) -> (names: [String], unnamed: Int) {
    // A descriptor of its own: reading moves the place in the folder, and closing the stream closes it.
    let copy = try opened(".", O_RDONLY | O_DIRECTORY, in: descriptor)
    guard let stream = fdopendir(copy) else {
      let error = PosixError()
      close(copy)
      throw error
    }
    defer { closedir(stream) }
    var (names, unnamed) = ([String](), 0)
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        let error = PosixError()
        guard error.number == 0 else { throw error }
        return (names, unnamed)
      }
      switch Self.name(of: entry) {
      case nil: unnamed += 1
      case "."?, ".."?: break
      case let name?: names.append(name)
      }
    }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
    withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(
        to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)
      ) { String(validatingCString: $0) }
    }
  }
}
