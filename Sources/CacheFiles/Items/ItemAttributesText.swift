// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The attributes of one keychain item as they stand in the text (contract §3), of each the last one.
///
/// What a value says is read when the item is made, so that an item's data is decoded where it stands.
struct ItemAttributesText {
  /// An attribute whose value is of another type than contract §3 says.
  struct Unusable: Error {
    var name: StaticString
  }

  private enum Name: Int, CaseIterable {
    case agrp, acct, svce, gena, type, pdmn, labl, desc, icmt, invi, cdat, mdat, data, `class`
  }

  private enum Value {
    case text(JSONScanner.Text)
    case number(String)
    case bool(Bool)
    case null
    /// An object or an array, which is no value of an attribute.
    case container
  }

  private static let names = JSONKeys([
    "agrp", "acct", "svce", "gena", "type", "pdmn", "labl", "desc", "icmt", "invi", "cdat", "mdat",
    "data", "class",
  ])

  private var values = [Value?](repeating: nil, count: Name.allCases.count)

  /// Whether there is no attribute of a keychain item.
  private(set) var isEmpty = true

  /// Reads the object at the cursor; what else is in it is passed over.
  init(_ reader: inout JSONScanner) throws(JSONError) {
    var isMore = try reader.opensObject()
    while isMore {
      let key = try reader.keyText()
      if let position = reader.position(of: key, among: Self.names) {
        isEmpty = false
        let value = try Self.value(&reader)
        if case .container? = values[position] {} else { values[position] = value }
      } else {
        try reader.skipValue()
      }
      isMore = try reader.continuesObject()
    }
  }

  private static func value(_ reader: inout JSONScanner) throws(JSONError) -> Value {
    switch reader.peek() {
    case UInt8(ascii: "\""): return .text(try reader.text())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try reader.bool())
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try reader.skipValue()
      return .container
    case UInt8(ascii: "n"):
      try reader.null()
      return .null
    default: return .number(try reader.number())
    }
  }

  /// The item, nil when it is no generic password.
  ///
  /// - Parameter reader: a cursor over the text that was read.
  func item(_ reader: JSONScanner) throws(Unusable) -> KeychainItem? {
    if case .text(let text)? = self[.class] {
      guard reader.reads(text, "genp") else { return nil }
    }
    switch self[.class] {
    case .number, .bool: return nil
    default: break
    }
    if let position = values.firstIndex(where: { if case .container? = $0 { true } else { false } })
    {
      throw Unusable(name: Self.names[position])
    }
    return KeychainItem(
      accessGroup: try text(.agrp, reader) ?? "", account: try text(.acct, reader) ?? "",
      service: try text(.svce, reader) ?? "", generic: try bytes(.gena, reader),
      type: try integer(.type), accessibility: try text(.pdmn, reader),
      label: try text(.labl, reader), itemDescription: try text(.desc, reader),
      comment: try text(.icmt, reader), isInvisible: try flag(.invi), created: try number(.cdat),
      modified: try number(.mdat), data: try bytes(.data, reader).map { Secret($0) })
  }

  private subscript(name: Name) -> Value? { values[name.rawValue] }

  private func unusable(_ name: Name) -> Unusable { Unusable(name: Self.names[name.rawValue]) }

  private func text(_ name: Name, _ reader: JSONScanner) throws(Unusable) -> String? {
    switch self[name] {
    case nil, .null: return nil
    case .text(let text):
      guard let string = try? reader.string(of: text) else { throw unusable(name) }
      return string
    default: throw unusable(name)
    }
  }

  private func bytes(_ name: Name, _ reader: JSONScanner) throws(Unusable) -> [UInt8]? {
    switch self[name] {
    case nil, .null: return nil
    case .text(let text):
      guard let bytes = reader.base64(of: text, .standard) else { throw unusable(name) }
      return bytes
    default: throw unusable(name)
    }
  }

  private func number(_ name: Name) throws(Unusable) -> Double? {
    switch self[name] {
    case nil, .null: return nil
    case .number(let text): return Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: throw unusable(name)
    }
  }

  private func integer(_ name: Name) throws(Unusable) -> Int? {
    guard case .number(let text)? = self[name] else {
      _ = try number(name)
      return nil
    }
    guard let value = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }) else {
      throw unusable(name)
    }
    return value
  }

  private func flag(_ name: Name) throws(Unusable) -> Bool? {
    if case .bool(let value)? = self[name] { return value }
    return try integer(name).map { $0 != 0 }
  }
}
