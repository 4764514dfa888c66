// SPDX-License-Identifier: MIT

package enum Hexadecimal {
  /// The bytes that these digits of either case stand for; nil when one is no digit, or has no partner.
  package static func bytes(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var rest = digits
    while let high = rest.popFirst(), let low = rest.popFirst() {
      guard let high = value(of: high), let low = value(of: low) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// The digits of these bytes, in lower case.
  package static func text(of bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      var end = 0
      for byte in bytes {
        text[end] = digit(byte >> 4)
        text[end &+ 1] = digit(byte & 15)
        end &+= 2
      }
      return end
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 | value : 0x57 &+ value }

  /// The value of a digit of either case; nil for another character.
  package static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
