// SPDX-License-Identifier: MIT
import MSALCache

/// The spelling of an account in the entries that MSAL finds.
package struct SpelledAccount: Sendable {
  /// The hosts that its tokens are filed under.
  package private(set) var tokenHosts: Set<String> = []
  /// Those of its refresh tokens.
  package private(set) var refreshTokenHosts: Set<String> = []
  /// The hosts of its account entries. An account can have copies.
  package private(set) var accountHosts: Set<String> = []
  /// The home account ID as its accounts spell it.
  package private(set) var accountIDs: Set<String> = []
  /// The home account ID as its tokens spell it.
  package private(set) var tokenIDs: Set<String> = []
  /// The spellings of each tenant.
  package private(set) var realms: [ExactText: Set<String>] = [:]
  /// The clients that have an ID token, in lower case.
  package private(set) var clientsWithClaims: Set<ExactText> = []

  // The access token taken in last. Most entries are access tokens that say the same.
  private var last: MSALEntry?

  /// An account without entries.
  package init() {}

  mutating func take(_ entry: MSALEntry) {
    guard let id = entry.homeAccountID else { return }
    let host = entry.environment ?? ""
    if entry.kind == .accessToken {
      if let last, last.homeAccountID == id, last.environment == entry.environment,
        last.realm.map({ ExactText($0) }) == entry.realm.map({ ExactText($0) })
      {
        return
      }
      last = entry
    }
    if entry.kind == .account {
      accountHosts.insert(host)
      accountIDs.insert(id)
    } else {
      tokenHosts.insert(host)
      tokenIDs.insert(id)
    }
    if entry.isRefreshToken { refreshTokenHosts.insert(host) }
    if entry.kind == .idToken, let client = entry.clientID {
      clientsWithClaims.insert(client.identifier)
    }
    if let realm = entry.realm { realms[realm.identifier, default: []].insert(realm) }
  }
}

/// The account entries of one home account ID in all clouds. MSAL lists them as one account.
package struct AccountEntries: Sendable {
  /// The user names, as they are spelled.
  package private(set) var names: Set<String> = []
  /// One of the tenants.
  package private(set) var realm: String?

  /// No account says anything.
  package init() {}

  /// Adds an entry of the home account ID.
  package mutating func take(_ entry: MSALEntry) {
    guard entry.kind == .account else { return }
    if let name = entry.username { names.insert(name) }
    if let realm = entry.realm { self.realm = min(self.realm ?? realm, realm) }
  }
}
