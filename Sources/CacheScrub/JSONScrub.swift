// SPDX-License-Identifier: MIT
import CacheJSON

// What becomes of JSON: of the same length, but for what stands in it that is not.
extension CacheScrub {
  /// What an object or an array in JSON becomes; nil when the bytes are none.
  mutating func json(_ bytes: [UInt8]) -> [UInt8]? {
    var reader = JSONScanner(bytes)
    let first = reader.peek()
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    var walk = JSONWalk(bytes: bytes, reader: reader)
    do {
      try value(&walk, .text, depth: 0)
      try walk.reader.expectEnd()
    } catch {
      return nil
    }
    return walk.finished
  }

  private mutating func value(
    _ walk: inout JSONWalk, _ role: FieldRole, depth: Int
  ) throws {
    switch walk.reader.peek() {
    case UInt8(ascii: "{"):
      guard depth < JSONScanner.depthLimit else { throw TooDeep() }
      try object(&walk, depth: depth)
    case UInt8(ascii: "["):
      guard depth < JSONScanner.depthLimit else { throw TooDeep() }
      var isMore = try walk.reader.opensArray()
      while isMore {
        try value(&walk, role, depth: depth + 1)
        isMore = try walk.reader.continuesArray()
      }
    case UInt8(ascii: "\""):
      let text = try walk.reader.text()
      walk.replace(text.range) { self.text($0, role) }
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try walk.reader.bool()
    case UInt8(ascii: "n"): try walk.reader.null()
    default:
      let number = try walk.reader.number()
      let end = walk.reader.offset
      guard role != .kept, number.utf8.count > Self.shortNumber else { return }
      walk.replace((end - number.utf8.count)..<end) { names.number($0) }
    }
  }

  private struct TooDeep: Error {}

  /// Keychain items are no deeper in any file.
  private static let itemDepth = 2
  /// A number of so many digits says nothing of anybody.
  private static let shortNumber = 4

  private mutating func object(_ walk: inout JSONWalk, depth: Int) throws {
    let item = depth <= Self.itemDepth ? JSONItem(walk.reader, &self) : nil
    var isMore = try walk.reader.opensObject()
    while isMore {
      let key = try walk.reader.keyText()
      let name = try walk.reader.string(of: key)
      if !FieldNames.contains(name) { walk.replace(key.range) { text($0, .text) } }
      if walk.reader.peek() == UInt8(ascii: "\""), let item, item.isAttribute(name) {
        let value = try walk.reader.text()
        let old = try walk.reader.string(of: value)
        walk.replace(value.range, with: attribute(old, named: name, of: item))
      } else {
        try value(&walk, FieldRole(named: name), depth: depth + 1)
      }
      isMore = try walk.reader.continuesObject()
    }
  }
}

/// JSON that is read and written again with other strings.
struct JSONWalk {
  let bytes: [UInt8]
  var reader: JSONScanner
  private var result: [UInt8] = []
  private var copied = 0

  init(bytes: [UInt8], reader: JSONScanner) {
    self.bytes = bytes
    self.reader = reader
    result.reserveCapacity(bytes.count)
  }

  /// Everything that was read, with what was replaced.
  var finished: [UInt8] { result + bytes[copied...] }

  /// Replaces the content of a string, scalar by scalar, each spelled as the old one was.
  mutating func replace(
    _ range: Range<Int>, by change: ([Unicode.Scalar]) -> [Unicode.Scalar]
  ) {
    var pieces: [Piece] = []
    var place = range.lowerBound
    while place < range.upperBound, let piece = Piece(bytes, at: place, before: range.upperBound) {
      pieces.append(piece)
      place = piece.range.upperBound
    }
    let changed = change(pieces.map(\.scalar))
    guard changed.count == pieces.count else { return }
    result += bytes[copied..<range.lowerBound]
    for (piece, scalar) in zip(pieces, changed) {
      if piece.scalar == scalar {
        result += bytes[piece.range]
      } else if piece.isEscaped {
        for unit in String(scalar).utf16 {
          result += Array("\\u".utf8)
          result += Hexadecimal.text(of: [UInt8(unit >> 8), UInt8(unit & 0xFF)]).utf8
        }
      } else {
        result.append(scalar)
      }
    }
    copied = range.upperBound
  }

  /// Replaces the content of a string by text that needs no escapes, such as base64.
  mutating func replace(_ range: Range<Int>, with text: String) {
    var writer = JSONWriter()
    writer.write(text)
    result += bytes[copied..<range.lowerBound]
    // Without the quotation marks.
    result += Array(writer.bytes.dropFirst()).dropLast()
    copied = range.upperBound
  }

  /// A scalar and how it is spelled.
  private struct Piece {
    var scalar: Unicode.Scalar
    var range: Range<Int>
    var isEscaped: Bool

    init?(_ bytes: [UInt8], at start: Int, before end: Int) {
      let lead = bytes[start]
      guard lead == UInt8(ascii: "\\") else {
        guard lead >= 0x80 else {
          self.init(scalar: Unicode.Scalar(lead), range: start..<(start + 1), isEscaped: false)
          return
        }
        let count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard start + count <= end else { return nil }
        let text = String(decoding: bytes[start..<(start + count)], as: UTF8.self)
        guard let scalar = text.unicodeScalars.first else { return nil }
        self.init(scalar: scalar, range: start..<(start + count), isEscaped: false)
        return
      }
      guard start + 1 < end else { return nil }
      guard bytes[start + 1] == UInt8(ascii: "u") else {
        let letters: [UInt8: Unicode.Scalar] = [
          0x62: "\u{8}", 0x66: "\u{C}", 0x6E: "\n", 0x72: "\r", 0x74: "\t",
        ]
        let letter = bytes[start + 1]
        self.init(
          scalar: letters[letter] ?? Unicode.Scalar(letter), range: start..<(start + 2),
          isEscaped: true)
        return
      }
      guard let first = Self.unit(bytes, at: start, before: end) else { return nil }
      if let scalar = Unicode.Scalar(first) {
        self.init(scalar: scalar, range: start..<(start + 6), isEscaped: true)
        return
      }
      guard let second = Self.unit(bytes, at: start + 6, before: end),
        let scalar = String(decoding: [first, second], as: UTF16.self).unicodeScalars.first
      else { return nil }
      self.init(scalar: scalar, range: start..<(start + 12), isEscaped: true)
    }

    private init(scalar: Unicode.Scalar, range: Range<Int>, isEscaped: Bool) {
      self.scalar = scalar
      self.range = range
      self.isEscaped = isEscaped
    }

    private static func unit(_ bytes: [UInt8], at start: Int, before end: Int) -> UInt16? {
      guard start + 6 <= end else { return nil }
      return UInt16(String(decoding: bytes[(start + 2)..<(start + 6)], as: UTF8.self), radix: 16)
    }
  }
}
