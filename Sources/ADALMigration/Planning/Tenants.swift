// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// The entries that are added for one account's tenants.
struct TenantEntries: Sendable {
  fileprivate(set) var accounts: Set<MSALEntry.Key> = []
  fileprivate(set) var idTokens: Set<MSALEntry.Key> = []
}

// An account for every tenant that one account's rows have ID tokens of, and the ID tokens of every client there.
extension CachePlan {
  /// - Parameter covered: the rows whose client has a refresh token.
  mutating func planTenants(
    of account: PlannedAccount, _ covered: [ResolvedRow]
  ) -> TenantEntries {
    let start = decisions.additions.count
    var entries = TenantEntries()
    let byRealm = covered.filter { $0.row.realm != nil }.groups { ExactText($0.row.realm ?? "") }
    for (realm, rows) in byRealm {
      planTenant(realm.text, of: account, Self.newestIDTokenFirst(rows), &entries)
    }
    if byRealm.isEmpty && !holdsAccount(account) { planMinimalAccount(account, covered, &entries) }
    for row in covered where row.row.realm == nil { noteMissingTenant(row, from: start) }
    if !entries.accounts.isEmpty || holdsAccount(account) {
      noteMissingClaims(account, covered, entries)
    }
    return entries
  }

  /// An account's claims come from the ID token of the client that asks; without one they are missing
  /// until the first refresh.
  private mutating func noteMissingClaims(
    _ account: PlannedAccount, _ covered: [ResolvedRow], _ entries: TenantEntries
  ) {
    let added = Set(entries.idTokens.lazy.map { ExactText($0.owner) })
    let there = cache.spelled(account.key)?.clientsWithClaims ?? []
    for row in covered where row.row.token.refresh != nil && row.row.kind != .familyRefreshToken {
      guard !added.contains(row.row.client), !there.contains(row.row.client) else { continue }
      decisions.note(.accountClaimsLater, row: row.number)
    }
  }

  /// - Parameter rows: the rows of the tenant, the one with the newest ID token first.
  private mutating func planTenant(
    _ realm: String, of account: PlannedAccount, _ rows: [ResolvedRow],
    _ entries: inout TenantEntries
  ) {
    let key = account.entryKey(.account, realm: realm)
    let base: MSALEntry
    if let there = cache.entries(key).first {
      base = there
      decisions.note(.keepAccount, rows: rows)
    } else {
      let clientInfo = storedClientInfo(account, rows)
      base = entry(of: account, in: realm, rows, clientInfo)
      guard add(base, key, clientInfo, .okAccount, rows, &entries) else { return }
    }
    noteNames(base.username, rows)
    addAliasCopies(of: base, key, rows, &entries)
    for (_, rows) in rows.groups(by: \.row.client)
    where rows.first?.row.kind != .familyRefreshToken {
      planIDToken(realm, of: account, Self.newestIDTokenFirst(rows), &entries)
    }
  }

  /// Adds an account for its rows, unless its place is taken.
  private mutating func add(
    _ base: MSALEntry, _ key: MSALEntry.Key, _ clientInfo: String?, _ reason: Reason,
    _ rows: [ResolvedRow], _ entries: inout TenantEntries
  ) -> Bool {
    guard let addition = add(base, key, for: rows.lazy.map(\.number)) else { return false }
    entries.accounts.insert(key)
    for row in rows {
      decisions.tie(row: row.number, to: addition)
      decisions.note(reason, row: row.number)
      if clientInfo == nil { decisions.note(.clientInfoSynthesised, row: row.number) }
    }
    return true
  }

  /// The account as MSAL's saves would leave it, one after the other: each writes the claims that its ID
  /// token has over the earlier ones (IdentityCore cache/accessor/MSIDAccountCredentialCache.m).
  ///
  /// - Parameter rows: the one with the newest ID token first.
  private func entry(
    of account: PlannedAccount, in realm: String, _ rows: [ResolvedRow], _ clientInfo: String?
  ) -> MSALEntry {
    let claims = Self.distinctClaims(of: rows)
    let firstIDToken = rows.lazy.compactMap(\.row.idToken).first
    // What is known without an ID token, where there is none of the tenant.
    let kept = claims.isEmpty ? rows.map(\.row).filter(\.isStoredWithoutIDToken) : []
    func newest(_ claim: (IDTokenClaims) -> String?) -> String? {
      claims.lazy.compactMap(claim).first
    }
    return MSALEntry(
      accountOf: account.spelling.homeAccountID, environment: account.spelling.environment,
      realm: account.spelling.realm(realm),
      localAccountID: claims.first?.localAccountID
        ?? kept.lazy.filter { $0.realm != nil }.compactMap(\.token.storedObject).first,
      username: rows.first?.answer.userNameOverride ?? firstIDToken?.userID
        ?? kept.compactMap { $0.storedName(in: form) }.min(),
      name: newest(\.name),
      givenName: newest(\.givenName) ?? kept.compactMap(\.token.givenName.nonBlank).min(),
      middleName: newest(\.middleName),
      familyName: newest(\.familyName) ?? kept.compactMap(\.token.familyName.nonBlank).min(),
      clientInfo: clientInfo ?? account.home.clientInfo)
  }

  /// The claims of the rows, of those that hold one ID token once.
  private static func distinctClaims(of rows: [ResolvedRow]) -> [IDTokenClaims] {
    var seen: Set<ObjectIdentifier> = []
    return rows.compactMap(\.row.idToken).filter { seen.insert(ObjectIdentifier($0)).inserted }
      .map(\.claims)
  }

