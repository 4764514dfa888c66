// SPDX-License-Identifier: MIT

/// Paths below the folder that is looked at: names joined by `/`, the folder itself being empty.
package enum RelativePath {
  /// The folder of a path.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  /// The folders that a path is in, the innermost first; the last is the one that is looked at.
  package static func folders(above path: String) -> UnfoldFirstSequence<String> {
    sequence(first: folder(of: path)) { $0.isEmpty ? nil : folder(of: $0) }
  }

  /// The last name of a path.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The last name without what follows its last dot.
  package static func stem(of path: String) -> String {
    let name = name(of: path)
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// What follows the last dot of the last name, in lower case.
  package static func fileExtension(of path: String) -> String {
    let name = name(of: path)
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }

  /// A path as seen from a folder, with `.` and `..` resolved; nil where it leads out of the tree.
  package static func join(_ folder: String, _ path: String) -> String? {
    guard !path.hasPrefix("/") else { return nil }
    var names: [Substring] = folder.split(separator: "/")
    for name in path.split(separator: "/") where name != "." {
      if name == ".." {
        guard names.popLast() != nil else { return nil }
      } else {
        names.append(name)
      }
    }
    return names.joined(separator: "/")
  }

  /// Whether a path is a folder or lies below it.
  package static func isInside(_ path: String, _ folder: String) -> Bool {
    folder.isEmpty || path == folder || path.hasPrefix(folder + "/")
  }

  /// Whether one path comes before another, by their bytes.
  package static func isBefore(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
