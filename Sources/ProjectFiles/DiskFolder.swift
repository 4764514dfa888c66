// SPDX-License-Identifier: MIT
import PlatformFoundation

/// A folder on disk. Nothing is ever written, no symbolic link below it followed, no special file
/// opened.
package struct DiskFolder: FolderAccess {
  private let root: String

  /// - Parameter path: The folder; it may itself be a symbolic link.
  package init(path: String) { root = path }

  /// The kind of a path, through symbolic links; nil if it does not exist.
  ///
  /// - Throws: ``Unreadable`` if the system cannot tell. Only its error for "there is no such file" means that the path
  ///   does not exist.
  package static func kind(of path: String) throws(Unreadable) -> FolderEntry.Kind? {
    var status = stat()
    guard !path.utf8.contains(0) else { return nil }
    if stat(path, &status) == 0 { return kind(status) }
    guard [ENOENT, ENOTDIR].contains(errno) else { throw failure }
    return nil
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

  package func entries(of folder: String) throws(Unreadable) -> [FolderEntry] {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (folder.isEmpty ? 0 : O_NOFOLLOW)
    let descriptor = open(path(folder), flags)
    guard descriptor >= 0 else { throw Self.failure }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      throw Self.failure
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
    let size = MemoryLayout.size(ofValue: entry.pointee.d_name)
    return withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: size) { name in
        var status = stat()
        let isThere = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        let kind = isThere ? kind(status) : .special
        if let name = String(validatingCString: name) { return FolderEntry(name: name, kind: kind) }
        // A report cannot show such a name, and the shown name would not open the file.
        let shown = String(cString: name)
        return FolderEntry(name: shown, kind: kind == .folder ? .unnamedFolder : .unnamed)
      }
    }
  }

  package func bytes(of file: String, atMost count: Int) throws(Unreadable) -> [UInt8] {
    // Without O_NONBLOCK a pipe that took the file's place would be waited for.
    let descriptor = open(path(file), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, Self.kind(status) == .file else {
      throw Unreadable(why: "special file")
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
      guard got >= 0 else { throw Self.failure }
      guard got > 0 else { break }
      filled += got
    }
    return Array(bytes.prefix(filled))
  }

  /// The system's message about the last call.
  private static var failure: Unreadable {
    switch errno {
    case EACCES, EPERM: Unreadable(why: "no permission")
    case ELOOP: Unreadable(why: "symbolic link")
    case ENOENT: Unreadable(why: "gone")
    default: Unreadable(why: String(cString: strerror(errno)))
    }
  }
}
