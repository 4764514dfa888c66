// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The JSON object that is the data of an item of MSAL's.
package enum Payload {
  package typealias Member = (key: String, value: JSONValue)

  /// The members of the object.
  package static func list(of item: KeychainItem) throws(MSALItemError) -> [Member] {
    // Reveal: the item's fields are inside its data.
    if let data = item.data?.reveal(), let texts = texts(in: data) { return texts }
    return try members(of: item).map { $0 }
  }

  /// The members of an object in which all are texts and none comes twice, as MSAL writes it; nil for any
  /// other, which ``members(of:)`` reads.
  private static func texts(in data: [UInt8]) -> [Member]? {
    var members: [Member] = []
    members.reserveCapacity(12)
    var scanner = JSONScanner(data)
    do {
      var isMore = try scanner.opensObject()
      while isMore {
        let name = try scanner.key()
        guard members.count < 32, scanner.peek() == UInt8(ascii: "\""),
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
  package static func members(of item: KeychainItem) throws(MSALItemError) -> [String: JSONValue] {
    guard let data = item.data else {
      throw MSALItemError(.noData, "the item has no data")
    }
    let value: JSONValue
    do {
      // Reveal: the item's fields are inside its data.
      value = try JSONValue(data.reveal(), rules: .apple)
    } catch {
      throw MSALItemError(.notJSON, "the item's data is not JSON: \(error)")
    }
    guard let members = value.object else {
      throw MSALItemError(.notAnObject, "the item's data is JSON, but not an object")
    }
    return members
  }
}

extension MSALEntry {
  /// The entry of a shape that a keychain item holds. Its attributes are not looked at: they follow from the
  /// payload.
  ///
  /// - Throws: ``MSALItemError`` when the data is no JSON object, or lacks what MSAL needs.
  package init(_ item: KeychainItem, as shape: Shape) throws(MSALItemError) {
    try self.init(wellFormed: Payload.list(of: item), as: shape)
  }
}
