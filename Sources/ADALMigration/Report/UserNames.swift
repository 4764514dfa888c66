// SPDX-License-Identifier: MIT
import MSALCache

/// The user names of accounts in MSAL's form, of each access group.
struct UserNames: Sendable {
  struct Home: Sendable, Hashable {
    var cloud: String
    var home: HomeAccountID
  }

  private struct Name: Hashable {
    var scope: String
    var name: String
  }

  /// An account of one tenant, as it is filed.
  private struct Profile: Hashable {
    var home: Home
    var name: String
    var environment: String
    var realm: String
  }

  /// A home account id to the letter, as MSAL joins refresh tokens and accounts by it (D20).
  private struct Spelling: Hashable {
    var group: String
    var cloud: String
    var id: String
  }

  private var byGroup: [Name: Set<Home>] = [:]
  private var byCloud: [Name: Set<HomeAccountID>] = [:]
  private var spellings: Set<Spelling> = []
  private var profiles: [String: Set<Profile>] = [:]

  mutating func insert(_ planned: Plan.PlannedPerson) {
    for name in Set(planned.person.rows.compactMap(\.row.userName)) {
      byCloud[Name(scope: planned.person.cloud, name: name), default: []]
        .insert(planned.person.home)
    }
  }

  mutating func insert(_ state: UnifiedState, group: String) {
    for case .account(let account) in state.allRecords { insert(account, group: group) }
  }

  mutating func insert(_ account: Account, group: String) {
    guard let id = HomeAccountID(account.homeAccountID) else { return }
    let home = Home(cloud: Cloud.key(of: account.environment), home: id)
    spellings.insert(Spelling(group: group, cloud: home.cloud, id: account.homeAccountID))
    guard let name = account.username else { return }
    byGroup[Name(scope: group, name: name), default: []].insert(home)
    byCloud[Name(scope: home.cloud, name: name.normalized), default: []].insert(id)
    profiles[group, default: []].insert(
      Profile(
        home: home, name: name, environment: account.environment.lowercased(),
        realm: account.realm?.lowercased() ?? ""))
  }

  /// The accounts of a user name, compared with case as MSAL does when it joins ADAL's rows.
  func homes(of name: String, group: String) -> Set<Home> {
    byGroup[Name(scope: group, name: name)] ?? []
  }

  /// The account of a user name, when it is one alone.
  func onlyHome(of name: String, cloud: String) -> HomeAccountID? {
    guard let homes = byCloud[Name(scope: cloud, name: name)], homes.count == 1 else { return nil }
    return homes.first
  }

  /// Whether one of these accounts is, in the row's tenant and under its host, the same to MSAL as the row.
  func haveAccount(like row: LegacyRow, of homes: Set<Home>) -> Bool {
    guard let name = row.claims?.userID, let environment = row.authority?.environment else {
      return false
    }
    return homes.contains { home in
      profiles[row.group]?.contains(
        Profile(home: home, name: name, environment: environment, realm: row.realm ?? "")) ?? false
    }
  }

  /// Whether MSAL lists an account for a refresh token.
  func lists(_ token: Credential, group: String) -> Bool {
    spellings.contains(
      Spelling(
        group: group, cloud: Cloud.key(of: token.environment), id: token.homeAccountID))
  }
}
