// SPDX-License-Identifier: MIT

/// A place that holds one cache document, which other processes use at the same time: a file, a row of a
/// database, memory.
///
/// A store neither reads nor decides what is in the document. Every store passes
/// `DocumentStoreConformance`.
public protocol DocumentStore: Sendable {
  /// What messages call the place, such as a path; nil where there is nothing to say.
  var name: String? { get }

  /// The document as it is; nothing where there is none yet.
  ///
  /// - Throws: ``StoreError`` when it is there and cannot be read.
  func read() throws -> [UInt8]

  /// Replaces the document by what `change` makes of it, while no other process writes it. When the
  /// bytes are the same, nothing is written.
  ///
  /// - Parameter change: gets what ``read()`` gives, once more when another process has written meanwhile.
  /// - Throws: ``StoreError`` when it cannot be locked or written; whatever `change` throws. The document
  ///   is then as it was.
  func update(_ change: ([UInt8]) throws -> [UInt8]) throws
}

extension DocumentStore {
  /// Nothing to say.
  public var name: String? { nil }
}
