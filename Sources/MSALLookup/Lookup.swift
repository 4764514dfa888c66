// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// MSAL's own read paths over the keychain items of one access group: what MSAL for iOS and macOS would
/// find there, and why not.
///
/// Read from IdentityCore 1.26.0 (cache/accessor/MSIDDefaultTokenCacheAccessor.m and what it calls) and
/// MSAL 2.14.0 (instance/MSALAccountsProvider.m), and held against answers recorded from them. Where
/// the order of a set decides, the order of the items does here. Nothing is deleted or saved.
package struct Lookup: Sendable {
  let index: LookupIndex
  let fallback: FallbackIndex
  let now: Double
  let knowsClouds: Bool

  /// A look-up in these items.
  ///
  /// - Parameters:
  ///   - items: of one access group, in the order in which the keychain gives them.
  ///   - fallbackRows: ADAL's rows of the same group, asked by queries that say so.
  ///   - now: the reader's clock, in Unix seconds.
  ///   - knowsClouds: whether the reader has instance metadata; without it a host has no alias.
  package init(
    items: [KeychainItem], fallbackRows: [ADALFallbackRow] = [], now: Double,
    knowsClouds: Bool = true
  ) {
    index = LookupIndex(items)
    fallback = FallbackIndex(fallbackRows)
    self.now = now
    self.knowsClouds = knowsClouds
  }

  /// A look-up in what these entries are as items: the same, without writing and reading their payloads.
  ///
  /// - Parameter added: entries beside them.
  package init(
    entries: some Sequence<LookupEntry>, adding added: some Sequence<LookupEntry>,
    accessGroup: String, now: Double
  ) {
    var index = LookupIndex([])
    index.reserve(entries.underestimatedCount + added.underestimatedCount)
    for entry in entries { index.add(entry, accessGroup: accessGroup) }
    for entry in added { index.add(entry, accessGroup: accessGroup) }
    self.index = index
    fallback = FallbackIndex([])
    self.now = now
    knowsClouds = true
  }

  /// A token that was found.
  package struct Token: Sendable, Hashable {
    /// Nil where the entry names a kind that MSAL does not know.
    package let kind: Credential.Kind?
    /// The token itself.
    package let secret: Secret
    /// As the entry spells it.
    package let clientID: String?
    /// As the entry spells it.
    package let familyID: String?
    /// Whether an access token has less than 300 seconds left, or was cached in the future.
    package let isExpired: Bool
    /// Whether it comes from a row of ADAL's.
    package let isLegacy: Bool
    /// Where the token is.
    package let place: LookupCandidate.EntryPlace
  }

  /// What is known about a client, as the payload has it.
  package struct ClientMetadata: Sendable, Hashable {
    /// As the entry spells it.
    package let clientID: String?
    /// The host.
    package let environment: String?
    /// As the entry spells it.
    package let familyID: String?
  }

  /// The token that MSAL makes of an entry. Of a kind that it does not know it keeps no secret
  /// (IdentityCore cache/token/MSIDCredentialCacheItem.m, `tokenWithType:`).
  func token(_ row: CredentialRow) -> Token {
    Token(
      kind: row.kind, secret: row.kind == nil ? Secret("") : row.secret, clientID: row.clientID,
      familyID: row.familyID, isExpired: row.isExpired(at: now), isLegacy: false,
      place: .item(index: row.index, key: row.item))
  }

  func environments(_ authority: RequestAuthority?) -> [String] {
    authority?.environmentAliases(knowsClouds: knowsClouds) ?? []
  }

  func find(_ query: CredentialQuery) -> [CredentialRow] {
    let checks = query.checks
    return index.credentials(for: query).filter(checks.holds)
  }

  func find(_ query: AccountQuery) -> [AccountRow] {
    let checks = query.checks
    return index.accounts(
      generic: query.generic, normalizedHomeAccountID: query.homeAccountID?.normalized
    ).filter(checks.holds)
  }

  /// The cached access token that a silent request considers, expired or not: of several, only the
  /// first.
  package func accessToken(_ query: LookupQuery) -> Token? {
    find(accessTokenQuery(query)).first.map(token)
  }

  func accessTokenQuery(_ query: LookupQuery) -> CredentialQuery {
    let authority = query.authority.flatMap { RequestAuthority($0) }
    return CredentialQuery(
      kind: .accessToken, homeAccountID: query.homeAccountID,
      environments: environments(authority), clientID: query.clientID, realm: authority?.realm,
      target: query.scopes)
  }

  /// The ID token of an account in the tenant of the authority. The user name is ignored.
  package func idToken(_ query: LookupQuery) -> Token? {
    find(idTokenQuery(query)).first.map(token)
  }

  func idTokenQuery(_ query: LookupQuery) -> CredentialQuery {
    let authority = query.authority.flatMap { RequestAuthority($0) }
    return CredentialQuery(
      kind: query.isV1 ? .v1IDToken : .idToken, homeAccountID: query.homeAccountID,
      environments: environments(authority), clientID: query.clientID, realm: authority?.realm)
  }

  /// A client's entries of app metadata, in the cloud of the authority where one is given.
  package func appMetadata(_ query: LookupQuery) -> [ClientMetadata] {
    appMetadataRows(query).map {
      ClientMetadata(clientID: $0.clientID, environment: $0.environment, familyID: $0.familyID)
    }
  }

  func appMetadataRows(_ query: LookupQuery) -> [AppMetadataRow] {
    let environments = environments(query.authority.flatMap { RequestAuthority($0) })
    let service = query.clientID.map(AppMetadata.service)
    return index.appMetadata(service: service).filter { row in
      if let wanted = query.clientID, !(row.clientID?.isExactly(wanted) ?? false) { return false }
      guard !environments.isEmpty else { return true }
      return row.environment.map { environment in
        environments.contains { $0.isEqualInAnyCase(environment) }
      } ?? false
    }
  }

  /// Every credential that MSAL makes a token of.
  package func allTokens() -> [Token] {
    index.credentials.filter { !$0.isTombstone && $0.isToken(of: $0.kind) }.map(token)
  }
}
