// SPDX-License-Identifier: MIT
import KeychainItems

/// Where a migration writes. It only ever adds.
public struct Target: Sendable {
  enum Content: Sendable {
    case items(any ItemStore)
    case document(any DocumentStore)
  }

  let content: Content
  let groups: AccessGroups

  private init(_ content: Content, _ groups: AccessGroups) {
    self.content = content
    self.groups = groups
  }

  /// Keychain items in a store.
  ///
  /// - Parameters:
  ///   - store: where they are.
  ///   - accessGroup: where everything goes, with its team prefix; nil for the group of the row that it
  ///     comes from. Needed where rows have no group of their own.
  public static func items(_ store: any ItemStore, accessGroup: String? = nil) -> Target {
    Target(.items(store), accessGroup.map { .one($0) } ?? .ofRows)
  }

  /// One access group of the system's keychain, into which everything goes, wherever it comes from.
  ///
  /// - Parameter group: the access group, with or without its team prefix; nil for the one that ADAL and
  ///   MSAL share by default.
  public static func keychain(group: String? = nil) -> Target {
    keychain(SystemKeychain(accessGroup: group))
  }

  /// One access group of the system's keychain.
  package static func keychain(_ keychain: SystemKeychain) -> Target {
    Target(.items(keychain), .ofKeychain(keychain))
  }

  /// The cache document of MSAL for Python, .NET, Java, Node or Go.
  public static func document(_ store: any DocumentStore) -> Target {
    Target(.document(store), .none)
  }

  var form: CacheForm {
    switch content {
    case .items: .keychainItems
    case .document: .document
    }
  }

  /// What cannot be opened as a target cannot be written.
  package static func opening<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.code == .unreadable {
      throw StoreError(.unwritable, error.message)
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
