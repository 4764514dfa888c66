// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import KeychainItems
import MSALCache

/// A store as a target: one that cannot be opened cannot be written (contract §5).
struct TargetStore: ItemStore {
  let store: any ItemStore

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    try Self.asTarget { try store.forEachItem(body) }
  }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    try Self.asTarget { try store.add(items) }
  }

  static func asTarget<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.code == .unreadable {
      throw StoreError(.unwritable, error.message)
    }
  }
}

/// A group of the system keychain as a target: what is written goes into that group, wherever it comes
/// from.
struct KeychainTarget: ItemStore {
  let keychain: SystemKeychain

  /// The group with its team prefix where the items of the group tell it, else as it was given.
  var accessGroup: String {
    get throws {
      var group: String?
      try keychain.forEachItem { group = group ?? $0.accessGroup }
      return group ?? keychain.accessGroup
    }
  }

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    try keychain.forEachItem(body)
  }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    try keychain.add(
      items.map { item in
        // The keychain itself knows the prefix of a group that is empty so far.
        var item = item
        if item.accessGroup == keychain.accessGroup { item.accessGroup = "" }
        return item
      })
  }
}

/// A file with a cache document as a target.
struct TargetDocument: DocumentStore {
  let file: DocumentFile

  func read() throws -> [UInt8] {
    try TargetStore.asTarget {
      try file.read { try CacheDocument.check($0, of: file.path) } ?? []
    }
  }

  func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
    try TargetStore.asTarget {
      try file.update { bytes in
        let old = bytes ?? []
        try CacheDocument.check(old, of: file.path)
        let new = try change(old)
        return new == old ? nil : new
      }
    }
  }
}
