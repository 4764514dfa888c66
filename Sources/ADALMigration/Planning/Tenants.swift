// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// The entries that are added for one account's tenants.
struct TenantEntries: Sendable {
  /// The tenants of the accounts.
  fileprivate(set) var accounts: Set<Symbol> = []
  /// The clients and tenants of the ID tokens.
  fileprivate(set) var idTokens: Set<ClientTenant> = []
}

/// A client in a tenant.
struct ClientTenant: Sendable, Hashable {
  let client: Symbol
  let realm: Symbol
}

// An account for every tenant that one account's rows have ID tokens of, and the ID tokens of every client there.
extension CachePlan {
  /// - Parameter covered: the rows whose client has a refresh token.
  mutating func planTenants(of account: PlannedAccount, _ covered: [ADALRow]) -> TenantEntries {
    let start = decisions.additions.count
    var entries = TenantEntries()
    let byRealm = covered.filter { $0.realm != .none }.groups(by: \.realm, table.symbols)
    for (realm, rows) in byRealm {
      planTenant(realm, of: account, newestIDTokenFirst(rows), &entries)
    }
    if byRealm.isEmpty && !holdsAccount(account) { planMinimalAccount(account, covered, &entries) }
    for row in covered where row.realm == .none { noteMissingTenant(row, from: start) }
    if !entries.accounts.isEmpty || holdsAccount(account) {
      noteMissingClaims(account, covered, entries)
    }
    return entries
  }

  /// An account's claims come from the ID token of the client that asks; without one they are missing
  /// until the first refresh.
  private mutating func noteMissingClaims(
    _ account: PlannedAccount, _ covered: [ADALRow], _ entries: TenantEntries
  ) {
    let added = Set(entries.idTokens.lazy.map(\.client))
    let there = cache.spelled(account.key)?.clientsWithClaims ?? []
    for row in covered where row.refreshToken != nil && row.kind != .familyRefreshToken {
      guard !added.contains(row.client),
        there.isEmpty || !there.contains(table.symbols[row.client])
      else { continue }
      decisions.note(.accountClaimsLater, row: row.number)
    }
  }

  /// - Parameter rows: the rows of the tenant, the one with the newest ID token first.
  private mutating func planTenant(
    _ realm: Symbol, of account: PlannedAccount, _ rows: [ADALRow],
    _ entries: inout TenantEntries
  ) {
    let key = account.entryKey(.account, realm: realm)
    let base: MSALEntry
    if let there = self.entries(key).first {
      base = there
      decisions.note(.keepAccount, rows: rows)
    } else {
      let clientInfo = storedClientInfo(account, rows)
      base = entry(of: account, in: table.symbols[realm], rows, clientInfo)
      guard add(base, key, clientInfo, .okAccount, rows, &entries) else { return }
    }
    noteNames(base.username, rows)
    addAliasCopies(of: base, key, rows, &entries)
    for (_, rows) in rows.groups(by: \.client, table.symbols)
    where rows.first?.kind != .familyRefreshToken {
      planIDToken(realm, of: account, newestIDTokenFirst(rows), &entries)
    }
  }

  /// Adds an account for its rows, unless its place is taken.
  private mutating func add(
    _ base: MSALEntry, _ key: EntryKey, _ clientInfo: String?, _ reason: Reason,
    _ rows: [ADALRow], _ entries: inout TenantEntries
  ) -> Bool {
    guard let addition = add(base, key, for: rows.lazy.map(\.number)) else { return false }
    entries.accounts.insert(key.realm)
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
    of account: PlannedAccount, in realm: String, _ rows: [ADALRow], _ clientInfo: String?
  ) -> MSALEntry {
    let idTokens = distinctIDTokens(of: rows)
    let claims = idTokens.map { table.idTokens[$0].claims }
    // What is known without an ID token, where there is none of the tenant.
    let stored =
      claims.isEmpty
      ? rows.filter(\.isStoredWithoutIDToken).map { ($0.realm, table.tokens[$0.index]) } : []
    func newest(_ claim: (IDTokenClaims) -> String?) -> String? {
      claims.lazy.compactMap(claim).first
    }
    return MSALEntry(
      accountOf: account.spelling.homeAccountID, environment: account.spelling.environment,
      realm: account.spelling.realm(realm),
      localAccountID: claims.first?.localAccountID
        ?? stored.lazy.filter { $0.0 != .none }.compactMap { $0.1.storedObject }.first,
      username: rows.first.flatMap { table.answers[$0.answer].userNameOverride }
        ?? idTokens.first.flatMap { table.idTokens[$0].userID }
        ?? stored.compactMap { $0.1.storedName(in: form) }.min(),
      name: newest(\.name),
      givenName: newest(\.givenName) ?? stored.compactMap { $0.1.givenName.nonBlank }.min(),
      middleName: newest(\.middleName),
      familyName: newest(\.familyName) ?? stored.compactMap { $0.1.familyName.nonBlank }.min(),
      clientInfo: clientInfo ?? account.home.clientInfo)
  }

  /// The ID tokens of the rows by number, those that several rows hold once.
  private func distinctIDTokens(of rows: [ADALRow]) -> [Int] {
    var seen = NumberSet()
    var numbers: [Int] = []
    for case let number? in rows.lazy.map(\.idToken) where !seen.contains(number) {
      seen.insert(number)
      numbers.append(number)
    }
    return numbers
  }

