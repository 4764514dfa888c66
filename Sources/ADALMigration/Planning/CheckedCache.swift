// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// The future content of one access group of the target, and MSAL's view of each account in it.
///
/// One index answers for all accounts (D38). The answers for a client are prepared once. An account, a name or a token
/// is found without a scan of other accounts.
struct CheckedCache: Sendable {
  let lookup: Lookup
  /// The names and the tenant of the accounts that are made, by home account id.
  private var made: [ExactText: AccountEntries] = [:]
  /// The entries that are made, by account.
  private var additions: [AccountKey: [MSALEntry]] = [:]

  /// - Parameters:
  ///   - there: the existing entries.
  ///   - additions: the entries that the plan adds.
  init(
    _ there: MSALIndex, _ plan: borrowing Plan, _ additions: some Collection<Addition>,
    accessGroup: String,
    now: Double
  ) {
    var index = there
    index.reserve(additions.count)
    for addition in additions {
      let entry = plan.entry(of: addition)
      if let item = plan.carriedItem(of: addition) {
        index.addRow(item, entry)
        continue
      }
      index.addRow(entry, entry.attributes, accessGroup: accessGroup)
      guard entry.homeAccountID != nil else { continue }
      let account = addition.key.account(plan.table.symbols)
      if entry.kind == .account { made[account.home, default: AccountEntries()].take(entry) }
      self.additions[account, default: []].append(entry)
    }
    lookup = Lookup(index, now: now)
  }

  /// Whether some entries of an account are not made of ADAL's rows, and may hide those that are. MSAL lists an
  /// account once for all clouds.
  func hasOthersEntries(of account: PlannedAccount) -> Bool {
    lookup.index.items(ofHome: account.key.home) != nil
  }

  /// The questions about an account.
  func questions(about account: PlannedAccount, _ table: RowTable) -> AccountQuestions {
    let home = account.key.home
    let accounts = [lookup.index.items(ofHome: home), made[home]].compactMap { $0 }
    let names = accounts.reduce(into: Set()) { $0.formUnion($1.names) }
    return AccountQuestions(
      account, spellings: lookup.spellings(ofHome: home, named: names),
      realm: accounts.compactMap(\.realm).min(), additions[account.key] ?? [], table, lookup)
  }
}

/// The questions that the clients of one account ask a cache.
struct AccountQuestions: ~Copyable {
  /// The account's clients as their entries spell them, else as the first row does.
  private(set) var clients: [ExactText: String] = [:]
  private let account: PlannedAccount
  private let spellings: Set<[String]>
  private let realm: String?
  private let families: [String]
  /// The access tokens that are made, by client as it is written.
  private var tokens: [ExactText: [MSALEntry]] = [:]
  private let lookup: Lookup

  /// - Parameters:
  ///   - spellings: how the home account id is spelled in the account's entries, by their user names.
  ///   - realm: one of its tenants.
  ///   - additions: the entries that the plan makes for the account.
  init(
    _ account: PlannedAccount, spellings: Set<[String]>, realm: String?, _ additions: [MSALEntry],
    _ table: RowTable, _ lookup: Lookup
  ) {
    self.account = account
    self.spellings = spellings
    self.realm = realm
    self.lookup = lookup
    // In the order in which they are written, those of a client are one after the other.
    for (client, entries) in additions.runs(by: \.clientID) {
      guard let client else { continue }
      let key = client.identifier
      if clients[key] == nil { clients[key] = client }
      // An app under mobile application management asks with its own identifier.
      let made = entries.filter { $0.kind == .accessToken && $0.applicationIdentifier == nil }
      if !made.isEmpty { tokens[client, default: []] += made }
    }
    families = account.families.map { table.symbols[$0] }
    for row in account.rows {
      guard let client = table.tokens[row.index].token.clientID else { continue }
      let key = ExactText(table.symbols[row.client])
      if clients[key] == nil { clients[key] = client }
    }
  }

  /// The first question that has no answer; nil when all have one.
  ///
  /// - Parameters:
  ///   - client: as the account's entries spell it.
  ///   - listing: the accounts that MSAL lists for that client.
  func miss(client: String, _ listing: ClientListing) -> PlanCheck.Question? {
    let home = account.key.home
    // A list by identifier asks the same question about the same entries.
    if !listing.lists(home: home) { return .accounts }
    if !spellings.allSatisfy(listing.lists(anyOf:)) { return .accountByUserName }
    let tokens = (tokens[client] ?? []).runs(by: \.realm)
    // Refresh tokens have no tenant, so that any of the account's asks for all.
    if let realm {
      let search = search(client, realm)
      if !search.hasRefreshToken(),
        !families.contains(where: { search.hasRefreshToken(family: $0) })
      {
        return .refreshToken
      }
      for (other, tokens) in tokens where other?.isExactly(realm) ?? false {
        if let question = Self.miss(search, tokens) { return question }
      }
    }
    for case (let other?, let tokens) in tokens where !(realm.map(other.isExactly) ?? false) {
      if let question = Self.miss(search(client, other), tokens) { return question }
    }
    return nil
  }

  private func search(_ client: String, _ realm: String) -> AccountSearch {
    let authority = "https://\(account.spelling.environment)/\(realm)"
    return AccountSearch(
      lookup,
      LookupQuery(
        .accessToken, clientID: client, authority: authority, homeAccountID: account.key.home))
  }

  /// Every new access token must be the token that a query for its scope returns. A carried token may lack the ID token
  /// that MSAL expects, as it did in its source.
  private static func miss(
    _ search: borrowing AccountSearch, _ tokens: ArraySlice<MSALEntry>
  ) -> PlanCheck.Question? {
    for token in tokens {
      guard let found = search.accessToken(for: token.target ?? ""), found.secret == token.secret,
        !found.isExpired
      else { return .accessToken }
    }
    return tokens.isEmpty || search.hasIDToken ? nil : .idToken
  }
}

extension [MSALEntry] {
  /// The entries in runs that say the same.
  fileprivate func runs(
    by field: (MSALEntry) -> String?
  ) -> [(field: String?, entries: ArraySlice<MSALEntry>)] {
    var runs: [(field: String?, entries: ArraySlice<MSALEntry>)] = []
    var start = startIndex
    while start < endIndex {
      let value = field(self[start])
      let end = self[start...].firstIndex { other in
        let other = field(other)
        return other.map { !(value?.isExactly($0) ?? false) } ?? (value != nil)
      }
      runs.append((value, self[start..<(end ?? endIndex)]))
      start = end ?? endIndex
    }
    return runs
  }
}
