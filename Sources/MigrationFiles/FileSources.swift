// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import Foundation

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
  ///   - timeZone: the zone of the machine that wrote a list of ADAL for Python, because its times have none.
  /// - Throws: `StoreError.notACache` if the file is not a cache, `.unreadable` if it does not exist, is a
  ///   folder or cannot be read, `.locked` if another program keeps writing it. The migration throws the same
  ///   codes for damage behind the beginning of the file.
  public static func caches(
    inFile path: String, timeZone: TimeZone = .current
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
    in bytes: [UInt8], named name: String, timeZone: TimeZone = .current
  ) throws -> [TokenCacheMigration.Source] {
    try caches(of: CacheFile(bytes: bytes, name: name), path: nil, timeZone: timeZone)
  }
}
