// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation

extension TimeZone {
  /// The time zone that a word says: a name of the time zone database, or how far ahead of UTC it is.
  ///
  /// - Throws: `ValidationError` that says what is taken.
  init(word: String) throws {
    if word.contains("/") || word == "UTC" || word == "GMT", let zone = TimeZone(identifier: word) {
      self = zone
      return
    }
    guard let seconds = Self.offset(word), let zone = TimeZone(secondsFromGMT: seconds) else {
      throw ValidationError("use a name (Europe/Berlin, UTC) or an offset (+02:00)")
    }
    self = zone
  }

  /// The seconds of `+02:00` or `-0330`.
  private static func offset(_ word: String) -> Int? {
    guard let sign = word.first, sign == "+" || sign == "-" else { return nil }
    let digits = word.dropFirst().filter { $0 != ":" }
    guard digits.count == 4, digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let hours = Int(digits.prefix(2)), hours <= 14, let minutes = Int(digits.suffix(2)),
      minutes < 60
    else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
