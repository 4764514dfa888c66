// SPDX-License-Identifier: MIT

// How MSAL for iOS and macOS compares strings: NSString's trimming, lower-casing and equality
// (IdentityCore util/NSString+MSIDExtensions.m), without Foundation's cost per call.

extension String {
  /// The text without white space and newlines at its ends (`msidTrimmedString`).
  var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isBlank }),
      let last = scalars.lastIndex(where: { !$0.isBlank })
    else { return "" }
    return String(scalars[first...last])
  }

  /// The text trimmed and lower-cased (`msidNormalizedString`), as keychain attributes hold it.
  var normalized: String { trimmed.lowercasedLikeNSString }

  /// Whether there is nothing but white space (`msidIsStringNilOrBlank`).
  var isBlank: Bool { unicodeScalars.allSatisfy(\.isBlank) }

  /// `lowercaseString`: Unicode's full mapping, with the final sigma at the end of a word.
  var lowercasedLikeNSString: String {
    if utf8.allSatisfy({ $0 < 0x80 && !(0x41...0x5A).contains($0) }) { return self }
    let lower = lowercased()
    guard lower.unicodeScalars.contains("\u{3C3}"), unicodeScalars.contains("\u{3A3}") else {
      return lower
    }
    return withFinalSigmas
  }

  private var withFinalSigmas: String {
    let scalars = Array(unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      guard scalar == "\u{3A3}" else {
        result += scalar.properties.lowercaseMapping
        continue
      }
      let before = scalars[..<index].last { !$0.properties.isCaseIgnorable }
      let after = scalars[(index + 1)...].first { !$0.properties.isCaseIgnorable }
      let isFinal = before?.properties.isCased == true && after?.properties.isCased != true
      result += isFinal ? "\u{3C2}" : "\u{3C3}"
    }
    return result
  }

  /// Whether both are the same characters, byte by byte, as `isEqualToString:` compares.
  func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Unicode.Scalar {
  /// `whitespaceAndNewlineCharacterSet`, which counts the zero width space among them.
  var isBlank: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    default: false
    }
  }
}

/// A string that is equal to another only byte by byte, for use as a key.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactText, b: ExactText) -> Bool { a.text.isExactly(b.text) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
