// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// The plan for one cache, which is one access group or one document: its accounts one by one, then the
/// app metadata of the clients that have a refresh token at the end.
///
/// Of an account refresh tokens come first, since without one MSAL does not list the account and nothing else is
/// written (D24). Each part has a file of its own: RefreshTokens, Families, Tenants, AccessTokens, AppMetadata.
struct CachePlan: Sendable {
  /// The access group that is written to; empty for a document.
  let group: String
  let form: CacheForm
  let policy: Policy
  let now: Double
  /// The rows of ADAL's that stay in the target beside what is written, by row number.
  let rowsInPlace: Set<Int>
  /// What is left out, whatever the rows say.
  let exclusions: Exclusions
  /// What the cache says about clients and families.
  let families: ClientFamilies
  let ages: TokenAges
  /// What is there, with what is carried, and the places that additions take.
  var cache: MSALIndex
  var decisions: Decisions
  private(set) var accounts: [PlannedAccount] = []

  /// A plan in which nothing is decided yet.
  init(
    _ group: String, _ rows: [ResolvedRow], _ cache: MSALIndex,
    _ decisions: Decisions = Decisions(count: 0),
    rowsInPlace: Set<Int> = [], exclusions: Exclusions = Exclusions(), form: CacheForm,
    policy: Policy, now: Double
  ) {
    let legacy = rows.map(\.row)
    families = ClientFamilies(legacy, existing: cache, form: form)
    ages = TokenAges(legacy, now: now)
    self.group = group
    self.cache = cache
    self.decisions = decisions
    self.rowsInPlace = rowsInPlace
    self.exclusions = exclusions
    self.form = form
    self.policy = policy
    self.now = now
  }

  /// Plans the rows of the cache.
  ///
  /// - Parameters:
  ///   - carried: the refresh tokens in MSAL's form that are carried or were there.
  ///   - onAccount: is called after each account.
  mutating func plan(
    _ rows: [ResolvedRow], carried: [CarriedToken], onAccount: () -> Void = {}
  ) {
    for row in rows { noteBasics(row) }
    for var account in accounts(of: rows) {
      plan(&account)
      accounts.append(account)
      onAccount()
    }
    planAppMetadata(carried)
    noteSharedNames()
  }

  /// The accounts that rows are converted for, in the order of their ids.
  private func accounts(of rows: [ResolvedRow]) -> [PlannedAccount] {
    var byAccount: [AccountKey: (home: HomeAccountID, rows: [ResolvedRow])] = [:]
    for row in rows where row.isAccepted(by: policy) {
      guard let home = row.answer.homeAccountID, let account = row.account else { continue }
      byAccount[account, default: (home, [])].rows.append(row)
    }
    return byAccount.ordered { $0.key < $1.key }.map { key, found in
      PlannedAccount(
        group: group, key: key, home: found.home, spelling: cache.spelling(of: key, form: form),
        rows: found.rows)
    }
  }

  /// Plans one account: which of its rows become which entries.
  mutating func plan(_ account: inout PlannedAccount) {
    let (mark, start) = (cache.mark, decisions.additions.count)
    let rows = withoutSignedOut(account)
    let excluded = exclusions.part(of: account)
    if excluded == .everything { return decisions.note(.checkNotFound, rows: rows) }
    if hasSeveralTargets(account, rows) {
      return decisions.note(.conflictTargetMultiple, rows: rows)
    }
    account.clients = planRefreshTokens(of: account, rows)
    account.families = planFamilies(of: account, rows)
    cover(&account, rows)

    let covered = rows.filter { account.isCovered($0.row) }
    decisions.note(
      .rtMissing,
      rows: rows.lazy.filter { [account] row in
        row.row.token.refresh == nil && !account.isCovered(row.row)
      })
    guard !covered.isEmpty else { return }
    let tenants = planTenants(of: account, covered)
    if tenants.accounts.isEmpty && !holdsAccount(account) {
      // The account itself cannot be written, so nothing of it is.
      cache.release(backTo: mark)
      decisions.withdraw(from: start, rows: rows)
      let hasOtherType = covered.contains {
        decisions[$0.number].reasons.contains(.targetTypeClash)
      }
      decisions.note(hasOtherType ? .targetTypeClash : .targetCorrupt, rows: covered)
      account.clients = []
      account.families = []
    }
    planAccessTokens(of: account, covered, tenants, isExcluded: excluded == .accessTokens)
  }

  /// The rows whose client the user is not signed out of (D13).
  private mutating func withoutSignedOut(_ account: PlannedAccount) -> [ResolvedRow] {
    account.rows.filter { row in
      guard isSignedOut(account, of: row.row.client.text) else { return true }
      decisions.note(.accountSignedOut, row: row.number)
      return false
    }
  }

  /// Whether the target holds several refresh tokens where MSAL expects one and gives up.
  private func hasSeveralTargets(_ account: PlannedAccount, _ rows: [ResolvedRow]) -> Bool {
    guard form == .keychainItems else { return false }
    return Set(rows.map(\.row.client)).contains {
      let there = cache.entries(account.entryKey(.refreshToken, owner: $0.text))
      return Set(there.map(\.environment)).count > 1
    }
  }

