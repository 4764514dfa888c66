// SPDX-License-Identifier: MIT
import Foundation
import Security

/// The keychain of the system, called without the library that is checked.
struct CheckKeychain: Sendable {
  /// The program's default access group, with its team prefix.
  let first: String
  /// Another access group of the program.
  let second: String

  /// An item's key in an access group. Keychains compare bytes, where Swift takes `á` and `a` with an accent for
  /// one text.
  struct Key: Hashable {
    let group: String
    let account: String
    let service: String

    private var bytes: [[UInt8]] { [group, account, service].map { Array($0.utf8) } }

    static func == (left: Key, right: Key) -> Bool { left.bytes == right.bytes }
    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
  }

  /// An answer of the keychain that a check cannot go on with.
  struct Refusal: Error, CustomStringConvertible {
    let call: String
    let status: OSStatus
    var description: String { "\(call) answered \(status)" }
  }

  /// The team prefix is learnt from the group that the keychain gives a new item.
  ///
  /// - Parameter second: the name of the second access group, without its team prefix.
  init(second: String) throws {
    let probe = "adal2msal.probe.\(UUID().uuidString)"
    let key: [String: Any] = ["class": "genp", "acct": probe, "svce": probe]
    let (status, items) = Self.answer(
      .add, key.merging(["pdmn": "cku", "r_Attributes": true]) { $1 })
    guard status == errSecSuccess, let group = items.first?["agrp"] as? String else {
      throw Refusal(call: "adding an item", status: status)
    }
    _ = Self.answer(.delete, key)
    first = group
    self.second = group.prefix { $0 != "." } + "." + second
  }

  /// The name of the default access group, without its team prefix.
  var firstName: String { String(first.drop { $0 != "." }.dropFirst()) }

  /// The answer to one call; on a Mac, of the data-protection keychain.
  static func answer(
    _ function: ScriptedCalls.Function, _ arguments: [String: Any]
  ) -> ScriptedCalls.Answer {
    var arguments = arguments
    #if os(macOS)
      arguments["nleg"] = true
    #endif
    var result: CFTypeRef?
    let status =
      switch function {
      case .add: SecItemAdd(arguments as CFDictionary, &result)
      case .copyMatching: SecItemCopyMatching(arguments as CFDictionary, &result)
      case .delete: SecItemDelete(arguments as CFDictionary)
      }
    if let items = result as? [[String: Any]] { return (status, items) }
    return (status, (result as? [String: Any]).map { [$0] } ?? [])
  }

  /// Adds an item.
  static func add(_ attributes: [String: Any]) throws {
    let (status, _) = answer(.add, attributes.merging(["class": "genp"]) { own, _ in own })
    guard status == errSecSuccess else { throw Refusal(call: "adding an item", status: status) }
  }

  /// Every item of the two groups that shows itself without asking a person, with its data.
  func items() throws -> [Key: [String: Any]] {
    var found: [Key: [String: Any]] = [:]
    for group in [first, second] {
      let (status, items) = Self.answer(
        .copyMatching,
        [
          "class": "genp", "agrp": group, "m_Limit": "m_LimitAll", "r_Attributes": true,
          "r_Data": true, "u_AuthUI": "u_AuthUIS",
        ])
      guard status == errSecSuccess || status == errSecItemNotFound else {
        throw Refusal(call: "reading a group", status: status)
      }
      for item in items {
        guard let account = item["acct"] as? String, let service = item["svce"] as? String else {
          continue
        }
        found[Key(group: group, account: account, service: service)] = item
      }
    }
    return found
  }

  /// Runs a check and then removes every item that it added.
  func restoring<Result>(_ body: () throws -> Result) throws -> Result {
    let before = Set(try items().keys)
    defer {
      for key in (try? items().keys) ?? [:].keys where !before.contains(key) { remove(key) }
    }
    return try body()
  }

  /// Removes an item.
  func remove(_ key: Key) {
    let query = [
      "class": "genp", "agrp": key.group, "acct": key.account, "svce": key.service,
    ]
    _ = Self.answer(.delete, query)
  }
}
