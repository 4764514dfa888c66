// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import KeychainItems

/// What TARGET is: a store of keychain items or a cache document, there or to be made.
enum TargetPlace {
  case keychain(SystemKeychain)
  case items(any ItemStore)
  case document(DocumentFile)
  case folder(DocumentFolderPlace)

  /// Finds out what is there, or by its name what is to be made. Nothing is made.
  ///
  /// - Throws: ``Failure`` or `StoreError` when it cannot be a target.
  init(_ place: PlaceArgument) throws {
    if let path = place.path, try CacheFile.files(inFolder: path) != nil {
      throw Failure(.usage, "\(path) is a folder; a target is one file")
    }
    if let path = place.path { try OutputFile(path: path).checkKind() }
    switch place.kind {
    case .keychain(let group): self = .keychain(SystemKeychain(accessGroup: group))
    case .standardInput:
      throw Failure(.usage, "a target cannot be '-'; give a path to write to")
    case .snapshot(let path): self = .snapshot(path)
    case .items(let path): self = .itemFile(path)
    case .document(let path): self = .document(DocumentFile(path: path))
    case .path(let path): try self.init(path: path)
    }
    if let path = place.path, !OutputFile(path: path).exists { try OutputFile(path: path).check() }
  }

  /// Tidies up after a run that was interrupted, and brings a snapshot in order after any program that was.
  ///
  /// - Parameter path: where the target is, unless it is a keychain.
  /// - Throws: `StoreError` when another program goes on writing, or the file cannot be written.
  func prepare(_ path: String?) throws {
    try Target.opening {
      switch self {
      case .items(let store as SnapshotFile): try store.recover()
      case .folder(let folder): try folder.removeLeftovers()
      case .items, .document, .keychain: break
      }
    }
    if let path { OutputFile(path: path).removeLeftovers() }
  }

  /// The target of a dry run that names none, in place of an empty items file.
  static var nowhere: TargetPlace { .items(MemoryStore()) }

  /// - Parameters:
  ///   - accessGroup: where everything goes; nil for where it comes from, or the keychain's own.
  ///   - reader: who will read a document.
  func target(accessGroup: String?, reader: MSALLibrary?) -> Target {
    switch self {
    case .keychain(let keychain):
      .keychain(accessGroup.map { SystemKeychain(accessGroup: $0) } ?? keychain)
    case .items(let store): .items(store, accessGroup: accessGroup)
    case .document(let file): .document(file, for: reader)
    case .folder(let folder): .folder(folder, for: reader)
    }
  }

  private static func snapshot(_ path: String) -> TargetPlace {
    .items(SnapshotFile(path: path, missing: .isEmpty))
  }

  private static func itemFile(_ path: String) -> TargetPlace {
    .items(ItemFile(path: path, missing: .isEmpty))
  }

  private static func onlyRead(_ path: String, _ what: String) -> Failure {
    Failure(
      .usage, "\(path) is \(what), which is only read",
      hint: "name a snapshot (.sqlite), an items file (.items.json) or a cache document (.json)")
  }

  private init(path: String) throws {
    guard OutputFile(path: path).exists else {
      self = try Self.new(path)
      return
    }
    switch try Target.opening({ try CacheFile(settledAt: path).kind }) {
    case .snapshot: self = .snapshot(path)
    case .items: self = .itemFile(path)
    case .document: self = .document(DocumentFile(path: path))
    case .archive: throw Self.onlyRead(path, "an archive of ADAL's")
    case .dump: throw Self.onlyRead(path, "a keychain dump")
    case .blob, .list, .unifiedList, .wrapped:
      throw Self.onlyRead(path, "a cache of ADAL for .NET, Python or Node")
    case .unknown:
      // What holds nothing yet, such as .NET's cache before its first use, is of the kind of its name.
      let isEmpty = (try? CacheFile.bytes(of: path, limit: 0)) != nil
      guard isEmpty, case .document(let file) = try Self.new(path) else {
        throw Failure(.notACache, "\(path) is there, and it is not a token cache")
      }
      self = .document(file)
    }
  }

  /// The kind that the name of a file asks for.
  private static func new(_ path: String) throws -> TargetPlace {
    let name = path.lowercased()
    if name.hasSuffix(".items.json") { return .itemFile(path) }
    if name.hasSuffix(".sqlite") || name.hasSuffix(".db") { return .snapshot(path) }
    if name.hasSuffix(".json") { return .document(DocumentFile(path: path)) }
    throw Failure(
      .usage, "the name \(path) does not say what to make",
      hint:
        "end it in .sqlite, .items.json or .json, or put sqlite:, items: or msal-json: before it")
  }
}
