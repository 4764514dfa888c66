// SPDX-License-Identifier: MIT

/// The number of terminal columns of a text, near enough for tables: wide East Asian characters and emoji take two,
/// marks and format characters none, all others one.
enum DisplayWidth {
  static func columns(_ text: some StringProtocol) -> Int {
    let isPlain: (UInt8) -> Bool = { (0x20..<0x7F).contains($0) }
    let areAllPlain =
      text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPlain) }
      ?? text.utf8.allSatisfy(isPlain)
    return areAllPlain ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
  }

  /// The columns that a character takes: as many as the widest of its scalars.
  static func columns(_ character: Character) -> Int {
    character.unicodeScalars.reduce(0) { max($0, columns($1)) }
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    return isWide(scalar.value) ? 2 : 1
  }

  /// The blocks that Unicode's EastAsianWidth.txt calls wide or fullwidth, whole blocks at a time.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      return true
    default:
      return false
    }
  }
}

extension String {
  /// This many spaces; none for less than one.
  package static func spaces(_ count: Int) -> String {
    String(unsafeUninitializedCapacity: Swift.max(0, count)) { bytes in
      bytes.initialize(repeating: 0x20)
      return Swift.max(0, count)
    }
  }
}
