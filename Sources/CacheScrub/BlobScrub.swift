// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON

// Anonymizes ADAL.NET's blob: its strings, which follow their lengths.
extension CacheScrub {
  /// Whether bytes begin like a blob: one of the schemas 1 to 3, of 32 bits, and a count.
  static func isBlob(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 8 && (1...3).contains(bytes[0]) && bytes[1...3].allSatisfy { $0 == 0 }
  }

  /// The anonymized blob; nil if the bytes are not a blob. Unreadable parts become noise.
  mutating func blob(_ bytes: [UInt8]) -> [UInt8]? {
    guard Self.isBlob(bytes) else { return nil }
    var result = Array(bytes[..<4]) + rowCount(Array(bytes[4..<8]), in: bytes.count)
    var place = 8
    var cursor = BlobCursor(bytes, at: place)
    while let range = try? cursor.string() {
      result += bytes[place..<range.lowerBound]
      let old = Array(bytes[range])
      let new = string(old)
      result += new.count == old.count ? new : names.secret(old)
      place = range.upperBound
    }
    // A string that is cut off stays one, so its length stays.
    let length = bytes[place...].prefix(4).prefix { $0 >= 0x80 }.count + 1
    let rest = bytes[place...].dropFirst(length)
    guard let first = rest.first, first < 0x80 || rest.count > 1 else {
      return result + names.secret(Array(bytes[place...]))
    }
    return result + bytes[place..<rest.startIndex] + names.secret(Array(rest))
  }

  /// The number of rows; one that no blob of this size has, which may be letters of a token, becomes another such.
  private func rowCount(_ bytes: [UInt8], in size: Int) -> [UInt8] {
    let count = bytes.reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    // A row has two strings, and each at least its length.
    if count <= (size - 8) / 2 { return bytes }
    // No number of rows is below zero.
    return names.secret(Array(bytes.dropLast())) + [0xFF]
  }

  /// A key, or a value in JSON or in base64 of it.
  private mutating func string(_ old: [UInt8]) -> [UInt8] {
    if let other = json(old) { return other }
    guard let text = String(validatingUTF8Bytes: old) else { return names.secret(old) }
    if let decoded = Base64.bytes(of: text, .standard), let other = json(decoded) {
      return Array(Base64.text(of: other, .standard).utf8)
    }
    return Array(key(text).utf8)
  }

  /// The anonymized key, part by part. The last part is a number.
  private mutating func key(_ text: String) -> String {
    var parts: [[UInt8]] = [[]]
    var colons = 0
    for byte in text.utf8 {
      colons = byte == UInt8(ascii: ":") ? colons + 1 : 0
      parts[parts.count - 1].append(byte)
      guard colons == 3 else { continue }
      parts[parts.count - 1].removeLast(3)
      parts.append([])
      colons = 0
    }
    let number = parts.count > 1 ? parts.count - 1 : nil
    return parts.enumerated().map { index, part in
      self.text(String(decoding: part, as: UTF8.self), index == number ? .datum : .text)
    }.joined(separator: ":::")
  }
}
