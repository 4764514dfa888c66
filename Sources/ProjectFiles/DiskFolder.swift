// SPDX-License-Identifier: MIT
import Foundation

/// A folder on disk. Nothing is ever written, no symbolic link below it followed, no special file
/// opened.
package struct DiskFolder: FolderAccess {
  private let root: String

  /// - Parameter path: The folder; it may itself be a symbolic link.
  package init(path: String) { root = path }

  /// What a path is, through symbolic links; nil where there is nothing.
  ///
  /// - Throws: ``FolderAccessError`` when the system does not say what is there: only its words for "there is
  ///   no such file" mean that nothing is.
  package static func kind(of path: String) throws(FolderAccessError) -> FolderEntry.Kind? {
    var status = stat()
    guard !path.utf8.contains(0) else { return nil }
    guard stat(path, &status) == 0 else {
      guard [ENOENT, ENOTDIR].contains(errno) else { throw failure() }
      return nil
    }
    return kind(status)
  }

  private static func kind(_ status: stat) -> FolderEntry.Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .special
    }
  }

  private func path(_ below: String) -> String {
    below.isEmpty ? root : root + "/" + below
  }

  package func entries(of folder: String) throws(FolderAccessError) -> [FolderEntry] {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (folder.isEmpty ? 0 : O_NOFOLLOW)
    let descriptor = open(path(folder), flags)
    guard descriptor >= 0 else { throw Self.failure() }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      throw Self.failure()
    }
    defer { closedir(stream) }
    var entries: [FolderEntry] = []
    while let entry = readdir(stream) {
      let found = Self.entry(entry, in: descriptor)
      if found.name != ".", found.name != ".." { entries.append(found) }
    }
    return entries
  }

  private static func entry(
    _ entry: UnsafeMutablePointer<dirent>, in folder: Int32
  ) -> FolderEntry {
    withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(
        to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)
      ) { name in
        let kind = kind(of: name, in: folder)
        if let name = String(validatingCString: name) { return FolderEntry(name: name, kind: kind) }
        // A report cannot say such a name, nor can the file be opened by what it could say.
        let shown = String(cString: name)
        return FolderEntry(name: shown, kind: kind == .folder ? .unnamedFolder : .unnamed)
      }
    }
  }

  private static func kind(of name: UnsafePointer<CChar>, in folder: Int32) -> FolderEntry.Kind {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .special }
    return kind(status)
  }

  package func bytes(of file: String, atMost count: Int) throws(FolderAccessError) -> [UInt8] {
    // Without O_NONBLOCK a pipe that took the file's place would be waited for.
    let descriptor = open(path(file), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw FolderAccessError(why: "special file")
    }
    // A sparse file of gigabytes is not worth the reading.
    let size = Int(clamping: status.st_size)
    guard size <= count else { return [UInt8](repeating: 0, count: count + 1) }
    var bytes = [UInt8](repeating: 0, count: size)
    var filled = 0
    while filled < size {
      let got = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress?.advanced(by: filled), size - filled)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw Self.failure() }
      guard got > 0 else { break }
      filled += got
    }
    return Array(bytes.prefix(filled))
  }

  private static func failure() -> FolderAccessError {
    switch errno {
    case EACCES, EPERM: FolderAccessError(why: "no permission")
    case ELOOP: FolderAccessError(why: "symbolic link")
    case ENOENT: FolderAccessError(why: "gone")
    default: FolderAccessError(why: String(cString: strerror(errno)))
    }
  }
}
