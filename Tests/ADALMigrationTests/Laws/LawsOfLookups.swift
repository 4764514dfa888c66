// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Law 10: what is written is found, and nobody who was listed before is gone.
extension LawsCase {
  private func lookup(_ items: [KeychainItem], in group: String) -> Lookup {
    let items = items.filter { $0.accessGroup == group }
    return Lookup(
      MSALIndex(items: items.filter { $0.type != nil }),
      fallbackRows: ADALFallbackRow.rows(of: items),
      now: cache.now)
  }

  private func group(of client: TrueClient) -> String {
    route == .blob ? SyntheticCache.group : client.accessGroup
  }

  func checkLookups() throws {
    guard route != .document else { return }
    var random = SplitMix64(seed: cache.seed)
    // Asking for everybody takes the square of the time; that a migration does by itself, in pieces.
    let accounts = report.accounts.shuffled(using: &random).prefix(isLarge ? 20 : .max)
    for client in cache.clients {
      let lookup = lookup(before + added, in: group(of: client))
      let clientID = policy.written(client.id)
      for account in accounts where account.signedIn == .yes {
        guard let home = account.homeAccountID,
          account.clients.contains(where: { $0.lowercased() == client.id.lowercased() }),
          hasRefreshToken(account, home, client)
        else { continue }
        check(account, home, clientID, lookup)
      }
    }
  }

  /// Whether an account has a refresh token of a client in the client's own group that is of use. A token in MSAL's
  /// form is of use if its account is there, too, and its user has not signed out of that client.
  private func hasRefreshToken(
    _ account: Report.Account, _ home: String, _ client: TrueClient
  ) -> Bool {
    let entries = report.entries.filter { entry in
      entry.account.map { report.accounts[$0] == account } ?? false
        && (route == .blob || entry.place.accessGroup == client.accessGroup)
    }
    let tokens = entries.filter {
      $0.outcome != .notConverted && $0.clientID?.lowercased() == client.id.lowercased()
    }.map(\.kind)
    return tokens.contains(.multiResourceRefreshToken) || tokens.contains(.singleResourceToken)
      || tokens.contains(.unifiedRefreshToken) && !cache.hasSignedOut(home, of: client)
        && entries.contains { $0.kind == .unifiedAccount }
  }

  private func check(
    _ account: Report.Account, _ home: String, _ client: String, _ lookup: Lookup
  ) {
    func identifiers(_ query: LookupQuery) -> [String?] {
      lookup.listedAccounts(query).map(\.identifier)
    }
    let all = LookupQuery(.listedAccounts, clientID: client, withLegacy: true)
    #expect(identifiers(all).contains(home), "\(client) does not list \(home)")
    let byIdentifier = LookupQuery(
      .listedAccounts, clientID: client, identifier: home, withLegacy: true)
    #expect(identifiers(byIdentifier).contains(home))
    let listed = lookup.listedAccounts(byIdentifier).first { $0.identifier == home }
    for profile in listed?.tenantProfiles ?? [] {
      let authority = "https://\(account.environment ?? "")/\(profile.tenantID)"
      var query = LookupQuery(
        .refreshToken, clientID: client, authority: authority, homeAccountID: home)
      var found = (try? lookup.refreshToken(query)) ?? nil
      query.familyID = "1"
      if found == nil { found = (try? lookup.refreshToken(query)) ?? nil }
      #expect(found != nil, "no refresh token for \(profile.tenantID)")
    }
  }

  /// Whoever is found, by user name only or by identifier too, is listed under the very name that the
  /// report says.
  func checkNames() throws {
    guard route == .inPlace else { return }
    let items = before + added
    let lookups = Set(items.map(\.accessGroup)).map { lookup(items, in: $0) }
    for account in report.accounts.prefix(isLarge ? 20 : .max) where account.signedIn != .no {
      guard let name = account.userID else { continue }
      // A family's token alone is of no client; those that were asked for may use it, or else any.
      let clients =
        account.clients.isEmpty
        ? policy.clientIDs ?? cache.clients.map(\.id) : account.clients
      let isListed = lookups.contains { lookup in
        clients.contains { client in
          !lookup.listedAccounts(
            LookupQuery(.listedAccounts, clientID: client, username: name, withLegacy: true)
          ).isEmpty
        }
      }
      #expect(isListed, "\(account.signedIn) and not listed under \(name)")
    }
  }

