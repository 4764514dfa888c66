// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache
import MSALLookup

/// The entries that are added for one account's tenants.
struct TenantEntries: Sendable {
  /// The place of the account among the additions, by its tenant.
  fileprivate(set) var accounts: [Symbol: Int] = [:]
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
    var entries = TenantEntries()
    let byRealm = covered.filter { $0.realm != .none }.groups(by: \.realm, table.symbols)
    for (realm, rows) in byRealm {
      planTenant(realm, of: account, rows, &entries)
    }
    if byRealm.isEmpty && !holdsAccount(account) { planMinimalAccount(account, covered, &entries) }
    let home = table.symbols.known(account.home.utid).flatMap { entries.accounts[$0] }
    let place = home ?? entries.accounts.values.min()
    for row in covered where row.realm == .none {
      noteMissingTenant(row)
      // One account is enough for a token of every tenant.
      if let place = entries.accounts[table.tenantAsked(of: row)] ?? place {
        decisions.tie(row: row.number, to: place)
      }
    }
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

  /// - Parameter rows: the rows of the tenant.
  private mutating func planTenant(
    _ realm: Symbol, of account: PlannedAccount, _ rows: [ADALRow],
    _ entries: inout TenantEntries
  ) {
    let key = account.entryKey(.account, realm: realm)
    let base: MSALEntry
    var names: Set<String> = []
    if let there = self.entries(key).first {
      base = there
      decisions.note(.keepAccount, rows: rows)
    } else {
      let clientInfo = storedClientInfo(account, rows)
      base = entry(of: account, in: table.symbols[realm], rows, clientInfo)
      guard add(base, key, clientInfo, .okAccount, rows, &entries) else { return }
      // MSAL lists its accounts in other tenants and this one as one, under one name.
      names = cache.items(ofHome: account.key.home)?.names ?? []
    }
    noteNames(base.username, beside: names, rows)
    addAliasCopies(of: base, key, rows, &entries)
    for (_, rows) in rows.groups(by: \.client, table.symbols)
    where rows.first?.kind != .familyRefreshToken {
      planIDToken(realm, of: account, rows, &entries)
    }
  }

  /// Adds an account for its rows, unless its place is taken.
  private mutating func add(
    _ base: MSALEntry, _ key: EntryKey, _ clientInfo: String?, _ reason: Reason,
    _ rows: [ADALRow], _ entries: inout TenantEntries
  ) -> Bool {
    guard let addition = add(base, key, telling: rows.lazy.map(\.number)) else { return false }
    entries.accounts[key.realm] = addition
    for row in rows {
      decisions.tie(row: row.number, to: addition)
      decisions.note(reason, row: row.number)
      if clientInfo == nil { decisions.note(.clientInfoSynthesised, row: row.number) }
    }
    return true
  }

  /// The account as MSAL's saves would leave it, one after the other: each writes the claims that its ID
  /// token has over the earlier ones (IdentityCore cache/accessor/MSIDAccountCredentialCache.m).
  private func entry(
    of account: PlannedAccount, in realm: String, _ rows: [ADALRow], _ clientInfo: String?
  ) -> MSALEntry {
    // Values for closures are copied out first, because each closure would copy the whole plan.
    let (idTokens, answers, rowTokens) = (table.idTokens, table.answers, table.tokens)
    let symbols = table.symbols
    let holders = rowsWithDistinctIDTokens(rows)
    // The stored fields of rows without an ID token, for a tenant without any ID token.
    let stored =
      holders.isEmpty ? newestFirst(rows.filter(\.isStoredWithoutIDToken)) : []
    let tokens = stored.map { rowTokens[$0.index] }
    return MSALEntry(
      accountOf: account.spelling.homeAccountID, environment: account.spelling.environment,
      realm: account.spelling.realm(realm),
      localAccountID: newest(holders) { row in
        row.idToken.flatMap { idTokens[$0].claims.localAccountID }
      }
        ?? stored.first {
          $0.realm != .none && !$0.isOfTwoTenants && $0.storedObject != .none
        }
        .map { symbols[$0.storedObject] }
        ?? (holders.isEmpty && realm.isExactly(account.home.utid) ? account.home.uid : nil),
      username: newest(rows) { answers[$0.answer].userNameOverride }
        ?? newest(holders) { row in
          let name = row.idToken.map { idTokens[$0].userName } ?? .none
          return name == .none ? nil : symbols[name]
        }
        ?? tokens.compactMap { $0.token.storedName(in: form) }.min(),
      name: newestClaim(holders, \.name),
      givenName: newestClaim(holders, \.givenName)
        ?? tokens.compactMap(\.token.givenName.nonBlank).min(),
      middleName: newestClaim(holders, \.middleName),
      familyName: newestClaim(holders, \.familyName)
        ?? tokens.compactMap(\.token.familyName.nonBlank).min(),
      clientInfo: clientInfo ?? account.home.clientInfo)
  }

