// SPDX-License-Identifier: MIT

/// The client ID under which ADAL files a family's token: `foci-` and the family's ID (IdentityCore
/// cache/key/MSIDLegacyTokenCacheKey.m).
package enum FamilyClient {
  private static let prefix = "foci-"

  /// The client ID of a family's token, trimmed and in lower case.
  package static func id(of family: String) -> String { (prefix + family).normalized }

  /// Whether this is no client's own id.
  package static func isOne(_ client: String?) -> Bool { family(of: client) != nil }

  /// The family that this stands for, trimmed and lower-case; nil when it is a client's own id.
  package static func family(of client: String?) -> String? {
    guard let client = client.nonBlank?.lowercasedLikeNSString, client.hasPrefix(prefix)
    else { return nil }
    return Optional(String(client.dropFirst(prefix.count))).nonBlank
  }
}
