// SPDX-License-Identifier: MIT
import KeychainItems

extension MSALEntry {
  /// The place of an entry in a cache: no two have the same, whatever they are.
  package struct Slot: Sendable, Hashable {
    // Of a document's entry, section and key stand for account and service.
    private let key: KeychainItem.Key
    private let isOfDocument: Bool
    /// kSecAttrType of a keychain item, by which MSAL tells what it is.
    package let type: Int?
    // Found once, since a slot goes into several sets.
    private let hash: Int

    /// The key in a document's section; nil for a keychain item.
    package var documentKey: String? { isOfDocument ? key.service : nil }

    /// The slot of an item as it is.
    package init(_ item: KeychainItem) { self.init(item.key, type: item.type) }

    /// The slot of an item with these attributes.
    package init(_ attributes: ItemAttributes, in group: String) {
      self.init(attributes.key(accessGroup: group), type: attributes.type)
    }

    /// The slot in a document; nil where documents have no section.
    package init?(_ section: DocumentSection?, _ key: String) {
      guard let section else { return nil }
      let key = KeychainItem.Key(accessGroup: "", account: section.rawValue, service: key)
      self.init(key, type: nil, isOfDocument: true)
    }

    private init(_ key: KeychainItem.Key, type: Int?, isOfDocument: Bool = false) {
      self.key = key
      self.type = type
      self.isOfDocument = isOfDocument
      var hasher = Hasher()
      hasher.combine(key)
      hash = hasher.finalize()
    }

    // The type is an attribute and no part of the slot.
    package static func == (a: Slot, b: Slot) -> Bool {
      a.hash == b.hash && a.isOfDocument == b.isOfDocument && a.key == b.key
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  /// The entry's slot in a document.
  package var documentSlot: Slot? { Slot(documentSection, documentKey) }
}
