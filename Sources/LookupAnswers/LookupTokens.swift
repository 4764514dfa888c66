// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

extension MSALIndex {
  /// The items of one access group, in the order in which the keychain gives them.
  package init(items: [KeychainItem]) {
    self.init()
    for item in items { addRow(item) }
  }
}

extension Lookup {
  package struct Token: Sendable, Hashable {
    /// Nil where the entry names a kind that MSAL does not know.
    package let kind: MSALEntry.Kind?
    package let secret: TokenSecret
    /// The ids as the entry spells them.
    package let clientID: String?
    package let familyID: String?
    /// Whether an access token has less than 300 seconds left, or was cached in the future.
    package var isExpired = false
    package var isLegacy = false
    package let place: LookupCandidate.EntryPlace
  }

  /// The reason why a look-up fails instead of finding nothing.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    static let severalUsers = Failure(
      description: "rows of several users match, and MSAL returns an error")
  }

  /// The token that MSAL makes of an entry. MSAL drops the secret of an unknown kind (IdentityCore
  /// cache/token/MSIDCredentialCacheItem.m, `tokenWithType:`).
  func token(_ row: LookupRow) -> Token {
    Token(
      kind: row.entry.kind, secret: row.entry.kind == nil ? TokenSecret("") : row.entry.secret,
      clientID: row.entry.clientID, familyID: row.entry.familyID,
      isExpired: row.isExpired(at: now), place: row.place)
  }

  /// The cached access token that a silent request considers, expired or not: of several, only the
  /// first.
  package func accessToken(_ query: LookupQuery) -> Token? {
    find(accessTokenQuery(query)).first.map(token)
  }

  func accessTokenQuery(_ query: LookupQuery) -> EntryQuery {
    tokenQuery(.accessToken, query, authority(query))
  }

  /// The ID token of an account in the tenant of the authority. The user name is ignored.
  package func idToken(_ query: LookupQuery) -> Token? {
    find(idTokenQuery(query)).first.map(token)
  }

  func idTokenQuery(_ query: LookupQuery) -> EntryQuery {
    tokenQuery(query.isV1 ? .v1IDToken : .idToken, query, authority(query))
  }

  /// Every credential that MSAL makes a token of.
  package func allTokens() -> [Token] {
    index.tokens.filter { !$0.isTombstone && $0.isToken(of: $0.entry.kind) }.map(token)
  }
}
