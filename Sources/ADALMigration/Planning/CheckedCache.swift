// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache
import MSALLookup

/// What one access group of the target will hold, for look-ups person by person.
///
/// A look-up goes through all entries that could answer. Given only the entries of one person, and of
/// those who share the name, the work for all people together grows with the number of entries.
struct CheckedCache: Sendable {
  private let now: Double
  private var itemsByHome: [String: [KeychainItem]] = [:]
  private var homesByName: [String: Set<String>] = [:]
  private var homesBefore: Set<Home> = []
  private var clientItems: [KeychainItem] = []
  private var rowsByName: [String: [LazyRow]] = [:]
  private var addedTokens: [Home: [Credential]] = [:]

  /// An account in one cloud.
  private struct Home: Hashable {
    let cloud: String
    let id: String

    init(_ person: Person) {
      cloud = person.cloud
      id = person.home.description
    }

    init?(_ record: Record) {
      guard let id = record.homeAccountID else { return nil }
      cloud = Cloud.key(of: record.environment)
      self.id = id.normalized
    }
  }

  init(_ there: [KeychainItem], _ additions: [Plan.Addition], now: Double) {
    self.now = now
    for item in there {
      if let row = LazyRow(item) {
        rowsByName[row.claims?.userID ?? "", default: []].append(row)
      } else if let home = take(item) {
        homesBefore.insert(home)
      }
    }
    for addition in additions {
      _ = take(addition.item(at: now))
      if addition.carried == nil, case .credential(let credential) = addition.record,
        let home = Home(addition.record)
      {
        addedTokens[home, default: []].append(credential)
      }
    }
  }

  /// Files an item under its home account id, which is given back.
  private mutating func take(_ item: KeychainItem) -> Home? {
    guard let unified = UnifiedItem(item) else { return nil }
    guard let record = Record(unified), let home = Home(record) else {
      clientItems.append(item)
      return nil
    }
    itemsByHome[home.id, default: []].append(item)
    if case .account(let account) = record, let name = account.username {
      homesByName[name.normalized, default: []].insert(home.id)
    }
    return home
  }

  /// Whether the target held entries of a person before.
  func hadEntries(of person: Person) -> Bool { homesBefore.contains(Home(person)) }

  /// MSAL's look-ups over everything that concerns a person.
  func lookup(for person: Person) -> Lookup {
    let home = person.home.description
    var names = Set(person.rows.compactMap(\.row.userName))
    for item in itemsByHome[home] ?? [] {
      if case .account(let account)? = UnifiedItem(item), let name = account.username {
        names.insert(name.normalized)
      }
    }
    let homes = names.reduce(into: Set([home])) { $0.formUnion(homesByName[$1] ?? []) }
    let items = homes.sorted().flatMap { itemsByHome[$0] ?? [] } + clientItems
    let rows = names.sorted().flatMap { rowsByName[$0] ?? [] }
    return Lookup(items: items, lazyRows: rows, now: now)
  }

  /// The first question about an account that has no answer; nil when all have one.
  func miss(
    _ person: Person, client: String, families: Set<String>, _ lookup: Lookup
  ) -> PlanCheck.Question? {
    let home = person.home.description
    let client = spelling(of: client, person)
    func lists(_ query: LookupQuery) -> Bool {
      lookup.listedAccounts(query).contains { $0.identifier == home }
    }
    let accounts = itemsByHome[home, default: []].compactMap { item -> Account? in
      if case .account(let account)? = UnifiedItem(item) { account } else { nil }
    }
    if !lists(LookupQuery(.listedAccounts, clientID: client)) { return .accounts }
    if !lists(LookupQuery(.listedAccounts, clientID: client, identifier: home)) {
      return .accountByIdentifier
    }
    for name in Set(accounts.compactMap(\.username)).sorted()
    where !lists(LookupQuery(.listedAccounts, clientID: client, username: name)) {
      return .accountByUserName
    }
    if !lists(LookupQuery(.listedAccounts, clientID: client, withLegacy: true)) {
      return .accountsWithLegacy
    }
    for realm in Set(accounts.compactMap(\.realm)).sorted() {
      let authority = "https://\(person.spelling.environment)/\(realm)"
      if !findsRefreshToken(client, authority, home, families, lookup) { return .refreshToken }
    }
    return missingAccessToken(client, person, lookup)
  }

  private func findsRefreshToken(
    _ client: String, _ authority: String, _ home: String, _ families: Set<String>, _ lookup: Lookup
  ) -> Bool {
    let own = LookupQuery(
      .refreshToken, clientID: client, authority: authority, homeAccountID: home)
    if (try? lookup.refreshToken(own)) ?? nil != nil { return true }
    return families.contains { family in
      let query = LookupQuery(
        .refreshToken, clientID: client, authority: authority, homeAccountID: home,
        familyID: family)
      return ((try? lookup.refreshToken(query)) ?? nil) != nil
    }
  }

  /// Every access token that is made must be the one that its scope gives. One that is carried may lack
  /// the ID token that MSAL wants beside it, as it did where it was.
  private func missingAccessToken(
    _ client: String, _ person: Person, _ lookup: Lookup
  ) -> PlanCheck.Question? {
    let home = person.home.description
    for token in addedTokens[Home(person)] ?? []
    where token.clientID == client && token.kind == .accessToken {
      // An app under mobile application management asks with its own identifier.
      guard token.applicationIdentifier == nil, let realm = token.realm else { continue }
      let query = LookupQuery(
        .accessToken, clientID: client, scopes: token.target,
        authority: "https://\(person.spelling.environment)/\(realm)", homeAccountID: home)
      guard let found = lookup.accessToken(query), found.secret == token.secret, !found.isExpired
      else { return .accessToken }
      let idToken = LookupQuery(
        .idToken, clientID: client, authority: query.authority, homeAccountID: home)
      if lookup.idToken(idToken) == nil { return .idToken }
    }
    return nil
  }

  /// The client id as the person's entries spell it.
  private func spelling(of client: String, _ person: Person) -> String {
    let added = addedTokens[Home(person)] ?? []
    return added.first { $0.clientID.normalized == client }?.clientID
      ?? person.rows.first { $0.row.client == client }?.row.token.clientID ?? client
  }
}
