// SPDX-License-Identifier: MIT
import CacheJSON

// JSON keeps its syntax and the number of scalars in each string. A replacement of another length would say
// that something was not understood, so random letters take its place.
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
      replace(text.range, in: &walk) { $0.text($1, role) }
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try walk.reader.bool()
    case UInt8(ascii: "n"): try walk.reader.null()
    default:
      let number = try walk.reader.number()
      let end = walk.reader.offset
      let isKept = role == .datum ? Datum.isOne(number) : number.utf8.count <= Self.shortNumber
      if isKept { return }
      replace((end - number.utf8.count)..<end, in: &walk) { $0.names.number($1) }
    }
  }

  private struct TooDeep: Error {}

  /// Keychain items are no deeper in any file.
  private static let itemDepth = 2
  /// A number of so many digits identifies no user.
  private static let shortNumber = 4

  private mutating func replace(
    _ range: Range<Int>, in walk: inout JSONWalk,
    by change: (inout CacheScrub, [Unicode.Scalar]) -> [Unicode.Scalar]
  ) {
    guard let text = walk.text(range) else { return }
    let new = change(&self, text.scalars)
    walk.replace(text, with: new.count == text.scalars.count ? new : names.secret(text.scalars))
  }

  private mutating func object(_ walk: inout JSONWalk, depth: Int) throws {
    let item = depth <= Self.itemDepth ? JSONItem(walk.reader, &self) : nil
    var isMore = try walk.reader.opensObject()
    while isMore {
      let key = try walk.reader.keyText()
      let name = try walk.reader.string(of: key)
      if !FieldNames.contains(name) { replace(key.range, in: &walk) { $0.text($1, .text) } }
      if walk.reader.peek() == UInt8(ascii: "\""), let item, item.isAttribute(name) {
        let value = try walk.reader.text()
        let old = try walk.reader.string(of: value)
        replace(value.range, in: &walk) { scrub, _ in
          scrub.attribute(old, named: name, of: item).scalars
        }
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

  /// The string content at `range`; nil when it is no sound string.
  func text(_ range: Range<Int>) -> Text? {
    let plain: [Unicode.Scalar]? = bytes[range].withUnsafeBufferPointer { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) else { return nil }
      return bytes.map { Unicode.Scalar($0) }
    }
    if let plain { return Text(range: range, scalars: plain, pieces: nil) }
    var pieces: [Piece] = []
    var place = range.lowerBound
    while place < range.upperBound {
      guard let piece = Piece(bytes, at: place, before: range.upperBound) else { return nil }
      pieces.append(piece)
      place = piece.range.upperBound
    }
    return Text(range: range, scalars: pieces.map(\.scalar), pieces: pieces)
  }

  /// Replaces the content of a string by as many scalars, each spelled as the old one was.
  mutating func replace(_ text: Text, with scalars: [Unicode.Scalar]) {
    result += bytes[copied..<text.range.lowerBound]
    copied = text.range.upperBound
    if text.pieces == nil, !scalars.contains(where: \.needsEscape) {
      result += [UInt8](scalars)
      return
    }
    for (index, scalar) in scalars.enumerated() {
      let piece = text.pieces?[index]
      if let piece, piece.scalar == scalar {
        result += bytes[piece.range]
      } else if scalar.needsEscape || (piece?.range.count ?? 1) >= 6 {
        for unit in String(scalar).utf16 {
          result += Array("\\u".utf8)
          result += Hexadecimal.text(of: [UInt8(unit >> 8), UInt8(unit & 0xFF)]).utf8
        }
      } else {
        result.append(scalar)
      }
    }
  }

  /// The content of a string.
  struct Text {
    let range: Range<Int>
    let scalars: [Unicode.Scalar]
    /// How each scalar is spelled; nil where each is one byte that is the scalar.
    let pieces: [Piece]?
  }

  /// A scalar and how it is spelled.
  struct Piece {
    let scalar: Unicode.Scalar
    let range: Range<Int>

    init?(_ bytes: [UInt8], at start: Int, before end: Int) {
      let lead = bytes[start]
      guard lead == UInt8(ascii: "\\") else {
        guard lead >= 0x80 else {
          self.init(scalar: Unicode.Scalar(lead), range: start..<(start + 1))
          return
        }
        let count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard start + count <= end else { return nil }
        let text = String(decoding: bytes[start..<(start + count)], as: UTF8.self)
        guard let scalar = text.unicodeScalars.first else { return nil }
        self.init(scalar: scalar, range: start..<(start + count))
        return
      }
      guard start + 1 < end else { return nil }
      guard bytes[start + 1] == UInt8(ascii: "u") else {
        let letters: [UInt8: Unicode.Scalar] = [
          0x62: "\u{8}", 0x66: "\u{C}", 0x6E: "\n", 0x72: "\r", 0x74: "\t",
        ]
        let letter = bytes[start + 1]
        self.init(
          scalar: letters[letter] ?? Unicode.Scalar(letter), range: start..<(start + 2))
        return
      }
      guard let first = Self.unit(bytes, at: start, before: end) else { return nil }
      if let scalar = Unicode.Scalar(first) {
        self.init(scalar: scalar, range: start..<(start + 6))
        return
      }
      guard let second = Self.unit(bytes, at: start + 6, before: end),
        let scalar = String(decoding: [first, second], as: UTF16.self).unicodeScalars.first
      else { return nil }
      self.init(scalar: scalar, range: start..<(start + 12))
    }

    private init(scalar: Unicode.Scalar, range: Range<Int>) {
      self.scalar = scalar
      self.range = range
    }

    private static func unit(_ bytes: [UInt8], at start: Int, before end: Int) -> UInt16? {
      guard start + 6 <= end else { return nil }
      return UInt16(String(decoding: bytes[(start + 2)..<(start + 6)], as: UTF8.self), radix: 16)
    }
  }
}

extension Unicode.Scalar {
  /// Whether a JSON string cannot have it as it is.
  fileprivate var needsEscape: Bool { value < 0x20 || self == "\"" || self == "\\" }
}
