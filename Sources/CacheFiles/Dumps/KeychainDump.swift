// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// Keychain items that another tool has written down: macOS's `security dump-keychain -d` as text, or
/// objection's `ios keychain dump --json`.
///
/// Only generic passwords are given out. It is read only: no library reads a dump.
public struct KeychainDump: ItemStore {
  private let bytes: [UInt8]
  private let name: String

  /// The dump that `bytes` are, which are read by the methods only.
  ///
  /// - Parameters:
  ///   - bytes: all of the dump.
  ///   - name: the name for messages.
  public init(bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  public func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    let found: [KeychainItem]
    do throws(Objection) {
      if Self.isSecurityDump(bytes) {
        found = try Self.itemsOfSecurity(bytes)
      } else if JSONScanner.keys(ofFirstIn: bytes).isSuperset(of: Self.objectionKeys) {
        found = try Self.itemsOfObjection(bytes)
      } else {
        throw Objection(words: "it is not a dump of security or objection")
      }
    } catch {
      throw StoreError(.notACache, "\(name) cannot be used as a keychain dump: \(error.words)")
    }
    for item in ItemFile.inOrder(found) { try body(item) }
  }

  public func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    guard !items.isEmpty else { return [] }
    throw StoreError(.unwritable, "\(name) is a keychain dump, which can only be read")
  }
}
