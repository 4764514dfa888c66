// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

extension TokenSecret {
  /// The SHA-256 of the secret, in hexadecimal. It breaks ties between tokens, so that their order in a cache does not
  /// matter. Lookups show it instead of the secret.
  package var digest: String {
    // Reveal: only to hash it; the digest of such a long token discloses nothing.
    SHA256Digits.text(of: reveal())
  }
}
