// SPDX-License-Identifier: MIT

/// The file system as the doctor uses it.
package protocol FolderAccess: Sendable {
  /// The entries of a folder, by a path below the root.
  func entries(of folder: String) throws(Unreadable) -> [FolderEntry]
  /// The bytes of a file; of a longer one so many and one more.
  func bytes(of file: String, atMost count: Int) throws(Unreadable) -> [UInt8]
}

/// The reason why a folder or a file cannot be read, in a few words.
package struct Unreadable: Error, Sendable, Hashable {
  package var why: String

  package init(why: String) { self.why = why }
}

package struct FolderEntry: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case file, folder, link, special
    /// A file or another entry, and a folder, with a name that is not UTF-8.
    case unnamed, unnamedFolder
  }
  package var name: String
  package var kind: Kind

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

package struct Skipped: Sendable, Hashable {
  package var path: String
  package var why: String
}

/// The files of a project: which there are, within limits.
package struct ProjectFolder: Sendable {
  package typealias File = (path: String, kind: ProjectFileKind)

  /// In the order of their paths' bytes.
  package private(set) var files: [File] = []
  /// Files of no kind that a project is read from, in the order in which they are found.
  package private(set) var others: [String] = []
  /// Folders that are never entered. Some are known by name: `ADAL.framework`.
  package private(set) var bundles: [String] = []
  /// The number of files of each kind that were read.
  package private(set) var readKinds: [ProjectFileKind: Int] = [:]
  package private(set) var readBytes = 0
  private var skippedNamed: [Skipped] = []
  private var skippedMore = 0

  /// Bytes of all files together, which a real project keeps by far, as it does the limits for a tree.
  private static let mostBytes = 1 << 30
  /// The most skipped entries that are named. The others are only counted.
  private static let mostNamed = 1000

  private static let ignored: Set<String> = [
    ".git", ".hg", ".svn", ".build", ".swiftpm", "DerivedData", "Pods", "Carthage",
    "node_modules", "bower_components", "xcuserdata",
  ]
  private static let bundleExtensions: Set<String> = [
    "framework", "xcframework", "bundle", "xcassets", "app", "dsym", "xcdatamodeld", "lproj",
  ]

  /// - Parameters:
  ///   - mostEntries: The limit for all folders together, so that a tree without end ends.
  ///   - mostFolders: Inside one another.
  package init(
    _ access: some FolderAccess, excluding patterns: [PathPattern] = [],
    mostEntries: Int = 200_000, mostFolders: Int = 64
  ) {
    var waiting: [(path: String, depth: Int)] = [("", 0)]
    var seen = 0
    while let (folder, depth) = waiting.popLast() {
      do throws(Unreadable) {
        let entries = try access.entries(of: folder)
        seen += entries.count
        guard seen <= mostEntries else {
          skip(folder, "more than \(mostEntries) entries")
          break
        }
        for entry in entries {
          let path = folder.isEmpty ? entry.name : folder + "/" + entry.name
          if patterns.contains(where: { $0.fits(path) }) { continue }
          if entry.kind != .folder {
            add(path, entry.kind)
          } else if !Self.ignored.contains(entry.name), !"/\(path)".hasSuffix("/vendor/bundle") {
            if Self.bundleExtensions.contains(RelativePath.fileExtension(of: entry.name)) {
              bundles.append(path)
            } else if depth + 1 >= mostFolders {
              skip(path, "more than \(mostFolders) folders deep")
            } else {
              waiting.append((path, depth + 1))
            }
          }
        }
      } catch {
        skip(folder, error.why)
      }
    }
    files.sort { RelativePath.isBefore($0.path, $1.path) }
    bundles.sort(by: RelativePath.isBefore)
  }

  /// Something that is no folder to enter.
  private mutating func add(_ path: String, _ kind: FolderEntry.Kind) {
    let fileKind = ProjectFileKind(path: path)
    switch kind {
    case .file:
      if let fileKind {
        files.append((path, fileKind))
      } else {
        others.append(path)
      }
    case .special: if fileKind != nil { skip(path, "special file") }
    case .unnamed: if fileKind != nil { skip(path, "name is not UTF-8") }
    case .link: skip(path, "symbolic link")
    case .folder, .unnamedFolder: skip(path, "name is not UTF-8")
    }
  }

  package init(file path: String, kind: ProjectFileKind) {
    files = [(path, kind)]
  }

  /// The skipped entries, in the byte order of their paths, and the number of the others.
  package var skipped: [Skipped] {
    skippedNamed.sorted { RelativePath.isBefore($0.path, $1.path) }
      + (skippedMore > 0 ? [Skipped(path: "", why: "\(skippedMore) more")] : [])
  }

  package mutating func skip(_ path: String, _ why: String) {
    if skippedNamed.count < Self.mostNamed {
      skippedNamed.append(Skipped(path: path, why: why))
    } else {
      skippedMore += 1
    }
  }

  /// Reads a file within the limits, and notes an unreadable one.
  package mutating func read(_ file: File, from access: some FolderAccess) -> [UInt8]? {
    let most = file.kind.mostBytes
    do throws(Unreadable) {
      let bytes = try access.bytes(of: file.path, atMost: most)
      guard bytes.count <= most else { throw Unreadable(why: "larger than \(most >> 20) MiB") }
      guard readBytes + bytes.count <= Self.mostBytes else {
        throw Unreadable(why: "more than \(Self.mostBytes >> 20) MiB in all")
      }
      readBytes += bytes.count
      readKinds[file.kind, default: 0] += 1
      return bytes
    } catch {
      skip(file.path, error.why)
      return nil
    }
  }
}

/// The kinds of files that are read, with the usual name of such a file; they go by their names in any capitals.
package enum ProjectFileKind: String, CaseIterable, Sendable, Hashable {
  case source = "source file"
  case project
  case settings = "xcconfig file"
  /// Entitlements, too.
  case propertyList = "property list"
  case podfile = "Podfile"
  case podfileLock = "Podfile.lock"
  case podspec
  case cartfile = "Cartfile"
  case gitmodules = ".gitmodules file"
  case packageManifest = "package manifest"
  case packageResolved = "Package.resolved file"
  case pluginXML = "plugin.xml file"
  case configXML = "config.xml file"
  case packageJSON = "package.json file"

  package init?(path: String) {
    let name = RelativePath.name(of: path).lowercased()
    switch name {
    case "project.pbxproj": self = .project
    case "podfile": self = .podfile
    case "podfile.lock": self = .podfileLock
    case "cartfile", "cartfile.resolved": self = .cartfile
    case ".gitmodules": self = .gitmodules
    case "package.swift": self = .packageManifest
    case "package.resolved": self = .packageResolved
    case "plugin.xml": self = .pluginXML
    case "config.xml": self = .configXML
    case "package.json": self = .packageJSON
    default:
      switch RelativePath.fileExtension(of: path) {
      case "swift", "m", "mm", "h", "hpp", "pch": self = .source
      case "xcconfig": self = .settings
      case "plist", "entitlements": self = .propertyList
      case "podspec": self = .podspec
      default: return nil
      }
    }
  }

  /// The most bytes of such a file that are read: sources and property lists are written by hand,
  /// project and lock files by programs.
  var mostBytes: Int {
    switch self {
    case .project, .podfileLock, .packageResolved: 64 << 20
    default: 4 << 20
    }
  }
}
