// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import Foundation
import KeychainItems
import MSALCache

/// What SOURCE is: one cache, or the caches of a folder.
struct SourcePlace {
  /// One cache that is read.
  struct Cache {
    enum Content {
      case items(any ItemStore)
      case blob([UInt8])
      case dotNet([UInt8])
      case list([UInt8], TimeZone)
      case document([UInt8])
    }

    let content: Content
    /// The file, or nil for standard input.
    let path: String?
    /// Whether another tool wrote it down.
    var isDump = false

    var source: Source {
      switch content {
      case .items(let keychain as SystemKeychain): .keychain(keychain)
      case .items(let store): .items(store, file: path)
      case .blob(let bytes): .blob(bytes, file: path)
      case .dotNet(let bytes): .dotNet(bytes, file: path)
      case .list(let bytes, let timeZone): .list(bytes, timeZone: timeZone, file: path)
      case .document(let bytes): .document(bytes, file: path)
      }
    }
  }

  let caches: [Cache]
  /// What a person should know of files that are left out.
  let notes: [String]
  /// The files of a folder that look like caches and cannot be read as one.
  private let unread: [Report.UnreadFile]
  /// Whether it is a folder, which as a whole cannot be a target.
  let isFolder: Bool
  /// Whether it is a keychain dump, into which nothing can be written.
  private var isDump: Bool { caches.contains { $0.isDump } }

  var sources: [Source] { caches.map(\.source) }

  /// The store that a migration in place would write to, or nil where there is none.
  var store: (any ItemStore)? {
    guard !isFolder, !isDump, case .items(let store)? = caches.first?.content else { return nil }
    return store
  }

  /// Opens what is there.
  ///
  /// - Parameter timeZone: of the machine that wrote a list.
  /// - Throws: ``Failure`` or `StoreError` when it does not exist, cannot be read or is no cache.
  init(_ place: PlaceArgument, timeZone: TimeZone) throws {
    switch place.kind {
    case .keychain(let group):
      self.init([Cache(content: .items(SystemKeychain(accessGroup: group)), path: nil)])
    case .standardInput:
      let file = CacheFile(bytes: try CacheFile.standardInput(), name: "standard input")
      guard file.kind != .snapshot else {
        throw Failure(
          .usage, "a keychain snapshot cannot come through standard input; give its path")
      }
      try self.init(file, timeZone: timeZone)
    case .snapshot(let path):
      self.init([Cache(content: .items(SnapshotFile(path: path)), path: path)])
    case .items(let path):
      self.init([Cache(content: .items(ItemFile(path: path)), path: path)])
    case .document(let path):
      self.init([Cache(content: .document(try CacheDocument.bytes(of: path)), path: path)])
    case .path(let path):
      if let paths = try CacheFile.files(inFolder: path) {
        try self.init(folder: path, paths, timeZone)
      } else {
        self.init(try Cache.all(of: CacheFile(settledAt: path), path: path, timeZone))
      }
    }
  }

  /// Takes bytes that are in no file, and are no snapshot.
  ///
  /// - Parameter timeZone: of the machine that wrote a list.
  /// - Throws: ``Failure`` or `StoreError` when they are no cache.
  init(_ bytes: CacheFile, timeZone: TimeZone = .current) throws {
    self.init(try Cache.all(of: bytes, path: nil, timeZone))
  }

  private init(
    _ caches: [Cache], isFolder: Bool = false, notes: [String] = [],
    unread: [Report.UnreadFile] = []
  ) {
    self.caches = caches
    self.isFolder = isFolder
    self.notes = notes
    self.unread = unread
  }

  /// The report of a run with what became of each file, when it is a folder.
  func listed(in report: Report, failingWhere isFailure: (Report.Severity) -> Bool) -> Report {
    isFolder
      ? report.listing(caches.lazy.compactMap(\.path), unread: unread, failingWhere: isFailure)
      : report
  }

  /// Opens what is there, and says what is to be known about it.
  static func opened(_ place: PlaceArgument, timeZone: TimeZone = .current) throws -> SourcePlace {
    let source = try Terminal.working(on: place.words) {
      try SourcePlace(place, timeZone: timeZone)
    }
    for note in source.notes { Terminal.note("note: \(note)") }
    return source
  }

  /// How many files a note names.
  private static let named = 20

  /// Takes every cache of a folder, and notes which files are none.
  private init(folder: String, _ paths: [String], _ timeZone: TimeZone) throws {
    var caches: [Cache] = []
    var others: [String] = []
    var notes: [String] = []
    var unread: [Report.UnreadFile] = []
    for path in paths {
      let file = try CacheFile(path: path)
      guard file.kind != .unknown else {
        others.append(path)
        continue
      }
      do {
        let found = try Cache.all(of: file, path: path, timeZone)
        for cache in found { try cache.check() }
        caches += found
      } catch let failure as Failure where failure.status == .notACache {
        notes.append("left out: \(failure.message)")
        unread.append(
          Report.UnreadFile(
            file: path, status: Int(failure.status.rawValue), objection: failure.message))
      }
    }
    if !others.isEmpty {
      let more = others.count > Self.named ? ", … and \(others.count - Self.named) more" : ""
      let names = others.prefix(Self.named).joined(separator: ", ")
      notes.append("left out, being no token caches: \(names)\(more)")
    }
    guard !caches.isEmpty else {
      throw Failure(
        .notACache, "no file in the folder \(folder) is a token cache",
        hint: notes.isEmpty ? nil : notes.joined(separator: "; "))
    }
    self.init(caches, isFolder: true, notes: notes, unread: unread)
  }
}

