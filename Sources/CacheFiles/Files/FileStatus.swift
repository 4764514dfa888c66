// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

struct FileStatus: Sendable {
  /// The identity of the file, under any name.
  struct Identity: Hashable, Sendable {
    var device: UInt64
    var number: UInt64
  }

  let identity: Identity
  let owner: uid_t
  let group: gid_t
  /// The permissions, with the set-id bits and the sticky bit.
  let mode: mode_t
  private let type: mode_t
  let size: Int
  /// The last change of its content, in nanoseconds.
  let modified: Int64

  init(_ status: stat) {
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      number: UInt64(truncatingIfNeeded: status.st_ino))
    owner = status.st_uid
    group = status.st_gid
    mode = status.st_mode & 0o7777
    type = status.st_mode & S_IFMT
    size = Int(clamping: status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = time.nanoseconds
  }

  /// Two writes may have one time unless so many nanoseconds are between them. Linux takes the time of a file from a
  /// clock that moves every 10 milliseconds or sooner.
  static let tick: Int64 = 20_000_000

  /// Whether a write at this moment might not change the file's time.
  func isFresh(at moment: timespec) -> Bool {
    (0..<Self.tick).contains(moment.nanoseconds &- modified)
  }

  /// The status of a file that was just opened, which is closed when it has none.
  init(ofNew descriptor: Int32) throws(PosixError) {
    var status = stat()
    do {
      try retrying { fstat(descriptor, &status) }
    } catch {
      close(descriptor)
      throw error
    }
    self.init(status)
  }

  /// The status of the file at a path; nil if there is none. Only the system's errors `ENOENT` and `ENOTDIR` mean that.
  /// Every other failure is thrown: a file that cannot be seen may exist, and a program that takes it for absent would
  /// overwrite it.
  ///
  /// - Parameters:
  ///   - folder: the descriptor of the folder that a relative path starts from; nil for the process's own.
  ///   - followsLinks: whether the answer is about the file that a link names, or about the link.
  static func at(
    _ path: String, in folder: Int32? = nil, followsLinks: Bool
  ) throws(PosixError) -> FileStatus? {
    // C reads such a path as a different path.
    guard !path.utf8.contains(0) else { throw PosixError(number: EINVAL) }
    var status = stat()
    do {
      try retrying {
        fstatat(folder ?? AT_FDCWD, path, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW)
      }
    } catch  where error.isAbsence {
      return nil
    }
    return FileStatus(status)
  }

  /// The status of a file that programs make beside a cache; nil if there is none, or if its name would be too long.
  static func ofCompanion(_ path: String) throws(StoreError) -> FileStatus? {
    do {
      return try at(path, followsLinks: false)
    } catch  where error.number == ENAMETOOLONG {
      return nil
    } catch {
      throw error.reading(path)
    }
  }

  /// Whether a file of this status has been written since it had another one, as far as its size and its time tell.
  func hasSameContent(as other: FileStatus) -> Bool {
    identity == other.identity && size == other.size && modified == other.modified
  }

  var isRegular: Bool { type == S_IFREG }
  var isFolder: Bool { type == S_IFDIR }
  var isLink: Bool { type == S_IFLNK }
  /// Whether it belongs to the user that this process acts for.
  var isOwn: Bool { owner == geteuid() }
  /// Whether users other than the owner may put files into this folder.
  var isShared: Bool { mode & 0o1022 != 0 }
  /// Whether the folder is one like `/tmp`, in which each user has files of their own.
  var isStickyForAll: Bool { mode & mode_t(S_ISVTX) != 0 && mode & 0o022 != 0 }
}

extension timespec {
  fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