  /// Adds who has a refresh token at the end besides those that get one. A client whose own is there in MSAL's form
  /// needs no row of ADAL's to have one, nor does a family (D24); a client without one uses its family's.
  private func cover(_ account: inout PlannedAccount, _ rows: [ResolvedRow]) {
    var members: [(client: ExactText, family: String)] = []
    for client in Set(rows.lazy.filter { $0.row.kind != .familyRefreshToken }.map(\.row.client)) {
      if cache.holds(account.entryKey(.refreshToken, owner: client.text)) {
        account.clients.insert(client)
      }
      let key = ClientKey(cloud: account.key.cloud, client: client.text)
      guard let family = families.familySignIn(of: key) else { continue }
      members.append((client, family))
      if cache.holds(account.entryKey(.familyRefreshToken, owner: family)) {
        account.families.insert(family)
      }
    }
    for (client, family) in members where account.families.contains(family) {
      if account.clients.insert(client).inserted { account.clientsOfFamilyAlone.insert(client) }
    }
  }

  /// What is to be said about a row whatever becomes of it.
  private mutating func noteBasics(_ row: ResolvedRow) {
    for reason in row.row.blockingReasons { decisions.note(reason, row: row.number) }
    decisions.note(evidence: row.answer.evidence, row: row.number)
    guard row.row.isConvertible else { return }
    for reason in row.answer.reasons { decisions.note(reason, row: row.number) }
    if let authority = row.row.authority {
      if Cloud.of(host: authority.host)?.isClosed ?? false {
        decisions.note(.envClosedCloud, row: row.number)
      }
      if authority.port != nil { decisions.note(.envPort, row: row.number) }
      if row.answer.homeAccountID != nil, let realm = row.row.realm,
        let tenant = authority.tenant.id, !tenant.isExactly(realm)
      {
        decisions.note(.tenantMismatch, row: row.number)
      }
    }
    if !cache.isEmpty, let account = row.account {
      let spelling = cache.spelling(of: account, form: form)
      for reason in cache.reasons(for: spelling.environment, cloud: row.row.cloud) {
        decisions.note(reason, row: row.number)
      }
    }
    if row.row.isFromTheFuture(now) { decisions.note(.timeFuture, row: row.number) }
  }

  /// One user name, several accounts: MSAL finds either of them by that name.
  private mutating func noteSharedNames() {
    guard accounts.count > 1 else { return }
    var owners: [UserNameKey: Int] = [:]
    for account in accounts where !account.clients.isEmpty {
      let names = Set(account.rows.lazy.compactMap(\.row.userName))
        .map { UserNameKey(cloud: account.key.cloud, name: $0) }
      for name in Set(names) { owners[name, default: 0] += 1 }
    }
    let shared = Set(owners.lazy.filter { $0.value > 1 }.map(\.key))
    guard !shared.isEmpty else { return }
    for account in accounts {
      for row in account.rows {
        let name = UserNameKey(cloud: account.key.cloud, name: row.row.userName ?? "")
        if shared.contains(name) { decisions.note(.conflictSameUPN, row: row.number) }
      }
    }
  }
}

// What the parts of the plan ask.
extension CachePlan {
  /// The client id as it is written, to the letter: as the policy spells it, else as the archive does (D5,
  /// D37).
  func clientID(of row: LegacyRow) -> String { policy.written(row.token.clientID ?? "") }

  /// Whether an account is there, in whichever tenant.
  func holdsAccount(_ account: PlannedAccount) -> Bool {
    cache.spelled(account.key).map { !$0.accountIDs.isEmpty } ?? false
  }

  func isSignedOut(_ account: PlannedAccount, of client: String) -> Bool {
    cache.isSignedOut(client: client, home: account.key.home)
  }

  /// Adds a record unless its place is taken; then the rows hear why, and the result is nil.
  ///
  /// Two different entries can have one place, since its name is parts with dashes between them, and parts have
  /// dashes too.
  ///
  /// - Parameters:
  ///   - key: what MSAL knows the record by.
  ///   - rows: the rows that the record is made of.
  /// - Returns: the place of the addition.
  mutating func add(
    _ record: MSALEntry, _ key: MSALEntry.Key, isCopy: Bool = false, for rows: some Sequence<Int>
  ) -> Int? {
    let attributes = form == .keychainItems ? record.attributes : nil
    guard let slot = attributes.map({ .init($0, in: group) }) ?? record.documentSlot else {
      return nil
    }
    if let occupant = cache.claim(slot) {
      for row in rows { decisions.note(occupant.reason(against: slot), row: row) }
      return nil
    }
    return decisions.add(
      Addition(
        record, key, in: group, isCopy: isCopy, attributes: attributes,
        documentKey: slot.documentKey))
  }
}

extension PlannedAccount {
  /// Whether a row's client, or its family, has a refresh token at the end.
  fileprivate func isCovered(_ row: LegacyRow) -> Bool {
    row.kind == .familyRefreshToken
      ? families.contains(row.family ?? "") : clients.contains(row.client)
  }
}

extension ResolvedRow {
  /// Whether the row may be converted at all, and its home account id is certain enough.
  func isAccepted(by policy: Policy) -> Bool {
    row.isConvertible && answer.homeAccountID != nil
      && answer.confidence >= policy.minimumConfidence
  }
}

extension LegacyRow {
  /// How far clocks may be apart before it is worth a word, in seconds.
  private static let toleratedSkew = 300.0

  fileprivate func isFromTheFuture(_ now: Double) -> Bool {
    [token.cachedAt, idToken?.issuedAt, token.place.modified]
      .contains { $0.map { $0 > now + Self.toleratedSkew } ?? false }
  }
}
