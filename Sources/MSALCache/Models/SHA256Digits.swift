// SPDX-License-Identifier: MIT
import CacheJSON

/// SHA-256, in hexadecimal.
package enum SHA256Digits {
  /// The 64 digits of the hash of these bytes, in lower case.
  package static func text(of bytes: [UInt8]) -> String {
    Hexadecimal.text(of: SHA256.hash(of: bytes))
  }

  /// The 64 digits of the HMAC-SHA-256 of these bytes, in lower case.
  package static func text(of bytes: [UInt8], key: [UInt8]) -> String {
    Hexadecimal.text(of: SHA256.authentication(of: bytes, key: key))
  }
}
