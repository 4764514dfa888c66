// SPDX-License-Identifier: MIT
import ADALMigration
import Foundation

/// Keychain items in a binary property list: a store of one's own, for one process.
///
/// Two processes that write it at once would need a lock; an app that has only one needs none.
struct PropertyListStore: ItemStore {
  let file: URL

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    for item in try read() { try body(item) }
  }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    var all = try read()
    var keys = Set(all.map(\.key))
    var taken: [KeychainItem] = []
    for item in items {
      if keys.insert(item.key).inserted { all.append(item) } else { taken.append(item) }
    }
    if taken.count < items.count { try write(all.sorted { $0.key < $1.key }) }
    return taken
  }

  private func read() throws -> [KeychainItem] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    let bytes: Data
    do {
      bytes = try Data(contentsOf: file)
    } catch {
      throw StoreError(.unreadable, "\(file.path) cannot be read")
    }
    do {
      return try PropertyListDecoder().decode([Row].self, from: bytes).map(\.item)
    } catch {
      throw StoreError(.notACache, "\(file.path) is not a list of items")
    }
  }

  /// All items or none: the new file takes the place of the old one.
  private func write(_ items: [KeychainItem]) throws {
    do {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .binary
      let new = file.appendingPathExtension("new")
      try? FileManager.default.removeItem(at: new)
      let isMade = FileManager.default.createFile(
        atPath: new.path, contents: try encoder.encode(items.map(Row.init)),
        attributes: [.posixPermissions: 0o600])
      guard isMade, rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    } catch {
      throw StoreError(.unwritable, "\(file.path) cannot be written")
    }
  }
}

/// An item as the file has it. Absent and empty are different. Texts are their bytes, because a property list takes two
/// texts that Swift calls equal, such as one with é and one with e and an accent, for one text.
private struct Row: Codable {
  var accessGroup, account, service: Data
  var generic: Data?
  var type: Int?
  var accessibility, label, itemDescription, comment: Data?
  var isInvisible: Bool?
  var created, modified: Double?
  var data: Data?

  init(_ item: KeychainItem) {
    func bytes(_ text: String?) -> Data? { text.map { Data($0.utf8) } }
    accessGroup = Data(item.accessGroup.utf8)
    account = Data(item.account.utf8)
    service = Data(item.service.utf8)
    generic = item.generic.map { Data($0) }
    type = item.type
    (accessibility, label) = (bytes(item.accessibility), bytes(item.label))
    (itemDescription, comment) = (bytes(item.itemDescription), bytes(item.comment))
    isInvisible = item.isInvisible
    (created, modified) = (item.created, item.modified)
    // Reveal: only for the file, which its owner alone can read.
    data = item.data.map { Data($0.reveal()) }
  }

  var item: KeychainItem {
    func text(_ bytes: Data?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
    return KeychainItem(
      accessGroup: String(decoding: accessGroup, as: UTF8.self),
      account: String(decoding: account, as: UTF8.self),
      service: String(decoding: service, as: UTF8.self), generic: generic.map(Array.init),
      type: type, accessibility: text(accessibility), label: text(label),
      itemDescription: text(itemDescription), comment: text(comment), isInvisible: isInvisible,
      created: created, modified: modified, data: data.map { TokenSecret(Array($0)) })
  }
}
