// SPDX-License-Identifier: MIT
import CacheJSON

extension [UInt8] {
  /// The bytes without one level of the escapes of JSON, XML, URLs and `security`, and whether one of these stands
  /// for a letter, a digit or a part of such; nil when the bytes have none.
  func withoutEscapes() -> (bytes: [UInt8], hideWord: Bool)? {
    guard contains(where: isStart) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var hideWord = false
    var place = 0
    while place < count {
      if isStart(self[place]), let escape = escape(self, at: place) {
        result += escape.bytes
        place += escape.count
        hideWord = hideWord || escape.bytes.contains { Unicode.Scalar($0).isWord }
      } else {
        result.append(self[place])
        place += 1
      }
    }
    return result.count < count ? (result, hideWord) : nil
  }
}

private func isStart(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "%")
}

private func escape(_ bytes: [UInt8], at place: Int) -> Escape? {
  switch bytes[place] {
  case UInt8(ascii: "\\"): backslash(bytes, at: place)
  case UInt8(ascii: "&"): reference(bytes, at: place)
  default: percent(bytes, at: place)
  }
}

private typealias Escape = (bytes: [UInt8], count: Int)

/// JSON's escapes, and octal digits.
private func backslash(_ bytes: [UInt8], at start: Int) -> Escape? {
  guard start + 1 < bytes.count else { return nil }
  let letter = bytes[start + 1]
  switch letter {
  case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return ([letter], 2)
  case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"),
    UInt8(ascii: "t"):
    return ([0x20], 2)
  case UInt8(ascii: "0")...UInt8(ascii: "3"):
    let digits = bytes[(start + 1)...].prefix(3)
    guard let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 8), digits.count == 3
    else { return nil }
    return ([byte == 0 ? 0x20 : byte], 4)
  case UInt8(ascii: "u"):
    guard let first = unit(bytes, at: start) else { return nil }
    if let second = unit(bytes, at: start + 6), UTF16.isLeadSurrogate(first) {
      return (Array(String(decoding: [first, second], as: UTF16.self).utf8), 12)
    }
    return (first == 0 ? [0x20] : Array(String(decoding: [first], as: UTF16.self).utf8), 6)
  default: return nil
  }
}

private func unit(_ bytes: [UInt8], at start: Int) -> UInt16? {
  guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"),
    bytes[start + 1] == UInt8(ascii: "u")
  else { return nil }
  return UInt16(String(decoding: bytes[(start + 2)..<(start + 6)], as: UTF8.self), radix: 16)
}

/// XML's references.
private func reference(_ bytes: [UInt8], at start: Int) -> Escape? {
  let rest = bytes[start...].prefix(longestReference)
  guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
  let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
  let count = end + 1 - start
  if let known = references[name] { return ([known], count) }
  guard name.hasPrefix("#") else { return nil }
  let digits = name.dropFirst()
  let number =
    digits.first?.lowercased() == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
  guard let scalar = number.flatMap(Unicode.Scalar.init) else { return nil }
  return (scalar == "\0" ? [0x20] : Array(String(scalar).utf8), count)
}

/// `&#x10FFFF;` is no longer.
private let longestReference = 10
private let references: [String: UInt8] = [
  "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
  "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
]

/// Two digits of a URL's.
private func percent(_ bytes: [UInt8], at start: Int) -> Escape? {
  let digits = bytes[start...].dropFirst().prefix(2)
  guard digits.count == 2, let byte = Hexadecimal.bytes(digits)?.first else { return nil }
  return ([byte == 0 ? 0x20 : byte], 3)
}
