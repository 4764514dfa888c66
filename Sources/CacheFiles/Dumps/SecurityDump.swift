// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

// The output of macOS's `security dump-keychain -d` (Apple's Security, `SecurityTool/macOS/keychain_utilities.c`).
//
// Every value is on its own line, as `print_buffer` writes it. Printable ASCII is in quotation marks as it is. Anything
// else is `0x` and hexadecimal digits, with a readable text behind it. So no byte is lost. Items of a keychain file
// have no access group.
extension KeychainDump {
  private static let start = Array("keychain: ".utf8)
  private static let quote = UInt8(ascii: "\"")

  static func isSecurityDump(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: start + [quote]) || bytes.starts(with: start + Array("0x".utf8))
  }

  static func itemsOfSecurity(_ bytes: [UInt8]) throws(Objection) -> [KeychainItem] {
    var items: [KeychainItem] = []
    var hasData = false
    var item = Item()
    var isDataNext = false
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if isDataNext {
        isDataNext = false
        hasData = true
        guard let data = value(line) else {
          throw Objection(words: "the data of item \(items.count) is cut off")
        }
        item.data = data
      } else if line.starts(with: start) {
        if let whole = item.keychainItem { items.append(whole) }
        try ItemPlaces.checkCount(items.count, of: bytes.count)
        item = Item()
      } else if line.elementsEqual("data:".utf8) {
        isDataNext = true
      } else if line.starts(with: "class: ".utf8) {
        item.isGenericPassword = value(line.dropFirst(7)) == Array("genp".utf8)
      } else if line.starts(with: "    ".utf8) {
        item.read(attribute: line.dropFirst(4))
      }
    }
    if let whole = item.keychainItem { items.append(whole) }
    guard hasData || items.isEmpty else {
      throw Objection(
        words: "it has no data; print it with 'security dump-keychain -d'")
    }
    return items
  }

  /// The bytes of a value that `print_buffer` wrote; nil when it did not.
  fileprivate static func value(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if text.isEmpty { return [] }
    if text.first == quote {
      guard text.count > 1, text.last == quote else { return nil }
      return Array(text.dropFirst().dropLast())
    }
    guard text.starts(with: "0x".utf8) else { return nil }
    let digits = text.dropFirst(2).prefix { $0 != 0x20 }
    guard text[digits.endIndex...].first == 0x20 else { return nil }
    return Hexadecimal.bytes(digits)
  }
}

private struct Item {
  var isGenericPassword = false
  var data: [UInt8]?
  private var values: [String: [UInt8]] = [:]

  // The label has a number in place of a name (`kSecLabelItemAttr`, in `SecKeychainItem.h`).
  private static let names: [String: String] = [
    "\"acct\"": "acct", "\"svce\"": "svce", "\"gena\"": "gena", "\"type\"": "type",
    "\"desc\"": "desc", "\"icmt\"": "icmt", "\"invi\"": "invi", "\"cdat\"": "cdat",
    "\"mdat\"": "mdat", "0x00000007 ": "labl",
  ]

  /// Reads `"acct"<blob>="…"`. Other lines are not attributes, or none that matters.
  mutating func read(attribute line: ArraySlice<UInt8>) {
    guard let bracket = line.prefix(16).firstIndex(of: UInt8(ascii: "<")),
      let name = Self.names[String(decoding: line[..<bracket], as: UTF8.self)],
      let equals = line[bracket...].firstIndex(of: UInt8(ascii: "=")),
      let value = KeychainDump.value(line[(equals + 1)...])
    else { return }
    values[name] = value
  }

  /// The item; nil when it is of another class, the keychain did not give it out, or its account or
  /// service is not text: such an item is neither ADAL's nor MSAL's, as for `SystemKeychain`.
  var keychainItem: KeychainItem? {
    guard isGenericPassword, !values.isEmpty else { return nil }
    func text(_ name: String) -> String? { values[name].flatMap { String(validUTF8: $0) } }
    for key in ["acct", "svce"] where values[key] != nil {
      guard text(key) != nil else { return nil }
    }
    func integer(_ name: String) -> Int? {
      values[name].flatMap { $0.count == 4 ? $0.reduce(0) { $0 << 8 | Int($1) } : nil }
    }
    return KeychainItem(
      accessGroup: "", account: text("acct") ?? "", service: text("svce") ?? "",
      generic: values["gena"], type: integer("type"), label: text("labl"),
      itemDescription: text("desc"), comment: text("icmt"),
      isInvisible: integer("invi").map { $0 != 0 }, created: instant("cdat"),
      modified: instant("mdat"), data: data.flatMap { $0.isEmpty ? nil : TokenSecret($0) })
  }

  /// CSSM's date: `20231114221320Z` and a NUL.
  private func instant(_ name: String) -> Double? {
    guard let text = values[name], text.count == 16, text.last == 0, text[14] == UInt8(ascii: "Z")
    else { return nil }
    return CalendarInstant(digits: text.prefix(14))?.seconds
  }
}
