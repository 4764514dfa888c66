// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// Keychain items as JSON (contract §4): the bytes of an items file and the items in it.
///
/// Items are added by inserting text, so that everything else in the file, known or not, stays as it
/// was, byte for byte.
struct ItemDocument {
  /// The text, with everything that was added.
  private(set) var bytes: [UInt8]
  private var places: ItemPlaces
  // Made when something is added first; who only reads needs none.
  private var keys: Set<KeychainItem.Key>?

  init() {
    bytes = Array(#"{"format": "keychain-items", "version": 1, "items": ["#.utf8)
    places = ItemPlaces(end: bytes.count)
    bytes += Array("\n]}\n".utf8)
  }

  init(_ bytes: [UInt8]) throws(Objection) {
    self.bytes = bytes
    do {
      places = try ItemPlaces(of: PiecewiseText(bytes))
    } catch {
      throw Objection(error)
    }
  }

  private var maker: AttributePlaces.Maker { AttributePlaces.Maker(places.attributes, bytes) }

  private var itemKeys: Set<KeychainItem.Key> {
    var maker = maker
    return Set(places.elements.compactMap { element in element.item.map { maker.key($0) } })
  }

  /// Calls `body` with the generic passwords, in the order of their keys.
  func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    try places.order.forEachItem(in: { _ in ItemOrder.Part(bytes: bytes, start: 0) }, body)
  }

  /// The text without the items that are meant, everything else as it is, and their keys. As it was read:
  /// nothing may have been added.
  func removing(
    where isMeant: (KeychainItem) -> Bool
  ) -> (bytes: [UInt8], removed: Set<KeychainItem.Key>) {
    var maker = maker
    let elements = places.elements
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
    // An element is removed with the text between it and the one before, the first elements with the text behind.
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

  /// Adds items at the end, and returns those whose key already exists.
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
    let start = places.elements.isEmpty ? "\n  " : separator
    let end = places.end
    bytes.insert(contentsOf: (start + texts.joined(separator: separator)).utf8, at: end)
    var text = PiecewiseText(bytes, at: end)
    for _ in texts {
      do {
        _ = try text.read { $0.skip(",") }
        try places.readElement(&text)
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
    return String(decoding: writer.finished(), as: UTF8.self)
  }
}
