// SPDX-License-Identifier: MIT
import CacheFiles
import CacheScrub
import KeychainItems
import ProjectFiles

/// The anonymized copy of some caches. It is searched for the content of the originals before it is published.
struct ScrubbedCopy {
  enum Content {
    case items([KeychainItem])
    case bytes([UInt8])

    /// - Parameter tidiesUp: whether to look for leftovers of an interrupted run there.
    func write(to path: String, tidiesUp: Bool = true) throws {
      switch self {
      case .items(let items):
        guard try SnapshotFile(path: path, missing: .isEmpty).add(items).isEmpty else {
          throw Failure(.bug, "two items of \(path) became one")
        }
      case .bytes(let bytes):
        try OutputFile(path: path).replace(with: bytes, tidiesUp: tidiesUp)
      }
    }
  }

  private let files: [CacheFile]
  private let windows: SourceWindows
  private var scrub: CacheScrub

  init(_ files: [CacheFile], seed: [UInt8], keeping kept: Set<String>) throws {
    self.files = files
    var windows = SourceWindows(size: files.reduce(0) { $0 + $1.size }, keeping: kept)
    for file in files { try Self.forEachPart(of: file) { windows.add($0) } }
    self.windows = windows
    scrub = CacheScrub(seed: seed, keeping: kept, avoiding: windows)
  }

  /// Calls `visit` with the bytes of a file, or with each text and data of a snapshot's items.
  private static func forEachPart(of file: CacheFile, _ visit: ([UInt8]) -> Void) throws {
    guard file.kind == .snapshot else { return visit(file.bytes) }
    try SnapshotFile(path: file.path).forEachItem { $0.parts.forEach(visit) }
  }

  mutating func content(of file: CacheFile) throws -> Content {
    guard file.kind != .snapshot else {
      var items: [KeychainItem] = []
      try SnapshotFile(path: file.path).forEachItem { items.append(scrub.item($0)) }
      return .items(items)
    }
    let bytes = scrub.bytes(file.bytes)
    guard CacheFile(bytes: bytes, name: file.path).kind == file.kind else {
      throw Failure(.bug, "the scrubbed copy of \(file.path) is not a cache of the same kind")
    }
    return .bytes(bytes)
  }

  /// The new names of files in a folder, in their order and all different.
  mutating func names(of files: [CacheFile]) throws -> [String] {
    var taken: Set<String> = []
    return files.map { file in
      let name = scrub.fileName(RelativePath.name(of: file.path))
      var unique = name
      var number = 2
      while !taken.insert(unique.lowercased()).inserted {
        unique = "\(number)-\(name)"
        number += 1
      }
      return unique
    }
  }

  /// - Throws: `Failure` when the copy has eight bytes or more of a token, a name, an identifier or a host of a
  ///   tenant of the source.
  func check(_ made: [Content], names: [String] = [], target: String) throws {
    var search = LeftoverSearch(windows)
    for name in names { search.look(in: Array(name.utf8)) }
    for content in made {
      switch content {
      case .items(let items): for part in items.lazy.flatMap(\.parts) { search.look(in: part) }
      case .bytes(let bytes): search.look(in: bytes)
      }
    }
    guard search.hasSuspects else { return }
    for file in files { try Self.forEachPart(of: file) { search.confirm(by: $0) } }
    guard search.hasFound else { return }
    throw Failure(
      .bug,
      "the copy still has a part of a token, name, identifier or host; \(target) was not written",
      hint: "this is a bug in scrub: report it, and do not attach the cache")
  }
}
