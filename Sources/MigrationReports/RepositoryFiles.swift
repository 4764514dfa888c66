// SPDX-License-Identifier: MIT

/// How reports for build services name files: from the root of the repository, as the services do, in
/// whichever folder a run starts.
package struct RepositoryFiles: Sendable, Hashable {
  /// The folder of the repository, absolute; nil where there is none, and files keep the names they came with.
  package let root: String?
  private let folder: String

  /// Every file by the name it came with.
  package static let asNamed = RepositoryFiles(root: nil, folder: "/")

  package init(root: String?, folder: String) {
    self.root = root
    self.folder = folder
  }

  /// The file's path below the root; the name it came with where it is outside.
  package func name(of file: String) -> String {
    guard let root else { return file }
    let start = root.hasSuffix("/") ? root : root + "/"
    let path = Self.absolute(file, from: folder)
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : file
  }

  /// A path without `.`, `..` and double slashes, read from a folder unless it is absolute itself.
  package static func absolute(_ path: String, from folder: String) -> String {
    var names: [Substring] = []
    let whole = path.hasPrefix("/") ? path : folder + "/" + path
    for name in whole.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.joined(separator: "/")
  }
}
