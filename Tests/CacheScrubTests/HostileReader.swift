// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation

/// Every reading of some bytes, out of all spellings of ``HostileSpelling`` in any order. It shares nothing with
/// the search of `scrub`, and what it cannot tell apart it reads in each way.
struct HostileReader {
  private static let deepest = 9
  /// Eight characters in base64.
  private static let shortest = 11
  private(set) var windows: Set<UInt64> = []
  private var seen: Set<[UInt8]> = []
  private var seenWords: Set<ArraySlice<UInt8>> = []
  private let wanted: Set<UInt64>

  /// - Parameter wanted: The windows that are looked for, in lower case.
  init(wanted: Set<UInt64>) { self.wanted = wanted }

  /// - Parameter isNarrow: Whether the bytes were read out of UTF-16, which nobody spells in UTF-16 again.
  mutating func read(_ bytes: [UInt8], depth: Int = 0, isNarrow: Bool = false) {
    guard bytes.count >= 8, seen.insert(bytes).inserted else { return }
    Self.visitWindows(of: bytes) { if wanted.contains($0) { windows.insert($0) } }
    guard depth < Self.deepest else { return }
    if bytes.contains(0), !isNarrow {
      for isBig in [true, false] {
        for start in 0...1 {
          read(Self.utf16(bytes, from: start, isBig), depth: depth + 1, isNarrow: true)
        }
      }
    }
    let plain = Self.unescaped(bytes)
    if plain.count < bytes.count { read(plain, depth: depth + 1, isNarrow: isNarrow) }
    for alphabet in Self.alphabets {
      for word in bytes.split(whereSeparator: { !alphabet[Int($0)] })
      where word.count >= Self.shortest && seenWords.insert(word).inserted {
        // In a binary format the length before a text may be a letter, and so may what stands before that.
        for count in 0...(bytes.contains(0) ? 2 : 0) {
          readDigits(Array(word.dropFirst(count)), depth)
        }
      }
    }
  }

  /// Blobs that are broken into lines.
  mutating func readLines(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "&#10;", with: "")
    read(text.utf8.filter { ![0x20, 0x0A, 0x0D, 0x09].contains($0) })
  }

  private mutating func readDigits(_ word: [UInt8], _ depth: Int) {
    let digits = word.starts(with: "0x".utf8) ? word.dropFirst(2) : word[...]
    if let inner = Hexadecimal.bytes(digits), Self.isLikely(inner) { read(inner, depth: depth + 1) }
    let text = String(decoding: word, as: UTF8.self)
    if let inner = Base64.bytes(of: text, .lenientURL), Self.isLikely(inner) {
      read(inner, depth: depth + 1)
    }
  }

  /// Noise has bytes of any value.
  private static func isLikely(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: "bplist00".utf8) || bytes.starts(with: [3, 0, 0, 0]) { return true }
    let odd = bytes.count { $0 > 0 && $0 < 0x20 && $0 != 0x0A }
    let isText = String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    return odd * 8 < bytes.count && (isText || bytes.contains(0))
  }

  private static func utf16(_ bytes: [UInt8], from start: Int, _ isBig: Bool) -> [UInt8] {
    let units = stride(from: start, to: bytes.count - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// The bytes with every escape of JSON, XML, URLs and `security` as what it stands for.
  private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var made: [UInt8] = []
    made.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      let rest = bytes[place...]
      let escape: ([UInt8], Int)? =
        switch bytes[place] {
        case UInt8(ascii: "%"): number(rest.dropFirst().prefix(2), 16, 2).map { ([UInt8($0)], 3) }
        case UInt8(ascii: "&"): reference(rest)
        case UInt8(ascii: "\\"): backslash(rest)
        default: nil
        }
      made += escape?.0 ?? [bytes[place]]
      place += escape?.1 ?? 1
    }
    return made
  }

  private static func number(_ digits: ArraySlice<UInt8>, _ radix: Int, _ count: Int) -> Int? {
    guard digits.count == count, digits.allSatisfy({ Hexadecimal.value(of: $0) != nil }) else {
      return nil
    }
    return Int(String(decoding: digits, as: UTF8.self), radix: radix)
  }

  private static func reference(_ rest: ArraySlice<UInt8>) -> ([UInt8], Int)? {
    guard let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: rest[rest.startIndex..<end], as: UTF8.self).dropFirst()
    let count = end + 1 - rest.startIndex
    let named: [String: UInt8] = ["amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27]
    if let known = named[String(name)] { return ([known], count) }
    let number =
      name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
    guard name.hasPrefix("#"), let scalar = number.flatMap(Unicode.Scalar.init) else { return nil }
    return (Array(String(scalar).utf8), count)
  }

  private static func backslash(_ rest: ArraySlice<UInt8>) -> ([UInt8], Int)? {
    guard let letter = rest.dropFirst().first else { return nil }
    if letter == UInt8(ascii: "u") {
      guard let first = number(rest.dropFirst(2).prefix(4), 16, 4) else { return nil }
      var units = [UInt16(first)]
      let next = rest.dropFirst(6)
      if UTF16.isLeadSurrogate(units[0]), next.starts(with: "\\u".utf8),
        let second = number(next.dropFirst(2).prefix(4), 16, 4)
      {
        units.append(UInt16(second))
      }
      return (Array(String(decoding: units, as: UTF16.self).utf8), 6 * units.count)
    }
    if let byte = number(rest.dropFirst().prefix(3), 8, 3), byte < 256 { return ([UInt8(byte)], 4) }
    return [0x22, 0x2F, 0x5C].contains(letter) ? ([letter], 2) : nil
  }

  /// Letters that words of base64 are made of: of either alphabet, of both, or of neither's punctuation, which
  /// may be the text's.
  private static let alphabets: [[Bool]] = ["+/-_=", "+/=", "-_", ""].map { marks in
    (0...255).map { isPlain($0) || marks.utf8.contains($0) }
  }

  /// Whether a byte is a letter or a digit of ASCII.
  static func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  /// Calls `visit` with each eight bytes, in lower case.
  static func visitWindows(of bytes: [UInt8], _ visit: (UInt64) -> Void) {
    var (window, count): (UInt64, Int) = (0, 0)
    for byte in bytes {
      window = window << 8 | UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      count += 1
      if count >= 8 { visit(window) }
    }
  }
}
