// SPDX-License-Identifier: MIT
import Foundation

/// A cache document in memory, for a row of a database, a line of a stream or an app's own storage.
///
/// ```swift
/// let document = MemoryDocument()
/// let report = try TokenCacheMigration(from: .blob(bytes), into: .document(document)).run()
/// if report.summary.written > 0 { save(document.bytes) }
/// ```
///
/// It is a class, because a store is a place: all its users see the same document.
public final class MemoryDocument: DocumentStore, @unchecked Sendable {
  // Guarded by `lock`, which makes the class Sendable.
  private var content: [UInt8]
  private let lock = NSLock()

  /// A document of these bytes; none for a document that does not exist yet.
  public init(_ bytes: [UInt8] = []) {
    content = bytes
  }

  /// The bytes of the document now.
  public var bytes: [UInt8] { lock.withLock { content } }

  /// The bytes of the document now.
  public func read() -> [UInt8] { bytes }

  /// Replaces the document by the result of `change`.
  ///
  /// - Throws: every error of `change`.
  public func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
    try lock.withLock { content = try change(content) }
  }
}
