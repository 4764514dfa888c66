// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The members of a JSON object that a reader knows. Nothing is made of a value before it is asked for.
package struct RowMembers {
  /// A member's name and a cursor before its value.
  private var found: [(name: StaticString, value: JSONScanner)] = []
  /// The start of the text in the cache, in bytes.
  private let start: Int

  /// The deepest nesting of a row. ADAL.NET's have five levels, lists have two.
  private static let depthLimit = 8

  /// Reads the object that comes next, and everything in it once.
  ///
  /// - Parameters:
  ///   - start: where the scanner's text begins in the cache, in bytes.
  ///   - names: the members that the caller knows; others are ignored.
  ///   - depth: how many objects there are around this one.
  package init(
    _ scanner: inout JSONScanner, from start: Int = 0, names: [StaticString], depth: Int = 0
  ) throws(LegacyCacheError) {
    self.start = start
    guard scanner.peek() == UInt8(ascii: "{") else {
      throw LegacyCacheError(.wrongType, at: start + scanner.offset)
    }
    do throws(JSONError) {
      var isMore = try scanner.opensObject()
      while isMore {
        let key = try scanner.keyText()
        let name = names.first { scanner.reads(key, $0) }
        _ = scanner.peek()
        let value = scanner
        try scanner.skipValue(depth: depth + 1, limit: Self.depthLimit)
        if let name {
          guard !has(name) else {
            throw JSONError(code: .duplicateKey, offset: key.range.lowerBound)
          }
          found.append((name, value))
        }
        isMore = try scanner.continuesObject()
      }
    } catch { throw LegacyCacheError(error, from: start) }
  }

  /// Whether the object has this member, if as a null.
  package func has(_ name: StaticString) -> Bool { value(of: name) != nil }

  /// The place of a member's value in the cache.
  func offset(of name: StaticString) -> Int { start + (value(of: name)?.offset ?? 0) }

  // Each is nil for a member that is absent or null.

  package func text(_ name: StaticString) throws(LegacyCacheError) -> String? {
    try read(name, UInt8(ascii: "\"")) { (value) throws(JSONError) in try value.string() }
  }

  /// Nil for a blank text, too.
  package func secret(_ name: StaticString) throws(LegacyCacheError) -> TokenSecret? {
    try text(name)?.unlessBlank.map { TokenSecret($0) }
  }

  package func bool(_ name: StaticString) throws(LegacyCacheError) -> Bool? {
    try read(name, UInt8(ascii: "t"), UInt8(ascii: "f")) { (value) throws(JSONError) in
      try value.bool()
    }
  }

  /// Nil for a member of any other kind, too.
  package func integer(_ name: StaticString) -> Int? {
    guard var value = value(of: name) else { return nil }
    return (try? value.number()).flatMap { Int($0) }
  }

  func object(
    _ name: StaticString, names: [StaticString], depth: Int
  ) throws(LegacyCacheError) -> RowMembers? {
    guard var value = value(of: name), value.peek() != UInt8(ascii: "n") else { return nil }
    return try RowMembers(&value, from: start, names: names, depth: depth)
  }

  private func read<Value>(
    _ name: StaticString, _ firsts: UInt8...,
    as body: (inout JSONScanner) throws(JSONError) -> Value
  ) throws(LegacyCacheError) -> Value? {
    guard var value = value(of: name), let first = value.peek(), first != UInt8(ascii: "n") else {
      return nil
    }
    guard firsts.contains(first) else {
      throw LegacyCacheError(.wrongType, at: start + value.offset)
    }
    do { return try body(&value) } catch { throw LegacyCacheError(error, from: start) }
  }

  private func value(of name: StaticString) -> JSONScanner? {
    found.first { $0.name.isSpelledLike(name) }?.value
  }
}

extension StaticString {
  fileprivate func isSpelledLike(_ other: StaticString) -> Bool {
    withUTF8Buffer { mine in other.withUTF8Buffer { mine.elementsEqual($0) } }
  }
}

extension JSONScanner {
  /// Consumes any value that is nested no deeper than `limit`.
  fileprivate mutating func skipValue(depth: Int, limit: Int) throws(JSONError) {
    switch peek() {
    case UInt8(ascii: "["):
      guard depth < limit else { throw JSONError(code: .tooDeep, offset: offset) }
      var isMore = try opensArray()
      while isMore {
        try skipValue(depth: depth + 1, limit: limit)
        isMore = try continuesArray()
      }
    case UInt8(ascii: "{"):
      guard depth < limit else { throw JSONError(code: .tooDeep, offset: offset) }
      var isMore = try opensObject()
      while isMore {
        _ = try keyText()
        try skipValue(depth: depth + 1, limit: limit)
        isMore = try continuesObject()
      }
    default: try skipValue()
    }
  }
}

extension String {
  /// The text; nil when there is nothing in it but blanks, which ADAL treats as nothing.
  package var unlessBlank: String? {
    utf8.isBlank ? nil : self
  }
}

extension Collection<UInt8> {
  var isBlank: Bool { allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }
}