  /// The value of a claim from the newest ID token that has the claim.
  private func newestClaim(
    _ rows: [ADALRow], _ claim: (IDTokenClaims) -> String?
  ) -> String? {
    let idTokens = table.idTokens
    func said(_ row: ADALRow) -> String? { row.idToken.flatMap { claim(idTokens[$0].claims) } }
    return newest(rows.filter { said($0) != nil }, said)
  }

  /// The first row that holds each ID token.
  private func rowsWithDistinctIDTokens(_ rows: [ADALRow]) -> [ADALRow] {
    if rows.count == 1 { return rows.filter { $0.idToken != nil } }
    var seen = NumberSet()
    return rows.filter { row in
      guard let number = row.idToken, !seen.contains(number) else { return false }
      seen.insert(number)
      return true
    }
  }

  /// The client info that the service returned for the account, if ADAL stored it: 2.7.0–2.7.3 did, and so did any
  /// version whose app asked for it.
  private func storedClientInfo(_ account: PlannedAccount, _ rows: [ADALRow]) -> String? {
    let holders = rows.filter { row in
      if let stored = row.storedHome, stored.field == .clientInfo {
        return table.homes[stored.number] == account.home
      }
      let clientInfo = table.tokens[row.index].token.clientInfo
      return clientInfo.flatMap { HomeAccountID(clientInfo: $0) } == account.home
    }
    let tokens = table.tokens
    return newest(holders) { tokens[$0.index].token.clientInfo }
  }

  /// Adds an account for rows without an ID token of a tenant if the service stored their home account ID
  /// (mapping-rules §4.e). The tenant is the authority's, or else the home tenant.
  private mutating func planMinimalAccount(
    _ account: PlannedAccount, _ rows: [ADALRow], _ entries: inout TenantEntries
  ) {
    let home = account.home
    let realm = rows.compactMap { table.url(of: $0)?.tenant.id }.min() ?? home.utid
    let clientInfo = storedClientInfo(account, rows)
    var base = entry(of: account, in: realm, rows, clientInfo)
    let names = rows.compactMap { row in
      table.answers[row.answer].userNameOverride
        ?? (row.userName == .none ? nil : table.symbols[row.userName])
    }
    base.username = base.username ?? names.min()
    let compared = table.symbols.symbol(of: base.realm?.identifier)
    let key = account.entryKey(.account, realm: compared)
    _ = add(base, key, clientInfo, .accountMinimal, rows, &entries)
  }

  /// Notes why a row has no tenant.
  private mutating func noteMissingTenant(_ row: ADALRow) {
    switch table.url(of: row)?.tenant {
    case .common, .organizations: decisions.note(.tenantCommonNoIDToken, row: row.number)
    case .domain: decisions.note(.tenantDomainUnresolved, row: row.number)
    case .id, .consumers, nil: break
    }
  }

