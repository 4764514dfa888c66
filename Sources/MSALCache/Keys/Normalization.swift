// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

// String comparison as in MSAL for iOS and macOS: NSString's trimming, lower-casing and equality (IdentityCore
// util/NSString+MSIDExtensions.m), without Foundation's cost per call.

extension String {
  /// The text without white space and newlines at its ends (`msidTrimmedString`).
  package var trimmed: String {
    // Most text has nothing to trim, and then costs no copy.
    if let first = utf8.first, let last = utf8.last, first.isVisibleASCII, last.isVisibleASCII {
      return self
    }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isBlank }),
      let last = scalars.lastIndex(where: { !$0.isBlank })
    else { return "" }
    return String(scalars[first...last])
  }
}

extension String {
  /// The text trimmed and lower-cased (`msidNormalizedString`), as keychain attributes hold it.
  package var normalized: String { trimmed.lowercasedLikeNSString }

  /// The text trimmed, with ASCII letters in lower case: the form in which identifiers of accounts, clients and tenants
  /// are compared. MSAL's lower-casing of other letters would make different identifiers equal (`K` and the Kelvin
  /// sign).
  package var identifier: String {
    let text = trimmed
    if text.isPlainLowerCase { return text }
    return String(
      decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The user name as MSAL compares it with others: trimmed, in lower case, and the same as another one that
  /// Unicode calls equivalent, which Swift's own comparison sees to
  /// (IdentityCore util/NSString+MSIDExtensions.m, `caseInsensitiveCompare:`).
  package var foldedUserName: String { normalized }

  /// Whether there is nothing but white space (`msidIsStringNilOrBlank`).
  package var isBlank: Bool { unicodeScalars.allSatisfy(\.isBlank) }

  /// `lowercaseString`: Unicode's full mapping, with the final sigma at the end of a word.
  package var lowercasedLikeNSString: String {
    if isPlainLowerCase { return self }
    let lower = lowercased()
    // The first byte of the capital sigma in UTF-8 is found faster.
    let mayHaveSigma =
      utf8.withContiguousStorageIfAvailable { $0.contains(0xCE) } ?? utf8.contains(0xCE)
    guard mayHaveSigma, unicodeScalars.contains("\u{3A3}") else { return lower }
    return withFinalSigmas
  }

  /// Whether all is ASCII and no letter is upper case.
  private var isPlainLowerCase: Bool {
    utf8.withContiguousStorageIfAvailable { $0.isPlainLowerCase }
      ?? utf8.allSatisfy { $0 < 0x80 && $0 &- 0x41 > 25 }
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

  /// Whether `caseInsensitiveCompare:` finds both the same.
  package func isEqualInAnyCase(_ other: String) -> Bool {
    isExactly(other) || uppercased().lowercased() == other.uppercased().lowercased()
  }

  /// Whether both are the same characters, byte by byte, as `isEqualToString:` compares.
  package func isExactly(_ other: String) -> Bool { compareBytes(other) == 0 }
}

extension String {
  /// Whether the text is all visible ASCII, so that there is nothing to split or trim.
  package var isOneWord: Bool {
    func isVisible(_ byte: UInt8) -> Bool { byte.isVisibleASCII }
    return !isEmpty
      && (utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isVisible) }
        ?? utf8.allSatisfy(isVisible))
  }
}

extension String {
  /// These texts one after the other, in one step: an append at a time costs ten times as much.
  package init(of parts: String...) {
    self.init(unsafeUninitializedCapacity: parts.reduce(0) { $0 + $1.utf8.count }) { text in
      var end = 0
      for var part in parts {
        part.withUTF8 {
          UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(text)[end...])
            .copyMemory(from: UnsafeRawBufferPointer($0))
          end += $0.count
        }
      }
      return end
    }
  }
}

extension Unicode.Scalar {
  /// `whitespaceAndNewlineCharacterSet`, which counts the zero width space among them.
  package var isBlank: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    default: false
    }
  }
}

extension UInt8 {
  fileprivate var isVisibleASCII: Bool { (0x21...0x7E).contains(self) }
}

extension Optional where Wrapped == String {
  /// The text trimmed, or nil if nothing is left.
  package var nonBlank: String? {
    guard let text = self?.trimmed, !text.isEmpty else { return nil }
    return text
  }
}

extension Substring {
  /// The text without white space and newlines at its ends.
  package var trimmed: String { String(self).trimmed }
}

extension String {
  /// Whether the text has the shape of a GUID: 8-4-4-4-12 hexadecimal digits.
  package var isGUID: Bool {
    utf8.withContiguousStorageIfAvailable { $0.isGUID }
      ?? Array(utf8).withUnsafeBufferPointer { $0.isGUID }
  }

  /// Whether it is two GUIDs with a dot between them, as the home account id of every account of Entra ID is.
  package var isTwoGUIDs: Bool {
    utf8.withContiguousStorageIfAvailable { $0.isTwoGUIDs }
      ?? Array(utf8).withUnsafeBufferPointer { $0.isTwoGUIDs }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate var isTwoGUIDs: Bool {
    count == 73 && self[36] == UInt8(ascii: ".")
      && UnsafeBufferPointer(rebasing: self[..<36]).isGUID
      && UnsafeBufferPointer(rebasing: self[37...]).isGUID
  }
}

/// A string that is equal to another only byte by byte, and sorts by its bytes: an identifier. Swift's own
/// strings are equal when Unicode calls them equivalent, so that two accounts would be one.
///
/// As a property wrapper, it makes the compiler-generated comparison of a key compare the property exactly.
@propertyWrapper
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  package var wrappedValue: String

  package var text: String { wrappedValue }

  package init(_ text: String) { wrappedValue = text }

  package init(wrappedValue: String) { self.wrappedValue = wrappedValue }

  package init(stringLiteral text: String) { wrappedValue = text }

  package static func == (a: ExactText, b: ExactText) -> Bool { a.text.isExactly(b.text) }

  package static func < (a: ExactText, b: ExactText) -> Bool { a.text.compareBytes(b.text) < 0 }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension Dictionary where Key == ExactText {
  package subscript(text: String) -> Value? {
    get { self[ExactText(text)] }
    set { self[ExactText(text)] = newValue }
  }

  package subscript(text: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ExactText(text), default: value()] }
    _modify { yield &self[ExactText(text), default: value()] }
  }
}

extension Set<ExactText> {
  package func contains(_ text: String) -> Bool { contains(ExactText(text)) }

  package mutating func insert(_ text: String) { insert(ExactText(text)) }
}
