// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache
import MSALLookup

// Rules for MSAL's entries beside existing content: other entries of the account, which must have the same spelling
// (D20), and ADAL's rows, which MSAL reads as its fallback (D19, D27, D33).

// MARK: - One spelling (D20)

/// The exact spelling of one account in all its entries (D20).
struct AccountSpelling: Sendable {
  var homeAccountID: String
  var environment: String
  /// Realms by their lower-case form, where entries are there that spell them otherwise.
  var realms: [ExactText: String]

  func realm(_ realm: String) -> String { realms[realm] ?? realm }
}

extension MSALIndex {
  /// An empty document for a reader, where the caller named one.
  init(for reader: MSALLibrary?) {
    guard let reader else {
      self.init()
      return
    }
    self.init { reader.host(of: $0) }
    documentKeys = reader.documentKeys
  }

  /// The spelling that additions to an account use.
  func spelling(of account: AccountKey, form: CacheForm) -> AccountSpelling {
    let there = spelled(account) ?? SpelledAccount()
    let ids = there.accountIDs.isEmpty ? there.tokenIDs : there.accountIDs
    return AccountSpelling(
      homeAccountID: ids.contains(account.home) ? account.home : ids.min() ?? account.home,
      environment: environment(of: account, form: form),
      realms: there.realms.compactMapValues { $0.min() })
  }

  /// The host that additions to an account use. In a document every account of a cloud is under one host (D10); where
  /// there are two, under that of its refresh token (D34).
  func environment(of account: AccountKey, form: CacheForm) -> String {
    let there = spelled(account) ?? SpelledAccount()
    // Tokens count before accounts, because an account can have copies (D27).
    var hosts = there.tokenHosts.isEmpty ? there.accountHosts : there.tokenHosts
    if form == .document {
      if !there.refreshTokenHosts.isEmpty { hosts = there.refreshTokenHosts }
      if hosts.isEmpty { hosts = self.hosts(of: account.cloud) }
    }
    return host(among: hosts, account.cloud)
  }

  /// The host that a cloud is filed under: its own, unless only others are there.
  func environment(of cloud: String) -> String { host(among: hosts(of: cloud), cloud) }

  /// The host for a cloud that the cache has no entries of: the host that the reading library prefers (D34).
  private func ownHost(of cloud: String) -> String {
    guard let readersHost, let known = Cloud.of(host: cloud) else { return cloud }
    return readersHost(known)
  }

  private func host(among hosts: Set<String>, _ cloud: String) -> String {
    let own = ownHost(of: cloud)
    return hosts.contains(own) ? own : hosts.contains(cloud) ? cloud : hosts.min() ?? own
  }

  /// The reasons if entries get another host than in an empty cache; empty if they do not.
  func reasons(for environment: String, cloud: String) -> [Reason] {
    if environment == ownHost(of: cloud) { return [] }
    return readersHost == nil ? [.envReuseExisting] : [.envReuseExisting, .envOtherReader]
  }
}

// MARK: - Rows that stay (D19, D27, D33)

extension CachePlan {
  /// The hosts that copies of an account are filed under, each with the rows for which: MSAL joins a row of ADAL's
  /// that stays and one of its accounts only when environment and realm are equal (D27).
  ///
  /// - Parameter rows: those of the account's tenant.
  func aliasHosts(
    of account: MSALEntry, _ rows: [ADALRow]
  ) -> [(host: String, rows: [ADALRow])] {
    guard form == .keychainItems, !rowsInPlace.isEmpty else { return [] }
    // Values for closures are copied out first, because each closure would copy the whole plan.
    let (rowsInPlace, authorities, symbols) = (rowsInPlace, table.authorities, table.symbols)
    let listed = rows.filter { rowsInPlace.contains($0.number) && $0.isListedWithoutID }
    return listed.groups(by: { $0.authority.map { authorities[$0].environment } ?? .none }, symbols)
      .map { (symbols[$0.key], $0.values) }
      .filter { !$0.0.isEmpty && $0.0 != account.environment }
  }
}

