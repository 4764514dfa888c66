// SPDX-License-Identifier: MIT

/// What the service attribute of an access token for requested claims ends in: the first seven hex
/// digits of the SHA-256 of the claims (`msidTokenHash`, IdentityCore util/NSString+MSIDExtensions.m).
package enum ClaimsHash {
  /// The digits for claims as a payload has them.
  package static func ofService(_ claims: String) -> String { sevenDigits(of: claims.normalized) }

  static func sevenDigits(of claims: String) -> String {
    String(SHA256Digits.text(of: Array(claims.utf8)).prefix(7))
  }
}
