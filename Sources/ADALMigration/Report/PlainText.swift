// SPDX-License-Identifier: MIT

/// Making text from a cache harmless: names, authorities, resources and file names can be
/// any text.
package enum PlainText {
  /// The text with everything visible and nothing that acts: what steers a terminal, breaks a line,
  /// changes the direction of writing or begins a command of a build log becomes `\u{1B}`. A name
  /// that is written from right to left is isolated, so that it leaves its surroundings in order.
  package static func show(_ text: String) -> String {
    let harmless = escape(text) { "\\u{\(hex($0.value, digits: 2))}" }
    return harmless.unicodeScalars.contains(where: isRightToLeft)
      ? "\u{2068}\(harmless)\u{2069}" : harmless
  }

  /// Replaces each scalar that could act by what `replacement` makes of it.
  ///
  /// GitHub's runner takes `::` at the beginning of a line for a command and `##[` anywhere; Azure's
  /// agent takes `##vso[` anywhere. A second `:` or `#` in a row counts as acting for that reason.
  package static func escape(_ text: String, with replacement: (Unicode.Scalar) -> String) -> String
  {
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

  /// Whether a scalar does something other than stand there.
  private static func acts(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: return false
    // The joiners are part of names in Persian and of emoji, and do nothing by themselves.
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

  /// Whether a scalar belongs to a script that is written from right to left, by block.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
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
