// SPDX-License-Identifier: MIT

/// A place for cache documents with names, one for each account.
public protocol DocumentFolder: Sendable {
  /// The document of this name, which need not exist.
  ///
  /// - Parameter name: a name for every file system: letters, digits, and `.`, `-`, `_`, `%`.
  func document(named name: String) -> any DocumentStore
}
