// SPDX-License-Identifier: MIT
import PlatformFoundation
import MigrationReports

extension RepositoryFiles {
  /// The files of the repository that a place is in: the nearest folder above it that has `.git`, which a
  /// worktree has as a file.
  ///
  /// - Parameters:
  ///   - place: a file or a folder; nil for a place without a file.
  ///   - folder: where names are read from; nil for the current folder.
  init(above place: String?, namesFrom folder: String? = nil) {
    let current = Self.current
    let folder = Self.absolute(folder ?? ".", from: current)
    let start = place.map { Self.absolute($0, from: current) }
    self.init(root: start.flatMap(Self.root), folder: folder)
  }

  private static var current: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  private static func root(above place: String) -> String? {
    var folder = place
    while true {
      if access(folder == "/" ? "/.git" : folder + "/.git", F_OK) == 0 { return folder }
      if folder == "/" { return nil }
      folder = absolute("..", from: folder)
    }
  }
}
