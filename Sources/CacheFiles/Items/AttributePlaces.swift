// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The places of keychain items' attributes in a JSON text (contract §3). The last one of each attribute counts.
///
/// Whether their values are usable is known then. The values are read when an item is requested.
struct AttributePlaces {
  /// The places of one item's attributes.
  typealias Item = Range<Int>

  private enum Name: Int, CaseIterable {
    case agrp, acct, svce, gena, type, pdmn, labl, desc, icmt, invi, cdat, mdat, data, `class`
  }

  private enum Value {
    case text(JSONScanner.Text)
    /// A text with the bytes of `gena` or `data`.
    case base64(JSONScanner.Text)
    case number(JSONScanner.Text)
    case bool(Bool)
    case null
    /// An object or an array, which is no value of an attribute.
    case container

    /// The same value in a text that has so many bytes less before it.
    func without(first count: Int) -> Value {
      switch self {
      case .text(let place): .text(place.without(first: count))
      case .base64(let place): .base64(place.without(first: count))
      case .number(let place): .number(place.without(first: count))
      case .bool, .null, .container: self
      }
    }
  }

  private static let names = JSONKeys([
    "agrp", "acct", "svce", "gena", "type", "pdmn", "labl", "desc", "icmt", "invi", "cdat", "mdat",
    "data", "class",
  ])

  /// The number of names in an item's key. They come first, and each item has values for them.
  private static let keyNames = 3

  /// The texts of keys, by which items are put in order when the text that they are from may be gone. A text that an
  /// item has in common with the one before is there once.
  private var keyTexts: [UInt8] = []
  /// The item that was read last.
  private var last: Item?

  /// Item by item, those of each in the order of the names. Texts of a key stand in ``keyTexts``.
  private var values: [(value: Value, name: Name)] = []
  /// The values of the item that is read, by their names.
  private var current = [Value](repeating: .null, count: Name.allCases.count)

  /// The sizes to which ``forget(since:)`` returns.
  var mark: (values: Int, keyTexts: Int, last: Item?) { (values.count, keyTexts.count, last) }

  /// Removes everything read since the mark.
  mutating func forget(since mark: (values: Int, keyTexts: Int, last: Item?)) {
    values.removeLast(values.count - mark.values)
    keyTexts.removeLast(keyTexts.count - mark.keyTexts)
    last = mark.last
  }

  /// Reads the object at the cursor, and skips its other members.
  ///
  /// - Returns: its attributes, none when it is no keychain item, and whether that is a generic password.
  mutating func read(
    _ reader: inout JSONScanner
  ) throws -> (item: Item, isGenericPassword: Bool) {
    let start = values.count
    for name in 0..<Self.keyNames { current[name] = .null }
    let names = Self.names
    // A bit for each name.
    var found: UInt16 = 0
    var isMore = try reader.opensObject()
    while isMore {
      let key = try reader.keyText()
      if let name = reader.position(of: key, among: names).flatMap(Name.init) {
        let value = try Self.value(of: name, &reader)
        let bit: UInt16 = 1 &<< UInt16(name.rawValue)
        if found & bit != 0, case .container = current[name.rawValue] {
        } else {
          current[name.rawValue] = value
        }
        found |= bit
      } else {
        try reader.skipValue()
      }
      isMore = try reader.continuesObject()
    }
    guard found != 0 else { return (start..<start, false) }
    found |= 1 &<< UInt16(Self.keyNames) &- 1
    while let name = Name(rawValue: found.trailingZeroBitCount) {
      values.append((current[name.rawValue], name))
      found &= found &- 1
    }
    let item = start..<values.count
    let isGenericPassword = isGenericPassword(item, reader)
    guard isGenericPassword else {
      values.removeSubrange(item)
      return (item, false)
    }
    try expectUsable(item, reader)
    for name in 0..<Self.keyNames {
      guard let text = keyText(name, of: item) else { continue }
      let lastText = last.flatMap { keyText(name, of: $0) }
      values[item.lowerBound + name].value = .text(
        reader.copy(text, behind: &keyTexts, unlessItIs: lastText))
    }
    last = item
    return (item, true)
  }

  /// Where a text of an item's key stands; nil for an absent one.
  private func keyText(_ name: Int, of item: Item) -> JSONScanner.Text? {
    if case .text(let text) = values[item.lowerBound + name].value { text } else { nil }
  }

  /// Notes that the places of an item are so many bytes further back.
  mutating func move(_ item: Item, by count: Int) {
    guard count != 0 else { return }
    for place in item.dropFirst(Self.keyNames) {
      values[place].value = values[place].value.without(first: -count)
    }
  }

  /// A cursor over the texts of keys.
  var keyReader: JSONScanner { JSONScanner(keyTexts, at: 0) }

