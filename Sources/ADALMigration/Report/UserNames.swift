// SPDX-License-Identifier: MIT
import MSALCache

/// The user names of accounts in MSAL's form, of each access group.
struct UserNames: Sendable {
  private struct Name: Hashable {
    var scope: String
    var name: String
  }

  /// An account of one tenant, as it is filed.
  struct Profile: Sendable, Hashable {
    var name: String
    var environment: String
    var realm: String
  }

  private struct Place: Hashable {
    var group: String
    var account: AccountKey
  }

  /// A home account id to the letter, as MSAL joins refresh tokens and accounts by it (D20).
  private struct Spelling: Hashable {
    var group: String
    var cloud: String
    var id: String
  }

  private var byGroup: Set<Name> = []
  private var byCloud: [Name: Set<AccountKey>] = [:]
  private var spellings: Set<Spelling> = []
  private var profiles: [Place: Set<Profile>] = [:]

  mutating func insert(_ person: Person) {
    for name in Set(person.rows.lazy.compactMap(\.row.userName)) {
      byCloud[Name(scope: person.account.cloud, name: name), default: []].insert(person.account)
    }
  }

  mutating func insert(_ state: UnifiedState, group: String) {
    for case .account(let account) in state.allRecords { insert(account, group: group) }
  }

  mutating func insert(_ account: Account, group: String) {
    let key = Record.account(account).accountKey
    guard key.homeAccountID != nil else { return }
    spellings.insert(Spelling(group: group, cloud: key.cloud, id: account.homeAccountID))
    guard let name = account.username else { return }
    byGroup.insert(Name(scope: group, name: name))
    byCloud[Name(scope: key.cloud, name: name.normalized), default: []].insert(key)
    profiles[Place(group: group, account: key), default: []].insert(
      Profile(
        name: name, environment: account.environment.lowercased(),
        realm: account.realm?.lowercased() ?? ""))
  }

  /// Whether an account has a user name, compared with case as MSAL does when it joins ADAL's rows.
  func have(_ name: String, group: String) -> Bool {
    byGroup.contains(Name(scope: group, name: name))
  }

  /// An account in every tenant that it is filed for.
  func profiles(of account: AccountKey, group: String) -> Set<Profile> {
    profiles[Place(group: group, account: account)] ?? []
  }

  /// The account of a user name, when it is one alone.
  func onlyAccount(of name: String, cloud: String) -> AccountKey? {
    guard let accounts = byCloud[Name(scope: cloud, name: name)], accounts.count == 1 else {
      return nil
    }
    return accounts.first
  }

  /// Whether MSAL lists an account for a refresh token.
  func lists(_ token: Credential, group: String) -> Bool {
    spellings.contains(
      Spelling(
        group: group, cloud: Cloud.key(of: token.environment), id: token.homeAccountID))
  }
}

/// The accounts that MSAL lists for clients and families, by user name: asked for each row that stays, and
/// so gathered once.
struct ListedNames: Sendable {
  /// For whom an account is listed.
  enum Reader: Sendable, Hashable {
    case client(String)
    case family(String)
  }

  private struct Name: Hashable {
    var group: String
    var reader: Reader
    var name: String
  }

  private struct Profile: Hashable {
    var group: String
    var reader: Reader
    var profile: UserNames.Profile
  }

  private var names: Set<Name> = []
  private var profiles: Set<Profile> = []

  mutating func insert(_ profile: UserNames.Profile, for reader: Reader, group: String) {
    names.insert(Name(group: group, reader: reader, name: profile.name))
    profiles.insert(Profile(group: group, reader: reader, profile: profile))
  }

  /// Whether an account of the row's user name is listed for the row's client or family.
  func hold(_ row: LegacyRow) -> Bool {
    row.idToken?.userID.map {
      names.contains(Name(group: row.group, reader: row.reader, name: $0))
    } ?? false
  }

  /// Whether one is that in the row's tenant and under its host is the same to MSAL as the row.
  func holdTheSame(as row: LegacyRow) -> Bool {
    guard let name = row.idToken?.userID, let environment = row.authority?.environment else {
      return false
    }
    let profile = UserNames.Profile(
      name: name, environment: environment, realm: row.realm ?? "")
    return profiles.contains(Profile(group: row.group, reader: row.reader, profile: profile))
  }
}

extension LegacyRow {
  fileprivate var reader: ListedNames.Reader {
    kind == .familyRefreshToken ? .family(family ?? "") : .client(client)
  }
}
