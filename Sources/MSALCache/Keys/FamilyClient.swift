// SPDX-License-Identifier: MIT

/// What stands in the place of a client id where ADAL files a family's token: `foci-` and the family's id
/// (IdentityCore cache/key/MSIDLegacyTokenCacheKey.m).
package enum FamilyClient {
  private static let prefix = "foci-"

  /// What a family's token is filed under, trimmed and lower-case.
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
