// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// Keychain items as JSON (contract §4): the bytes of an items file and what they hold.
///
/// Items are added by inserting text, so that everything else in the file, known or not, stays as it
/// was, byte for byte.
struct ItemDocument {
  /// The text, with everything that was added.
  private(set) var bytes: [UInt8]
  private var attributes = AttributePlaces()
  /// Where the elements stand, of whatever class; with the attributes of the generic passwords.
  private var elements: [(range: Range<Int>, item: AttributePlaces.Item?)] = []
  /// Where the next item goes: after the last one, or after the opening bracket.
  private var end = 0
  // Made when something is added first; who only reads needs none.
  private var keys: Set<KeychainItem.Key>?

  init() {
    bytes = Array(#"{"format": "keychain-items", "version": 1, "items": ["#.utf8)
    end = bytes.count
    bytes += Array("\n]}\n".utf8)
  }

  init(_ bytes: [UInt8]) throws(Objection) {
    self.bytes = bytes
    do {
      var reader = JSONScanner(bytes)
      if reader.peek() == UInt8(ascii: "[") {
        try readItems(&reader)
      } else {
        try readObject(&reader)
      }
      try reader.expectEnd()
    } catch {
      throw Objection(error)
    }
  }

  private mutating func readObject(_ reader: inout JSONScanner) throws {
    var format: JSONScanner.Scalar?
    var version: JSONScanner.Scalar?
    var lists = 0
    try reader.object { reader, key in
      switch key {
      case "format": format = try reader.scalarIfAny()
      case "version": version = try reader.scalarIfAny()
      case "items" where reader.peek() == UInt8(ascii: "["):
        lists += 1
        try readItems(&reader)
      default: try reader.skipValue()
      }
    }
    guard format == .string(ItemFile.format) else {
      throw Objection(words: "its format is not \(ItemFile.format)")
    }
    guard version == .number("1") else { throw Objection(words: "its version is not 1") }
    guard lists == 1 else { throw Objection(words: "it does not have one array named items") }
  }

  private mutating func readItems(_ reader: inout JSONScanner) throws {
    attributes = AttributePlaces()
    elements = []
    var count = 0
    try reader.array { reader in
      guard reader.peek() == UInt8(ascii: "{") else {
        throw Objection(words: "element \(elements.count) of its items is not an object")
      }
      try readElement(&reader)
      if elements.last?.item != nil { count += 1 }
      try Self.checkCount(count, in: bytes)
    }
    if elements.isEmpty { end = reader.offset - 1 }
  }

  /// Reads the object at the cursor, which is the last element so far.
  private mutating func readElement(_ reader: inout JSONScanner) throws {
    let start = reader.offset
    let (item, isGenericPassword): (AttributePlaces.Item, Bool)
    do {
      (item, isGenericPassword) = try attributes.read(&reader)
    } catch let error as Objection {
      throw Objection(words: "item \(elements.count) \(error.words)")
    }
    // Other programs keep arrays of objects too, ADAL for Node its tokens.
    guard !item.isEmpty else {
      throw Objection(
        words: "element \(elements.count) of its items has no attribute of a keychain item")
    }
    end = reader.offset
    elements.append((start..<end, isGenericPassword ? item : nil))
  }

  // An item takes hundreds of bytes of memory, and can have twenty in the text. Honest ones have hundreds;
  // this many may be as short as they like.
  static let shortItemLimit = 1 << 17

  /// Throws when there are more items than honest texts of that size have.
  static func checkCount(_ count: Int, in bytes: [UInt8]) throws(Objection) {
    guard count <= shortItemLimit || count <= bytes.count / 128 else {
      throw Objection(words: "it has too many empty items")
    }
  }

  private var maker: AttributePlaces.Maker { AttributePlaces.Maker(attributes, bytes) }

  private var itemKeys: Set<KeychainItem.Key> {
    var maker = maker
    return Set(elements.compactMap { element in element.item.map { maker.key($0) } })
  }

  /// Calls `body` with the generic passwords, in the order of their keys.
  func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    try order.forEachItem(in: { _ in ItemOrder.Part(bytes: bytes, start: 0) }, body)
  }

