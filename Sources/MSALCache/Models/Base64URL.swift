// SPDX-License-Identifier: MIT

/// base64url as IdentityCore reads and writes it (util/NSData+MSIDExtensions.m, NSString+MSIDExtensions.m).
enum Base64URL {
  /// The bytes of this text, or nil when there are none or it is not base64: both alphabets are
  /// taken, blanks at the ends go, padding may be left out.
  static func bytes(of text: some StringProtocol) -> [UInt8]? {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var characters = Substring(text).utf8.drop(while: isBlank)
    while let last = characters.last, isBlank(last) { characters.removeLast() }
    guard !characters.isEmpty else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(characters.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for character in characters {
      if character == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count % 4 == 0 {
        result.append(UInt8(truncatingIfNeeded: bits >> 16))
        result.append(UInt8(truncatingIfNeeded: bits >> 8))
        result.append(UInt8(truncatingIfNeeded: bits))
      }
    }
    switch (count % 4, padding) {
    case (0, 0): break
    case (2, 0...2): result.append(UInt8(truncatingIfNeeded: bits >> 4))
    case (3, 0...1):
      result.append(UInt8(truncatingIfNeeded: bits >> 10))
      result.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return nil
    }
    return result
  }

  /// These bytes in the URL-safe alphabet, without padding.
  static func text(of bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0...group.count {
        result.append(alphabet[Int(bits >> UInt32(18 - 6 * place) & 0x3F)])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
