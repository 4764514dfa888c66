// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import KeychainItems

/// The TARGET argument: a store of keychain items or a cache document, existing or new.
enum TargetPlace {
  case items(any ItemStore)
  case document(DocumentFile)
  case folder(DocumentFolderPlace)

  /// Finds the kind of the existing file, or of the new one by its name. It makes nothing.
  init(_ place: PlaceArgument) throws {
    if let path = place.path, try Target.opening({ try CacheFile.files(inFolder: path) }) != nil {
      throw Failure(.usage, "\(path) is a folder; a target is one file")
    }
    let isThere = try place.path.map { path in
      try OutputFile(path: path).checkKind()
      return try OutputFile(path: path).exists
    }
    // An existing file is not created again if it is gone when it is written.
    let missing: SnapshotFile.Missing = isThere == true ? .isAnError : .isEmpty
    switch place.kind {
    case .scheme(let scheme, let name): self = scheme.open(name, missing)
    case .standardInput:
      throw Failure(.usage, "the target cannot be '-'; name a path")
    case .path(let path): self = try isThere == true ? Self.found(path) : Self.new(path)
    }
    if let path = place.path, isThere == false { try OutputFile(path: path).check() }
  }

  /// The target of a run that may write: tidies up after a run that was interrupted, and brings a snapshot in
  /// order after any program that was.
  ///
  /// - Throws: `StoreError` when another program goes on writing, or the file cannot be written.
  func prepared() throws -> TargetPlace {
    try Target.opening {
      switch self {
      case .items(let store as SnapshotFile):
        try store.recover()
        try OutputFile(path: store.path).removeLeftovers(isLocked: false)
        return .items(store.writing())
      case .items(let store as ItemFile):
        if let path = store.path { try OutputFile(path: path).removeLeftovers(isLocked: true) }
      case .document(let file): try OutputFile(path: file.path).removeLeftovers(isLocked: true)
      case .folder(let folder): try folder.removeLeftovers()
      case .items: break
      }
      return self
    }
  }

  var kind: Report.JudgedTarget.Kind {
    switch self {
    case .items(is SnapshotFile): .snapshot
    case .items(let store): store.asGroup == nil ? .items : .keychain
    case .document: .document
    case .folder: .documents
    }
  }

  /// - Parameters:
  ///   - accessGroup: where everything goes; nil for where it comes from, or the keychain's own.
  ///   - reader: who will read a document.
  func target(accessGroup: String?, reader: MSALLibrary?) -> Target {
    switch self {
    case .items(let store):
      if let group = store.asGroup {
        .items(accessGroup.map { group.with(accessGroup: $0) } ?? group)
      } else {
        .items(store, accessGroup: accessGroup)
      }
    case .document(let file): .document(file, for: reader)
    case .folder(let folder): .folder(folder, for: reader)
    }
  }

  private static func onlyRead(_ path: String, _ what: String) -> Failure {
    Failure(
      .usage, "\(path) is \(what), which is only read",
      hint: "name a snapshot (.sqlite), an items file (.items.json) or a cache document (.json)")
  }

  /// The kind of an existing file.
  private static func found(_ path: String) throws -> TargetPlace {
    let file = try Target.opening { try CacheFile(settledAt: path) }
    if let scheme = PlaceScheme.of(file.kind) { return scheme.open(path, .isAnError) }
    switch file.kind {
    case .archive: throw onlyRead(path, "an archive of ADAL's")
    case .dump: throw onlyRead(path, "a keychain dump")
    case .blob, .list, .wrapped: throw onlyRead(path, "a cache of ADAL for .NET, Python or Node")
    case .unifiedList: throw onlyRead(path, "a list that ADAL for .NET wrote for MSAL.NET 2")
    case .snapshot, .items, .document, .unknown:
      // An empty file, such as .NET's cache before its first use, has the kind of its name.
      guard file.isEmpty, case .document(let document) = try new(path) else {
        throw Failure(.notACache, "\(path) exists and is not a token cache")
      }
      return .document(document)
    }
  }

  /// The kind that the name of a file asks for.
  private static func new(_ path: String) throws -> TargetPlace {
    if let scheme = PlaceScheme.of(name: path) { return scheme.open(path, .isEmpty) }
    let schemes = PlaceScheme.ofFiles
    let extensions = schemes.compactMap(\.extensions.first)
    throw Failure(
      .usage, "the name \(path) does not select a format",
      hint:
        "use the extension \(extensions.alternatives), or the prefix \(schemes.map { "\($0.name):" }.alternatives)"
    )
  }
}
