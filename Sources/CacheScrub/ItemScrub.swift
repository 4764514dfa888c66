// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import KeychainItems
import MSALCache

// Anonymizes a keychain item.
extension CacheScrub {
  /// The item with other words in every text attribute and other data. Dates, types and the known kinds of
  /// accessibility stay.
  package mutating func item(_ item: KeychainItem) -> KeychainItem {
    var other = item
    // Reveal: the result discloses nothing of it.
    let data = item.data?.reveal()
    let facts = ItemFacts(generic: item.generic, claims: claims(of: data))
    other.accessGroup = text(item.accessGroup)
    other.account = account(item.account, facts)
    other.service = service(item.service, facts)
    other.generic = item.generic.map { bytes($0) }
    other.label = item.label.map { text($0, .name) }
    other.itemDescription = item.itemDescription.map { text($0) }
    other.comment = item.comment.map { text($0) }
    other.accessibility = item.accessibility.map { text($0, .datum) }
    other.data = data.map { TokenSecret(bytes($0)) }
    return other
  }

  /// The account: ADAL's is base64 of a name, but not always.
  mutating func account(_ account: String, _ facts: ItemFacts) -> String {
    guard facts.isRow, !account.contains("@") else { return text(account) }
    return encoded(account) ?? text(account)
  }

  /// The service: ADAL's has base64 between bars, MSAL's may end in a hash of claims.
  mutating func service(_ service: String, _ facts: ItemFacts) -> String {
    if service.hasPrefix(LegacyItem.library) {
      let parts = service.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      return parts.enumerated().map { index, part in
        // An app-bound token's library has a bundle id behind it.
        let start = LegacyItem.library + "-"
        if index == 0, part.hasPrefix(start) {
          let rest = String(part.dropFirst(start.count))
          return start + (encoded(rest) ?? text(rest))
        }
        if part == LegacyItem.noResource { return part }
        return (index > 0 ? encoded(part) : nil) ?? text(part)
      }.joined(separator: "|")
    }
    if let claims = facts.claims, service.hasSuffix("|" + claims.old) {
      return text(String(service.dropLast(claims.old.count))) + claims.new
    }
    return text(service)
  }

  /// The anonymized base64 of a text; nil for another text.
  private mutating func encoded(_ part: String) -> String? {
    guard let bytes = Base64.bytes(of: part, .url), !bytes.isEmpty,
      let text = String(validatingUTF8Bytes: bytes)
    else { return nil }
    return Self.base64(Array(self.text(text).utf8), like: part).map { String($0) }
  }

  /// The hash of the claims that a token was asked for with, before and after.
  mutating func claims(of data: [UInt8]?) -> (old: String, new: String)? {
    guard let data, case .object(let members)? = try? JSONValue(data, rules: .apple),
      case .string(let claims)? = members["requested_claims"]
    else { return nil }
    return (MSALEntry.claimsHash(claims.normalized), MSALEntry.claimsHash(text(claims).normalized))
  }
}

/// The facts that decide how an item's attributes are read.
struct ItemFacts {
  /// The attributes of an item in JSON that are not read as other texts are: those of an items file, then those
  /// of objection's dump.
  static let attributes: Set<String> = [
    "acct", "svce", "gena", "data", "account", "service", "generic", "dataHex",
  ]

  /// Whether ADAL filed it as a row.
  let isRow: Bool
  let claims: (old: String, new: String)?
  /// Whether it is of an items file, in which bytes are in base64.
  var isOfItemsFile = false

  init(generic: [UInt8]?, claims: (old: String, new: String)?) {
    isRow = generic?.starts(with: LegacyItem.library.utf8) ?? false
    self.claims = claims
  }
}

// An object in JSON that is a keychain item: of an items file, or of objection's dump.
extension CacheScrub {
  /// The facts of the item at the reader's place; nil if there is no item.
  mutating func itemFacts(at reader: JSONScanner) -> ItemFacts? {
    var reader = reader
    var values: [String: String] = [:]
    let read: Void? = try? reader.object { reader, name in
      if ItemFacts.attributes.contains(name), reader.peek() == UInt8(ascii: "\"") {
        values[name] = try reader.string()
      } else {
        try reader.skipValue()
      }
    }
    guard read != nil else { return nil }
    func base64(_ name: String) -> [UInt8]? {
      values[name].flatMap { Base64.bytes(of: $0, .standard) }
    }
    if values["acct"] != nil || values["svce"] != nil || values["gena"] != nil {
      var facts = ItemFacts(generic: base64("gena"), claims: claims(of: base64("data")))
      facts.isOfItemsFile = true
      return facts
    }
    guard values["account"] != nil, values["service"] != nil else { return nil }
    let data = values["dataHex"].flatMap { Hexadecimal.bytes(Array($0.utf8)[...]) }
    return ItemFacts(
      generic: values["generic"].map { Array($0.utf8) }, claims: claims(of: data))
  }

  mutating func attribute(_ text: String, named name: String, of item: ItemFacts) -> String {
    switch name {
    case "acct", "account": return account(text, item)
    case "svce", "service": return service(text, item)
    case "gena", "data":
      if item.isOfItemsFile, let old = Base64.bytes(of: text, .standard) {
        return Base64.text(of: bytes(old), .standard)
      }
    case "dataHex":
      if let old = Hexadecimal.bytes(Array(text.utf8)[...]) {
        return Hexadecimal.text(of: bytes(old))
      }
    default: return self.text(text)
    }
    return self.text(text, .secret)
  }
}