  /// - Parameter others: the names of the account's entries in other tenants.
  private mutating func noteNames(
    _ username: String?, beside others: Set<String>, _ rows: [ADALRow]
  ) {
    let folded = username?.foldedUserName
    let hasOther = others.contains { $0.foldedUserName != folded }
    for row in rows {
      guard let number = row.idToken else { continue }
      let name = table.idTokens[number].name
      if name != .none, let folded, hasOther || table.symbols[name] != folded,
        table.answers[row.answer].userNameOverride == nil
      {
        decisions.note(.accountRenamed, row: row.number)
      }
      if name != .none, row.nameOfKey != .none, row.nameOfKey != name {
        decisions.note(.userKeyClaimsDiffer, row: row.number)
      }
      if table.idTokens[number].isUserIDUnreadable {
        decisions.note(.userNonDisplayable, row: row.number)
      }
    }
  }

  // MARK: ID tokens

  private mutating func planIDToken(
    _ realm: Symbol, of account: PlannedAccount, _ rows: [ADALRow],
    _ entries: inout TenantEntries
  ) {
    guard let newest = newestFirst(rows).first,
      let token = table.tokens[newest.index].token.rawIDToken,
      newest.isOfApple || form == .document || IDTokenClaims(token) != nil
    else { return }
    let key = account.entryKey(.idToken, owner: newest.client, realm: realm)
    if holds(key) { return decisions.note(.keepIDToken, rows: rows) }
    guard
      let addition = add(
        .idToken, of: newest, key, for: account, client: written(newest),
        telling: rows.lazy.map(\.number))
    else { return }
    entries.idTokens.insert(ClientTenant(client: newest.client, realm: realm))
    for row in rows {
      decisions.tie(row: row.number, to: addition)
      if table.tokens[row.index].token.rawIDToken == token {
        let isV2 = row.idToken.map { table.idTokens[$0].claims.rules == .v2 } ?? false
        decisions.note(isV2 ? .okIDTokenV2 : .okIDTokenV1, row: row.number)
      } else {
        decisions.note(.idTokenSuperseded, row: row.number)
      }
    }
  }

  /// The value from the row with the newest ID token. Among several equally new tokens, the one with the smaller hash
  /// counts. The hash is needed only if their values differ.
  private func newest<Value: Equatable>(
    _ rows: [ADALRow], _ value: (ADALRow) -> Value?
  ) -> Value? {
    if rows.count < 2 { return rows.first.flatMap(value) }
    let time = rows.lazy.map(\.timeOfIDToken).max()
    let newest = rows.filter { $0.timeOfIDToken == time }
    guard let first = newest.first.map(value) else { return nil }
    if newest.dropFirst().allSatisfy({ value($0) == first }) { return first }
    return newestFirst(newest).first.flatMap(value)
  }

  /// Rows, the one with the newest ID token first.
  private func newestFirst(_ rows: [ADALRow]) -> [ADALRow] {
    // Most often all hold the same.
    guard let first = rows.first else { return [] }
    if rows.count == 1 || first.idToken != nil && rows.allSatisfy({ $0.idToken == first.idToken }) {
      return rows
    }
    var tie = TieBreak { [tokens = table.tokens] in
      tokens[$0.index].token.rawIDToken ?? TokenSecret([])
    }
    return rows.ordered { a, b in
      let times = (a.timeOfIDToken, b.timeOfIDToken)
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
      guard let addition = add(base.moved(to: host), key, isCopy: true, telling: []) else {
        continue
      }
      if entries.accounts[key.realm] == nil { entries.accounts[key.realm] = addition }
      for row in rows {
        decisions.tie(row: row.number, to: addition)
        decisions.note(.accountAliasCopy, row: row.number)
      }
    }
  }
}

extension ADALRow {
  /// The issue time of the ID token; earlier than all others if the token has none.
  fileprivate var timeOfIDToken: Double { idTokenIssue ?? -.infinity }
}
