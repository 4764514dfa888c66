// SPDX-License-Identifier: MIT
import CacheFiles
import KeychainItems

/// A kind of cache that the command reads and writes, with its name on the command line and its opener (contract §2). A
/// new store is a line of ``all``.
struct PlaceScheme: Sendable, Equatable {
  /// The part before the colon.
  let name: String
  /// The kind of its files by their bytes; nil if the bytes do not tell it.
  private let kind: CacheFile.Kind?
  /// The endings of its files' names; empty for a place without a file.
  let extensions: [String]
  /// Opens a place by the part after the colon, and by the meaning of a missing file.
  let open: @Sendable (String, SnapshotFile.Missing) -> TargetPlace

  private init(
    _ name: String, _ kind: CacheFile.Kind? = nil, _ extensions: String...,
    open: @escaping @Sendable (String, SnapshotFile.Missing) -> TargetPlace
  ) {
    self.name = name
    self.kind = kind
    self.extensions = extensions
    self.open = open
  }

  /// If a name ends in two of the extensions, the first one counts.
  static let all = [
    PlaceScheme("sqlite", .snapshot, ".sqlite", ".db") {
      .items(SnapshotFile(path: $0, missing: $1))
    },
    PlaceScheme("items", .items, ".items.json") { .items(ItemFile(path: $0, missing: $1)) },
    PlaceScheme("msal-json", .document, ".json") { path, _ in .document(DocumentFile(path: path)) },
    PlaceScheme("keychain") { group, _ in
      .items(SystemKeychain(accessGroup: group.isEmpty ? nil : group))
    },
  ]

  static var ofFiles: [PlaceScheme] { all.filter(\.isOfFile) }

  /// The scheme for the kind of an existing file, or for the name of a new one.
  static func of(_ kind: CacheFile.Kind) -> PlaceScheme? { all.first { $0.kind == kind } }
  static func of(name: String) -> PlaceScheme? {
    let name = name.lowercased()
    return all.first { $0.extensions.contains(where: name.hasSuffix) }
  }

  /// Whether a path follows the name. Else it is an access group, which may be missing.
  var isOfFile: Bool { !extensions.isEmpty }

  var example: String { isOfFile ? "\(name):PATH" : "\(name):GROUP" }

  static func == (a: PlaceScheme, b: PlaceScheme) -> Bool { a.name == b.name }
}
