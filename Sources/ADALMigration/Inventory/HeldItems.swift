// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// An item of a target, and what it is to MSAL: read once for all who ask (D38).
struct HeldItem: Sendable {
  let item: KeychainItem
  /// Nil when it is nothing of MSAL's.
  let unified: UnifiedItem?

  init(_ item: KeychainItem) {
    self.item = item
    unified = UnifiedItem(item)
  }
}

/// Reads what a target of keychain items holds: by itself, or while it is read as the source that it is too.
struct HeldItems {
  private let store: (any ItemStore)?
  private let written: Written?
  private var isRead = false
  private(set) var byKey: [KeychainItem.Key: KeychainItem] = [:]
  private(set) var contents = TargetContents()

  /// - Parameter written: what this very run has written, which counts as not yet there.
  init(of target: Target?, without written: Written?) {
    if case .items(let store)? = target?.content { self.store = store } else { store = nil }
    self.written = written
  }

  /// Whether this source is the target, of which nothing was read yet.
  func areIn(_ source: any ItemStore) -> Bool {
    !isRead && (store?.isKnown(as: source) ?? false)
  }

  /// Takes in an item of the target.
  @discardableResult
  mutating func take(_ item: KeychainItem) -> HeldItem? {
    guard !(written?.contains(item.key) ?? false) else { return nil }
    let held = HeldItem(item)
    byKey[item.key] = item
    contents.insert(held)
    return held
  }

  /// Notes that all items were taken in.
  mutating func areRead() { isRead = true }

  /// Reads the target, unless a source was the target.
  mutating func readRest() throws {
    guard !isRead, let store else { return }
    try Target.opening { try store.forEachItem { take($0) } }
  }
}
