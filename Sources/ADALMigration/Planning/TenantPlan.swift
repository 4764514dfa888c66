// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// The plan for one account's tenants: an account for every tenant that the rows have ID tokens of, and
/// the ID tokens of every client there.
struct TenantPlan: Sendable {
  private(set) var decisions = DecisionLog()
  /// The accounts that are added.
  private(set) var accounts: Set<MSALEntry.Key> = []
  /// The ID tokens that are added.
  private(set) var idTokens: Set<MSALEntry.Key> = []
  private let person: Person
  private let context: PlanContext

  /// - Parameters:
  ///   - covered: the rows whose client has a refresh token.
  ///   - cache: where entries go.
  init(
    _ person: Person, _ covered: [ResolvedRow], _ context: PlanContext, in cache: inout MSALIndex
  ) {
    self.person = person
    self.context = context
    let byRealm = covered.filter { $0.row.realm != nil }.groups { ExactText($0.row.realm ?? "") }
    for (realm, rows) in byRealm { plan(realm.text, Self.newestIDTokenFirst(rows), &cache) }
    if byRealm.isEmpty && !hasAccount { planMinimalAccount(covered, &cache) }
    for row in covered where row.row.realm == nil { noteMissingTenant(row) }
    if hasAccount { noteMissingClaims(covered) }
  }

  /// Whether MSAL will find an account entry for this account, existing or added.
  var hasAccount: Bool { !accounts.isEmpty || context.holdsAccount(of: person) }

  /// An account's claims come from the ID token of the client that asks; without one they are missing
  /// until the first refresh.
  private mutating func noteMissingClaims(_ covered: [ResolvedRow]) {
    let added = Set(idTokens.lazy.map { ExactText($0.owner) })
    for row in covered where row.row.token.refresh != nil && row.row.kind != .familyRefreshToken {
      guard !added.contains(row.row.client),
        !context.holdsIDToken(of: person, client: row.row.client)
      else { continue }
      decisions.note(.accountClaimsLater, row: row.number)
    }
  }

  /// - Parameter rows: the rows of the tenant, the one with the newest ID token first.
  private mutating func plan(
    _ realm: String, _ rows: [ResolvedRow], _ cache: inout MSALIndex
  ) {
    let key = person.key(.account, realm: realm)
    var base: MSALEntry?
    if let there = context.entries(key).first {
      base = there
      for row in rows { decisions.note(.keepAccount, row: row.number) }
    } else {
      let clientInfo = storedClientInfo(rows)
      let account = account(in: realm, rows, clientInfo)
      if let id = decisions.add(account, key, for: rows.lazy.map(\.number), context, in: &cache) {
        accounts.insert(key)
        base = account
        for row in rows {
          decisions.tie(row: row.number, to: id)
          decisions.note(.okAccount, row: row.number)
          if clientInfo == nil { decisions.note(.clientInfoSynthesised, row: row.number) }
        }
      }
    }
    guard let base else { return }
    noteNames(base.username, rows)
    addAliasCopies(of: base, realm: realm, rows, &cache)
    for (_, rows) in rows.groups(by: \.row.client)
    where rows.first?.row.kind != .familyRefreshToken {
      planIDToken(realm, Self.newestIDTokenFirst(rows), &cache)
    }
  }

  /// The account as MSAL's saves would leave it, one after the other: each writes the claims that its ID
  /// token has over the earlier ones (IdentityCore cache/accessor/MSIDAccountCredentialCache.m).
  ///
  /// - Parameter rows: the one with the newest ID token first.
  private func account(
    in realm: String, _ rows: [ResolvedRow], _ clientInfo: String?
  ) -> MSALEntry {
    let claims = Self.distinctClaims(of: rows)
    let firstIDToken = rows.lazy.compactMap(\.row.idToken).first
    // What is known without an ID token, where there is none of the tenant.
    let kept = claims.isEmpty ? rows.map(\.row).filter(\.isStoredWithoutIDToken) : []
    func newest(_ claim: (IDTokenClaims) -> String?) -> String? {
      claims.lazy.compactMap(claim).first
    }
    return MSALEntry(
      accountOf: person.spelling.homeAccountID, environment: person.spelling.environment,
      realm: person.spelling.realm(realm),
      localAccountID: claims.first?.localAccountID
        ?? kept.lazy.filter { $0.realm != nil }.compactMap(\.token.storedObject).first,
      username: rows.first?.answer.userNameOverride ?? firstIDToken?.userID
        ?? kept.compactMap { $0.storedName(in: context.form) }.min(),
      name: newest(\.name),
      givenName: newest(\.givenName) ?? kept.compactMap(\.token.givenName.nonBlank).min(),
      middleName: newest(\.middleName),
      familyName: newest(\.familyName) ?? kept.compactMap(\.token.familyName.nonBlank).min(),
      clientInfo: clientInfo ?? person.home.clientInfo)
  }