/// The state in MSAL's lists of ADAL's rows that stay in the target beside its entries (D43).
struct Coexistence: Sendable {
  private var listings: [FallbackListing] = []
  /// The place of each access group's listing.
  private var places: [Symbol: Int] = [:]
  /// The rows' texts, and those of entries that are there.
  private var symbols = Symbols()
  /// The listing outcome of each row for its reader, by the row's place.
  private var outcomes: [FallbackListing.Outcome?] = []
  /// MSAL's names for the hosts of authorities, by their numbers.
  private var environments: [Int: Symbol?] = [:]

  /// Prepares the listings for rows that stay in a keychain. Other targets need none.
  init(_ inventory: borrowing Inventory, _ plan: borrowing Plan) {
    let staying = inventory.rowsInPlace
    guard plan.form == .keychainItems, !staying.isEmpty else { return }
    let table = plan.table
    symbols = table.symbols
    outcomes = [FallbackListing.Outcome?](repeating: nil, count: table.rows.count)
    let additions = plan.decisions.additionsByGroup
    for row in table.rows where staying.contains(row.number) {
      let place = places[row.group] ?? listings.count
      if place == listings.count {
        places[row.group] = place
        listings.append(
          FallbackListing(
            inventory.target[symbols[row.group]].index, plan, additions[row.group] ?? [], &symbols))
      }
    }
    for storesID in [true, false] where storesID || listings.contains(where: \.hasRows) {
      for row in table.rows where staying.contains(row.number) {
        let identifier = table.tokens[row.index].token.fallbackIdentifier
        guard (identifier.map { !$0.isBlank } ?? false) == storesID,
          let place = places[row.group], let reading = reading(of: row, table)
        else { continue }
        listings[place].insert(reading)
      }
    }
    guard table.rows.contains(where: { $0.family != .none }) else { return }
    for row in table.rows where row.kind != .familyRefreshToken {
      guard let client = row.spelledClient.map({ table.clients[$0] }),
        let place = places[row.group]
      else { continue }
      // Rows without a user name are alike to MSAL, too.
      let name = table.fallbackName(of: row)
      listings[place].insert(client: client.spelled, named: name, &symbols)
      // An app asks with its own spelling, which other libraries' notes of a sign-out may not have.
      if client.written != client.spelled {
        listings[place].insert(client: client.written, named: name, &symbols)
      }
    }
  }

  /// The row as MSAL's fallback reads it; nil if the fallback does not read it.
  private mutating func reading(of row: ADALRow, _ table: RowTable) -> FallbackListing.Row? {
    guard row.isReadByMSAL, row.isListedByMSAL else { return nil }
    let shared = table.tokens[row.index]
    let client = row.spelledClient.map { table.clients[$0].spelled }
    let environment = environment(of: row, shared)
    let isRefreshToken = shared.token.refreshToken != nil && shared.token.accessToken == nil
    return FallbackListing.Row(
      client: client, family: shared.token.familyID.map { symbols.symbol(of: $0) },
      isUsable: isRefreshToken && environment != nil && client != nil
        && shared.token.refreshToken != .tombstone,
      home: shared.token.fallbackIdentifier.flatMap {
        $0.isBlank ? nil : symbols.symbol(of: $0.normalized)
      },
      account: FallbackListing.Members(
        username: table.fallbackName(of: row), environment: environment,
        realm: row.idToken.flatMap { table.idTokens[$0].claims.realm }
          .map { symbols.symbol(of: $0) }))
  }

  private mutating func environment(of row: ADALRow, _ shared: SharedToken) -> Symbol? {
    guard let authority = row.authority else { return nil }
    if let known = environments[authority] { return known }
    let environment = ADALFallbackToken.environment(ofAuthority: shared.token.authority)
      .map { symbols.symbol(of: $0) }
    environments[authority] = .some(environment)
    return environment
  }

  private mutating func outcome(
    of reading: FallbackListing.Row, in group: Symbol, for reader: FallbackListing.Reader
  ) -> FallbackListing.Outcome {
    places[group].map { listings[$0].outcome(of: reading, for: reader, &symbols) } ?? .notListed
  }

