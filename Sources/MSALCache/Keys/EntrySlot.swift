// SPDX-License-Identifier: MIT
import KeychainItems

extension MSALEntry {
  /// The place of an entry in a cache: no two have the same, whatever they are.
  package struct Slot: Sendable, Hashable {
    private enum Name: Hashable {
      case item(KeychainItem.Key)
      // The same where Unicode calls keys equivalent, as in a document's sections.
      case entry(DocumentSection, String)
    }

    private let name: Name

    /// The key in a document's section; nil for a keychain item.
    package var documentKey: String? {
      if case .entry(_, let key) = name { key } else { nil }
    }

    /// kSecAttrType of a keychain item, by which MSAL tells its kind.
    package let type: Int?
    /// The hash of the slot, found once because a slot goes into several sets.
    package let hash: UInt64

    /// The slot of an item as it is.
    package init(_ item: borrowing KeychainItem) { self.init(.item(item.key), type: item.type) }

    /// The slot of an item with these attributes.
    package init(_ attributes: ItemAttributes, in group: String) {
      self.init(.item(attributes.key(accessGroup: group)), type: attributes.type)
    }

    /// The slot in a document; nil where documents have no section.
    package init?(_ section: DocumentSection?, _ key: String) {
      guard let section else { return nil }
      self.init(.entry(section, key), type: nil)
    }

    private init(_ name: Name, type: Int?) {
      self.name = name
      self.type = type
      var hasher = Hasher()
      hasher.combine(name)
      hash = UInt64(bitPattern: Int64(hasher.finalize()))
    }

    // The type is an attribute and no part of the slot.
    package static func == (a: Slot, b: Slot) -> Bool { a.hash == b.hash && a.name == b.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }
}
