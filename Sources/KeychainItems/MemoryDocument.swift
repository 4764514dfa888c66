// SPDX-License-Identifier: MIT
import Foundation

/// A cache document in memory: of a row of a database, of a line of a stream, or one that an app holds itself.
///
/// ```swift
/// let document = MemoryDocument()
/// let report = try Migration(from: .blob(bytes), into: .document(document)).run()
/// if report.summary.written > 0 { save(document.bytes) }
/// ```
///
/// A class, since a store is a place and not a value: two holders of it see the same document.
public final class MemoryDocument: DocumentStore, @unchecked Sendable {
  // Guarded by `lock`; that is what makes the class Sendable.
  private var content: [UInt8]
  private let lock = NSLock()

  /// A document of these bytes; none for one that is not there yet.
  public init(_ bytes: [UInt8] = []) {
    content = bytes
  }

  /// The document as it is.
  public var bytes: [UInt8] { lock.withLock { content } }

  /// The document as it is.
  public func read() -> [UInt8] { bytes }

  /// Replaces the document by what `change` makes of it.
  ///
  /// - Throws: whatever `change` throws.
  public func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
    try lock.withLock { content = try change(content) }
  }
}
