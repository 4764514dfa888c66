// SPDX-License-Identifier: MIT

/// A place for one cache document that other processes use at the same time: a file, a row of a database,
/// memory.
///
/// A store does not interpret the document. Every store passes `DocumentStoreConformance`.
public protocol DocumentStore: Sendable {
  /// The name of the place in messages, such as a path; nil for none.
  var name: String? { get }

  /// The bytes of the document; empty if it does not exist.
  ///
  /// - Throws: ``StoreError`` if the document exists and cannot be read.
  func read() throws -> [UInt8]

  /// Replaces the document by the result of `change`, under a lock against other processes.
  ///
  /// The store writes nothing if the bytes are the same.
  ///
  /// - Parameter change: gets the bytes of ``read()``, and again if another process has written meanwhile.
  /// - Throws: ``StoreError`` if the document cannot be locked or written, and every error of `change`. The
  ///   document is then unchanged.
  func update(_ change: ([UInt8]) throws -> [UInt8]) throws
}

extension DocumentStore {
  /// No name.
  public var name: String? { nil }
}

/// A place for cache documents with names, one for each account.
public protocol DocumentFolder: Sendable {
  /// The document of this name, which need not exist.
  ///
  /// - Parameter name: a name for every file system: letters, digits, and `.`, `-`, `_`, `%`.
  func document(named name: String) -> any DocumentStore
}
