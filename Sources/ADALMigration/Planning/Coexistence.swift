// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache
import MSALLookup

// How entries of MSAL's get along with what is there: with other entries of the account, which must be spelled the
// same (D20), and with ADAL's rows that stay beside them, which MSAL reads as its fallback (D19, D27, D33).

// MARK: - One spelling (D20)

/// How one account is spelled in all its entries, to the letter (D20).
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
  }

  /// The spelling that additions to an account use. In a document every account of a cloud is under
  /// one host (D10); where there are two, under that of its refresh token (D34).
  func spelling(of account: AccountKey, form: CacheForm) -> AccountSpelling {
    let there = spelled(account) ?? SpelledAccount()
    // Tokens count before accounts, of which there can be copies (D27).
    var hosts = there.tokenHosts.isEmpty ? there.accountHosts : there.tokenHosts
    if form == .document {
      if !there.refreshTokenHosts.isEmpty { hosts = there.refreshTokenHosts }
      if hosts.isEmpty { hosts = self.hosts(of: account.cloud) }
    }
    let ids = there.accountIDs.isEmpty ? there.tokenIDs : there.accountIDs
    return AccountSpelling(
      homeAccountID: ids.contains(account.home) ? account.home : ids.min() ?? account.home,
      environment: host(among: hosts, account.cloud),
      realms: there.realms.compactMapValues { $0.min() })
  }

  /// The host that a cloud is filed under: its own, unless only others are there.
  func environment(of cloud: String) -> String { host(among: hosts(of: cloud), cloud) }

  /// The host under which a cache files a cloud that it has nothing of yet: the reader's (D34).
  private func ownHost(of cloud: String) -> String {
    guard let readersHost, let known = Cloud.of(host: cloud) else { return cloud }
    return readersHost(known)
  }

  private func host(among hosts: Set<String>, _ cloud: String) -> String {
    let own = ownHost(of: cloud)
    return hosts.contains(own) ? own : hosts.contains(cloud) ? cloud : hosts.min() ?? own
  }

  /// Why entries go under another host than they would in an empty cache; none when they do not.
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
    let listed = rows.filter { rowsInPlace.contains($0.number) && table.isListedWithoutID($0) }
    return listed.groups(
      by: { $0.authority.map { table.authorities[$0].environment } ?? .none }, table.symbols
    )
    .map { (table.symbols[$0.key], $0.values) }
    .filter { !$0.0.isEmpty && $0.0 != account.environment }
  }
}

/// What MSAL's lists have of ADAL's rows that stay in the target beside its entries (D43).
struct Coexistence: Sendable {
  private var listings: [Symbol: FallbackListing] = [:]
  /// What the reader of each row has of it, by row number.
  private var outcomes: [Int: FallbackListing.Outcome] = [:]
  /// How MSAL names the hosts of authorities, by their numbers.
  private var environments: [Int: String?] = [:]

  /// - Parameters:
  ///   - staying: the numbers of the rows that stay in the target.
  ///   - lookups: by access group; of others nothing is asked.
  init(_ table: RowTable, staying: Set<Int>, _ lookups: [String: Lookup]) {
    // Of rows that do not stay nothing is asked.
    guard !staying.isEmpty else { return }
    var identifying: [Symbol: [ADALFallbackToken]] = [:]
    for row in table.rows
    where staying.contains(row.number) && table.tokens[row.index].token.fallbackIdentifier != nil {
      if let fallback = fallbackToken(row, table) {
        identifying[row.group, default: []].append(fallback)
      }
    }
    for (name, lookup) in lookups {
      guard let group = table.symbols.known(name) else { continue }
      listings[group] = FallbackListing(lookup, beside: identifying[group] ?? [])
    }
    guard !lookups.isEmpty, table.rows.contains(where: { $0.family != .none }) else { return }
    for row in table.rows where row.kind != .familyRefreshToken {
      guard let client = table.tokens[row.index].token.clientID else { continue }
      // Rows without a user name are alike to MSAL, too.
      let name = row.idToken.flatMap { table.idTokens[$0].userID }
      listings[row.group]?.add(client: client, named: name)
    }
  }

  /// What MSAL's fallback reads of the row; nil when it does not read it.
  private mutating func fallbackToken(_ row: ADALRow, _ table: RowTable) -> ADALFallbackToken? {
    let shared = table.tokens[row.index]
    guard shared.token.isReadByMSAL, shared.token.place.isListedByMSAL else { return nil }
    return ADALFallbackToken(
      shared.token, environment: environment(of: row, shared),
      claims: row.idToken.map { table.idTokens[$0].claims })
  }

  private mutating func environment(of row: ADALRow, _ shared: SharedToken) -> String? {
    guard let authority = row.authority else { return nil }
    if let known = environments[authority] { return known }
    let environment = ADALFallbackToken.environment(ofAuthority: shared.token.authority)
    environments[authority] = .some(environment)
    return environment
  }

