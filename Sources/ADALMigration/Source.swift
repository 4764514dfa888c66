// SPDX-License-Identifier: MIT
import ADALCache
import PlatformFoundation
import KeychainItems
import MSALCache

extension TokenCacheMigration {
  /// A place that a migration reads.
  public struct Source: Sendable {
    package enum Content: Sendable {
      case items(any ItemStore)
      case blob([UInt8])
      /// The bytes of another ADAL's cache, with their reader.
      case tokens([UInt8], @Sendable ([UInt8]) throws -> ([LegacyToken], [UnreadableToken]))
      /// The bytes of an MSAL cache document, with their reader.
      case document([UInt8], @Sendable ([UInt8]) throws -> CacheDocument)
    }

    package let content: Content
    /// The name of the file for reports; nil without a file.
    package let file: String?
    /// Whether another tool wrote the file as a dump, so entries cannot be added to it.
    package var isDump = false
    /// The rows of bytes that were read before the run.
    var rows: [Inventory.FoundRow]?

    package init(_ content: Content, file: String?) {
      self.content = content
      self.file = file
    }

    /// The store whose items it reads; nil for bytes, whose rows are read all at once.
    package var store: (any ItemStore)? {
      switch content {
      case .items(let store): store
      case .blob, .tokens, .document: nil
      }
    }

    /// The keychain items of a store, which is only read. The system's keychain is read as ``keychain(group:)``.
    public static func items(_ store: any ItemStore, file: String? = nil) -> Source {
      Source(.items(store), file: file)
    }

    /// One access group of the system's keychain, and the item of ADAL.NET on Xamarin.iOS in any group of the app.
    ///
    /// - Parameter group: the access group, with or without its team prefix (default:
    ///   `SystemKeychain.defaultAccessGroup`).
    public static func keychain(group: String? = nil) -> Source {
      items(SystemKeychain(accessGroup: group))
    }

    /// The bytes that ADAL for macOS gave its app to store, the file of a 0.5 preview, or one archived item.
    public static func blob(_ bytes: [UInt8], file: String? = nil) -> Source {
      Source(.blob(bytes), file: file)
    }
  }
}

extension Source {
  /// The same source after a check that it can be read. A run uses the rows of bytes as they are, and reads the items
  /// of a store again, one by one.
  ///
  /// - Throws: the errors of a migration that cannot read it.
  package func read() throws -> Source {
    var source = self
    if let store {
      try store.forEachItem { _ in }
    } else {
      source.rows = try Inventory.rows(of: self)
    }
    return source
  }

  /// Reads the source without planning.
  ///
  /// - Returns: how many rows it has, and how many of them can be read.
  /// - Throws: the errors of a migration that cannot read it.
  package func countRows() throws -> (all: Int, readable: Int) {
    let rows = try Inventory(of: [self], into: nil).rows
    return (rows.count, rows.count(where: \.isReadable))
  }
}

extension GroupStore {
  /// The items of a source in other groups: Xamarin's caches, one in each of the app's groups that has one, and the
  /// items that ADAL before 2.1 wrote under the name of an App Group.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  package func itemsElsewhere() throws -> [KeychainItem] {
    let unprefixed = try itemsOfUnprefixedGroup() ?? []
    let keys = Set(unprefixed.map(\.key))
    let caches = try items(account: LegacyItem.cacheAccount, service: LegacyItem.cacheService)
    return unprefixed + caches.filter { !keys.contains($0.key) }
  }

  /// The store of the group as a source. If the source is not also the target, its group may only be an App Group. Then
  /// no items are under the name with the team prefix, and a refusal of that name is not an error.
  package func asSource(isTarget: Bool) -> any ItemStore {
    isTarget || !accessGroup.hasPrefix("group.") ? self : SharedGroup(store: self)
  }
}

/// A source whose group the program may use as it is, with the team prefix, or both.
private struct SharedGroup: ItemStore {
  let store: any GroupStore

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    do {
      try store.forEachItem(body)
    } catch let error as StoreError where error.code == .refused {
      guard try store.itemsOfUnprefixedGroup() != nil else { throw error }
    }
  }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] { try store.add(items) }
}
