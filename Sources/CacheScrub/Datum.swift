// SPDX-License-Identifier: MIT

/// Values that identify no user: dates, small numbers, versions, and kinds from a list.
///
/// The value itself decides. The name of its field only allows such a value, because the author of a file chooses its
/// names.
enum Datum {
  /// Whether a text or the spelling of a number is such a value.
  static func isOne(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count <= longest else { return false }
    return kinds.contains(text) || isNumber(bytes[...]) || isVersion(bytes) || isDate(bytes)
  }

  /// No date is longer: `2023-11-14T22:13:20.123456789+00:00`, or Android's spelling of an attribute.
  static let longest = 64

  // Numbers

  /// Small numbers, and seconds or milliseconds that are an instant of the years 1993 to 2105.
  private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = parts.first, !whole.isEmpty,
      parts.allSatisfy({ $0.allSatisfy(\.isDigit) })
    else { return false }
    if parts.count == 2 {
      // The number of digits that a double has behind the seconds.
      guard let fraction = parts.last, (1...longestFraction).contains(fraction.count) else {
        return false
      }
    }
    return whole.count <= mostDigits || isInstant(whole) && digits.count == bytes.count
  }

  /// Whether digits are an instant: seconds since 1970 or since 2001, or milliseconds since 1970.
  static func isInstant(_ digits: ArraySlice<UInt8>) -> Bool {
    switch digits.count {
    case 9: digits.first ?? 0 >= UInt8(ascii: "1")
    // Up to 3,999,999,999, the year 2096.
    case 10: (UInt8(ascii: "1")...UInt8(ascii: "3")).contains(digits.first ?? 0)
    case 13: digits.first == UInt8(ascii: "1")
    default: false
    }
  }

  /// A lifetime has no more: a day has 86,400 seconds.
  private static let mostDigits = 5
  static let longestFraction = 9

  /// Digits with dots between them, such as `2.0`.
  private static func isVersion(_ bytes: [UInt8]) -> Bool {
    bytes.count % 2 == 1 && bytes.count <= longestVersion
      && bytes.enumerated().allSatisfy { place, byte in
        place % 2 == 0 ? byte.isDigit : byte == UInt8(ascii: ".")
      }
  }

  private static let longestVersion = 7

  // Dates

  /// An instant as RFC 3339, Python, .NET or the keychain spells it.
  private static func isDate(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: "/Date(".utf8), bytes.suffix(2).elementsEqual(")/".utf8) {
      return isInstant(bytes.dropFirst(6).dropLast(2))
    }
    if bytes.count == 15, bytes.last == UInt8(ascii: "Z") {
      return isYear(bytes[..<4]) && bytes.dropLast().allSatisfy(\.isDigit)
    }
    return dateLength(bytes[...]) == bytes.count
  }

  /// The number of bytes of an instant or a day at the beginning: `2023-11-14`, followed by `T22:13:20.5Z` or `
  /// 22:13:20 +0000`; 0 if there is none.
  static func dateLength(_ bytes: ArraySlice<UInt8>) -> Int {
    guard follows("dddd-dd-dd", bytes), isYear(bytes.prefix(4)) else { return 0 }
    var rest = bytes.dropFirst(10)
    guard follows("Tdd:dd:dd", rest) || follows(" dd:dd:dd", rest) else {
      return bytes.count - rest.count
    }
    rest = rest.dropFirst(9)
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: \.isDigit)
      guard (1...longestFraction).contains(fraction.count) else { return bytes.count - rest.count }
      rest = rest.dropFirst(1 + fraction.count)
    }
    if rest.first == UInt8(ascii: "Z") {
      rest = rest.dropFirst()
    } else {
      for zone in ["+dd:dd", "-dd:dd", " +dddd", " -dddd"] where follows(zone, rest) {
        rest = rest.dropFirst(zone.utf8.count)
        break
      }
    }
    return bytes.count - rest.count
  }

  /// Whether bytes begin like a pattern, in which `d` stands for any digit.
  private static func follows(_ pattern: String, _ bytes: ArraySlice<UInt8>) -> Bool {
    let head = bytes.prefix(pattern.utf8.count)
    return head.count == pattern.utf8.count
      && zip(head, pattern.utf8).allSatisfy { $1 == UInt8(ascii: "d") ? $0.isDigit : $0 == $1 }
  }

  private static func isYear(_ digits: ArraySlice<UInt8>) -> Bool {
    digits.starts(with: "19".utf8) || digits.starts(with: "20".utf8)
  }

  // Kinds

  /// Kinds of items, tokens, keys and protections, as keychains and libraries spell them.
  static let kinds = Set(
    words: """
      genp inet cert keys idnt aapl note ak ck dk aku cku dku akpu
      kSecClassGenericPassword kSecClassInternetPassword kSecClassCertificate kSecClassKey kSecClassIdentity
      kSecAttrAccessibleAfterFirstUnlock kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      kSecAttrAccessibleAlways kSecAttrAccessibleAlwaysThisDeviceOnly
      kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly kSecAttrAccessibleWhenUnlocked
      kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      Bearer bearer Pop pop PoP ssh-cert JWT jwt at+jwt pop+jwt none
      RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 HS256 HS384 HS512 dir RSA-OAEP A256GCM A128CBC-HS256
      MSSTS ADFS Other Generic AAD aad MSA B2C AccessToken RefreshToken IdToken V1IdToken
      AccessToken_With_AuthScheme PrimaryRefreshToken FamilyRefreshToken BoundRefreshToken
      LegacySingleResourceToken MSIDAccessToken MSIDRefreshToken MSIDIdToken MSIDLegacyAccessToken
      MSIDLegacyRefreshToken MSIDLegacySingleResourceToken Account AppMetadata keychain-items true false
      signed_in signed_out unknown
      """)
}