  /// The claims of the rows, of those that hold one ID token once.
  private static func distinctClaims(of rows: [ResolvedRow]) -> [IDTokenClaims] {
    var seen: Set<ObjectIdentifier> = []
    return rows.compactMap(\.row.idToken).filter { seen.insert(ObjectIdentifier($0)).inserted }
      .map(\.claims)
  }

  /// What the service said of the account, where ADAL kept it: 2.7.0–2.7.3 did, and any version that
  /// was made to ask for it.
  private func storedClientInfo(_ rows: [ResolvedRow]) -> String? {
    rows.lazy.compactMap(\.row.token.clientInfo).first {
      HomeAccountID(clientInfo: $0) == person.home
    }
  }

  /// An account for rows without an ID token of a tenant, whose home account id the service stored all the same
  /// (mapping-rules §4.e): the tenant is the authority's, else the home tenant.
  private mutating func planMinimalAccount(_ rows: [ResolvedRow], _ cache: inout MSALIndex) {
    let realm = rows.lazy.compactMap(\.row.authority?.tenant.id).min() ?? person.home.utid
    let rows = Self.newestIDTokenFirst(rows)
    let clientInfo = storedClientInfo(rows)
    var account = account(in: realm, rows, clientInfo)
    if account.localAccountID == nil && realm.isExactly(person.home.utid) {
      account.localAccountID = person.home.uid
    }
    let names = rows.compactMap { $0.answer.userNameOverride ?? $0.row.userName }
    account.username = account.username ?? names.min()
    let key = person.key(.account, realm: account.realm ?? "")
    guard let id = decisions.add(account, key, for: rows.lazy.map(\.number), context, in: &cache)
    else { return }
    accounts.insert(key)
    for row in rows {
      decisions.tie(row: row.number, to: id)
      decisions.note(.accountMinimal, row: row.number)
      if clientInfo == nil { decisions.note(.clientInfoSynthesised, row: row.number) }
    }
  }

  /// Ties rows without an ID token to the account that they belong to, and says what that means.
  private mutating func noteMissingTenant(_ row: ResolvedRow) {
    switch row.row.authority?.tenant {
    case .common, .organizations: decisions.note(.tenantCommonNoIDToken, row: row.number)
    case .domain: decisions.note(.tenantDomainUnresolved, row: row.number)
    case .id, .consumers, nil: break
    }
    for (place, addition) in decisions.additions.enumerated()
    where addition.key.kind == .account {
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
    _ realm: String, _ rows: [ResolvedRow], _ cache: inout MSALIndex
  ) {
    guard let newest = rows.first, let token = newest.row.token.rawIDToken,
      newest.row.token.origin == .apple || context.form == .document || IDTokenClaims(token) != nil
    else { return }
    let key = person.key(.idToken, owner: newest.row.client.text, realm: realm)
    if context.holds(key) {
      for row in rows { decisions.note(.keepIDToken, row: row.number) }
      return
    }
    let credential = MSALEntry(
      kind: .idToken, homeAccountID: person.spelling.homeAccountID,
      environment: person.spelling.environment, clientID: context.clientID(of: newest.row),
      secret: token,
      realm: person.spelling.realm(realm))
    guard let id = decisions.add(credential, key, for: rows.lazy.map(\.number), context, in: &cache)
    else {
      return
    }
    idTokens.insert(key)
    for row in rows {
      decisions.tie(row: row.number, to: id)
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
    return rows.sorted { a, b in
      let times = (a.row.idToken?.issuedAt ?? -.infinity, b.row.idToken?.issuedAt ?? -.infinity)
      return times.0 != times.1 ? times.0 > times.1 : tie.precedes(a, b)
    }
  }

  // MARK: Copies

  /// Files the account under the host of every kept row of ADAL's too (D27).
  private mutating func addAliasCopies(
    of account: MSALEntry, realm: String, _ rows: [ResolvedRow], _ cache: inout MSALIndex
  ) {
    for (host, rows) in context.aliasHosts(of: account, rows) {
      let key = person.key(.account, realm: realm)
      guard
        let id = decisions.add(
          account.moved(to: host), key, isCopy: true, for: [], context, in: &cache)
      else {
        continue
      }
      accounts.insert(key)
      for row in rows {
        decisions.tie(row: row.number, to: id)
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