  /// The generic passwords in the order of their keys.
  var order: ItemOrder {
    ItemOrder(
      of: elements.compactMap { element in element.item.map { (element.range, $0) } },
      attributes, JSONScanner(bytes, at: 0))
  }

  /// The text without the items that are meant, everything else as it is, and their keys. As it was read:
  /// nothing may have been added.
  func removing(
    where isMeant: (KeychainItem) -> Bool
  ) -> (bytes: [UInt8], removed: Set<KeychainItem.Key>) {
    var maker = maker
    var removed: Set<KeychainItem.Key> = []
    let goes = elements.map { element in
      guard let item = element.item.map({ maker.item($0) }), isMeant(item) else { return false }
      removed.insert(item.key)
      return true
    }
    var rest: [UInt8] = []
    var copied = 0
    func leaveOut(_ range: Range<Int>) {
      rest += bytes[copied..<range.lowerBound]
      copied = range.upperBound
    }
    // An element goes with what is between it and the one before; the first ones with what is behind.
    let first = goes.firstIndex(of: false) ?? goes.count
    if first > 0 {
      let begin = elements[0].range.lowerBound
      if first < goes.count {
        leaveOut(begin..<elements[first].range.lowerBound)
      } else {
        let indent = Array("\n  ".utf8)
        let isOurs = bytes[..<begin].suffix(indent.count).elementsEqual(indent)
        leaveOut((isOurs ? begin - indent.count : begin)..<elements[first - 1].range.upperBound)
      }
    }
    for number in elements.indices.dropFirst(first) where goes[number] {
      leaveOut(elements[number - 1].range.upperBound..<elements[number].range.upperBound)
    }
    return (rest + bytes[copied...], removed)
  }

  /// Adds items at the end, and returns those whose key is there already.
  mutating func add(_ additions: [KeychainItem]) -> [KeychainItem] {
    var taken: [KeychainItem] = []
    var texts: [String] = []
    var keys = keys ?? itemKeys
    for item in additions {
      if keys.insert(item.key).inserted { texts.append(item.json) } else { taken.append(item) }
    }
    self.keys = keys
    guard !texts.isEmpty else { return taken }
    let separator = ",\n  "
    let text = (elements.isEmpty ? "\n  " : separator) + texts.joined(separator: separator)
    bytes.insert(contentsOf: text.utf8, at: end)
    var reader = JSONScanner(bytes, at: end)
    for _ in texts {
      _ = reader.skip(",")
      do {
        try readElement(&reader)
      } catch {
        preconditionFailure("an item that was just written cannot be read")
      }
    }
    return taken
  }
}

extension KeychainItem {
  /// The item as one line of an items file.
  fileprivate var json: String {
    func base64(_ bytes: [UInt8]) -> String { "\"\(Base64.text(of: bytes, .standard))\"" }
    func date(_ seconds: Double) -> String? {
      guard seconds.isFinite else { return nil }
      return Int(exactly: seconds).map { String($0) } ?? String(seconds)
    }
    let members: [(String, String?)] = [
      ("class", "genp".quoted), ("agrp", accessGroup.quoted), ("acct", account.quoted),
      ("svce", service.quoted), ("gena", generic.map(base64)),
      ("type", type.map { String($0) }), ("pdmn", accessibility?.quoted), ("labl", label?.quoted),
      ("desc", itemDescription?.quoted), ("icmt", comment?.quoted),
      ("invi", isInvisible.map { $0 ? "true" : "false" }), ("cdat", created.flatMap(date)),
      ("mdat", modified.flatMap(date)),
      // Reveal: the items file is where the item's data is kept.
      ("data", data.map { base64($0.reveal()) }),
    ]
    let present = members.compactMap { name, value in value.map { "\"\(name)\": \($0)" } }
    return "{" + present.joined(separator: ", ") + "}"
  }
}

extension String {
  fileprivate var quoted: String {
    var writer = JSONWriter()
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
