// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache

/// Law 10: what is written is found.
///
/// Before anything is written, every account that the report calls signed in is looked up as MSAL would,
/// in what the target will hold. An account that is all our own and is not found is a bug of ours, and
/// stops the run. One that shares its entries with what the target held before may be hidden by those;
/// the report then does not call it signed in.
struct PlanCheck: Sendable {
  /// The seats whose account is not found because of what the target held before.
  private(set) var unfound: Set<Standing.Seat> = []

  /// - Throws: ``MigrationError/notFound(_:)``.
  init(_ inventory: Inventory, _ plan: Plan, form: CacheForm, now: Double) throws {
    let additions = Dictionary(grouping: plan.additions, by: \.group)
    let people = Dictionary(grouping: plan.people, by: \.group)
    for (group, people) in people.sorted(by: { $0.key < $1.key }) {
      switch form {
      case .keychainItems:
        let cache = CheckedCache(
          inventory.targetItems[group] ?? [], additions[group] ?? [], now: now)
        for person in people { try check(person, cache, inventory) }
      case .document:
        var document = inventory.targetDocument
        for addition in additions[group] ?? [] { document.add(addition.record) }
        try check(people, document)
      }
    }
  }

  private mutating func check(
    _ planned: Plan.PlannedPerson, _ cache: CheckedCache, _ inventory: Inventory
  ) throws {
    let person = planned.person
    let lookup = cache.lookup(for: person)
    for client in planned.coveredClients.sorted() {
      guard let miss = cache.miss(person, client: client, families: planned.coveredFamilies, lookup)
      else { continue }
      if !cache.hadEntries(of: person) { throw MigrationError.notFound(miss) }
      unfound.insert(
        Standing.Seat(
          identity: .person(cloud: person.cloud, home: person.home), group: planned.group,
          client: client))
    }
  }

  /// A document lists every account that has an entry, and a refresh token is found by its content.
  private func check(_ people: [Plan.PlannedPerson], _ document: CacheDocument) throws {
    var there: Set<RecordKey> = []
    for entry in document.accounts { there.formUnion(Record.account(entry.value).listingKeys) }
    for entry in document.credentials {
      there.formUnion(Record.credential(entry.value).listingKeys)
    }
    for planned in people {
      let person = planned.person
      for client in planned.coveredClients {
        let owners =
          [person.key(.refreshToken, owner: client)]
          + planned.coveredFamilies.map { person.key(.familyRefreshToken, owner: $0) }
        guard owners.contains(where: there.contains) else {
          throw MigrationError.notFound("refresh token")
        }
        guard there.contains(person.key(.account)) else { throw MigrationError.notFound("account") }
      }
    }
  }
}

/// What one access group of the target will hold, for look-ups person by person.
///
/// A look-up goes through all entries that could answer. Given only the entries of one person, and of
/// those who share the name, the work for all people together grows with the number of entries.
private struct CheckedCache {
  private let now: Double
  private var itemsByHome: [String: [KeychainItem]] = [:]
  private var homesByName: [String: Set<String>] = [:]
  private var homesBefore: Set<String> = []
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

    init(_ credential: Credential) {
      cloud = Cloud.key(of: credential.environment)
      id = credential.homeAccountID.trimmed.lowercased()
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
      if addition.carried == nil, case .credential(let credential) = addition.record {
        addedTokens[Home(credential), default: []].append(credential)
      }
    }
  }

  /// Files an item under its home account id, which is given back.
  private mutating func take(_ item: KeychainItem) -> String? {
    guard let unified = UnifiedItem(item) else { return nil }
    guard let record = Record(unified), let id = record.homeAccountID else {
      clientItems.append(item)
      return nil
    }
    let home = id.trimmed.lowercased()
    itemsByHome[home, default: []].append(item)
    if case .account(let account) = record, let name = account.username {
      homesByName[name.trimmed.lowercased(), default: []].insert(home)
    }
    return home
  }

  /// Whether the target held entries of a person before.
  func hadEntries(of person: Person) -> Bool { homesBefore.contains(person.home.description) }

  /// MSAL's look-ups over everything that concerns a person.
  func lookup(for person: Person) -> Lookup {
    let home = person.home.description
    var names = Set(person.rows.compactMap(\.row.userName))
    for item in itemsByHome[home] ?? [] {
      if case .account(let account)? = UnifiedItem(item), let name = account.username {
        names.insert(name.trimmed.lowercased())
      }
    }
    let homes = names.reduce(into: Set([home])) { $0.formUnion(homesByName[$1] ?? []) }
    let items = homes.sorted().flatMap { itemsByHome[$0] ?? [] } + clientItems
    let rows = names.sorted().flatMap { rowsByName[$0] ?? [] }
    return Lookup(items: items, lazyRows: rows, now: now)
  }

  /// The first look-up of an account that fails, by name; nil when all succeed.
  func miss(_ person: Person, client: String, families: Set<String>, _ lookup: Lookup) -> String? {
    let home = person.home.description
    let client = spelling(of: client, person)
    func lists(_ query: LookupQuery) -> Bool {
      lookup.listedAccounts(query).contains { $0.identifier == home }
    }
    let accounts = itemsByHome[home, default: []].compactMap { item -> Account? in
      if case .account(let account)? = UnifiedItem(item) { account } else { nil }
    }
    if !lists(LookupQuery(.listedAccounts, clientID: client)) { return "accounts" }
    if !lists(LookupQuery(.listedAccounts, clientID: client, identifier: home)) {
      return "account by identifier"
    }
    for name in Set(accounts.compactMap(\.username)).sorted()
    where !lists(LookupQuery(.listedAccounts, clientID: client, username: name)) {
      return "account by user name"
    }
    if !lists(LookupQuery(.listedAccounts, clientID: client, withLegacy: true)) {
      return "accounts beside ADAL's rows"
    }
    for realm in Set(accounts.compactMap(\.realm)).sorted() {
      let authority = "https://\(person.spelling.environment)/\(realm)"
      if !findsRefreshToken(client, authority, home, families, lookup) { return "refresh token" }
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
  private func missingAccessToken(_ client: String, _ person: Person, _ lookup: Lookup) -> String? {
    let home = person.home.description
    for token in addedTokens[Home(person)] ?? []
    where token.clientID == client && token.kind == .accessToken {
      // An app under mobile application management asks with its own identifier.
      guard token.applicationIdentifier == nil, let realm = token.realm else { continue }
      let query = LookupQuery(
        .accessToken, clientID: client, scopes: token.target,
        authority: "https://\(person.spelling.environment)/\(realm)", homeAccountID: home)
      guard let found = lookup.accessToken(query), found.secret == token.secret, !found.isExpired
      else { return "access token" }
      let idToken = LookupQuery(
        .idToken, clientID: client, authority: query.authority, homeAccountID: home)
      if lookup.idToken(idToken) == nil { return "ID token" }
    }
    return nil
  }

  /// The client id as the person's entries spell it.
  private func spelling(of client: String, _ person: Person) -> String {
    let added = addedTokens[Home(person)] ?? []
    return added.first { $0.clientID.lowercased() == client }?.clientID
      ?? person.rows.first { $0.row.client == client }?.row.token.clientID?.trimmed ?? client
  }
}

extension Record {
  /// The keys of a record as far as listing an account asks for them: an account in any tenant.
  fileprivate var listingKeys: [RecordKey] {
    guard case .account(let account) = self else { return keys }
    return [
      RecordKey(.account, cloud: Cloud.key(of: account.environment), home: account.homeAccountID)
    ]
  }
}