extension SourcePlace.Cache {
  /// The caches of a file: one, but for a keychain dump. ADAL for macOS leaves it to the app where its cache
  /// is kept, and an item of the app's own is where many keep it.
  fileprivate static func all(
    of file: CacheFile, path: String?, _ timeZone: TimeZone
  ) throws -> [SourcePlace.Cache] {
    if file.kind == .wrapped {
      do {
        return try WrappedCache(bytes: file.bytes, name: file.path).contents
          .map { SourcePlace.Cache(content: .dotNet($0), path: path) }
      } catch { throw Failure(error) }
    }
    let cache = try SourcePlace.Cache(file, path: path, timeZone)
    guard cache.isDump, case .items(let dump) = cache.content else { return [cache] }
    let blobs = try dump.items().compactMap { item in try blob(in: item, path: path) }
    return try blobs.isEmpty || cache.hasRows ? [cache] + blobs : blobs
  }

  /// The cache that an item's data is as a whole, when nothing else is known of the item.
  private static func blob(in item: KeychainItem, path: String?) throws -> SourcePlace.Cache? {
    // Reveal: whether it is an archive is said by its first bytes.
    guard let bytes = item.data?.reveal(), CacheFile(bytes: bytes, name: "").kind == .archive,
      try !Self(content: .items(MemoryStore([item])), path: path).hasRows
    else { return nil }
    let blob = Self(content: .blob(bytes), path: path, isDump: true)
    // Archives of other programs are unreadable rows.
    let entries = (try? Migration.inspect([blob.source]))?.report.entries ?? []
    return entries.contains { $0.kind != .unreadable } ? blob : nil
  }

  private var hasRows: Bool {
    get throws { try Migration.inspect([source]).report.summary.rows > 0 }
  }

  private init(_ file: CacheFile, path: String?, _ timeZone: TimeZone) throws {
    self.path = path
    switch file.kind {
    case .snapshot: content = .items(SnapshotFile(path: file.path))
    case .items: content = .items(ItemFile(bytes: file.bytes, name: file.path))
    case .dump:
      content = .items(KeychainDump(bytes: file.bytes, name: file.path))
      isDump = true
    case .archive: content = .blob(file.bytes)
    case .document:
      do {
        try CacheDocument.check(file.bytes, of: file.path)
        content = .document(file.bytes)
      } catch  where path != nil {
        content = .document(try CacheDocument.bytes(of: file.path))
      }
    case .blob: content = .dotNet(file.bytes)
    case .list: content = .list(file.bytes, timeZone)
    case .unifiedList: content = .document(file.bytes)
    case .unknown, .wrapped:
      throw Failure(
        .notACache, "\(file.path) is not a token cache" + (file.isEmpty ? ": it is empty" : ""),
        hint: file.isText ? Self.kinds : "\(Self.kinds). \(Self.protection)")
    }
  }

  private static let kinds =
    "a cache is a keychain snapshot, an items file, a cache document, an archive of ADAL's, or the bytes or "
    + "list of another ADAL"
  private static let protection =
    "What a key of the app protects looks like noise: let the app itself hand it over after "
    + "MachineKey.Unprotect"

  /// Reads it once.
  fileprivate func check() throws {
    do {
      _ = try Migration.inspect([source])
    } catch {
      throw Failure(error, reading: [self])
    }
  }
}

extension CacheDocument {
  /// The bytes of a document that its library may be writing.
  ///
  /// - Throws: ``Failure`` or `StoreError` when it cannot be read.
  static func bytes(of path: String) throws -> [UInt8] {
    let file = DocumentFile(path: path)
    return try file.read { try check($0, of: path) } ?? CacheFile.bytes(of: path)
  }

  /// - Throws: ``Failure`` when the bytes are not a document that can be read without loss.
  static func check(_ bytes: [UInt8], of path: String) throws {
    do {
      let document = try CacheDocument(bytes)
      guard document.isCache || bytes.isEmpty else {
        throw Failure(.notACache, "\(path) is not a cache document: it has none of its sections")
      }
    } catch let error as CacheDocumentError {
      throw Failure(.notACache, "\(path): \(error)")
    }
  }
}

extension Failure {
  /// What an error of a run over these caches means. An error of no kind that the command knows is the
  /// archive reader's, and says what is wrong with a blob.
  init(_ error: any Error, reading caches: [SourcePlace.Cache]) {
    self.init(error)
    let blobs = caches.filter { if case .blob = $0.content { true } else { false } }
    guard status == .bug, !(error is MigrationError), !blobs.isEmpty else { return }
    let names = blobs.map { $0.path ?? "standard input" }.joined(separator: ", ")
    self.init(.notACache, "\(names) is not a token cache: \(error)")
  }
}

extension PlaceArgument {
  /// The files that are read: itself, and what is in it when it is a folder.
  var files: [String] {
    get throws {
      // What is redirected there is a file all the same.
      if kind == .standardInput { return ["/dev/stdin"] }
      guard let path else { return [] }
      return try [path] + (CacheFile.files(inFolder: path) ?? [])
    }
  }
}
