// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// A file that is open. It is closed when the value goes away.
struct OpenFile: ~Copyable {
  private let descriptor: Int32

  /// Opens the file at `path` for reading.
  init(reading path: String) throws(StoreError) {
    do {
      descriptor = try Self.open(path, O_RDONLY)
    } catch {
      throw StoreError(.unreadable, error.sentence(about: path))
    }
  }

  /// Creates a file that does not exist yet, readable and writable for its owner alone.
  init(creating path: String) throws(PosixError) {
    descriptor = try Self.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
  }

  /// Opens a file that is there, for reading and writing, and not what a link names.
  init(existing path: String) throws(PosixError) {
    // Without waiting, should it be a pipe.
    descriptor = try Self.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
  }

  /// Opens the folder at `path`.
  init(folder path: String) throws(PosixError) {
    descriptor = try Self.open(path, O_RDONLY | O_DIRECTORY)
  }

  /// Standard input, which stays open when this value is gone.
  init(standardInput: Void) throws(PosixError) {
    let copy = dup(STDIN_FILENO)
    guard copy >= 0 else { throw PosixError() }
    descriptor = copy
  }

  private static func open(_ path: String, _ flags: Int32) throws(PosixError) -> Int32 {
    // What C reads of such a path is another path.
    guard !path.utf8.contains(0) else { throw PosixError(number: EINVAL) }
    while true {
      let descriptor = Foundation.open(path, flags | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return descriptor }
      guard errno == EINTR else { throw PosixError() }
    }
  }

  deinit {
    close(descriptor)
  }

  private var status: stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  /// Whether it is an ordinary file, which can be read twice: not a pipe, a terminal or a device.
  var isRegular: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

  /// How many bytes it has; nil for what is no ordinary file and ends when it ends.
  var size: Int? { isRegular ? status.flatMap { Int(exactly: $0.st_size) } : nil }

  /// Whether it is of the user that this process acts for.
  var isOwn: Bool { status.map { $0.st_uid == geteuid() } ?? false }

  /// Whether it is still what `path` names: somebody may have put another file there, or removed it.
  func isStill(at path: String) -> Bool {
    var named = stat()
    guard let status, lstat(path, &named) == 0 else { return false }
    return status.st_dev == named.st_dev && status.st_ino == named.st_ino
  }

  /// Reads until `count` bytes are there or the file ends.
  ///
  /// - Parameter start: bytes that were read before; they are counted, and come first in the result.
  func read(atMost count: Int, after start: [UInt8] = []) throws(PosixError) -> [UInt8] {
    var bytes = start
    // All at once: an array that grows is copied, and takes twice as much.
    if let size { bytes.reserveCapacity(min(size, count)) }
    var chunk = [UInt8](repeating: 0, count: min(max(count, 1), 1 << 16))
    while bytes.count < count {
      let wanted = min(chunk.count, count - bytes.count)
      let got = chunk.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, wanted) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw PosixError() }
      guard got > 0 else { break }
      bytes += chunk.prefix(got)
    }
    return bytes
  }

  /// Takes away what is in it and goes back to its start.
  func clear() throws(PosixError) {
    try retrying { ftruncate(descriptor, 0) }
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw PosixError() }
  }

  /// Writes all of `bytes`.
  func write(_ bytes: [UInt8]) throws(PosixError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        let rest = UnsafeRawBufferPointer(rebasing: raw.dropFirst(written))
        return Foundation.write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PosixError(number: count == 0 ? EIO : errno) }
      written += count
    }
  }

  /// Waits until what was written is on the disk.
  func sync() throws(PosixError) {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    try retrying { fsync(descriptor) }
  }

  /// What became of taking a lock.
  enum LockAnswer {
    case taken
    /// Another program has it.
    case held
    /// The file system has no locks.
    case impossible
  }

  /// Takes the lock that .NET and Python's portalocker take, without waiting. It goes when the file is
  /// closed, also by the end of a process.
  func lock() -> LockAnswer {
    do {
      try retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
      return .taken
    } catch {
      return error.number == EWOULDBLOCK ? .held : .impossible
    }
  }

  /// Gives the file the owner and the permissions of the one at `path`. Where the owner cannot be set,
  /// nobody but the owner gets permissions: the group would be another.
  func takeOwnership(from path: String) throws(PosixError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw PosixError() }
    let isOwned = fchown(descriptor, status.st_uid, status.st_gid) == 0
    try retrying { fchmod(descriptor, status.st_mode & (isOwned ? 0o777 : 0o700)) }
  }
}

/// Makes a system call that answers 0, and makes it again when a signal came in between.
func retrying(_ call: () -> Int32) throws(PosixError) {
  while call() != 0 {
    let error = PosixError()
    guard error.number == EINTR else { throw error }
  }
}

/// A system call's failure.
struct PosixError: Error {
  var number: Int32 = errno

  /// Whether the failure is of the disk, which may come in the middle of writing: full, over quota,
  /// over the process's limit, broken.
  var isOfDisk: Bool { [ENOSPC, EDQUOT, EFBIG, EIO].contains(number) }

  /// What a person can be told.
  func sentence(about path: String) -> String {
    switch number {
    case ENOENT, ENOTDIR: return "\(path) does not exist"
    case EACCES, EPERM: return "no permission for \(path)"
    case EISDIR: return "\(path) is a folder"
    case EROFS: return "\(path) is on a read-only file system"
    case ENOSPC, EDQUOT: return "no space left for \(path)"
    default: return "\(path): \(String(cString: strerror(number)))"
    }
  }
}
