// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

/// Makes a system call that answers 0, and makes it again when a signal came in between.
func retrying(_ call: () -> Int32) throws(PosixError) {
  while call() != 0 {
    let error = PosixError()
    guard error.number == EINTR else { throw error }
  }
}

struct PosixError: Error {
  var number: Int32 = errno

  /// Whether the failure says that there is no such file. No other one does.
  var isAbsence: Bool { [ENOENT, ENOTDIR].contains(number) }

  /// Whether the failure is of the disk, which may come in the middle of writing: full, over quota,
  /// over the process's limit, broken.
  var isOfDisk: Bool { [ENOSPC, EDQUOT, EFBIG, EIO].contains(number) }

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

  func reading(_ path: String) -> StoreError { failure(.unreadable, about: path) }

  func writing(_ path: String) -> StoreError {
    failure(.unwritable, "cannot write: ", about: path)
  }

  /// The error of a store, which is interrupted where the disk fails.
  func failure(_ code: StoreError.Code, _ start: String = "", about path: String) -> StoreError {
    StoreError(isOfDisk ? .interrupted : code, start + sentence(about: path))
  }
}

/// The result of `body`. A failure is reported as a failure to read the file at a path.
func reading<Value: ~Copyable>(
  _ path: String, _ body: () throws(PosixError) -> Value
) throws(StoreError) -> Value {
  do {
    return try body()
  } catch {
    throw error.reading(path)
  }
}

extension StoreError {
  static func noFolder(of path: String) -> StoreError {
    StoreError(.unwritable, "\(path) cannot be created: its folder does not exist")
  }

  static func createdByAnother(_ path: String) -> StoreError {
    StoreError(.locked, "\(path) was created by another program in the meantime")
  }

  /// The new content is visible now, but may be gone after a power cut.
  static func unconfirmed(_ path: String, _ why: String) -> StoreError {
    StoreError(
      .interrupted,
      "\(path) was written, but the disk did not confirm it, so that it may be as it was after a "
        + "power cut (\(why)); run again")
  }
}
