// SPDX-License-Identifier: MIT
import ArgumentParser
import PlatformFoundation
import KeychainItems

/// A point in time as `--now` takes it: Unix seconds, or ISO 8601 (`2025-01-31`, `2025-01-31T12:00:00Z`,
/// with an offset, with fractions of a second). Without a zone it is UTC.
struct Instant: Equatable {
  /// In Unix seconds.
  let seconds: Double

  init(word: String) throws {
    guard let seconds = Self.unix(word) ?? Self.iso8601(word), (0...Self.latest).contains(seconds)
    else {
      throw ValidationError(
        "use Unix seconds (1700000000) or ISO 8601 (2023-11-14T22:13:20Z, 2023-11-14)")
    }
    self.seconds = seconds
  }

  /// The word, if it says a time.
  static func checked(_ word: String) throws -> String {
    _ = try Instant(word: word)
    return word
  }
  var date: Date { Date(timeIntervalSince1970: seconds) }

  private static let latest = 253_402_300_799.0

  private static func unix(_ text: String) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isDecimal = parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.areDigits }
    return isDecimal ? Double(text) : nil
  }

  private static func iso8601(_ text: String) -> Double? {
    var rest = text.utf8[...]
    guard let year = rest.number(4), rest.take("-"), let month = rest.number(2), rest.take("-"),
      let day = rest.number(2)
    else { return nil }
    if rest.isEmpty { return CalendarInstant([year, month, day, 0, 0, 0])?.seconds }
    guard rest.take("T") || rest.take("t") || rest.take(" "), let hour = rest.number(2),
      rest.take(":"), let minute = rest.number(2)
    else { return nil }
    var (second, fraction) = (0, 0.0)
    if rest.take(":") {
      guard let number = rest.number(2), let part = self.fraction(&rest) else { return nil }
      (second, fraction) = (number, part)
    }
    guard let instant = CalendarInstant([year, month, day, hour, minute, second]),
      let offset = offset(&rest), rest.isEmpty
    else { return nil }
    return instant.seconds + fraction - offset
  }

  /// The fraction of a second, zero without one.
  private static func fraction(_ rest: inout Substring.UTF8View) -> Double? {
    guard rest.take(".") || rest.take(",") else { return 0 }
    let digits = rest.prefix { (48...57).contains($0) }
    rest = rest.dropFirst(digits.count)
    return digits.isEmpty ? nil : Double("0.\(Substring(digits))")
  }

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
}

extension Substring.UTF8View {
  fileprivate mutating func number(_ digits: Int) -> Int? {
    let head = prefix(digits)
    guard head.count == digits, head.areDigits else { return nil }
    self = dropFirst(digits)
    return head.reduce(0) { $0 * 10 + Int($1) - 48 }
  }

  fileprivate mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next = first, UInt32(next) == character.value else { return false }
    self = dropFirst()
    return true
  }
}

extension Sequence<UInt8> {
  fileprivate var areDigits: Bool { allSatisfy { (48...57).contains($0) } }
}
