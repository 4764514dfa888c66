// SPDX-License-Identifier: MIT
import KeychainItems

/// Keychain items that another tool has written down: macOS's `security dump-keychain -d` as text, or
/// objection's `ios keychain dump --json`.
///
/// Only generic passwords are given out. It is read only: no library reads a dump.
public struct KeychainDump: ItemStore {
  /// What the tools write, told by how it begins.
  enum Tool {
    case security
    case objection
  }

  private let bytes: [UInt8]
  private let name: String

  /// The dump that `bytes` are, which are read by the methods only.
  ///
  /// - Parameters:
  ///   - bytes: all of the dump.
  ///   - name: what messages call it.
  public init(bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  public func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    let found: [KeychainItem]
    do throws(Objection) {
      switch Self.tool(of: bytes) {
      case .security: found = try SecurityDump.items(bytes)
      case .objection: found = try ObjectionDump.items(bytes)
      case nil: throw Objection(words: "it is not a dump of security or objection")
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

  /// Which tool's dump begins like `bytes`; nil when it is no dump.
  static func tool(of bytes: [UInt8]) -> Tool? {
    if SecurityDump.isOne(bytes) { return .security }
    return ObjectionDump.isOne(bytes) ? .objection : nil
  }
}
