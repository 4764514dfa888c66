// SPDX-License-Identifier: MIT
import ADALMigration
import KeychainItems

/// The system's keychain as the exam of all stores wants it: empty, and with groups of the exam's own.
///
/// The entitlements name the groups of a program, so the group of an item goes into its service here, after the
/// mark of one run. Items without the mark are not seen.
struct ExamStore: ItemStore {
  let keychain: SystemKeychain
  let mark: String

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    let items = try keychain.items().compactMap { item -> KeychainItem? in
      let parts = item.service.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == mark, let group = Self.text(parts[1]) else { return nil }
      return KeychainItem(
        accessGroup: group, account: item.account, service: String(parts[2]),
        generic: item.generic, type: item.type, accessibility: item.accessibility,
        label: item.label, itemDescription: item.itemDescription, comment: item.comment,
        isInvisible: item.isInvisible, created: item.created, modified: item.modified,
        data: item.data)
    }
    for item in items.sorted(by: { $0.key < $1.key }) { try body(item) }
  }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    // One call for each, so that a taken key leads back to its own item.
    try items.filter { item in
      let marked = KeychainItem(
        accessGroup: "", account: item.account, service: service(of: item), generic: item.generic,
        type: item.type, accessibility: item.accessibility, label: item.label,
        itemDescription: item.itemDescription, comment: item.comment,
        isInvisible: item.isInvisible, data: item.data)
      return try !keychain.add([marked]).isEmpty
    }
  }

  private func service(of item: KeychainItem) -> String {
    let group = item.accessGroup.utf8.map { String($0, radix: 16) }.joined(separator: ".")
    return "\(mark)|\(group)|\(item.service)"
  }

  private static func text(_ digits: Substring) -> String? {
    let bytes = digits.split(separator: ".").map { UInt8($0, radix: 16) }
    guard !bytes.contains(nil) else { return nil }
    return String(decoding: bytes.compactMap { $0 }, as: UTF8.self)
  }
}
