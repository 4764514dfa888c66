// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// The entries of a target before anything is written. All parts share this view.
struct TargetContents: Sendable {
  /// One of its caches: the items of an access group, or a document.
  struct Cache: Sendable {
    var index = MSALIndex()
    /// The document; nil for an access group.
    var document: CacheDocument?
    /// The bytes of the document.
    var bytes: [UInt8] = []
  }

  /// The caches by access group. The name of a single document is empty. In a folder, a document has its account's
  /// name.
  private(set) var caches: [String: Cache] = [:]
  /// Whether each account has a document of its own.
  var isDistributed = false
  /// Whether the target is a keychain that does not know the team prefix of its group yet.
  var lacksPrefix = false

  /// The cache of an access group; an empty one if the group has no items.
  subscript(group: String) -> Cache { caches[group] ?? Cache() }

  /// The index of each cache.
  var indexes: [String: MSALIndex] { caches.mapValues(\.index) }

  /// Adds an item.
  mutating func insert(_ item: KeychainItem, as target: TargetItem) {
    // In place: an index that is taken out would be copied.
    caches[item.accessGroup, default: Cache()].index.insert(item, as: target.unified)
  }

  /// Adds a document.
  mutating func insert(_ document: Cache, as group: String) { caches[group] = document }
}
