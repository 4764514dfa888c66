// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

extension TokenSecret {
  /// The SHA-256 of the secret, in hexadecimal: what breaks ties between tokens, so that the order in
  /// which a cache lists them does not matter, and what lookups show instead of the secret.
  package var digest: String {
    // Reveal: only to hash it; the digest of a token of that length gives nothing away.
    SHA256Digits.text(of: reveal())
  }
}
