// SPDX-License-Identifier: MIT

/// What is asked of a file system: the seam between the doctor and the disk.
package protocol FolderAccess: Sendable {
  /// What is in a folder, by a path below the one that is looked at.
  func entries(of folder: String) throws(FolderAccessError) -> [FolderEntry]
  /// The bytes of a file; of a longer one so many and one more.
  func bytes(of file: String, atMost count: Int) throws(FolderAccessError) -> [UInt8]
}

/// Why a folder or a file cannot be read, in a few words.
package struct FolderAccessError: Error, Sendable, Hashable {
  package var why: String
  package init(why: String) { self.why = why }
}

/// An entry of a folder.
package struct FolderEntry: Sendable, Hashable {
  /// What an entry can be.
  package enum Kind: Sendable, Hashable {
    case file, folder, link, special
    /// A file or another entry, and a folder, whose name is not UTF-8.
    case unnamed, unnamedFolder
  }
  package var name: String
  package var kind: Kind

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// Something that was left out, and why.
package struct Skipped: Sendable, Hashable {
  package var path: String
  package var why: String

  package init(path: String, why: String) {
    self.path = path
    self.why = why
  }
}

/// The files of a project: which there are, within limits.
package struct ProjectFolder: Sendable {
  /// The limits, each of which a real project keeps by far.
  package struct Limits: Sendable {
    /// Entries of folders, so that a tree without end ends.
    package var entries = 200_000
    /// Folders inside one another.
    package var depth = 64
    /// Bytes of all files together.
    package var bytes = 1 << 30
    /// What is left out is named so many times; beyond that it is only counted.
    package var skippedNamed = 1000

    package init() {}
  }

  /// A file that is to be read.
  package struct File: Sendable, Hashable {
    package var path: String
    package var kind: ProjectFileKind
  }

  /// In the order of their paths' bytes.
  package private(set) var files: [File] = []
  /// Files of no kind that a project is read from, in the order in which they are found.
  package private(set) var others: [String] = []
  /// Folders that are never entered, of which some are known by name: `ADAL.framework`.
  package private(set) var bundles: [String] = []
  package private(set) var skipped: [Skipped] = []
  /// How much was left out that is not in ``skipped``.
  package private(set) var skippedMore = 0

  private let limits: Limits
  private static let ignored: Set<String> = [
    ".git", ".hg", ".svn", ".build", ".swiftpm", "DerivedData", "Pods", "Carthage",
    "node_modules", "bower_components", "xcuserdata",
  ]
  private static let bundleExtensions: Set<String> = [
    "framework", "xcframework", "bundle", "xcassets", "app", "dsym", "xcdatamodeld", "lproj",
  ]

  package init(
    _ access: some FolderAccess, excluding patterns: [PathPattern] = [], limits: Limits = Limits()
  ) {
    self.limits = limits
    var waiting: [(path: String, depth: Int)] = [("", 0)]
    var seen = 0
    while let (folder, depth) = waiting.popLast() {
      let entries: [FolderEntry]
      do {
        entries = try access.entries(of: folder)
      } catch {
        skip(folder, error.why)
        continue
      }
      seen += entries.count
      guard seen <= limits.entries else {
        skip(folder, "more than \(limits.entries) entries")
        break
      }
      for entry in entries {
        let path = folder.isEmpty ? entry.name : folder + "/" + entry.name
        if patterns.contains(where: { $0.fits(path) }) { continue }
        switch entry.kind {
        case .folder:
          if isIgnored(entry.name, in: folder) { continue }
          if Self.bundleExtensions.contains(RelativePath.fileExtension(of: entry.name)) {
            bundles.append(path)
          } else if depth + 1 >= limits.depth {
            skip(path, "more than \(limits.depth) folders deep")
          } else {
            waiting.append((path, depth + 1))
          }
        case .file:
          if let kind = ProjectFileKind(path: path) {
            files.append(File(path: path, kind: kind))
          } else {
            others.append(path)
          }
        case .link:
          skip(path, "symbolic link")
        case .special:
          if ProjectFileKind(path: path) != nil { skip(path, "special file") }
        case .unnamed:
          if ProjectFileKind(path: path) != nil { skip(path, "name is not UTF-8") }
        case .unnamedFolder:
          skip(path, "name is not UTF-8")
        }
      }
    }
    files.sort { RelativePath.isBefore($0.path, $1.path) }
    bundles.sort(by: RelativePath.isBefore)
  }

  /// A folder with one file alone.
  package init(file path: String, kind: ProjectFileKind) {
    limits = Limits()
    files = [File(path: path, kind: kind)]
  }

  private func isIgnored(_ name: String, in folder: String) -> Bool {
    Self.ignored.contains(name)
      || (name == "bundle" && RelativePath.name(of: folder) == "vendor")
  }

  /// Notes that something was left out.
  package mutating func skip(_ path: String, _ why: String) {
    if skipped.count < limits.skippedNamed {
      skipped.append(Skipped(path: path, why: why))
    } else {
      skippedMore += 1
    }
  }

  /// Reads a file within the limits; what cannot be read is noted.
  ///
  /// - Parameter total: How many bytes were read before; counts on.
  package mutating func read(
    _ file: File, from access: some FolderAccess, total: inout Int
  ) -> [UInt8]? {
    let most = file.kind.mostBytes
    let bytes: [UInt8]
    do {
      bytes = try access.bytes(of: file.path, atMost: most)
    } catch {
      skip(file.path, error.why)
      return nil
    }
    guard bytes.count <= most else {
      skip(file.path, "larger than \(most >> 20) MiB")
      return nil
    }
    guard total + bytes.count <= limits.bytes else {
      skip(file.path, "more than \(limits.bytes >> 20) MiB in all")
      return nil
    }
    total += bytes.count
    return bytes
  }
}
