// SPDX-License-Identifier: MIT
import MSALCache

// Queries by the keys that MSAL asks for.
extension MSALIndex {
  /// Whether the item `useSingleFRT` switches single family refresh tokens on.
  var usesSingleFamilyToken: Bool { familySwitch ?? false }

  /// The account entries of a home account ID in all clouds, found or not; nil if there are none.
  package func items(ofHome home: String) -> AccountEntries? { accountEntries[home] }

  private func positions(_ term: Term) -> [Int] { positions[term]?.all ?? [] }

  private func tokens(_ term: Term) -> [LookupRow] { positions(term).map { tokens[$0] } }

  /// The rows that may answer a query. All that do are among them.
  func rows(for query: EntryQuery) -> LazyMapSequence<[Int], LookupRow> {
    let home = query.home?.normalized
    if query.kind == .account {
      let term = Self.accountTerm(name: query.generic, home: home)
      let found = term.map { positions($0) } ?? Array(accounts.indices)
      return found.lazy.map { accounts[$0] }
    }
    return positions(ofTokensFor: query, home).lazy.map { tokens[$0] }
  }

  private func positions(ofTokensFor query: EntryQuery, _ home: String?) -> [Int] {
    if let generic = query.generic, let home {
      guard query.kind == .accessToken else { return positions(Term(.token, generic, home)) }
      if let scope = query.scopes.first {
        return positions(Term(.accessToken, generic, home, scope))
      }
    }
    return tokensByType[query.kind.typeNumber] ?? []
  }

  /// The first access token with this generic attribute, home account id and one of its scopes, all as they are
  /// compared, that is as it is asked for.
  func accessToken(
    generic: String, home: String, scope: String, where isAsked: (LookupRow) -> Bool
  ) -> LookupRow? {
    positions[Term(.accessToken, generic, home, scope)]?.first { isAsked(tokens[$0]) }
      .map { tokens[$0] }
  }

  private static func accountTerm(name: String?, home: String?) -> Term? {
    switch (name, home) {
    case (let name?, let home?): Term(.namedAccount, name, home)
    case (nil, let home?): Term(.account, home)
    case (let name?, nil): Term(.accountName, name)
    case (nil, nil): nil
    }
  }

  /// Whether one of the accounts with this home account id, and user name where one is given, both as they are
  /// compared, is as it is asked for. The accounts of other tenants are not touched once one is.
  func hasAccount(home: String, name: String?, where isAsked: (LookupRow) -> Bool) -> Bool {
    Self.accountTerm(name: name, home: home).flatMap { positions[$0] }?.first {
      isAsked(accounts[$0])
    } != nil
  }

  /// The refresh tokens with this exact spelling of a home account ID, for this client or family; all of them if
  /// neither is given.
  func refreshTokens(homeAccountID: String, clientID: String?, familyID: String?) -> [LookupRow] {
    guard clientID != nil || familyID != nil else {
      return tokens(Term(.refreshToken, homeAccountID))
    }
    let ofClient = clientID.map { tokens(Term(.client, homeAccountID, $0.normalized)) } ?? []
    let ofFamily = familyID.map { tokens(Term(.family, homeAccountID, $0.normalized)) } ?? []
    return ofClient + ofFamily
  }

  /// The refresh tokens by which accounts are listed, for any client or family.
  package var listingTokens: [LookupRow] {
    tokens.filter { row in
      let isRefreshToken =
        row.type == MSALEntry.Kind.refreshToken.typeNumber
        || usesSingleFamilyToken && row.type == MSALEntry.Kind.familyRefreshToken.typeNumber
      return isRefreshToken && !row.isTombstone && row.entry.requestedClaims?.isBlank ?? true
    }
  }

  /// The clients, as spelled, that have a refresh token with this exact spelling of the home account ID, or that
  /// account metadata calls signed in.
  package func clients(homeAccountID: String) -> Set<ExactText> {
    let owners = tokens(Term(.refreshToken, homeAccountID)).compactMap(\.entry.clientID)
    return Set(owners.map { ExactText($0) }).union(clientsSignedIn[homeAccountID] ?? [])
  }

  /// The ID tokens that give an account its claims; of one client, or of any.
  package func idTokens(_ claimsKey: String, clientID: String?) -> [LookupRow] {
    tokens(Term(.claims, claimsKey, clientID?.normalized ?? ""))
  }

  /// The text by which MSAL joins ID tokens and accounts.
  package static func claimsKey(
    _ homeAccountID: String?, _ environment: String?, _ realm: String?
  ) -> String {
    String(of: homeAccountID ?? null, "-", environment ?? null, "-", realm ?? null)
  }

  private static let null = "(null)"

  /// The app metadata under this service, or all of it.
  func appMetadata(service: String?) -> [LookupRow] {
    guard let service else { return appMetadata }
    return positions[Term(.metadata, service)]?.all.map { appMetadata[$0] } ?? []
  }

  /// The state of this account in the account metadata, with the exact spelling of both IDs.
  package func signInState(
    homeAccountID: String?, clientID: String?
  ) -> AccountMetadata.SignInState {
    state(homeAccountID, clientID)?.signInState ?? .unknown
  }

  /// The account metadata of a client, as spelled; nil for a client without any.
  package func metadata(ofClient clientID: String) -> AccountMetadata? {
    metadataByClient[clientID]
  }

  /// The authority that account metadata names in place of this one, unless the account is signed out.
  package func authority(
    inPlaceOf url: String, homeAccountID: String?, clientID: String?
  ) -> String? {
    guard let state = state(homeAccountID, clientID), state.signInState != .signedOut else {
      return nil
    }
    return state.authorities[url]
  }

  private func state(_ homeAccountID: String?, _ clientID: String?) -> AccountMetadata.Account? {
    guard let homeAccountID, let clientID, !homeAccountID.isBlank, !clientID.isBlank else {
      return nil
    }
    return metadataByClient[clientID]?.accounts[homeAccountID]
  }
}
