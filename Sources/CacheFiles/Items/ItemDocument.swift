// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// Keychain items as JSON (contract §4): the bytes of an items file and what they hold.
///
/// Items are added by inserting text, so that everything else in the file, known or not, stays as it
/// was, byte for byte.
struct ItemDocument {
  /// Why bytes are not keychain items.
  struct Objection: Error {
    /// The rest of a sentence; says nothing of what the items hold.
    var words: String
  }

  /// The text, with everything that was added.
  private(set) var bytes: [UInt8]
  /// The generic passwords, in the order of the file.
  private(set) var items: [KeychainItem] = []
  /// Where the next item goes: after the last one, or after the opening bracket.
  private var end = 0
  /// Whether the array has elements, be they of another class.
  private var hasElements = false
  // Made when something is added first; who only reads needs none.
  private var keys: Set<KeychainItem.Key>?
  /// Where the elements stand, of whatever class, and which of ``items`` each is.
  private var elements: [(range: Range<Int>, item: Int?)] = []

  /// A file without items.
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
    } catch let error as Objection {
      throw error
    } catch let error as JSONError {
      throw Objection(words: "malformed JSON at byte \(error.offset)")
    } catch {
      throw Objection(words: "malformed JSON")
    }
  }

  private mutating func readObject(_ reader: inout JSONScanner) throws {
    var format: JSONScanner.Scalar?
    var version: JSONScanner.Scalar?
    var lists = 0
    try reader.object { reader, key in
      switch key {
      case "format": format = try Self.scalar(&reader)
      case "version": version = try Self.scalar(&reader)
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
    var index = 0
    hasElements = false
    elements = []
    try reader.array { reader in
      guard reader.peek() == UInt8(ascii: "{") else {
        throw Objection(words: "element \(index) of its items is not an object")
      }
      let begin = reader.offset
      let item = try Self.item(&reader, at: index)
      elements.append((begin..<reader.offset, item == nil ? nil : items.count))
      if let item { items.append(item) }
      guard items.count <= Self.shortItemLimit || items.count <= bytes.count / 128 else {
        throw Objection(words: "it has too many empty items")
      }
      index += 1
      hasElements = true
      end = reader.offset
    }
    if !hasElements { end = reader.offset - 1 }
  }

  /// The value at the cursor, nil for an object or an array.
  private static func scalar(_ reader: inout JSONScanner) throws -> JSONScanner.Scalar? {
    let next = reader.peek()
    guard next == UInt8(ascii: "{") || next == UInt8(ascii: "[") else { return try reader.scalar() }
    try reader.skipValue()
    return nil
  }

  /// The item at the cursor, nil when it is of another class.
  private static func item(_ reader: inout JSONScanner, at index: Int) throws -> KeychainItem? {
    let attributes = try ItemAttributesText(&reader)
    // Other programs keep arrays of objects too, ADAL for Node its tokens.
    guard !attributes.isEmpty else {
      throw Objection(words: "element \(index) of its items has no attribute of a keychain item")
    }
    do {
      return try attributes.item(reader)
    } catch {
      throw Objection(words: "item \(index) has an unusable \(error.name)")
    }
  }

  // An item takes two hundred bytes of memory and more, and can have twenty in the text. Honest ones have
  // hundreds; this many may be as short as they like.
  static let shortItemLimit = 1 << 17

  /// The text without the items that are meant, everything else as it is, and their keys. As it was read:
  /// nothing may have been added.
  func removing(
    where isMeant: (KeychainItem) -> Bool
  ) -> (bytes: [UInt8], removed: Set<KeychainItem.Key>) {
    let goes = elements.map { element in element.item.map { isMeant(items[$0]) } ?? false }
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
    let removed = Set(zip(elements, goes).compactMap { $1 ? $0.item.map { items[$0].key } : nil })
    return (rest + bytes[copied...], removed)
  }

  /// Adds items at the end, and returns those whose key is there already.
  mutating func add(_ additions: [KeychainItem]) -> [KeychainItem] {
    var taken: [KeychainItem] = []
    var text = ""
    var keys = keys ?? Set(items.lazy.map(\.key))
    defer { self.keys = keys }
    for item in additions {
      guard keys.insert(item.key).inserted else {
        taken.append(item)
        continue
      }
      text += hasElements ? ",\n  " : "\n  "
      text += item.json
      hasElements = true
      items.append(item)
    }
    bytes.insert(contentsOf: text.utf8, at: end)
    end += text.utf8.count
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
  /// The text as a JSON string.
  fileprivate var quoted: String {
    var writer = JSONWriter()
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
