// SPDX-License-Identifier: MIT
import CacheJSON

/// Making text from a cache harmless: names, authorities, resources and file names can be
/// any text.
package enum PlainText {
  /// Replaces each scalar that a terminal could act on by the result of `replacement`.
  ///
  /// GitHub's runner takes `::` at the beginning of a line for a command and `##[` anywhere; Azure's
  /// agent takes `##vso[` anywhere. A second `:` or `#` in a row counts as acting for that reason.
  package static func escape(_ text: String, with replacement: (Unicode.Scalar) -> String) -> String
  {
    if isHarmless(text) { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      let isCommand = (scalar == ":" || scalar == "#") && previous == scalar
      if isCommand || acts(scalar) {
        result.append(contentsOf: replacement(scalar).utf8)
      } else if scalar.isASCII {
        result.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        result.append(contentsOf: String(scalar).utf8)
      }
      previous = scalar
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a text is ASCII without control characters and commands, as most texts are.
  private static func isHarmless(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 {
      $0.isPlain(withoutPairsOf: UInt8(ascii: ":"), UInt8(ascii: "#"))
        && $0.allSatisfy { $0 >= 0x20 }
    }
  }

  /// Whether a scalar does something other than stand there.
  private static func acts(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: return false
    // The joiners are part of names in Persian and of emoji. Alone they have no effect.
    case 0x200C, 0x200D: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      return true
    default:
      return false
    }
  }

  /// A number in hexadecimal, upper case, with at least so many digits.
  package static func hex(_ number: some BinaryInteger, digits: Int) -> String {
    let hex = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - hex.count)) + hex
  }
}
