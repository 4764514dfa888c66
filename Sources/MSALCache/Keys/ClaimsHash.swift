// SPDX-License-Identifier: MIT

/// What the service attribute of an access token for requested claims ends in: the first seven hex
/// digits of the SHA-256 of the claims (`msidTokenHash`, IdentityCore util/NSString+MSIDExtensions.m).
enum ClaimsHash {
  static func sevenDigits(of claims: String) -> String {
    String(SHA256Digits.text(of: Array(claims.utf8)).prefix(7))
  }
}
