// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation

/// A point in time as `--now` takes it: Unix seconds, or ISO 8601 (`2025-01-31`, `2025-01-31T12:00:00Z`,
/// with an offset, with fractions of a second). Without a zone it is UTC.
struct Instant: Equatable {
  /// In Unix seconds.
  let seconds: Double

  /// - Throws: `ValidationError` that says what is taken.
  init(word: String) throws {
    guard let seconds = Self.unix(word) ?? Self.iso8601(word), (0...Self.latest).contains(seconds)
    else {
      throw ValidationError(
        "use Unix seconds (1700000000) or ISO 8601 (2023-11-14T22:13:20Z, 2023-11-14)")
    }
    self.seconds = seconds
  }

  var date: Date { Date(timeIntervalSince1970: seconds) }

  /// The end of the year 9999.
  private static let latest = 253_402_300_799.0

  private static func unix(_ text: String) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isDecimal = parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.areDigits }
    return isDecimal ? Double(text) : nil
  }

  private static func iso8601(_ text: String) -> Double? {
    var rest = text.utf8[...]
    guard let year = rest.number(4), rest.take("-"), let month = rest.number(2), rest.take("-"),
      let day = rest.number(2), let days = days(year, month, day)
    else { return nil }
    let midnight = Double(days) * 86400
    if rest.isEmpty { return midnight }
    guard rest.take("T") || rest.take("t") || rest.take(" "), let time = time(&rest),
      let offset = offset(&rest), rest.isEmpty
    else { return nil }
    return midnight + time - offset
  }

  /// The time of a day, in seconds.
  private static func time(_ rest: inout Substring.UTF8View) -> Double? {
    guard let hour = rest.number(2), hour < 24, rest.take(":"), let minute = rest.number(2),
      minute < 60
    else { return nil }
    guard rest.take(":") else { return Double(hour * 3600 + minute * 60) }
    guard let second = rest.number(2), second <= 60 else { return nil }
    var fraction = 0.0
    if rest.take(".") || rest.take(",") {
      let digits = rest.prefix { (48...57).contains($0) }
      guard !digits.isEmpty, let value = Double("0.\(Substring(digits))") else { return nil }
      fraction = value
      rest = rest.dropFirst(digits.count)
    }
    return Double(hour * 3600 + minute * 60 + second) + fraction
  }

  /// The offset from UTC, in seconds.
  private static func offset(_ rest: inout Substring.UTF8View) -> Double? {
    if rest.isEmpty || rest.take("Z") || rest.take("z") { return 0 }
    let isWest = rest.take("-")
    guard isWest || rest.take("+"), let hours = rest.number(2), hours < 24 else { return nil }
    var minutes = 0
    if !rest.isEmpty {
      _ = rest.take(":")
      guard let found = rest.number(2), found < 60 else { return nil }
      minutes = found
    }
    return Double((isWest ? -1 : 1) * (hours * 3600 + minutes * 60))
  }

  /// The days since 1970 of a day of the Gregorian calendar, or nil when there is no such day.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[month - 1]).contains(day), year > 0 else {
      return nil
    }
    let before = year - 1
    let untilYear = before * 365 + before / 4 - before / 100 + before / 400
    return untilYear + lengths.prefix(month - 1).reduce(0, +) + day - 1 - 719_162
  }
}

extension Substring.UTF8View {
  /// Takes exactly so many digits.
  fileprivate mutating func number(_ digits: Int) -> Int? {
    let head = prefix(digits)
    guard head.count == digits, head.areDigits else { return nil }
    self = dropFirst(digits)
    return head.reduce(0) { $0 * 10 + Int($1) - 48 }
  }

  /// Takes this character, if it is the next.
  fileprivate mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next = first, UInt32(next) == character.value else { return false }
    self = dropFirst()
    return true
  }
}

extension Sequence<UInt8> {
  fileprivate var areDigits: Bool { allSatisfy { (48...57).contains($0) } }
}