  /// At every moment of writing, every client lists whom it listed before.
  ///
  /// Left out are users of other clients of a family, which a client lists until its app metadata says
  /// that it is in none; and until all is written people who share a user name, or have none (D22): whoever's account
  /// comes first hides the other one's rows. Whom the report calls hidden may be gone, and who shares the user name of
  /// somebody who signed out (D13).
  func checkListings(_ count: Int) throws {
    guard route == .inPlace else { return }
    let rows = report.findings.filter { $0.reason == .coexistenceHiddenClient }.flatMap(\.rows)
    let names = Set(
      report.entries.filter { rows.contains($0.row) }.compactMap { $0.userID?.lowercased() })
    let hidden = cache.people.filter { !names.isDisjoint(with: $0.allNames) }.map(\.number)
    var random = SplitMix64(seed: cache.seed)
    let sharing = peopleWhoShareNames
    for client in cache.clients {
      let own = cache.people(of: client)
      let added = added.filter { $0.accessGroup == client.accessGroup }
      let metadata = added.prefix { $0.type == 3001 }.count
      let signedOut = cache.people.filter { cache.hasSignedOut($0.home, of: client) }
      let outNames = Set(signedOut.flatMap(\.allNames))
      let namesakes = own.filter { !outNames.isDisjoint(with: $0.allNames) }.map(\.number)
      func listed(_ items: [KeychainItem]) -> ListedPeople {
        ListedPeople(own, client.id, lookup(items, in: client.accessGroup))
      }
      let first = listed(before + added.prefix(metadata))
      let known = first.always.subtracting(hidden).subtracting(namesakes)
      let gone = known.subtracting(listed(before + added).perhaps)
      #expect(gone.isEmpty, "\(gone) gone from \(client.id)")
      let start = known.subtracting(sharing).subtracting(first.nameless)
      for _ in 0..<count {
        let length = Int.random(in: metadata...added.count, using: &random)
        let gone = start.subtracting(listed(before + added.prefix(length)).perhaps)
        #expect(
          gone.isEmpty, "\(gone) gone from \(client.id) after \(length) of \(added.count) entries")
      }
    }
  }

  /// The people who have a user name in common with somebody else.
  private var peopleWhoShareNames: Set<Int> {
    var bearers: [String: Set<Int>] = [:]
    for person in cache.people {
      for name in person.allNames { bearers[name, default: []].insert(person.number) }
    }
    return bearers.values.filter { $0.count > 1 }.reduce([]) { $0.union($1) }
  }
}

/// The users in MSAL's lists for a client, among some users.
private struct ListedPeople {
  /// The users in every list that MSAL may give by chance.
  let always: Set<Int>
  /// The users in at least one list.
  let perhaps: Set<Int>
  /// The users in at least one list without a user name.
  let nameless: Set<Int>

  init(_ people: [TruePerson], _ client: String, _ lookup: Lookup) {
    func lists(named name: String? = nil) -> [[Lookup.ListedAccount]] {
      let query = LookupQuery(.listedAccounts, clientID: client, username: name, withLegacy: true)
      return lookup.possibleLists(query)
    }
    func has(_ accounts: [Lookup.ListedAccount], _ person: TruePerson) -> Bool {
      accounts.contains { account in
        account.identifier == person.home
          || person.allNames.contains(account.username?.lowercased() ?? "")
      }
    }
    let all = lists()
    let listed = all.map { list in Set(people.filter { has(list, $0) }.map(\.number)) }
    always = listed.dropFirst().reduce(listed[0]) { $0.intersection($1) }
    // At most nine lists of all accounts are given. There are more lists by name, and one list by identifier for a user
    // without a name.
    let hasMore = all.count > 8
    let others = people.filter { person in
      let query = LookupQuery(
        .listedAccounts, clientID: client, identifier: person.home, withLegacy: true)
      return !listed.contains { $0.contains(person.number) }
        && (person.allNames.contains { name in lists(named: name).contains { has($0, person) } }
          || hasMore && lookup.listedAccounts(query).contains { $0.username == nil })
    }
    perhaps = listed.reduce(Set(others.map(\.number))) { $0.union($1) }
    let identifiers = Set(all.joined().filter { $0.username == nil }.compactMap(\.identifier))
    nameless = Set(people.filter { identifiers.contains($0.home) }.map(\.number))
  }
}

extension SyntheticCache {
  fileprivate func hasSignedOut(_ home: String, of client: TrueClient) -> Bool {
    signedOut.contains([home, client.id.lowercased(), client.accessGroup])
  }

  /// Whom a client has refresh tokens of, and MSAL can tell so: of a row without ID token it cannot, one with an access
  /// token it does not list, and one of a beta it does not read.
  ///
  /// The same home account id in another cloud is another user. A user who signed out of the client is not listed (D13).
  func people(of client: TrueClient) -> [TruePerson] {
    let id = client.id.lowercased()
    let owners = rows.filter {
      $0.client == id && $0.row.refreshToken != nil && $0.row.accessToken == nil
        && $0.row.idToken != nil && !$0.row.isBeta && $0.row.accessGroup == client.accessGroup
    }
    .compactMap(\.owner)
    let tokens = unified.filter { $0.accessGroup == client.accessGroup }.compactMap(
      SyntheticEntry.init
    ).filter {
      $0["credential_type"] == "RefreshToken" && $0["client_id"]?.lowercased() == id
    }
    return people.filter { person in
      guard !hasSignedOut(person.home, of: client) else { return false }
      return owners.contains(person.number)
        || tokens.contains {
          $0["home_account_id"] == person.home
            && person.cloud.hosts.contains($0["environment"] ?? "")
        }
    }
  }
}
