// SPDX-License-Identifier: MIT
import KeychainItems

/// What is kept of tokens once they were read from items, so that those can go: an archive has claims and names
/// that nobody asks for. What a row has in common with the one before, which is often of the same sign-in, is
/// kept once.
package struct KeptParts {
  private var idToken: Secret?
  private var authority: String?
  private var clientID: String?
  private var userID: String?
  private var archivedUserID: String?

  package init() {}

  /// Puts a token's secrets in bytes of their own, and leaves out what the service answered, of which
  /// everything that is asked for is a part of the token by now.
  package mutating func keep(of token: inout LegacyToken) {
    token.accessToken = token.accessToken?.copied
    token.refreshToken = token.refreshToken?.copied
    token.sessionKey = token.sessionKey?.copied
    if let raw = token.rawIDToken {
      if raw != idToken { idToken = raw.copied }
      token.rawIDToken = idToken
    }
    token.additionalServer = [:]
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
