// SPDX-License-Identifier: MIT

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// What the service attribute of an access token for requested claims ends in: the first seven hex
/// digits of the SHA-256 of the claims (`msidTokenHash`, IdentityCore util/NSString+MSIDExtensions.m).
enum ClaimsHash {
  static func sevenDigits(of claims: String) -> String {
    let hex = SHA256.hash(data: Array(claims.utf8)).prefix(4).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return String(hex.joined().prefix(7))
  }
}
