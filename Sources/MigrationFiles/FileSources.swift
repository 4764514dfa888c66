// SPDX-License-Identifier: MIT
// A module that opens files as sources also migrates them and writes into files.
@_exported import ADALMigration
@_exported import CacheFiles
import PlatformFoundation
import KeychainItems
import MSALCache
@_exported import MigrationDocuments

extension Source {
  /// The caches in a file.
  ///
  /// The file is a keychain snapshot, an items file, a keychain dump of another tool, an archive of ADAL's, the
  /// bytes or list of another ADAL, one of these in base64 or another wrapping, or a cache document. Its bytes
  /// determine its kind, not its name. A dump or a wrapping can contain several caches, every other file has
  /// one. A migration treats several sources as one cache:
  ///
  /// ```swift
  /// let sources = try TokenCacheMigration.Source.caches(inFile: path)
  /// let report = try TokenCacheMigration(from: sources, into: .document(document)).run()
  /// ```
  ///
  /// - Parameters:
  ///   - path: the file, which is only read. A snapshot is read row by row when the migration runs.
  ///   - timeZone: the zone of the machine that wrote a list of ADAL for Python, because its times have none; nil for
  ///     this machine's.
  /// - Throws: `StoreError.notACache` if the file is not a cache, `.unreadable` if it does not exist, is a
  ///   folder or cannot be read, `.locked` if another program keeps writing it. The migration throws the same
  ///   codes for damage behind the beginning of the file.
  public static func caches(
    inFile path: String, timeZone: TimeZone? = nil
  ) throws -> [TokenCacheMigration.Source] {
    try caches(of: CacheFile(settledAt: path), path: path, timeZone: timeZone)
  }

  /// The caches in bytes, such as a value of a database.
  ///
  /// The bytes are as in ``caches(inFile:timeZone:)``, except that they cannot be a snapshot.
  ///
  /// - Parameters:
  ///   - bytes: the complete content.
  ///   - name: the name that messages use.
  ///   - timeZone: as in ``caches(inFile:timeZone:)``.
  /// - Throws: `StoreError.notACache` if the bytes are not a cache.
  public static func caches(
    in bytes: [UInt8], named name: String, timeZone: TimeZone? = nil
  ) throws -> [TokenCacheMigration.Source] {
    try caches(of: CacheFile(bytes: bytes, name: name), path: nil, timeZone: timeZone)
  }

  /// The caches of a file: one, but for wrappings with several and a keychain dump. ADAL for macOS leaves it
  /// to the app where its cache is kept, and an item of the app's own is where many keep it.
  ///
  /// - Parameters:
  ///   - path: where the file is, unless it is only bytes.
  ///   - timeZone: of the machine that wrote a list; nil for this one's.
  /// - Throws: `StoreError` when it is no cache or cannot be read.
  package static func caches(
    of file: CacheFile, path: String?, timeZone: TimeZone?
  ) throws -> [Source] {
    if file.kind == .wrapped {
      return try WrappedCache(bytes: file.bytes, name: file.path).contents
        .map { .dotNet($0, file: path) }
    }
    var cache = try cache(of: file, path: path, timeZone)
    cache.isDump = file.kind == .dump
    guard cache.isDump, let dump = cache.store else { return [cache] }
    let blobs = try dump.items().compactMap { item in try blob(in: item, path: path) }
    return try blobs.isEmpty || cache.countRows().all > 0 ? [cache] + blobs : blobs
  }

  /// The cache document at `path`, which its library may be writing.
  ///
  /// - Throws: `StoreError` if it is not a cache or cannot be read.
  package static func document(at path: String) throws -> Source {
    let bytes = try DocumentFile(path: path).whole() ?? CacheFile.bytes(of: path)
    _ = try CacheDocument(bytes, of: path)
    return .document(bytes, file: path)
  }

  /// The cache that an item's data is as a whole, when nothing else is known of the item.
  private static func blob(in item: KeychainItem, path: String?) throws -> Source? {
    // Reveal: the first bytes tell whether it is an archive.
    guard let bytes = item.data?.reveal(), CacheFile(bytes: bytes, name: "").kind == .archive,
      try Source.items(MemoryStore([item]), file: path).countRows().all == 0
    else { return nil }
    var blob = Source.blob(bytes, file: path)
    blob.isDump = true
    // Archives of other programs are unreadable rows.
    return ((try? blob.countRows())?.readable ?? 0) > 0 ? blob : nil
  }

  private static func cache(
    of file: CacheFile, path: String?, _ timeZone: TimeZone?
  ) throws -> Source {
    switch file.kind {
    case .snapshot where path == nil:
      throw StoreError(
        .notACache, "\(file.path) is a keychain snapshot, which is read from a file only")
    case .snapshot: return .items(SnapshotFile(path: file.path), file: path)
    case .items: return .items(ItemFile(bytes: file.bytes, name: file.path), file: path)
    case .dump: return .items(KeychainDump(bytes: file.bytes, name: file.path), file: path)
    case .archive: return .blob(file.bytes, file: path)
    case .document:
      do {
        _ = try CacheDocument(file.bytes, of: file.path)
        return .document(file.bytes, file: path)
      } catch {
        guard path != nil else { throw error }
        return try document(at: file.path)
      }
    case .blob: return .dotNet(file.bytes, file: path)
    case .list: return .list(file.bytes, timeZone: timeZone, file: path)
    case .unifiedList: return .document(file.bytes, file: path)
    case .unknown, .wrapped:
      throw StoreError(
        .notACache, "\(file.path) is not a token cache" + (file.isEmpty ? ": it is empty" : ""))
    }
  }
}