  /// What the service said of the account, where ADAL kept it: 2.7.0–2.7.3 did, and any version that
  /// was made to ask for it.
  private func storedClientInfo(_ account: PlannedAccount, _ rows: [ADALRow]) -> String? {
    rows.lazy.compactMap { table.tokens[$0.index].clientInfo }.first {
      HomeAccountID(clientInfo: $0) == account.home
    }
  }

  /// An account for rows without an ID token of a tenant, whose home account id the service stored all the same
  /// (mapping-rules §4.e): the tenant is the authority's, else the home tenant.
  private mutating func planMinimalAccount(
    _ account: PlannedAccount, _ rows: [ADALRow], _ entries: inout TenantEntries
  ) {
    let home = account.home
    let realm = rows.compactMap { table.url(of: $0)?.tenant.id }.min() ?? home.utid
    let rows = newestIDTokenFirst(rows)
    let clientInfo = storedClientInfo(account, rows)
    var base = entry(of: account, in: realm, rows, clientInfo)
    if base.localAccountID == nil && realm.isExactly(home.utid) { base.localAccountID = home.uid }
    let names = rows.compactMap { row in
      table.answers[row.answer].userNameOverride
        ?? (row.userName == .none ? nil : table.symbols[row.userName])
    }
    base.username = base.username ?? names.min()
    let compared = table.symbols.symbol(of: base.realm?.identifier)
    let key = account.entryKey(.account, realm: compared)
    _ = add(base, key, clientInfo, .accountMinimal, rows, &entries)
  }

  /// Ties rows without an ID token to the account that they belong to, and says what that means.
  private mutating func noteMissingTenant(_ row: ADALRow, from start: Int) {
    switch table.url(of: row)?.tenant {
    case .common, .organizations: decisions.note(.tenantCommonNoIDToken, row: row.number)
    case .domain: decisions.note(.tenantDomainUnresolved, row: row.number)
    case .id, .consumers, nil: break
    }
    for place in decisions.additions.indices.dropFirst(start)
    where decisions.additions[place].key.kind == .account {
      decisions.tie(row: row.number, to: place)
    }
  }

  private mutating func noteNames(_ username: String?, _ rows: [ADALRow]) {
    let folded = username?.foldedUserName
    for row in rows {
      guard let number = row.idToken else { continue }
      let name = table.idTokens[number].name
      if name != .none, let folded, table.symbols[name] != folded,
        table.answers[row.answer].userNameOverride == nil
      {
        decisions.note(.accountRenamed, row: row.number)
      }
      if name != .none, row.nameOfKey != .none, row.nameOfKey != name {
        decisions.note(.userKeyClaimsDiffer, row: row.number)
      }
      if table.idTokens[number].namesNobody { decisions.note(.userNonDisplayable, row: row.number) }
    }
  }

  // MARK: ID tokens

  private mutating func planIDToken(
    _ realm: Symbol, of account: PlannedAccount, _ rows: [ADALRow],
    _ entries: inout TenantEntries
  ) {
    guard let newest = rows.first, let token = table.tokens[newest.index].rawIDToken,
      newest.isOfApple || form == .document || IDTokenClaims(token) != nil
    else { return }
    let key = account.entryKey(.idToken, owner: newest.client, realm: realm)
    if holds(key) { return decisions.note(.keepIDToken, rows: rows) }
    guard
      let addition = add(
        .idToken(newest.index), key, of: account, client: written(newest),
        for: rows.lazy.map(\.number))
    else { return }
    entries.idTokens.insert(ClientTenant(client: newest.client, realm: realm))
    for row in rows {
      decisions.tie(row: row.number, to: addition)
      if holdsSameIDToken(row, newest) {
        let isV2 = row.idToken.map { table.idTokens[$0].claims.rules == .v2 } ?? false
        decisions.note(isV2 ? .okIDTokenV2 : .okIDTokenV1, row: row.number)
      } else {
        decisions.note(.idTokenSuperseded, row: row.number)
      }
    }
  }

  private func holdsSameIDToken(_ row: ADALRow, _ other: ADALRow) -> Bool {
    // One that can be read has a number.
    if row.idToken != nil || other.idToken != nil { return row.idToken == other.idToken }
    return table.tokens[row.index].rawIDToken == table.tokens[other.index].rawIDToken
  }

  /// Rows, the one with the newest ID token first.
  private func newestIDTokenFirst(_ rows: [ADALRow]) -> [ADALRow] {
    // Most often all hold the same.
    if let first = rows.first?.idToken, rows.allSatisfy({ $0.idToken == first }) { return rows }
    var tie = TieBreak(table) { $0.rawIDToken ?? TokenSecret([]) }
    return rows.sorted { a, b in
      let times = (a.idTokenIssue ?? -.infinity, b.idTokenIssue ?? -.infinity)
      return times.0 != times.1 ? times.0 > times.1 : tie.precedes(a, b)
    }
  }

  // MARK: Copies

  /// Files the account under the host of every row of ADAL's that stays, too (D27).
  private mutating func addAliasCopies(
    of base: MSALEntry, _ key: EntryKey, _ rows: [ADALRow],
    _ entries: inout TenantEntries
  ) {
    for (host, rows) in aliasHosts(of: base, rows) {
      guard let addition = add(base.moved(to: host), key, isCopy: true, for: []) else { continue }
      entries.accounts.insert(key.realm)
      for row in rows {
        decisions.tie(row: row.number, to: addition)
        decisions.note(.accountAliasCopy, row: row.number)
      }
    }
  }
}
