// SPDX-License-Identifier: MIT
import CacheJSON

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// SHA-256, in hexadecimal: the one place that needs a library for it.
package enum SHA256Digits {
  /// The 64 digits of the hash of these bytes, in lower case.
  package static func text(of bytes: [UInt8]) -> String {
    Hexadecimal.text(of: SHA256.hash(data: bytes))
  }

  /// The 64 digits of the HMAC-SHA-256 of these bytes, in lower case.
  package static func text(of bytes: [UInt8], key: [UInt8]) -> String {
    Hexadecimal.text(
      of: HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
  }
}
