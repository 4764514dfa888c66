// SPDX-License-Identifier: MIT
import PlatformFoundation

/// A cache document in memory, for a row of a database, a line of a stream or an app's own storage.
///
/// ```swift
/// let document = MemoryDocument()
/// let report = try TokenCacheMigration(from: .blob(bytes), into: .document(document)).run()
/// if report.summary.written > 0 { save(document.bytes) }
/// ```
///
/// It is a class, because a store is a place: all its users see the same document.
public final class MemoryDocument: DocumentStore {
  private let content: Locked<[UInt8]>

  /// A document of these bytes; none for a document that does not exist yet.
  public init(_ bytes: [UInt8] = []) {
    content = Locked(bytes)
  }

  /// The bytes of the document now.
  public var bytes: [UInt8] { content.withLock { $0 } }

  /// The bytes of the document now.
  public func read() -> [UInt8] { bytes }

  /// Replaces the document by the result of `change`.
  ///
  /// - Throws: every error of `change`.
  public func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
    try content.withLock { $0 = try change($0) }
  }
}
