// SPDX-License-Identifier: MIT
import CacheJSON

// JSON keeps its syntax and the number of scalars in each string. A replacement of another length would say
// that something was not understood, so random letters take its place.
extension CacheScrub {
  /// The anonymized object or array in JSON; nil for other bytes.
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

  private mutating func value(_ walk: inout JSONWalk, _ role: FieldRole, depth: Int) throws {
    let first = walk.reader.peek()
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "["), depth >= JSONScanner.depthLimit {
      throw JSONError(code: .tooDeep, offset: walk.reader.offset)
    }
    switch first {
    case UInt8(ascii: "{"): try object(&walk, depth: depth)
    case UInt8(ascii: "["):
      var isMore = try walk.reader.opensArray()
      while isMore {
        try value(&walk, role, depth: depth + 1)
        isMore = try walk.reader.continuesArray()
      }
    case UInt8(ascii: "\""):
      let text = try walk.reader.text()
      try replace(text, in: &walk) { $0.text($1, role) }
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try walk.reader.bool()
    case UInt8(ascii: "n"): try walk.reader.null()
    default:
      let text = try walk.reader.numberText()
      let number = try walk.reader.string(of: text)
      let isKept = role == .datum ? Datum.isOne(number) : number.utf8.count <= Self.shortNumber
      if !isKept { try replace(text, in: &walk) { $0.names.number($1) } }
    }
  }

  /// Keychain items are no deeper in any file.
  private static let itemDepth = 2
  /// A number of so many digits identifies no user.
  private static let shortNumber = 4

  private mutating func object(_ walk: inout JSONWalk, depth: Int) throws {
    let item = depth <= Self.itemDepth ? itemFacts(at: walk.reader) : nil
    var isMore = try walk.reader.opensObject()
    while isMore {
      let key = try walk.reader.keyText()
      let name = try walk.reader.string(of: key)
      if !Vocabulary.fieldNames.contains(name) {
        try replace(key, in: &walk) { $0.text($1, .text) }
      }
      if walk.reader.peek() == UInt8(ascii: "\""), let item, ItemFacts.attributes.contains(name) {
        let value = try walk.reader.text()
        let old = try walk.reader.string(of: value)
        try replace(value, in: &walk) { scrub, _ in
          scrub.attribute(old, named: name, of: item).scalars
        }
      } else {
        try value(&walk, FieldRole(named: name), depth: depth + 1)
      }
      isMore = try walk.reader.continuesObject()
    }
  }

  private mutating func replace(
    _ text: JSONScanner.Text, in walk: inout JSONWalk,
    by change: (inout CacheScrub, [Unicode.Scalar]) -> [Unicode.Scalar]
  ) throws {
    let old = try walk.reader.string(of: text).scalars
    let new = change(&self, old)
    walk.replace(text.range, old, with: new.count == old.count ? new : names.secret(old))
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

  var finished: [UInt8] { result + bytes[copied...] }

  /// Replaces the content of a sound string by as many scalars, each spelled as the old one was.
  mutating func replace(_ range: Range<Int>, _ old: [Unicode.Scalar], with new: [Unicode.Scalar]) {
    result += bytes[copied..<range.lowerBound]
    copied = range.upperBound
    if old.count == range.count, !new.contains(where: \.needsEscape) {
      result += [UInt8](new)
      return
    }
    var place = range.lowerBound
    for (old, new) in zip(old, new) {
      let spelling = bytes[place...].prefix(spelledLength(of: old, at: place))
      place = spelling.endIndex
      if new == old {
        result += spelling
      } else if new.needsEscape || spelling.count >= Self.escapedUnit {
        for unit in String(new).utf16 {
          result += "\\u".utf8
          result += Hexadecimal.text(of: [UInt8(unit >> 8), UInt8(unit & 0xFF)]).utf8
        }
      } else {
        result.append(new)
      }
    }
  }

  /// The length of `\u` and four digits.
  private static let escapedUnit = 6

  private func spelledLength(of scalar: Unicode.Scalar, at place: Int) -> Int {
    guard bytes[place] == UInt8(ascii: "\\") else { return UTF8.width(scalar) }
    let isUnit = bytes[place...].dropFirst().first == UInt8(ascii: "u")
    return isUnit ? Self.escapedUnit * UTF16.width(scalar) : 2
  }
}

extension Unicode.Scalar {
  /// Whether a JSON string cannot have it as it is.
  fileprivate var needsEscape: Bool { value < 0x20 || self == "\"" || self == "\\" }
}