  private static func value(
    of name: Name, _ reader: inout JSONScanner
  ) throws(JSONError) -> Value {
    switch reader.peek() {
    case UInt8(ascii: "\"") where name == .gena || name == .data:
      let (text, isBase64) = try reader.base64Text()
      return isBase64 ? .base64(text) : .text(text)
    case UInt8(ascii: "\""): return .text(try reader.text())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try reader.bool())
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try reader.skipValue()
      return .container
    case UInt8(ascii: "n"):
      try reader.null()
      return .null
    default: return .number(try reader.numberText())
    }
  }

  private func isGenericPassword(_ item: Item, _ reader: JSONScanner) -> Bool {
    let (value, name) = values[item.upperBound - 1]
    switch value {
    case .text(let text) where name == .class: return reader.reads(text, "genp")
    case .number where name == .class, .bool where name == .class: return false
    default: return true
    }
  }

  private func expectUsable(_ item: Item, _ reader: JSONScanner) throws(Objection) {
    let unusable =
      item.first { if case .container = values[$0].value { true } else { false } }
      ?? item.first { !Self.isUsable(values[$0].name, values[$0].value, reader) }
    if let unusable {
      throw Objection.unusable(Self.names[values[unusable].name.rawValue].description)
    }
  }

  private static func isUsable(_ name: Name, _ value: Value, _ reader: JSONScanner) -> Bool {
    switch (value, name) {
    case (.null, _), (_, .class), (.base64, _), (.bool, .invi): true
    case (.text, .gena), (.text, .data): false
    case (.text, .type), (.text, .invi), (.text, .cdat), (.text, .mdat): false
    case (.text, _), (.number, .cdat), (.number, .mdat): true
    case (.number(let text), .type), (.number(let text), .invi): integer(text, reader) != nil
    default: false
    }
  }

  private static func integer(_ text: JSONScanner.Text, _ reader: JSONScanner) -> Int? {
    let text = (try? reader.string(of: text)) ?? ""
    return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
  }

  /// Negative when the key of an item sorts before that of another one, 0 when both are the same.
  ///
  /// - Parameter reader: ``keyReader``.
  func compare(_ item: Item, _ other: Item, _ reader: JSONScanner) -> Int {
    for name in 0..<Self.keyNames {
      let order =
        switch (keyText(name, of: item), keyText(name, of: other)) {
        case (let text?, let other?): reader.compare(text, other)
        case (let text?, nil): text.range.count
        case (nil, let text?): -text.range.count
        case (nil, nil): 0
        }
      if order != 0 { return order }
    }
    return 0
  }
}

extension AttributePlaces {
  /// Makes items. It reuses a text that the item before also has.
  struct Maker {
    private let places: AttributePlaces
    private let keyReader: JSONScanner
    private var reader: JSONScanner
    /// The number of bytes of the text before the reader's part.
    private var missing = 0
    private var texts = [String?](repeating: nil, count: Name.allCases.count)
    private var generic: (text: String, bytes: [UInt8])?

    /// - Parameter bytes: the text with these places, unless parts of it are read one after the other.
    init(_ places: AttributePlaces, _ bytes: [UInt8] = []) {
      self.places = places
      keyReader = places.keyReader
      reader = JSONScanner(bytes, at: 0)
    }

    /// Reads a part of the text, with the places of the next items.
    mutating func read(_ part: ItemOrder.Part) {
      reader = JSONScanner(part.bytes, at: 0)
      missing = part.start
    }

    mutating func item(_ item: Item) -> KeychainItem {
      var made = KeychainItem()
      (made.accessGroup, made.account, made.service) = keyTexts(item)
      for place in item.dropFirst(AttributePlaces.keyNames) {
        let (value, name) = places.values[place]
        add((value.without(first: missing), name), to: &made)
      }
      return made
    }

    private mutating func add(_ attribute: (value: Value, name: Name), to made: inout KeychainItem)
    {
      switch (attribute.name, attribute.value) {
      case (.gena, .base64(let place)): made.generic = bytes(place)
      case (.type, .number(let place)): made.type = AttributePlaces.integer(place, reader)
      case (.pdmn, .text(let place)): made.accessibility = text(attribute.name, place, reader)
      case (.labl, .text(let place)): made.label = text(attribute.name, place, reader)
      case (.desc, .text(let place)): made.itemDescription = text(attribute.name, place, reader)
      case (.icmt, .text(let place)): made.comment = text(attribute.name, place, reader)
      case (.invi, .bool(let flag)): made.isInvisible = flag
      case (.invi, .number(let place)):
        made.isInvisible = AttributePlaces.integer(place, reader).map { $0 != 0 }
      case (.cdat, .number(let place)): made.created = number(place)
      case (.mdat, .number(let place)): made.modified = number(place)
      case (.data, .base64(let place)): made.data = TokenSecret(reader.bytes(ofBase64: place))
      default: break
      }
    }

    mutating func key(_ item: Item) -> KeychainItem.Key {
      let (accessGroup, account, service) = keyTexts(item)
      return KeychainItem.Key(accessGroup: accessGroup, account: account, service: service)
    }

    private mutating func keyTexts(
      _ item: Item
    ) -> (accessGroup: String, account: String, service: String) {
      func text(_ name: Name) -> String {
        places.keyText(name.rawValue, of: item).map { self.text(name, $0, keyReader) } ?? ""
      }
      return (text(.agrp), text(.acct), text(.svce))
    }

    private mutating func text(
      _ name: Name, _ place: JSONScanner.Text, _ reader: JSONScanner
    ) -> String {
      if let last = texts[name.rawValue], reader.isSpelled(place, as: last) { return last }
      let text = (try? reader.string(of: place)) ?? ""
      texts[name.rawValue] = text
      return text
    }

    private mutating func bytes(_ place: JSONScanner.Text) -> [UInt8] {
      if let generic, reader.isSpelled(place, as: generic.text) { return generic.bytes }
      let bytes = reader.bytes(ofBase64: place)
      generic = ((try? reader.string(of: place)) ?? "", bytes)
      return bytes
    }

    private func number(_ place: JSONScanner.Text) -> Double? {
      if let whole = reader.digits(of: place) { return Double(whole) }
      let number = (try? reader.string(of: place)).flatMap { Double($0) } ?? .nan
      return number.isFinite ? number : nil
    }
  }
}
