// SPDX-License-Identifier: MIT
import CacheJSON

/// SHA-256, in hexadecimal.
package enum SHA256Digits {
  /// The 64 digits of the hash of these bytes, in lower case.
  package static func text(of bytes: [UInt8]) -> String {
    Hexadecimal.text(of: SHA256.hash(of: bytes))
  }

  /// The 64 digits of the HMAC-SHA-256 of these bytes, in lower case (RFC 2104).
  package static func text(of bytes: [UInt8], key: [UInt8]) -> String {
    let short = key.count > block ? SHA256.hash(of: key) : key
    let padded = short + [UInt8](repeating: 0, count: block - short.count)
    let inner = SHA256.hash(of: padded.map { $0 ^ 0x36 } + bytes)
    return Hexadecimal.text(of: SHA256.hash(of: padded.map { $0 ^ 0x5C } + inner))
  }

  /// The bytes that the hash takes in at once.
  private static let block = 64
}
