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
    of account: MSALEntry, _ rows: [ResolvedRow]
  ) -> [(host: String, rows: [ResolvedRow])] {
    guard form == .keychainItems else { return [] }
    let listed = rows.filter { rowsInPlace.contains($0.number) && $0.row.isListedWithoutID }
    return listed.groups { $0.row.authority?.environment ?? "" }
      .filter { !$0.key.isEmpty && $0.key != account.environment }
      .map { ($0.key, $0.values) }
  }
}

/// What MSAL's lists have of ADAL's rows that stay in the target beside its entries (D43).
struct Coexistence: Sendable {
  private var listings: [String: FallbackListing] = [:]
  /// What the reader of each row has of it, by row number.
  private var outcomes: [Int: FallbackListing.Outcome] = [:]

  /// - Parameters:
  ///   - staying: the numbers of the rows that stay in the target.
  ///   - lookups: by access group; of others nothing is asked.
  init(_ rows: [ResolvedRow], staying: Set<Int>, _ lookups: [String: Lookup]) {
    // Of rows that do not stay nothing is asked.
    guard !staying.isEmpty else { return }
    var identifying: [String: [ADALFallbackRow]] = [:]
    for row in rows where staying.contains(row.number) && row.row.token.fallbackIdentifier != nil {
      if let legacy = ADALFallbackRow(row.row) {
        identifying[row.row.group, default: []].append(legacy)
      }
    }
    for (group, lookup) in lookups {
      listings[group] = FallbackListing(lookup, beside: identifying[group] ?? [])
    }
    guard !lookups.isEmpty, rows.contains(where: { $0.row.family != nil }) else { return }
    for row in rows.lazy.map(\.row) where row.kind != .familyRefreshToken {
      guard let client = row.token.clientID else { continue }
      // Rows without a user name are alike to MSAL, too.
      listings[row.group]?.add(client: client, named: row.idToken?.userID)
    }
  }

  /// What the row's own client, or its family, has of it in a list.
  private mutating func outcome(of row: LegacyRow) -> FallbackListing.Outcome {
    if let known = outcomes[row.number] { return known }
    var outcome = FallbackListing.Outcome.notListed
    if let reader = row.reader, let legacy = ADALFallbackRow(row) {
      outcome = listings[row.group]?.outcome(of: legacy, for: reader) ?? .notListed
    }
    outcomes[row.number] = outcome
    return outcome
  }

  /// Whether the row's own client, or its family, lists the row by its user name.
  mutating func lists(_ row: LegacyRow) -> Bool { outcome(of: row).isListed }

  /// Whether one of these clients lists the account of a family's row; true where none are named, since any client
  /// of the family may.
  mutating func lists(_ row: LegacyRow, forAnyOf clients: [String]?) -> Bool {
    guard let clients, let legacy = ADALFallbackRow(row) else { return true }
    return clients.contains { client in
      let reader = FallbackListing.Reader.client(ExactText(client))
      return listings[row.group]?.outcome(of: legacy, for: reader).isListed ?? false
    }
  }

  /// Whether accounts in MSAL's form hide the row from its client, which does not list them (D19). Names hide
  /// whatever host a row is of.
  mutating func hides(_ row: LegacyRow) -> Bool {
    guard row.isFallbackToken, !row.isOfBroker, row.authority?.kind == .aad,
      row.token.fallbackIdentifier == nil, row.idToken?.userID != nil
    else { return false }
    return outcome(of: row) == .hidden
  }

  /// Whether a client that is given the row may list the user's account without its identifier, as it happens to
  /// read the row first; only as long as the two are not the same to MSAL (D27, D33, D43). Two accounts without a
  /// user name are the same to it, too (MSALAccount.m, isEqualToAccount).
  mutating func isNameless(_ row: LegacyRow) -> Bool {
    guard row.isFallbackToken else { return false }
    if outcome(of: row) == .nameless { return true }
    guard let family = row.family, row.reader != nil, let legacy = ADALFallbackRow(row) else {
      return false
    }
    let ofFamily = listings[row.group]?.outcome(of: legacy, for: .family(ExactText(family)))
    return ofFamily == .nameless || listings[row.group]?.isNamelessToOthers(legacy) ?? false
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

extension LegacyRow {
  fileprivate var reader: FallbackListing.Reader? {
    kind == .familyRefreshToken
      ? family.map { .family(ExactText($0)) } : token.clientID.map { .client(ExactText($0)) }
  }

  /// Whether MSAL's fallback takes the row for a refresh token that it can use.
  fileprivate var isFallbackToken: Bool {
    hasUsableRefreshToken && token.access == nil && token.isReadByMSAL
  }

  /// Whether MSAL's fallback lists the row as an account without an identifier.
  fileprivate var isListedWithoutID: Bool {
    isFallbackToken && token.fallbackHomeAccountID == nil
  }
}
