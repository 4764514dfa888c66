// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

// The output of objection's `ios keychain dump --json` (sensepost/objection, `agent/src/ios/keychain.ts`): an array of
// objects whose values are texts.
//
// `data` is only the part that could be read as text. `dataHex` is all of the data.
extension KeychainDump {
  /// The keys that tell objection's elements from those of other arrays.
  static let objectionKeys: Set = ["item_class", "entitlement_group"]

  private static let accessibilities = [
    "kSecAttrAccessibleWhenUnlocked": "ak",
    "kSecAttrAccessibleAfterFirstUnlock": "ck",
    "kSecAttrAccessibleAlways": "dk",
    "kSecAttrAccessibleWhenUnlockedThisDeviceOnly": "aku",
    "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly": "akpu",
    "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly": "cku",
    "kSecAttrAccessibleAlwaysThisDeviceOnly": "dku",
  ]

  static func itemsOfObjection(_ bytes: [UInt8]) throws(Objection) -> [KeychainItem] {
    var items: [KeychainItem] = []
    do {
      var reader = JSONScanner(bytes)
      var index = 0
      try reader.array { reader in
        guard reader.peek() == UInt8(ascii: "{") else {
          throw Objection(words: "element \(index) is not an object")
        }
        if let item = try item(&reader, at: index) { items.append(item) }
        try ItemPlaces.checkCount(items.count, of: bytes.count)
        index += 1
      }
      try reader.expectEnd()
    } catch {
      throw Objection(error)
    }
    return items
  }

  /// The item at the cursor, nil when it is of another class.
  private static func item(_ reader: inout JSONScanner, at index: Int) throws -> KeychainItem? {
    var texts: [String: String] = [:]
    try reader.object { reader, key in
      // Numbers of some versions; as they are spelled they say the same.
      switch try reader.scalarIfAny() {
      case .string(let text)?, .number(let text)?: texts[key] = text
      default: break
      }
    }
    guard texts["item_class"] == "kSecClassGenericPassword" else { return nil }
    guard let hexadecimal = texts["dataHex"] else {
      throw Objection(
        words: "item \(index) has no dataHex, so its data may be incomplete; "
          + "take the dump with a newer objection")
    }
    guard let data = Hexadecimal.bytes(Array(hexadecimal.utf8)[...]) else {
      throw Objection(words: "item \(index) has an unusable dataHex")
    }
    func text(_ name: String) -> String? { texts[name].flatMap { $0.isEmpty ? nil : $0 } }
    return KeychainItem(
      accessGroup: text("entitlement_group") ?? "", account: text("account") ?? "",
      service: text("service") ?? "", generic: text("generic").map { Array($0.utf8) },
      type: text("type").flatMap { Int($0) },
      accessibility: text("accessible_attribute").flatMap { accessibilities[$0] },
      label: text("label"), itemDescription: text("description"), comment: text("comment"),
      isInvisible: text("invisible").map { $0 != "0" && $0 != "false" },
      created: text("create_date").flatMap(instant),
      modified: text("modification_date").flatMap(instant),
      data: data.isEmpty ? nil : TokenSecret(data))
  }

  /// A date in NSDate's description: `2023-11-14 22:13:20 +0000`.
  private static func instant(_ text: String) -> Double? {
    guard text.hasSuffix(" +0000") else { return nil }
    return CalendarInstant(Array(text.utf8).dropLast(6), separator: " ")?.seconds
  }
}
