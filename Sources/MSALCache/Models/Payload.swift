// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The members of an item's JSON object, from which known fields are taken one by one; what is left at
/// the end is kept as it is.
package struct Payload {
  private(set) var rest: [String: JSONValue]
  /// Whether numbers count as text: other libraries' documents have them where Apple's has strings.
  private let takesNumbers: Bool

  init(_ members: [String: JSONValue], takesNumbers: Bool = false) {
    rest = members
    self.takesNumbers = takesNumbers
  }

  init(of item: KeychainItem) throws(UnifiedItemError) {
    self.init(try Self.members(of: item))
  }

  /// The item's data as a JSON object, read as NSJSONSerialization reads it: of a key that occurs
  /// twice, the last.
  package static func members(of item: KeychainItem) throws(UnifiedItemError) -> [String: JSONValue]
  {
    guard let data = item.data else {
      throw UnifiedItemError(.noData, "the item has no data")
    }
    let value: JSONValue
    do {
      // Reveal: the item's fields are inside its data.
      value = try JSONValue(data.reveal(), rules: .apple)
    } catch {
      throw UnifiedItemError(.notJSON, "the item's data is not JSON: \(error)")
    }
    guard let members = value.object else {
      throw UnifiedItemError(.notAnObject, "the item's data is JSON, but not an object")
    }
    return members
  }

  /// Takes the text of this field; a value of another type is left in ``rest``.
  mutating func take(_ field: String) -> String? {
    guard let value = rest[field],
      let text = takesNumbers ? value.stringOrNumber : value.string
    else { return nil }
    rest[field] = nil
    return text
  }

  mutating func require(_ field: String) throws(UnifiedItemError) -> String {
    guard let text = take(field) else { throw .missing(field) }
    return text
  }
}

extension [String: JSONValue] {
  /// Sets a field that is known, and leaves what is there when nothing is.
  mutating func set(_ field: String, _ text: String?) {
    if let text { self[field] = .string(text) }
  }
}

extension KeychainItem {
  /// An item of MSAL's with this payload: device only and after the first unlock, as MSAL adds it.
  init(
    accessGroup: String, account: String, service: String, generic: [UInt8]?, type: Int,
    payload: [String: JSONValue], at instant: Double?
  ) {
    self.init(
      accessGroup: accessGroup, account: account, service: service, generic: generic, type: type,
      accessibility: "cku", created: instant, modified: instant,
      data: Secret(JSONValue.object(payload).encoded()))
  }
}
