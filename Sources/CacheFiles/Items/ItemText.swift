// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

/// Keychain items as JSON (contract §4) in memory: an ``ItemFile`` without the file.
///
/// Items are added by inserting text. The existing text stays as it was, byte for byte. This is a class, because a
/// store is a place and not a value: two references see the same items.
public final class ItemText: ItemStore {
  private let document: Locked<ItemDocument>

  /// The items of this JSON text; without any bytes, of one that is to be made.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the name for messages.
  /// - Throws: `StoreError.notACache` if the text is not keychain items.
  public init(_ bytes: [UInt8] = [], name: String = "the cache") throws {
    document = Locked(try bytes.isEmpty ? ItemDocument() : ItemFile.document(bytes, name))
  }

  /// The text as it is, with everything that was added.
  public var bytes: [UInt8] { document.withLock { $0.bytes } }

  public func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    try document.withLock { $0 }.forEachItem(body)
  }

  public func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    document.withLock { $0.add(items) }
  }
}
