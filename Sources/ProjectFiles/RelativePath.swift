// SPDX-License-Identifier: MIT

/// Paths below the folder that is looked at: names joined by `/`, the folder itself being empty.
package enum RelativePath {
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  /// The folders that a path is in, the innermost first; the last is the one that is looked at.
  package static func folders(above path: String) -> UnfoldFirstSequence<String> {
    sequence(first: folder(of: path)) { $0.isEmpty ? nil : folder(of: $0) }
  }

  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The last name without its extension.
  package static func stem(of path: String) -> String {
    let name = name(of: path)
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// The text after the last dot of the last name, in lower case.
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

/// A pattern for paths as in `.gitignore`: `*` and `?` inside a name, `**` across names. Without a slash
/// before its end it fits at any depth.
package struct PathPattern: Sendable {
  private let segments: [[UInt8]]
  private let isAnchored: Bool

  package init(_ pattern: String) {
    var text = pattern[...]
    while text.hasSuffix("/") { text = text.dropLast() }
    isAnchored = text.contains("/")
    segments = text.split(separator: "/").map { Array($0.utf8) }
  }

  /// Whether the path itself matches. The caller skips everything below a matching folder.
  package func fits(_ path: String) -> Bool {
    let names = path.split(separator: "/").map { Array($0.utf8) }
    guard !segments.isEmpty, let last = names.last else { return false }
    guard isAnchored else { return Self.fits(last, segments[0]) }
    return Self.fits(names, segments, any: Array("**".utf8)) { Self.fits($0, $1) }
  }

  private static func fits(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
    fits(name, pattern, any: UInt8(ascii: "*")) { $1 == UInt8(ascii: "?") || $0 == $1 }
  }

  /// Fits items to a pattern with one wild card for any number of them, going back to the last wild
  /// card only, which is enough.
  private static func fits<Item: Equatable>(
    _ items: [Item], _ pattern: [Item], any: Item, _ isSame: (Item, Item) -> Bool
  ) -> Bool {
    var item = 0
    var part = 0
    var back: (item: Int, part: Int)?
    while item < items.count {
      if part < pattern.count, pattern[part] == any {
        back = (item, part)
        part += 1
      } else if part < pattern.count, isSame(items[item], pattern[part]) {
        item += 1
        part += 1
      } else if let last = back {
        back = (last.item + 1, last.part)
        item = last.item + 1
        part = last.part + 1
      } else {
        return false
      }
    }
    return pattern[part...].allSatisfy { $0 == any }
  }
}
