// SPDX-License-Identifier: MIT
import MSALCache

/// The user names of accounts in MSAL's form, of each access group.
struct UserNames: Sendable {
  /// An account of one tenant, as it is filed.
  struct Profile: Sendable, Hashable {
    var name: String
    @ExactText var environment: String
    @ExactText var realm: String
  }

  /// A home account id to the letter, as MSAL joins refresh tokens and accounts by it (D20).
  private struct Spelling: Hashable {
    @ExactText var group: String
    @ExactText var cloud: String
    @ExactText var id: String
  }

  /// Whether rows of ADAL's stay, which MSAL joins with accounts by name. Without any, nobody asks how an
  /// account is filed.
  private let joinsRows: Bool
  private var byGroup: Set<InGroup<String>> = []
  private var byCloud: [UserNameKey: Set<AccountKey>] = [:]
  private var spellings: Set<Spelling> = []
  private var names: [InGroup<AccountKey>: Set<String>] = [:]
  private var accounts: [InGroup<Profile>: Set<AccountKey>] = [:]

  init(joinsRows: Bool) { self.joinsRows = joinsRows }

  mutating func insert(_ person: Person) {
    for name in Set(person.rows.lazy.compactMap(\.row.userName)) {
      byCloud[UserNameKey(cloud: person.account.cloud, name: name), default: []].insert(
        person.account)
    }
  }

  mutating func insert(_ state: UnifiedState, group: String) {
    for case .account(let account) in state.allRecords { insert(account, group: group) }
  }

  mutating func insert(_ account: Account, group: String) {
    let key = Record.account(account).accountKey
    guard key.isSomebodys else { return }
    spellings.insert(Spelling(group: group, cloud: key.cloud, id: account.homeAccountID))
    guard let name = account.username else { return }
    byCloud[UserNameKey(cloud: key.cloud, name: name), default: []].insert(key)
    guard joinsRows else { return }
    byGroup.insert(InGroup(group: group, key: name))
    names[InGroup(group: group, key: key), default: []].insert(name)
    let profile = Profile(
      name: name, environment: account.environment.normalized,
      realm: account.realm?.identifier ?? "")
    accounts[InGroup(group: group, key: profile), default: []].insert(key)
  }

  /// Whether an account has a user name, compared with case as MSAL does when it joins ADAL's rows.
  func have(_ name: String, group: String) -> Bool {
    byGroup.contains(InGroup(group: group, key: name))
  }

  /// The names that an account is filed under, in whichever tenants.
  func names(of account: AccountKey, group: String) -> Set<String> {
    names[InGroup(group: group, key: account)] ?? []
  }

  /// The accounts that are filed so.
  func accounts(filedAs profile: Profile, group: String) -> Set<AccountKey> {
    accounts[InGroup(group: group, key: profile)] ?? []
  }

  /// The account of a user name, when it is one alone.
  func onlyAccount(of name: String, cloud: String) -> AccountKey? {
    guard let accounts = byCloud[UserNameKey(cloud: cloud, name: name)], accounts.count == 1 else {
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

/// The accounts that MSAL lists for clients and families, and their user names: asked for each row that
/// stays, and so gathered once.
struct ListedAccounts: Sendable {
  /// For whom an account is listed.
  enum Reader: Sendable, Hashable {
    case client(ExactText)
    case family(String)
  }

  private struct Listed<Key: Hashable & Sendable>: Hashable, Sendable {
    @ExactText var group: String
    var reader: Reader
    var key: Key
  }

  private var names: Set<Listed<String>> = []
  private var accounts: Set<Listed<AccountKey>> = []

  mutating func insert(
    _ account: AccountKey, _ names: Set<String>, for reader: Reader, _ group: String
  ) {
    accounts.insert(Listed(group: group, reader: reader, key: account))
    for name in names { self.names.insert(Listed(group: group, reader: reader, key: name)) }
  }

  /// Whether an account of the row's user name is listed for the row's client or family.
  func haveName(of row: LegacyRow) -> Bool {
    row.idToken?.userID.map {
      names.contains(Listed(group: row.group, reader: row.reader, key: $0))
    } ?? false
  }

  /// Whether an account is listed for the row's client or family.
  func have(_ account: AccountKey, for row: LegacyRow) -> Bool {
    accounts.contains(Listed(group: row.group, reader: row.reader, key: account))
  }
}

extension LegacyRow {
  fileprivate var reader: ListedAccounts.Reader {
    kind == .familyRefreshToken ? .family(family ?? "") : .client(client)
  }
}