  /// What the row's own client, or its family, has of it in a list.
  private mutating func outcome(of row: ADALRow, _ table: RowTable) -> FallbackListing.Outcome {
    if let known = outcomes[row.number] { return known }
    var outcome = FallbackListing.Outcome.notListed
    if let reader = table.reader(of: row), let fallback = fallbackToken(row, table) {
      outcome = listings[row.group]?.outcome(of: fallback, for: reader) ?? .notListed
    }
    outcomes[row.number] = outcome
    return outcome
  }

  /// Whether the row's own client, or its family, lists the row by its user name.
  mutating func lists(_ row: ADALRow, _ table: RowTable) -> Bool {
    outcome(of: row, table).isListed
  }

  /// Whether one of these clients lists the account of a family's row; true where none are named, since any client
  /// of the family may.
  mutating func lists(_ row: ADALRow, forAnyOf clients: [String]?, _ table: RowTable) -> Bool {
    guard let clients, let fallback = fallbackToken(row, table) else { return true }
    return clients.contains { client in
      let reader = FallbackListing.Reader.client(ExactText(client))
      return listings[row.group]?.outcome(of: fallback, for: reader).isListed ?? false
    }
  }

  /// Whether accounts in MSAL's form hide the row from its client, which does not list them (D19). Names hide
  /// whatever host a row is of.
  mutating func hides(_ row: ADALRow, _ table: RowTable) -> Bool {
    guard table.isFallbackToken(row), !row.isOfBroker, table.url(of: row)?.kind == .aad,
      table.tokens[row.index].token.fallbackIdentifier == nil,
      row.idToken.flatMap({ table.idTokens[$0].userID }) != nil
    else { return false }
    return outcome(of: row, table) == .hidden
  }

  /// Whether a client that is given the row may list the user's account without its identifier, as it happens to
  /// read the row first; only as long as the two are not the same to MSAL (D27, D33, D43). Two accounts without a
  /// user name are the same to it, too (MSALAccount.m, isEqualToAccount).
  mutating func isNameless(_ row: ADALRow, _ table: RowTable) -> Bool {
    guard table.isFallbackToken(row) else { return false }
    if outcome(of: row, table) == .nameless { return true }
    guard row.family != .none, table.reader(of: row) != nil,
      let fallback = fallbackToken(row, table)
    else { return false }
    let family = FallbackListing.Reader.family(ExactText(table.symbols[row.family]))
    let ofFamily = listings[row.group]?.outcome(of: fallback, for: family)
    return ofFamily == .nameless || listings[row.group]?.isNamelessToOthers(fallback) ?? false
  }
}

extension FallbackListing.Outcome {
  fileprivate var isListed: Bool {
    switch self {
    case .hidden, .notListed: false
    case .alone, .same, .nameless, .byIdentifier: true
    }
  }
}

extension RowTable {
  fileprivate func reader(of row: ADALRow) -> FallbackListing.Reader? {
    if row.kind == .familyRefreshToken {
      return row.family == .none ? nil : .family(ExactText(symbols[row.family]))
    }
    return tokens[row.index].token.clientID.map { .client(ExactText($0)) }
  }

  /// Whether MSAL's fallback takes the row for a refresh token that it can use.
  fileprivate func isFallbackToken(_ row: ADALRow) -> Bool {
    row.hasUsableRefreshToken && !row.hasAccessToken && tokens[row.index].token.isReadByMSAL
  }

  /// Whether MSAL's fallback lists the row as an account without an identifier.
  fileprivate func isListedWithoutID(_ row: ADALRow) -> Bool {
    isFallbackToken(row) && tokens[row.index].token.fallbackHomeAccountID == nil
  }

  /// Whether MSAL's fallback lists the row by user name, and finds its refresh token by the same
  /// authority (msal-cache-format §6): a refresh token alone, under `common` or a tenant id.
  func isVisibleToFallback(_ row: ADALRow) -> Bool {
    guard row.kind == .multiResourceRefreshToken || row.kind == .familyRefreshToken,
      let url = url(of: row), let name = row.idToken.map({ idTokens[$0].name }), name != .none,
      tokens[row.index].token.isReadByMSAL, tokens[row.index].token.place.isListedByMSAL
    else { return false }
    switch url.tenant {
    case .common, .id: return row.nameOfKey == name
    case .organizations, .consumers, .domain: return false
    }
  }
}

extension LegacyPlace {
  /// Whether MSAL asks for rows in the place: not for bare archives, nor for those of 0.5-alpha, in whose service no
  /// library is named.
  fileprivate var isListedByMSAL: Bool {
    switch self {
    case .keychain(let key): key.service.hasPrefix(LegacyItem.library)
    case .blob: true
    case .archive, .row: false
    }
  }
}
