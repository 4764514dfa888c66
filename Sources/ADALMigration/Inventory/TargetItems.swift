// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// An item of a target, and what it is to MSAL: read once for all who ask (D38).
struct TargetItem: Sendable {
  let item: KeychainItem
  /// Nil when it is nothing of MSAL's.
  let unified: MSALItem?

  init(_ item: KeychainItem) {
    self.item = item
    unified = MSALItem(item)
  }
}

/// Reads what a target of keychain items holds: by itself, or while it is read as the source that it is too.
struct TargetItems {
  private let store: (any ItemStore)?
  private let written: Written?
  private var isRead = false
  private var isOnlySource = false
  // Of a target that other sources are compared with: an archive takes more memory than its row.
  private var data: [KeychainItem.Key: TokenSecret] = [:]
  private(set) var contents = TargetContents()

  /// The access groups of the items.
  var groups: Set<String> { Set(contents.caches.keys) }

  /// - Parameters:
  ///   - sources: what is migrated, be the target among it or not.
  ///   - written: what this very run has written, which counts as not yet there.
  init(of target: Target?, beside sources: [Source], without written: Written?) {
    if case .items(let store)? = target?.content { self.store = store } else { store = nil }
    self.written = written
    isOnlySource = sources.count == 1 && areIn(sources[0])
  }

  /// Whether this source is the target, of which nothing was read yet.
  func areIn(_ source: Source) -> Bool {
    guard !isRead, let store, let other = source.store else { return false }
    return store.isKnown(as: other)
  }

  /// Whether the target holds an item of another source, as it is.
  func hold(_ item: KeychainItem) -> Bool { item.data != nil && data[item.key] == item.data }

  /// Takes in an item of the target.
  @discardableResult
  mutating func take(_ item: KeychainItem) -> TargetItem? {
    guard !(written?.contains(item.key) ?? false) else { return nil }
    let taken = TargetItem(item)
    if !isOnlySource { data[item.key] = item.data }
    contents.insert(taken)
    return taken
  }

  /// Notes that all items were taken in.
  mutating func areRead() { isRead = true }

  /// Reads the target by itself.
  mutating func read() throws {
    if let store { try Target.opening { try store.forEachItem { take($0) } } }
    isRead = true
  }
}
