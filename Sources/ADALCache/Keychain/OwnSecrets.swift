// SPDX-License-Identifier: MIT
import KeychainItems

/// Gives tokens secrets of their own in place of parts of the items that they were read from, so that the
/// items can go: of an archive the tokens are a third to a half.
package struct OwnSecrets {
  // Rows of one sign-in often follow each other.
  private var lastIDToken: Secret?

  package init() {}

  /// Puts a token's secrets in bytes of their own, and its ID token in those of the row before where that has
  /// the same one.
  package mutating func separate(_ token: inout LegacyToken) {
    token.accessToken = token.accessToken?.copied
    token.refreshToken = token.refreshToken?.copied
    token.sessionKey = token.sessionKey?.copied
    if let idToken = token.rawIDToken {
      if idToken != lastIDToken { lastIDToken = idToken.copied }
      token.rawIDToken = lastIDToken
    }
  }
}
