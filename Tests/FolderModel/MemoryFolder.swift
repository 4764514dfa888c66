// SPDX-License-Identifier: MIT
import ProjectFiles

/// A project's folder in memory.
package struct MemoryFolder: FolderAccess {
  /// The content of files, by their paths below the folder.
  package var files: [String: [UInt8]]

  /// A folder with these files.
  package init(_ files: [String: [UInt8]]) { self.files = files }

  /// A folder with these texts.
  package init(_ files: [String: String]) { self.files = files.mapValues { Array($0.utf8) } }

  package func entries(of folder: String) throws(Unreadable) -> [FolderEntry] {
    var entries: Set<FolderEntry> = []
    for path in files.keys where RelativePath.isInside(path, folder) && path != folder {
      let below = folder.isEmpty ? path[...] : path.dropFirst(folder.count + 1)
      let name = String(below.prefix { $0 != "/" })
      entries.insert(
        FolderEntry(name: name, kind: name.utf8.count == below.utf8.count ? .file : .folder))
    }
    return Array(entries)
  }

  package func bytes(of file: String, atMost count: Int) throws(Unreadable) -> [UInt8] {
    guard let bytes = files[file] else { throw Unreadable(why: "gone") }
    return Array(bytes.prefix(count + 1))
  }
}