  /// What the service said of the account, where ADAL kept it: 2.7.0–2.7.3 did, and any version that
  /// was made to ask for it.
  private func storedClientInfo(_ account: PlannedAccount, _ rows: [ResolvedRow]) -> String? {
    rows.lazy.compactMap(\.row.token.clientInfo).first {
      HomeAccountID(clientInfo: $0) == account.home
    }
  }

  /// An account for rows without an ID token of a tenant, whose home account id the service stored all the same
  /// (mapping-rules §4.e): the tenant is the authority's, else the home tenant.
  private mutating func planMinimalAccount(
    _ account: PlannedAccount, _ rows: [ResolvedRow], _ entries: inout TenantEntries
  ) {
    let home = account.home
    let realm = rows.lazy.compactMap(\.row.authority?.tenant.id).min() ?? home.utid
    let rows = Self.newestIDTokenFirst(rows)
    let clientInfo = storedClientInfo(account, rows)
    var base = entry(of: account, in: realm, rows, clientInfo)
    if base.localAccountID == nil && realm.isExactly(home.utid) { base.localAccountID = home.uid }
    let names = rows.compactMap { $0.answer.userNameOverride ?? $0.row.userName }
    base.username = base.username ?? names.min()
    let key = account.entryKey(.account, realm: base.realm ?? "")
    _ = add(base, key, clientInfo, .accountMinimal, rows, &entries)
  }

  /// Ties rows without an ID token to the account that they belong to, and says what that means.
  private mutating func noteMissingTenant(_ row: ResolvedRow, from start: Int) {
    switch row.row.authority?.tenant {
    case .common, .organizations: decisions.note(.tenantCommonNoIDToken, row: row.number)
    case .domain: decisions.note(.tenantDomainUnresolved, row: row.number)
    case .id, .consumers, nil: break
    }
    for place in decisions.additions.indices.dropFirst(start)
    where decisions.additions[place].key.kind == .account {
      decisions.tie(row: row.number, to: place)
    }
  }

  private mutating func noteNames(_ username: String?, _ rows: [ResolvedRow]) {
    for row in rows {
      let claimed = row.row.idToken?.userID
      if let claimed, let username, claimed != username.foldedUserName,
        row.answer.userNameOverride == nil
      {
        decisions.note(.accountRenamed, row: row.number)
      }
      if let claimed, let key = row.row.keyUserName, key != claimed {
        decisions.note(.userKeyClaimsDiffer, row: row.number)
      }
      if row.row.idToken?.namesNobody ?? false {
        decisions.note(.userNonDisplayable, row: row.number)
      }
    }
  }

  // MARK: ID tokens

  private mutating func planIDToken(
    _ realm: String, of account: PlannedAccount, _ rows: [ResolvedRow],
    _ entries: inout TenantEntries
  ) {
    guard let newest = rows.first, let token = newest.row.token.rawIDToken,
      newest.row.token.origin == .apple || form == .document || IDTokenClaims(token) != nil
    else { return }
    let key = account.entryKey(.idToken, owner: newest.row.client.text, realm: realm)
    if cache.holds(key) { return decisions.note(.keepIDToken, rows: rows) }
    let idToken = account.token(
      .idToken, clientID: clientID(of: newest.row), token, realm: realm)
    guard let addition = add(idToken, key, for: rows.lazy.map(\.number)) else { return }
    entries.idTokens.insert(key)
    for row in rows {
      decisions.tie(row: row.number, to: addition)
      if row.row.token.rawIDToken == token {
        decisions.note(row.row.claims?.rules == .v2 ? .okIDTokenV2 : .okIDTokenV1, row: row.number)
      } else {
        decisions.note(.idTokenSuperseded, row: row.number)
      }
    }
  }

  /// Rows, the one with the newest ID token first.
  private static func newestIDTokenFirst(_ rows: [ResolvedRow]) -> [ResolvedRow] {
    var tie = TieBreak { $0.row.token.rawIDToken ?? TokenSecret([]) }
    return rows.ordered { a, b in
      let times = (a.row.idToken?.issuedAt ?? -.infinity, b.row.idToken?.issuedAt ?? -.infinity)
      return times.0 != times.1 ? times.0 > times.1 : tie.precedes(a, b)
    }
  }

  // MARK: Copies

  /// Files the account under the host of every row of ADAL's that stays, too (D27).
  private mutating func addAliasCopies(
    of base: MSALEntry, _ key: MSALEntry.Key, _ rows: [ResolvedRow],
    _ entries: inout TenantEntries
  ) {
    for (host, rows) in aliasHosts(of: base, rows) {
      guard let addition = add(base.moved(to: host), key, isCopy: true, for: []) else { continue }
      entries.accounts.insert(key)
      for row in rows {
        decisions.tie(row: row.number, to: addition)
        decisions.note(.accountAliasCopy, row: row.number)
      }
    }
  }
}

extension IDToken {
  /// Whether the user id is an id rather than a readable name.
  fileprivate var namesNobody: Bool {
    guard let userID else { return false }
    let names = [claims.upn, claims.email, claims.uniqueName, claims.preferredUsername]
    return !names.contains {
      $0.nonBlank?.lowercasedLikeNSString == userID
    }
  }
}
