// SPDX-License-Identifier: MIT
import CacheJSON

/// The places of an items file's elements (contract §4) in its text.
struct ItemPlaces {
  /// The attributes of the generic passwords.
  private(set) var attributes = AttributePlaces()
  /// The elements, of whatever class; with the attributes of the generic passwords.
  private(set) var elements: [(range: Range<Int>, item: AttributePlaces.Item?)] = []
  /// The place for the next item: after the last one, or after the opening bracket.
  private(set) var end = 0

  /// The places of a text without any item, which has so many bytes before the first one.
  init(end: Int) { self.end = end }

  /// The places of a text that is read in pieces.
  ///
  /// - Parameters:
  ///   - size: how many bytes the text has.
  ///   - part: gives these bytes of it.
  init(size: Int, _ part: (Range<Int>) throws -> [UInt8]) throws {
    self = try withoutActuallyEscaping(part) { part in
      try ItemPlaces(of: PiecewiseText(size: size, part))
    }
  }

  /// - Parameter text: the text, still unread.
  init(of text: consuming PiecewiseText) throws {
    if try text.read({ $0.peek() == UInt8(ascii: "[") }) {
      try readItems(&text)
    } else {
      try readObject(&text)
    }
    try text.read { try $0.expectEnd() }
  }

  private mutating func readObject(_ text: inout PiecewiseText) throws {
    var format: JSONScanner.Scalar?
    var version: JSONScanner.Scalar?
    var lists = 0
    var isMore = try text.read { try $0.opensObject() }
    while isMore {
      let key = try text.read { try $0.key() }
      switch key {
      // The character behind a value is read with it, because a number could continue.
      case "format":
        (format, isMore) = try text.read { (try $0.scalarIfAny(), try $0.continuesObject()) }
      case "version":
        (version, isMore) = try text.read { (try $0.scalarIfAny(), try $0.continuesObject()) }
      case "items" where try text.read({ $0.peek() == UInt8(ascii: "[") }):
        lists += 1
        try readItems(&text)
        isMore = try text.read { try $0.continuesObject() }
      default:
        isMore = try text.read { reader in
          try reader.skipValue()
          return try reader.continuesObject()
        }
      }
    }
    guard format == .string(ItemFile.format) else {
      throw Objection(words: "its format is not \(ItemFile.format)")
    }
    guard version == .number("1") else { throw Objection(words: "its version is not 1") }
    guard lists == 1 else { throw Objection(words: "it does not have one array named items") }
  }

  private mutating func readItems(_ text: inout PiecewiseText) throws {
    attributes = AttributePlaces()
    elements = []
    var count = 0
    var isMore = try text.read { try $0.opensArray() }
    while isMore {
      try readElement(&text)
      if elements.last?.item != nil { count += 1 }
      try Self.checkCount(count, of: text.size)
      isMore = try text.read { try $0.continuesArray() }
    }
    if elements.isEmpty { end = text.offset - 1 }
  }

  /// Reads the object at the cursor, which is the last element so far.
  mutating func readElement(_ text: inout PiecewiseText) throws {
    let mark = attributes.mark
    var start = 0
    let (item, isGenericPassword) = try text.read { reader in
      guard reader.peek() == UInt8(ascii: "{") else {
        throw Objection(words: "element \(elements.count) of its items is not an object")
      }
      start = reader.offset
      attributes.forget(since: mark)
      do {
        return try attributes.read(&reader)
      } catch let error as Objection {
        throw Objection(words: "item \(elements.count) \(error.words)")
      }
    }
    // Other programs keep arrays of objects too, ADAL for Node its tokens.
    guard !item.isEmpty else {
      throw Objection(
        words: "element \(elements.count) of its items has no attribute of a keychain item")
    }
    end = text.offset
    if isGenericPassword { attributes.move(item, by: text.start) }
    elements.append((text.start + start..<end, isGenericPassword ? item : nil))
  }

  // An item takes hundreds of bytes of memory, and can have twenty in the text. Honest ones have hundreds;
  // this many may be as short as they like.
  static let shortItemLimit = 1 << 17

  /// Throws when there are more items than honest texts of that size have.
  static func checkCount(_ count: Int, of size: Int) throws(Objection) {
    guard count <= shortItemLimit || count <= size / 128 else {
      throw Objection(words: "it has too many empty items")
    }
  }

  /// The generic passwords in the order of their keys.
  var order: ItemOrder {
    ItemOrder(
      of: elements.compactMap { element in element.item.map { (element.range, $0) } }, attributes)
  }
}
