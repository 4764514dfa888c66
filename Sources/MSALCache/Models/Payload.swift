// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The members of an item's JSON object, from which known fields are taken one by one; what is left at
/// the end is kept as it is.
package struct Payload {
  // Compared one by one: a payload has about ten, for which hashing costs more.
  private var members: [(name: String, value: JSONValue)]
  /// Whether numbers count as text: other libraries' documents have them where Apple's has strings.
  private let takesNumbers: Bool

  init(_ members: [String: JSONValue], takesNumbers: Bool = false) {
    self.members = members.map { ($0.key, $0.value) }
    self.takesNumbers = takesNumbers
  }

  init(of item: KeychainItem) throws(MSALItemError) {
    // Reveal: the item's fields are inside its data.
    if let data = item.data?.reveal(), let texts = Self.texts(in: data) {
      members = texts
    } else {
      members = try Self.members(of: item).map { ($0.key, $0.value) }
    }
    takesNumbers = false
  }

  /// What has not been taken.
  var rest: [String: JSONValue] {
    Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// The members of an object in which all are texts and none comes twice, as MSAL writes it; nil for any
  /// other, which ``members(of:)`` reads.
  private static func texts(in data: [UInt8]) -> [(name: String, value: JSONValue)]? {
    var members: [(name: String, value: JSONValue)] = []
    members.reserveCapacity(12)
    var scanner = JSONScanner(data)
    do {
      var isMore = try scanner.opensObject()
      while isMore {
        let name = try scanner.key()
        guard members.count < 32, scanner.peek() == UInt8(ascii: "\""),
          !members.contains(where: { $0.name == name })
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

  /// Takes the text of this field; a value of another type is left in ``rest``.
  mutating func take(_ field: String) -> String? {
    guard let place = members.firstIndex(where: { $0.name == field }),
      let text = takesNumbers ? members[place].value.stringOrNumber : members[place].value.string
    else { return nil }
    // Their order does not matter.
    members.swapAt(place, members.count - 1)
    members.removeLast()
    return text
  }

  mutating func require(_ field: String) throws(MSALItemError) -> String {
    guard let text = take(field) else { throw .missing(field) }
    return text
  }
}

extension Payload {
  /// The fields of an entry that is written.
  struct Fields {
    /// Those that are known, in the order of their names; nil for what is absent.
    let known: [JSONField]
    /// Others, where nothing is known.
    let others: [String: JSONValue]

    /// All fields.
    var members: [String: JSONValue] {
      var members = others
      for field in known {
        if let text = field.text { members[field.name.description] = .string(text) }
      }
      return members
    }

    /// The JSON text of all fields, sorted by name.
    var encoded: Secret {
      var writer = JSONWriter()
      write(to: &writer, depth: 0)
      return Secret(writer.bytes)
    }

    /// Writes all fields as an object, sorted by name, inside of so many values.
    func write(to writer: inout JSONWriter, depth: Int) {
      // Nearly always there are no others; writing the known ones as they stand is a third of the work.
      if others.isEmpty {
        writer.write(known, depth: depth)
      } else {
        writer.write(.object(members), depth: depth)
      }
    }
  }
}
