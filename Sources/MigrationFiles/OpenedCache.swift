// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import Foundation
import KeychainItems
import MSALCache

/// One cache, and what it is.
package struct OpenedCache: Sendable {
  package enum Content: Sendable {
    case items(any ItemStore)
    case blob([UInt8])
    case dotNet([UInt8])
    case list([UInt8], TimeZone)
    case document([UInt8])
  }

  package let content: Content
  /// The file, or nil for what is in none.
  package let path: String?
  /// Whether another tool wrote it down, so that nothing can be written there.
  package var isDump = false

  package init(_ content: Content, path: String? = nil) {
    self.content = content
    self.path = path
  }

  package var source: Source {
    switch content {
    case .items(let store): .items(store, file: path)
    case .blob(let bytes): .blob(bytes, file: path)
    case .dotNet(let bytes): .dotNet(bytes, file: path)
    case .list(let bytes, let timeZone): .list(bytes, timeZone: timeZone, file: path)
    case .document(let bytes): .document(bytes, file: path)
    }
  }

  /// The caches of a file: one, but for wrappings with several and a keychain dump. ADAL for macOS leaves it
  /// to the app where its cache is kept, and an item of the app's own is where many keep it.
  ///
  /// - Parameters:
  ///   - path: where the file is, unless it is only bytes.
  ///   - timeZone: of the machine that wrote a list.
  /// - Throws: `StoreError` when it is no cache or cannot be read.
  package static func all(
    of file: CacheFile, path: String?, timeZone: TimeZone
  ) throws -> [OpenedCache] {
    if file.kind == .wrapped {
      return try WrappedCache(bytes: file.bytes, name: file.path).contents
        .map { OpenedCache(.dotNet($0), path: path) }
    }
    var cache = OpenedCache(try content(of: file, path: path, timeZone), path: path)
    cache.isDump = file.kind == .dump
    guard cache.isDump, case .items(let dump) = cache.content else { return [cache] }
    let blobs = try dump.items().compactMap { item in try blob(in: item, path: path) }
    return try blobs.isEmpty || cache.hasRows ? [cache] + blobs : blobs
  }

  /// The cache document at `path`, which its library may be writing.
  ///
  /// - Throws: `StoreError` when it is none or cannot be read.
  package static func document(at path: String) throws -> OpenedCache {
    let bytes = try DocumentFile(path: path).whole() ?? CacheFile.bytes(of: path)
    _ = try CacheDocument(bytes, of: path)
    return OpenedCache(.document(bytes), path: path)
  }

  /// The cache that an item's data is as a whole, when nothing else is known of the item.
  private static func blob(in item: KeychainItem, path: String?) throws -> OpenedCache? {
    // Reveal: whether it is an archive is said by its first bytes.
    guard let bytes = item.data?.reveal(), CacheFile(bytes: bytes, name: "").kind == .archive,
      try !OpenedCache(.items(MemoryStore([item])), path: path).hasRows
    else { return nil }
    var blob = OpenedCache(.blob(bytes), path: path)
    blob.isDump = true
    // Archives of other programs are unreadable rows.
    let entries = (try? Migration.inspect([blob.source]))?.report.entries ?? []
    return entries.contains { $0.kind != .unreadable } ? blob : nil
  }

  private var hasRows: Bool {
    get throws { try Migration.inspect([source]).report.summary.rows > 0 }
  }

  private static func content(
    of file: CacheFile, path: String?, _ timeZone: TimeZone
  ) throws -> Content {
    switch file.kind {
    case .snapshot where path == nil:
      throw StoreError(
        .notACache, "\(file.path) is a keychain snapshot, which is read from a file only")
    case .snapshot: return .items(SnapshotFile(path: file.path))
    case .items: return .items(ItemFile(bytes: file.bytes, name: file.path))
    case .dump: return .items(KeychainDump(bytes: file.bytes, name: file.path))
    case .archive: return .blob(file.bytes)
    case .document:
      do {
        _ = try CacheDocument(file.bytes, of: file.path)
        return .document(file.bytes)
      } catch {
        guard path != nil else { throw error }
        return try document(at: file.path).content
      }
    case .blob: return .dotNet(file.bytes)
    case .list: return .list(file.bytes, timeZone)
    case .unifiedList: return .document(file.bytes)
    case .unknown, .wrapped:
      throw StoreError(
        .notACache, "\(file.path) is not a token cache" + (file.isEmpty ? ": it is empty" : ""))
    }
  }
}
