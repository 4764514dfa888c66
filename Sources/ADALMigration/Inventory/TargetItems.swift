// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// The meaning of a target's item to MSAL, read once for all uses (D38).
struct TargetItem: Sendable {
  /// Nil if the item is not MSAL's.
  let unified: MSALItem?

  init(_ item: KeychainItem) { unified = MSALItem(item) }
}

/// Reads a target of keychain items: separately, or while reading it as a source.
struct TargetItems {
  private let store: (any ItemStore)?
  private let written: Written?
  private var isRead = false
  private var isOnlySource = false
  // Only for a target that other sources are compared with, because an archive takes more memory than its row.
  private var data: [KeychainItem.Key: TokenSecret] = [:]
  private(set) var contents = TargetContents()

  /// The access groups of the items.
  var groups: Set<String> { Set(contents.caches.keys) }

  /// - Parameters:
  ///   - sources: the sources of the migration, which can include the target.
  ///   - written: the entries that this run has written; they count as not yet there.
  init(of target: Target?, beside sources: [Source], without written: Written?) {
    if case .items(let store)? = target?.content { self.store = store } else { store = nil }
    self.written = written
    isOnlySource = sources.count == 1 && areIn(sources[0])
  }

  /// Whether this source is the target and the target is still unread.
  func areIn(_ source: Source) -> Bool {
    guard !isRead, let store, let other = source.store else { return false }
    return store.isSamePlace(as: other)
  }

  /// Whether the target holds an item of another source, as it is.
  func hold(_ item: KeychainItem) -> Bool { item.data != nil && data[item.key] == item.data }

  /// Adds an item of the target.
  @discardableResult
  mutating func take(_ item: KeychainItem) -> TargetItem? {
    guard !(written?.contains(item.key) ?? false) else { return nil }
    let taken = TargetItem(item)
    if !isOnlySource { data[item.key] = item.data }
    contents.insert(item, as: taken)
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
