// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache
import MSALLookup

/// What one access group of the target will hold, and what MSAL finds there of each account.
///
/// One index answers for all accounts (D38): what is asked of a client is prepared once, and an account, a name
/// or a token is found without going through those of others.
struct CheckedCache: Sendable {
  private(set) var lookup: Lookup
  /// The home account ids that have entries of MSAL's own, in the target or carried into it as they are, in
  /// whichever cloud: MSAL lists an account once for all.
  private var homesOfOthers: Set<ExactText> = []
  /// The user names of an account's entries, and one of its tenants, by home account id.
  private var names: [ExactText: Set<String>] = [:]
  private var realms: [ExactText: String] = [:]
  /// The access tokens that are made, by account and by client as it is written.
  private var addedTokens: [AccountKey: [ExactText: [MSALEntry]]] = [:]
  /// How the added entries of an account spell a client, by the client in lower case.
  private var spellings: [AccountKey: [ExactText: String]] = [:]

  init(
    _ there: [TargetItem], _ additions: [Addition], accessGroup: String, now: Double
  ) {
    lookup = Lookup(items: [], now: now)
    lookup.reserve(there.count + additions.count)
    for held in there {
      guard let unified = held.unified else { continue }
      lookup.add(held.item, unified.entry)
      guard let record = unified.entry, record.homeAccountID != nil else { continue }
      let account = record.account
      take(record, of: account)
      homesOfOthers.insert(account.home)
    }
    for addition in additions {
      if let item = addition.carried {
        lookup.add(item)
      } else {
        let record = addition.record
        lookup.add(record, addition.attributes ?? record.attributes, accessGroup: accessGroup)
      }
      let account = addition.key.account
      take(addition.record, of: account)
      if addition.carried != nil {
        homesOfOthers.insert(account.home)
        continue
      }
      let record = addition.record
      guard let client = record.clientID, record.homeAccountID != nil else { continue }
      if spellings[account]?[client.identifier] == nil {
        spellings[account, default: [:]][client.identifier] = client
      }
      if record.kind == .accessToken {
        addedTokens[account, default: [:]][ExactText(client), default: []].append(record)
      }
    }
  }

  /// Notes what a record says of its account.
  private mutating func take(_ record: MSALEntry, of key: AccountKey) {
    guard record.kind == .account else { return }
    if let name = record.username { names[key.home, default: []].insert(name) }
    if let realm = record.realm {
      realms[key.home] = min(realms[key.home] ?? realm, realm)
    }
  }

  /// Whether some entries of an account are not made of ADAL's rows, and may hide those that are.
  func hasOthersEntries(of person: Person) -> Bool { homesOfOthers.contains(person.account.home) }

  /// The account's clients as their entries spell them, else as the first row does.
  func spellings(of person: Person) -> [ExactText: String] {
    var spellings = spellings[person.account] ?? [:]
    guard person.clients.contains(where: { spellings[$0] == nil }) else { return spellings }
    for row in person.rows where spellings[row.row.client] == nil {
      spellings[row.row.client] = row.row.token.clientID
    }
    return spellings
  }

  /// Whom MSAL lists for a client.
  func listing(of client: String) -> ClientListing { ClientListing(lookup, clientID: client) }

  /// The first question about an account that has no answer; nil when all have one.
  ///
  /// - Parameters:
  ///   - client: as the account's entries spell it.
  ///   - listing: whom MSAL lists for that client.
  func miss(
    _ person: Person, client: String, _ listing: ClientListing
  ) -> PlanCheck.Question? {
    let home = person.account.home
    // A list for an identifier asks the very same of the very same entries.
    if !listing.lists(home: home) { return .accounts }
    for name in names[home] ?? [] where !listing.lists(home: home, username: name) {
      return .accountByUserName
    }
    // Refresh tokens have no tenant, so that any of the account's asks for all.
    if let realm = realms[home] {
      let authority = "https://\(person.spelling.environment)/\(realm)"
      if !findsRefreshToken(client, authority, home, person.families) { return .refreshToken }
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
    // An app under mobile application management asks with its own identifier.
    let tokens = (addedTokens[person.account]?[client] ?? [])
      .filter { $0.applicationIdentifier == nil }
    let home = person.account.home
    for (realm, tokens) in Dictionary(grouping: tokens, by: { $0.realm.map { ExactText($0) } }) {
      guard let realm = realm?.text else { continue }
      let url = "https://\(person.spelling.environment)/\(realm)"
      let search = AccessTokenSearch(
        lookup,
        LookupQuery(.accessToken, clientID: client, authority: url, homeAccountID: home))
      for token in tokens {
        guard let found = search.token(for: token.target ?? ""), found.secret == token.secret,
          !found.isExpired
        else { return .accessToken }
      }
      let idToken = LookupQuery(.idToken, clientID: client, authority: url, homeAccountID: home)
      if lookup.idToken(idToken) == nil { return .idToken }
    }
    return nil
  }
}
