// SPDX-License-Identifier: MIT

// Times in payloads: decimal seconds since 1970 in a string.
extension String {
  /// The number at the start of the text, zero without one, as NSString's `doubleValue` reads it: white space, an
  /// optional sign, digits, a fraction, an exponent. The rest is ignored.
  ///
  /// A JSON text such as "2030-01-01" is therefore the second 2030.
  package var doubleValue: Double {
    // Nearly all are whole seconds.
    if let seconds = exactSeconds { return seconds }
    var rest = Substring(self).utf8.drop { (0x09...0x0D).contains($0) || $0 == 0x20 }
    var number = ""
    func take(_ letters: String) -> Bool {
      guard let first = rest.first, letters.utf8.contains(first) else { return false }
      number.unicodeScalars.append(Unicode.Scalar(first))
      rest = rest.dropFirst()
      return true
    }
    func takeDigits() -> Bool {
      let digits = rest.prefix { $0.isDigit }
      number += String(decoding: digits, as: UTF8.self)
      rest = rest.dropFirst(digits.count)
      return !digits.isEmpty
    }
    _ = take("+-")
    // Swift wants a digit on both sides of a point. A text without a digit is zero.
    if !takeDigits() { number += "0" }
    if take("."), !takeDigits() { number += "0" }
    let mantissa = number
    if take("eE") {
      _ = take("+-")
      if !takeDigits() { number = mantissa }
    }
    // Swift's initialiser gives infinity where the number is too large, as C does.
    return Double(number) ?? 0
  }

  // A double holds any fifteen digits.
  private var exactSeconds: Double? {
    guard utf8.count <= 15 else { return nil }
    var number = 0
    for digit in utf8 {
      guard digit.isDigit else { return nil }
      number = number * 10 + Int(digit & 0xF)
    }
    return Double(number)
  }

  /// Whole seconds as payloads spell them, never negative.
  init(wholeSeconds seconds: Double) {
    let whole = seconds.isFinite && seconds > 0 ? Int64(exactly: seconds.rounded(.down)) : nil
    self = String(whole ?? 0)
  }

  /// The same time in whole seconds, which is all that other libraries than Apple's read.
  var inWholeSeconds: String {
    !isEmpty && utf8.allSatisfy(\.isDigit) ? self : String(wholeSeconds: doubleValue)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
