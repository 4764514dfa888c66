// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

/// A file that is open. It is closed when the value goes away.
struct OpenFile: ~Copyable {
  private let descriptor: Int32
  /// The status of the file when it was opened.
  let status: FileStatus

  init(descriptor: Int32) throws(PosixError) {
    status = try FileStatus(ofNew: descriptor)
    self.descriptor = descriptor
  }

  /// Opens the file at `path` for reading, through links.
  init(reading path: String) throws(StoreError) {
    do {
      try self.init(descriptor: try opened(path, O_RDONLY))
    } catch {
      // A link to nothing has a sentence of its own.
      if error.isAbsence { _ = try FilePlace.find(path, for: .reading) }
      throw error.reading(path)
    }
  }

  /// Opens an ordinary file for reading that SQLite makes beside a snapshot, but no link; nil if there is none.
  ///
  /// - Throws: `StoreError.unreadable` for a link, a pipe or another file that is not ordinary.
  static func companion(_ path: String) throws(StoreError) -> OpenFile? {
    let isOther = StoreError(.unreadable, "\(path) is not an ordinary file")
    let file: OpenFile
    do {
      // Without waiting, should it be a pipe.
      file = try OpenFile(descriptor: try opened(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK))
    } catch  where error.isAbsence || error.number == ENAMETOOLONG {
      return nil
    } catch  where error.number == ELOOP || error.number == ENXIO {
      throw isOther
    } catch {
      throw error.reading(path)
    }
    guard file.status.isRegular else { throw isOther }
    return file
  }

  /// Standard input, which stays open when this value is gone.
  init(standardInput: Void) throws(PosixError) {
    let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw PosixError() }
    try self.init(descriptor: copy)
  }

  deinit {
    close(descriptor)
  }

  /// The number of its bytes; nil for a file that is not ordinary and ends when it ends.
  var size: Int? { status.isRegular ? status.size : nil }

  /// Reads until `count` bytes are there or the file ends.
  ///
  /// - Parameter start: bytes that were read before; they are counted, and come first in the result.
  func read(atMost count: Int, after start: [UInt8] = []) throws(PosixError) -> [UInt8] {
    var bytes = start
    // Room for all at once, and for one more at which the end is seen: an array that grows is copied.
    var room = max(size ?? 0, start.count, 1 << 16) + 1
    while bytes.count < count {
      bytes = try filled(bytes, upTo: min(room, count))
      guard bytes.count == room else { break }
      room += min(room, count)
    }
    return bytes
  }

  /// The given bytes, followed by the file's bytes up to `limit` or its end.
  private func filled(_ start: [UInt8], upTo limit: Int) throws(PosixError) -> [UInt8] {
    var failure: PosixError?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      _ = buffer.update(fromContentsOf: start)
      count = start.count
      while count < limit {
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
        let got = PlatformFoundation.read(descriptor, rest.baseAddress, rest.count)
        if got < 0, errno == EINTR { continue }
        if got < 0, errno == EAGAIN {
          wait()
          continue
        }
        if got < 0 { failure = PosixError() }
        guard got > 0 else { break }
        count += got
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads these bytes of an ordinary file.
  ///
  /// - Returns: nil when the file is shorter.
  func read(_ range: Range<Int>) throws(PosixError) -> [UInt8]? {
    var failure: PosixError?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
        let got = pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + count))
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = PosixError() }
        guard got > 0 else { break }
        count += got
      }
    }
    if let failure { throw failure }
    return bytes.count == range.count ? bytes : nil
  }

  /// Waits until each write changes the file's time.
  func waitUntilWritesShow() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    if status.isFresh(at: now) { usleep(UInt32(FileStatus.tick / 1000)) }
  }

  /// Whether no program has written to the file since it was opened, as far as its status tells.
  func isAsOpened() throws(PosixError) -> Bool {
    var now = stat()
    try retrying { fstat(descriptor, &now) }
    return status.hasSameContent(as: FileStatus(now))
  }

  /// Waits for bytes of a stream that another program has made non-blocking.
  private func wait() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&waiting, 1, -1)
  }

  /// Sees that a path still names this file.
  func expectName(_ path: String) throws(PosixError) {
    let named = try FileStatus.at(path, followsLinks: false)
    guard named?.identity == status.identity else { throw PosixError(number: ENOENT) }
  }

  /// Whether another process has a lock of the system's (`fcntl`) on one of its bytes.
  func isLocked(at byte: off_t) throws(PosixError) -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = byte
    lock.l_len = 1
    try retrying { fcntl(descriptor, F_GETLK, &lock) }
    return lock.l_type != Int16(F_UNLCK)
  }

  func clear() throws(PosixError) {
    try retrying { ftruncate(descriptor, 0) }
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw PosixError() }
  }

  func write(_ bytes: [UInt8]) throws(PosixError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        let rest = UnsafeRawBufferPointer(rebasing: raw.dropFirst(written))
        return PlatformFoundation.write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PosixError(number: count == 0 ? EIO : errno) }
      written += count
    }
  }

  func sync() throws(PosixError) { try synchronize(descriptor) }

  /// Takes the lock that .NET and Python's portalocker take, without waiting. It ends when the file is closed, also by
  /// the end of a process.
  func lock() -> LockAnswer { LockAnswer(locking: descriptor) }

  /// Gives the file its permissions, whatever the umask.
  func setMode(_ mode: mode_t) throws(PosixError) { try retrying { fchmod(descriptor, mode) } }

  /// Gives the file the owner and the permissions of another one.
  ///
  /// - Throws: `PosixError` of `EPERM` when the owner cannot be kept, or the group where it has permissions.
  func takeOwnership(from other: FileStatus) throws(PosixError) {
    if other.owner != status.owner || other.group != status.group {
      do {
        try retrying { fchown(descriptor, other.owner, other.group) }
      } catch  where error.number == EPERM && other.isOwn && other.mode & 0o070 == 0 {
        // The group has no permissions, and so is of no importance.
      }
    }
    try setMode(other.mode & 0o777)
  }
}

enum LockAnswer {
  case taken
  /// Another program has it.
  case held
  /// The file system has no locks.
  case impossible

  init(locking descriptor: Int32) {
    do {
      try retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
      self = .taken
    } catch {
      self = error.number == EWOULDBLOCK ? .held : .impossible
    }
  }
}

/// Opens a file or a folder. A relative path starts from a folder (default: the process's current folder).
func opened(
  _ path: String, _ flags: Int32, in folder: Int32 = AT_FDCWD
) throws(PosixError) -> Int32 {
  // C reads such a path as a different path.
  guard !path.utf8.contains(0) else { throw PosixError(number: EINVAL) }
  while true {
    let descriptor = openat(folder, path, flags | O_CLOEXEC, 0o600)
    if descriptor >= 0 { return descriptor }
    guard errno == EINTR else { throw PosixError() }
  }
}

/// Waits until the data written into a file or a folder is on the disk.
func synchronize(_ descriptor: Int32) throws(PosixError) {
  #if canImport(Darwin)
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
  #endif
  try retrying { fsync(descriptor) }
}
