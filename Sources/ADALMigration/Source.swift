// SPDX-License-Identifier: MIT
import KeychainItems

/// Where a migration reads.
public struct Source: Sendable {
  enum Content: Sendable {
    case items(any ItemStore)
    case blob([UInt8])
    case document([UInt8])
  }

  let content: Content
  /// The name of the file for reports; nil where there is none.
  let file: String?

  /// The keychain items of a store. It is only read.
  public static func items(_ store: any ItemStore, file: String? = nil) -> Source {
    Source(content: .items(store), file: file)
  }

  /// The system's keychain.
  ///
  /// - Parameter group: the access group, with or without its team prefix; nil for the one that ADAL and
  ///   MSAL share by default.
  public static func keychain(group: String? = nil) -> Source {
    .items(SystemKeychain(accessGroup: group))
  }

  /// What ADAL for macOS gave its app to keep, the file of a 0.5 preview, or one archived item.
  public static func blob(_ bytes: [UInt8], file: String? = nil) -> Source {
    Source(content: .blob(bytes), file: file)
  }

  /// The cache document of MSAL for Python, .NET, Java, Node or Go.
  public static func document(_ bytes: [UInt8], file: String? = nil) -> Source {
    Source(content: .document(bytes), file: file)
  }
}

/// Where a migration writes. It only ever adds.
public struct Target: Sendable {
  enum Content: Sendable {
    case items(any ItemStore)
    case document(any DocumentStore)
  }

  let content: Content
  /// The access group of what is written, or nil for the group of the row that it comes from.
  let accessGroup: String?
  /// Whether the place is one access group, into which rows without a group of their own go.
  let isOneGroup: Bool

  private init(_ content: Content, accessGroup: String? = nil, isOneGroup: Bool = false) {
    self.content = content
    self.accessGroup = accessGroup
    self.isOneGroup = isOneGroup
  }

  /// Keychain items in a store.
  ///
  /// - Parameters:
  ///   - store: where they are.
  ///   - accessGroup: with its team prefix. Needed where rows have no group of their own.
  public static func items(_ store: any ItemStore, accessGroup: String? = nil) -> Target {
    Target(.items(store), accessGroup: accessGroup)
  }

  /// The system's keychain, in the access group of each row.
  ///
  /// - Parameter group: the access group, with or without its team prefix; nil for the one that ADAL and
  ///   MSAL share by default.
  public static func keychain(group: String? = nil) -> Target {
    Target(.items(SystemKeychain(accessGroup: group)), isOneGroup: true)
  }

  /// The cache document of MSAL for Python, .NET, Java, Node or Go.
  public static func document(_ store: any DocumentStore) -> Target {
    Target(.document(store))
  }

  var form: CacheForm {
    switch content {
    case .items: .keychainItems
    case .document: .document
    }
  }
}

/// A place that holds one cache document, which other processes use at the same time.
public protocol DocumentStore: Sendable {
  /// The document as it is; nothing where there is none yet.
  ///
  /// - Throws: `StoreError` when it is there and cannot be read.
  func read() throws -> [UInt8]

  /// Replaces the document by what `change` makes of it, while no other process writes it. When the
  /// bytes are the same, nothing is written.
  ///
  /// - Throws: `StoreError` when it cannot be locked or written; whatever `change` throws.
  func update(_ change: ([UInt8]) throws -> [UInt8]) throws
}
