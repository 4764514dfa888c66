// SPDX-License-Identifier: MIT
import KeychainItems

/// Copies the secrets of a token out of its archive, so that the archive can be freed with its claims and names. Values
/// equal to the previous row's, which often belongs to the same sign-in, share their storage.
package struct DetachedSecrets {
  private var idToken: TokenSecret?
  private var authority: String?
  private var clientID: String?
  private var userID: String?
  private var archivedUserID: String?

  package init() {}

  package mutating func keep(of token: inout LegacyToken) {
    if let raw = token.rawIDToken {
      if raw != idToken { idToken = raw.copied }
      token.rawIDToken = idToken
    }
    for field in ItemField.secrets where field != .rawIDToken {
      token[secret: field] = token[secret: field]?.copied
    }
    Self.share(&token.authority, &authority)
    Self.share(&token.clientID, &clientID)
    Self.share(&token.userID, &userID)
    Self.share(&token.archivedUserID, &archivedUserID)
  }

  private static func share(_ text: inout String?, _ last: inout String?) {
    // By bytes: Swift's strings are equal when Unicode calls them equivalent.
    if let one = text, let other = last, one.compareBytes(other) == 0 {
      text = other
    } else {
      last = text
    }
  }
}
