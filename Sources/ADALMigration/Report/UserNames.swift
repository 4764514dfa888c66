// SPDX-License-Identifier: MIT
import MSALCache

/// The user names of accounts in MSAL's form, of each access group.
struct UserNames: Sendable {
  /// A home account id to the letter, as MSAL joins refresh tokens and accounts by it (D20).
  private struct Spelling: Hashable {
    @ExactText var group: String
    @ExactText var cloud: String
    @ExactText var id: String
  }

  private var byCloud: [UserNameKey: Set<AccountKey>] = [:]
  private var spellings: Set<Spelling> = []

  mutating func insert(_ person: Person) {
    for name in Set(person.rows.lazy.compactMap(\.row.userName)) {
      byCloud[UserNameKey(cloud: person.account.cloud, name: name), default: []].insert(
        person.account)
    }
  }

  mutating func insert(_ state: TargetState, group: String) {
    for record in state.allRecords { insert(record) }
    for record in state.foundRecords { insert(record, group: group) }
  }

  /// - Parameter group: where MSAL finds the account; nil where it does not.
  mutating func insert(_ account: MSALEntry, group: String? = nil) {
    guard account.kind == .account, let id = account.homeAccountID else { return }
    let key = account.account
    guard key.isSomebodys else { return }
    if let group {
      spellings.insert(Spelling(group: group, cloud: key.cloud, id: id))
    }
    guard let name = account.username else { return }
    byCloud[UserNameKey(cloud: key.cloud, name: name), default: []].insert(key)
  }

  /// The account of a user name, when it is one alone.
  func onlyAccount(of name: String, cloud: String) -> AccountKey? {
    guard let accounts = byCloud[UserNameKey(cloud: cloud, name: name)], accounts.count == 1 else {
      return nil
    }
    return accounts.first
  }

  /// Whether MSAL lists an account for a refresh token.
  func lists(_ token: MSALEntry, group: String) -> Bool {
    spellings.contains(
      Spelling(group: group, cloud: token.cloud, id: token.homeAccountID ?? ""))
  }
}
