// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import Foundation

extension Source {
  /// The caches in a file, whatever they are: a keychain snapshot, an items file, a keychain dump of
  /// another tool, an archive of ADAL's, the bytes or list of another ADAL, one of these in base64 or
  /// another wrapping, or a cache document. What it is its bytes say and not its name.
  ///
  /// They are one, but for a dump and a wrapping that hold several. For a migration several sources are one
  /// cache together:
  ///
  /// ```swift
  /// let sources = try Source.caches(inFile: path)
  /// let report = try Migration(from: sources, into: .document(document)).run()
  /// ```
  ///
  /// - Parameters:
  ///   - path: where the file is. It is only read, and a snapshot row by row and when the migration runs.
  ///   - timeZone: of the machine that wrote a list of ADAL for Python, whose times have none.
  /// - Throws: `StoreError.notACache` when it is none, `.unreadable` when it does not exist, is a folder,
  ///   or may not be read, `.locked` when another program goes on writing it. What is broken behind its
  ///   beginning is told by the migration, with the same codes.
  public static func caches(
    inFile path: String, timeZone: TimeZone = .current
  ) throws -> [Source] {
    try OpenedCache.all(of: CacheFile(settledAt: path), path: path, timeZone: timeZone)
      .map(\.source)
  }

  /// The caches in bytes that are in no file, such as a value of a database: as
  /// ``caches(inFile:timeZone:)``, without snapshots.
  ///
  /// - Parameters:
  ///   - bytes: all of them.
  ///   - name: what messages call them.
  ///   - timeZone: of the machine that wrote a list of ADAL for Python, whose times have none.
  /// - Throws: `StoreError.notACache` when they are none.
  public static func caches(
    in bytes: [UInt8], named name: String, timeZone: TimeZone = .current
  ) throws -> [Source] {
    try OpenedCache.all(of: CacheFile(bytes: bytes, name: name), path: nil, timeZone: timeZone)
      .map(\.source)
  }
}