  /// The listing outcome of a row for its own client, or for its family.
  private mutating func outcome(of row: ADALRow, _ table: RowTable) -> FallbackListing.Outcome {
    if !outcomes.indices.contains(row.index) { return .notListed }
    if let known = outcomes[row.index] { return known }
    var outcome = FallbackListing.Outcome.notListed
    if let reader = table.reader(of: row), let reading = reading(of: row, table) {
      outcome = self.outcome(of: reading, in: row.group, for: reader)
    }
    outcomes[row.index] = outcome
    return outcome
  }

  /// Whether the row's own client, or its family, lists the row by its user name.
  mutating func lists(_ row: ADALRow, _ table: RowTable) -> Bool {
    outcome(of: row, table).isListed
  }

  /// Whether one of these clients lists the account of a family's row; true for nil, because any client of the family
  /// may list it.
  mutating func lists(_ row: ADALRow, forAnyOf clients: [String]?, _ table: RowTable) -> Bool {
    guard let clients, let reading = reading(of: row, table) else { return true }
    return clients.contains { client in
      outcome(of: reading, in: row.group, for: .client(symbols.symbol(of: client))).isListed
    }
  }

  /// Whether accounts in MSAL's form that its client does not list hide the row from that client (D19). A name hides
  /// rows of every host.
  mutating func hides(_ row: ADALRow, _ table: RowTable) -> Bool {
    guard row.isFallbackToken, !row.isOfBroker, table.url(of: row)?.kind == .aad else {
      return false
    }
    return outcome(of: row, table) == .hidden
  }

  /// Whether a client that is given the row may list the user's account without its identifier, as it happens to
  /// read the row first; only as long as the two are not the same to MSAL (D27, D33, D43). Two accounts without a
  /// user name are the same to it, too (MSALAccount.m, isEqualToAccount).
  mutating func isNameless(_ row: ADALRow, _ table: RowTable) -> Bool {
    guard row.isFallbackToken else { return false }
    if outcome(of: row, table).mayBeNameless { return true }
    guard row.family != .none, table.reader(of: row) != nil, let reading = reading(of: row, table)
    else { return false }
    if outcome(of: reading, in: row.group, for: .family(row.family)).mayBeNameless { return true }
    return places[row.group].map { listings[$0].isNamelessToOthers(reading, &symbols) } ?? false
  }
}

extension FallbackListing.Outcome {
  /// Whether the list has the row's account, in any order of the set.
  fileprivate var isListed: Bool {
    switch self {
    case .hidden, .notListed, .namelessOrNotListed: false
    case .alone, .same, .nameless, .byIdentifier: true
    }
  }

  /// Whether the list may have the account without its identifier, beside an account with an identifier.
  var mayBeNameless: Bool { self == .nameless || self == .namelessOrNotListed }
}

extension RowTable {
  fileprivate func reader(of row: ADALRow) -> FallbackListing.Reader? {
    if row.kind == .familyRefreshToken { return row.family == .none ? nil : .family(row.family) }
    return row.spelledClient.map { .client(clients[$0].spelled) }
  }

  /// The user name under which MSAL's fallback lists the row, folded; nil where no ID token says it.
  fileprivate func fallbackName(of row: ADALRow) -> Symbol? {
    row.idToken.map { idTokens[$0].userName }.flatMap { $0 == .none ? nil : $0 }
  }

  /// Whether MSAL's fallback finds a row that it lists by the same user name and authority (msal-cache-format §6):
  /// a refresh token alone, under `common` or a tenant id.
  func isFoundByFallback(_ row: ADALRow) -> Bool {
    guard row.kind == .multiResourceRefreshToken || row.kind == .familyRefreshToken,
      let tenant = row.authority.flatMap({ authorities[$0].url?.tenant }),
      let name = row.idToken.map({ idTokens[$0].name }), name != .none
    else { return false }
    switch tenant {
    case .common, .id: return row.nameOfKey == name
    case .organizations, .consumers, .domain: return false
    }
  }
}

extension ADALRow {
  /// Whether MSAL's fallback lists the row as an account without an identifier.
  fileprivate var isListedWithoutID: Bool {
    isFallbackToken && storedHome?.field != .homeAccountID
  }
}
