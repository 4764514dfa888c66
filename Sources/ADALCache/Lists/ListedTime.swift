// SPDX-License-Identifier: MIT
import KeychainItems

/// A time as a list spells it.
struct ListedTime {
  /// Seconds since 1970 of what is spelled, as if it were UTC.
  var seconds: Double
  /// Whether it is UTC (`2023-11-14T23:03:19.191Z`, JavaScript), or local (`2017-08-01 12:00:00.123456`,
  /// Python).
  var isUTC: Bool

  /// Reads a time of either spelling; nil when it is of neither.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes.count <= 30 else { return nil }
    isUTC = bytes[10] == UInt8(ascii: "T")
    guard let instant = CalendarInstant(bytes[..<19], separator: isUTC ? "T" : " ") else {
      return nil
    }
    var rest = bytes[19...]
    if isUTC {
      guard rest.popLast() == UInt8(ascii: "Z") else { return nil }
    }
    seconds = instant.seconds
    if rest.isEmpty { return }
    guard rest.popFirst() == UInt8(ascii: "."), (1...9).contains(rest.count),
      let fraction = Self.number(rest)
    else { return nil }
    seconds += Double(fraction) / rest.reduce(1) { power, _ in power * 10 }
  }

  /// The number that up to nine digits are.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int(digit - 0x30)
    }
    return number
  }
}
