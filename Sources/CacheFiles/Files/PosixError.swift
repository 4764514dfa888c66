// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

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

  /// Whether the failure says that there is no such file. No other one does.
  var isAbsence: Bool { [ENOENT, ENOTDIR].contains(number) }

  /// Whether the failure is of the disk, which may come in the middle of writing: full, over quota,
  /// over the process's limit, broken.
  var isOfDisk: Bool { [ENOSPC, EDQUOT, EFBIG, EIO].contains(number) }

  /// The error as a sentence.
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

  /// The error of a store whose file could not be read.
  func reading(_ path: String) -> StoreError {
    StoreError(isOfDisk ? .interrupted : .unreadable, sentence(about: path))
  }

  /// The error of a store whose file could not be written.
  func writing(_ path: String) -> StoreError {
    StoreError(isOfDisk ? .interrupted : .unwritable, "cannot write: " + sentence(about: path))
  }
}
