// SPDX-License-Identifier: MIT

/// An instant of the Gregorian calendar, for readers of dates that other programs spelled.
package struct CalendarInstant: Sendable {
  /// Unix seconds, as if the parts were those of UTC.
  package var seconds: Double

  /// An instant of year, month, day, hour, minute and second; nil if there is no such day or time. A leap second is the
  /// first of the next minute.
  package init?(_ parts: [Int]) {
    guard parts.count == 6, (1...9999).contains(parts[0]), (1...12).contains(parts[1]),
      (1...Self.days(in: parts[1], of: parts[0])).contains(parts[2]), (0...23).contains(parts[3]),
      (0...59).contains(parts[4]), (0...60).contains(parts[5])
    else { return nil }
    // Days since 1970 by Howard Hinnant's days_from_civil, with years that begin in March.
    let year = parts[1] > 2 ? parts[0] : parts[0] - 1
    let month = (parts[1] + 9) % 12
    let days =
      year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + parts[2] - 1
      - 719_468
    seconds = Double(days * 86400 + parts[3] * 3600 + parts[4] * 60 + parts[5])
  }

  /// An instant such as `2023-11-14 22:13:20`, with this sign between the day and the time.
  package init?(_ text: ArraySlice<UInt8>, separator: Unicode.Scalar) {
    let form = "0000-00-00\(separator)00:00:00".utf8
    guard text.count == form.count else { return nil }
    let digits = zip(text, form).filter { $1 == UInt8(ascii: "0") }.map(\.0)
    guard zip(text, form).allSatisfy({ $1 == UInt8(ascii: "0") || $0 == $1 }) else { return nil }
    self.init(digits: digits[...])
  }

  /// An instant such as `20231114221320`.
  package init?(digits: ArraySlice<UInt8>) {
    guard digits.count == 14, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    var rest = digits.map { Int($0 & 0xF) }[...]
    self.init(
      [4, 2, 2, 2, 2, 2].map { length in
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length).reduce(0) { $0 * 10 + $1 }
      })
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
