// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// A member of the JSON object that is the data of an item of MSAL's.
package typealias PayloadMember = (key: String, value: JSONValue)

extension KeychainItem {
  /// The members of the object that is the item's data.
  package func payloadMembers() throws(MSALCacheError) -> [PayloadMember] {
    // Reveal: the item's fields are inside its data.
    if let data = data?.reveal(), let texts = Self.texts(in: data) { return texts }
    return try payload().map { $0 }
  }

  // MSAL writes fewer. Each name is looked for among those before it.
  private static let mostTexts = 32

  /// The members of an object in which all are texts and none comes twice, as MSAL writes it; nil for any
  /// other, which ``payload()`` reads.
  private static func texts(in data: [UInt8]) -> [PayloadMember]? {
    var members: [PayloadMember] = []
    members.reserveCapacity(12)
    var scanner = JSONScanner(data)
    do {
      var isMore = try scanner.opensObject()
      while isMore {
        let name = try scanner.key()
        guard members.count < mostTexts, scanner.peek() == UInt8(ascii: "\""),
          !members.contains(where: { $0.key == name })
        else { return nil }
        members.append((name, .string(try scanner.string())))
        isMore = try scanner.continuesObject()
      }
      try scanner.expectEnd()
      return members
    } catch {
      return nil
    }
  }

  /// The item's data as a JSON object, read as NSJSONSerialization reads it: of a key that occurs
  /// twice, the last.
  func payload() throws(MSALCacheError) -> [String: JSONValue] {
    guard let data else { throw MSALCacheError("the item has no data") }
    let value: JSONValue
    do {
      // Reveal: the item's fields are inside its data.
      value = try JSONValue(data.reveal(), rules: .apple)
    } catch {
      throw MSALCacheError("the item's data is not JSON: \(error)")
    }
    guard let members = value.object else {
      throw MSALCacheError("the item's data is JSON, but not an object")
    }
    return members
  }
}

extension MSALEntry {
  /// The entry of a shape that a keychain item holds. Its attributes are not looked at: they follow from the
  /// payload.
  ///
  /// - Throws: ``MSALCacheError`` if the data is not a JSON object, or lacks a field that MSAL needs.
  package init(_ item: borrowing KeychainItem, as shape: Shape) throws(MSALCacheError) {
    try self.init(wellFormed: item.payloadMembers(), as: shape)
  }
}
