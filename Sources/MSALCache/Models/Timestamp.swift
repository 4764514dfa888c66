// SPDX-License-Identifier: MIT

/// Times in payloads: decimal seconds since 1970 in a string.
package enum Timestamp {
  /// The number at the start of the text, zero when there is none, as NSString's `doubleValue` reads
  /// it: after white space an optional sign, digits, a fraction, an exponent; what follows is ignored.
  ///
  /// A JSON text such as "2030-01-01" is therefore the second 2030.
  package static func number(of text: String) -> Double {
    // Nearly all are whole seconds.
    if let seconds = wholeSeconds(text.utf8) { return seconds }
    var bytes = Substring(text).utf8.drop { (0x09...0x0D).contains($0) || $0 == 0x20 }
    var number = ""
    func takeDigits() -> Int {
      let digits = bytes.prefix { (0x30...0x39).contains($0) }
      number += String(decoding: digits, as: UTF8.self)
      bytes = bytes.dropFirst(digits.count)
      return digits.count
    }
    if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      if sign == UInt8(ascii: "-") { number = "-" }
      bytes = bytes.dropFirst()
    }
    var count = takeDigits()
    if count == 0 { number += "0" }
    if bytes.first == UInt8(ascii: ".") {
      bytes = bytes.dropFirst()
      number += "."
      let fraction = takeDigits()
      if fraction == 0 { number += "0" }
      count += fraction
    }
    guard count > 0 else { return 0 }
    let mantissa = number
    if let letter = bytes.first, letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") {
      bytes = bytes.dropFirst()
      number += "e"
      if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
        number += sign == UInt8(ascii: "-") ? "-" : "+"
        bytes = bytes.dropFirst()
      }
      if takeDigits() == 0 { number = mantissa }
    }
    // Swift's initialiser gives infinity where the number is too large, as C does.
    return Double(number) ?? 0
  }

  // A double holds any fifteen digits.
  private static let exactDigits = 15

  private static func wholeSeconds(_ digits: String.UTF8View) -> Double? {
    guard !digits.isEmpty, digits.count <= exactDigits else { return nil }
    var number = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int(digit & 0xF)
    }
    return Double(number)
  }

  /// Whole seconds as payloads spell them, never negative.
  static func text(of seconds: Double) -> String {
    guard seconds.isFinite, seconds > 0 else { return "0" }
    return Int64(exactly: seconds.rounded(.down)).map { String($0) } ?? "0"
  }

  /// The same time in whole seconds, which is all that other libraries than Apple's read.
  static func wholeSeconds(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return text }
    return Self.text(of: number(of: text))
  }
}
