// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache
import MSALLookup

/// What one access group of the target will hold, and what MSAL finds there of each account.
///
/// One index answers for everybody (D38): what is asked of a client is prepared once, and an account, a name
/// or a token is found without going through those of others.
struct CheckedCache: Sendable {
  private let lookup: Lookup
  private var homesBefore: Set<Home> = []
  /// The user names of an account's entries, and one of its tenants, by home account id.
  private var names: [String: Set<String>] = [:]
  private var realms: [String: String] = [:]
  /// The access tokens that are made, by account and by client as it is written.
  private var addedTokens: [Home: [String: [Credential]]] = [:]
  /// How the added entries of an account spell a client, by the client in lower case.
  private var spellings: [Home: [String: String]] = [:]

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
    var items: [KeychainItem] = []
    var before: [Record] = []
    for item in there {
      guard let unified = UnifiedItem(item) else { continue }
      items.append(item)
      if let record = Record(unified) { before.append(record) }
    }
    lookup = Lookup(items: items + additions.map { $0.item(at: now) }, now: now)
    for record in before {
      if let home = take(record) { homesBefore.insert(home) }
    }
    for addition in additions {
      guard let home = take(addition.record), addition.carried == nil,
        case .credential(let credential) = addition.record
      else { continue }
      let client = credential.clientID
      if spellings[home]?[client.normalized] == nil {
        spellings[home, default: [:]][client.normalized] = client
      }
      if credential.kind == .accessToken {
        addedTokens[home, default: [:]][client, default: []].append(credential)
      }
    }
  }

  /// Notes what a record says of its account, which is given back.
  private mutating func take(_ record: Record) -> Home? {
    guard let home = Home(record) else { return nil }
    if case .account(let account) = record {
      if let name = account.username { names[home.id, default: []].insert(name) }
      if let realm = account.realm {
        realms[home.id] = min(realms[home.id] ?? realm, realm)
      }
    }
    return home
  }

  /// Whether the target held entries of a person before.
  func hadEntries(of person: Person) -> Bool { homesBefore.contains(Home(person)) }

  /// The client id as the person's entries spell it.
  func spelling(of client: String, _ person: Person) -> String {
    spellings[Home(person)]?[client]
      ?? person.rows.first { $0.row.client == client }?.row.token.clientID ?? client
  }

  /// Whom MSAL lists for a client.
  func listing(of client: String) -> ClientListing { ClientListing(lookup, clientID: client) }

  /// The first question about an account that has no answer; nil when all have one.
  ///
  /// - Parameters:
  ///   - client: as the account's entries spell it.
  ///   - listing: whom MSAL lists for that client.
  func miss(
    _ person: Person, client: String, families: Set<String>, _ listing: ClientListing
  ) -> PlanCheck.Question? {
    let home = person.home.description
    // A list for an identifier asks the very same of the very same entries.
    if !listing.lists(home: home) { return .accounts }
    for name in names[home] ?? [] where !listing.lists(home: home, username: name) {
      return .accountByUserName
    }
    // Refresh tokens have no tenant, so that any of the account's asks for all.
    if let realm = realms[home] {
      let authority = "https://\(person.spelling.environment)/\(realm)"
      if !findsRefreshToken(client, authority, home, families) { return .refreshToken }
    }
    return missingAccessToken(client, person)
  }

  private func findsRefreshToken(
    _ client: String, _ authority: String, _ home: String, _ families: Set<String>
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
  private func missingAccessToken(_ client: String, _ person: Person) -> PlanCheck.Question? {
    let home = person.home.description
    for token in addedTokens[Home(person)]?[client] ?? [] {
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
}
