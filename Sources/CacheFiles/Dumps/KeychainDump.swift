// SPDX-License-Identifier: MIT
import KeychainItems

/// Keychain items that another tool has written down: macOS's `security dump-keychain -d` as text, or
/// objection's `ios keychain dump --json`.
///
/// Only generic passwords are given out. Nothing can be added: a dump is nobody's cache.
public struct KeychainDump: ItemStore {
  /// What the tools write, told by how it begins.
  enum Tool {
    case security
    case objection
  }

  /// Why bytes are not a dump that can be used.
  struct Objection: Error {
    /// The rest of a sentence; says nothing of what the items hold.
    var words: String
  }

  private let bytes: [UInt8]
  private let name: String

  /// The dump that `bytes` are, which are read by the methods only.
  ///
  /// - Parameter name: what messages call it.
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
      case nil: throw Objection(words: "it is none of security's or objection's")
      }
    } catch {
      throw StoreError(.notACache, "\(name) cannot be used as a keychain dump: \(error.words)")
    }
    for item in found.sorted(by: ItemFile.precedes) { try body(item) }
  }

  public func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    guard !items.isEmpty else { return [] }
    throw StoreError(.unwritable, "nothing can be written into \(name), which is a keychain dump")
  }

  /// Which tool's dump begins like `bytes`; nil when it is no dump.
  static func tool(of bytes: [UInt8]) -> Tool? {
    if SecurityDump.isOne(bytes) { return .security }
    return ObjectionDump.isOne(bytes) ? .objection : nil
  }

  /// Throws when there are more items than honest dumps of that size have; each takes more memory than
  /// the shortest of texts.
  static func checkCount(_ count: Int, in bytes: [UInt8]) throws(Objection) {
    guard count <= 1 << 17 || count <= bytes.count / 128 else {
      throw Objection(words: "it has too many empty items")
    }
  }
}

/// An instant of the calendar in UTC, as tools write it.
struct DumpedInstant {
  /// Unix seconds.
  var seconds: Double

  /// Takes year, month, day, hour, minute and second, each a number of its own.
  init?(_ parts: [Int]) {
    guard parts.count == 6, (1...9999).contains(parts[0]), (1...12).contains(parts[1]),
      (1...31).contains(parts[2]), (0...23).contains(parts[3]), (0...59).contains(parts[4]),
      (0...60).contains(parts[5])
    else { return nil }
    // Days since 1970 by Howard Hinnant's days_from_civil, with years that begin in March.
    let year = parts[1] > 2 ? parts[0] : parts[0] - 1
    let month = (parts[1] + 9) % 12
    let days =
      year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + parts[2] - 1
      - 719_468
    seconds = Double(days * 86400 + parts[3] * 3600 + parts[4] * 60 + parts[5])
  }
}
