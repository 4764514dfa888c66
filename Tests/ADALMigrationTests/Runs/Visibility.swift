// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import Testing

@testable import ADALMigration

/// Whom MSAL sees in a keychain at one moment, with its lazy reading of ADAL's rows, client by client.
struct Visibility {
  /// A client of one access group.
  struct Client: Hashable {
    var group: String
    var id: String
  }

  /// The users that each client lists, among those whom ADAL has signed in to it.
  private(set) var people: [Client: Set<String>] = [:]
  /// Accounts with an identifier for which their client finds no refresh token.
  private(set) var unusable: Set<String> = []

  init(_ items: [KeychainItem], now: Double) {
    // The order in which a keychain gives its items out decides between two rows of one user.
    let items = items.sorted { $0.key < $1.key }
    for (group, items) in Dictionary(grouping: items, by: \.accessGroup) {
      let tokens = items.compactMap { item -> LegacyToken? in
        if case .token(let token) = LegacyItem(item) { token } else { nil }
      }
      let lookup = Lookup(
        MSALIndex(items: items.filter { $0.type != nil }),
        fallbackRows: ADALFallbackRow.rows(of: items),
        now: now)
      for (client, names) in Self.names(tokens) where !client.hasPrefix("foci-") {
        let accounts = lookup.listedAccounts(
          LookupQuery(.listedAccounts, clientID: client, withLegacy: true))
        let listed = Set(accounts.compactMap { $0.username?.lowercased() })
        let seen = names.filter { !$0.value.isDisjoint(with: listed) }
        people[Client(group: group, id: client)] = Set(seen.keys)
        let own = Set(names.values.joined())
        for account in accounts {
          guard let home = account.identifier, own.contains(account.username?.lowercased() ?? ""),
            !Self.hasRefreshToken(home, client, account, lookup)
          else { continue }
          unusable.insert("\(client) \(home)")
        }
      }
    }
  }

  /// The names of each person by client. One who was renamed, or is a guest somewhere, has several.
  ///
  /// A client also sees users of a family's other clients until it knows that it is in none. Those are
  /// nobody whom it has signed in.
  private static func names(_ tokens: [LegacyToken]) -> [String: [String: Set<String>]] {
    var homes: [String: String] = [:]
    for token in tokens {
      guard let home = token.homeAccountID, let local = claims(token)?.localAccountID else {
        continue
      }
      homes[local] = home
    }
    var names: [String: [String: Set<String>]] = [:]
    for token in tokens where token.refreshToken != nil && token.accessToken == nil {
      guard let client = token.clientID, let claims = claims(token), let name = claims.userID,
        let local = claims.localAccountID
      else { continue }
      names[client, default: [:]][homes[local] ?? local, default: []].insert(name.lowercased())
    }
    return names
  }

  private static func claims(_ token: LegacyToken) -> IDTokenClaims? {
    token.rawIDToken.flatMap(IDTokenClaims.init)
  }

  private static func hasRefreshToken(
    _ home: String, _ client: String, _ account: Lookup.ListedAccount, _ lookup: Lookup
  ) -> Bool {
    account.tenantProfiles.allSatisfy { profile in
      [String?.none, "1"].contains { family in
        let query = LookupQuery(
          .refreshToken, clientID: client,
          authority: "https://\(account.environment ?? "")/\(profile.tenantID)",
          homeAccountID: home, familyID: family)
        return ((try? lookup.refreshToken(query)) ?? nil) != nil
      }
    }
  }

  /// Whom the clients see no more, and accounts that have become unusable.
  func losses(until later: Visibility) -> [String] {
    var losses: [String] = []
    for (client, people) in people {
      losses += people.subtracting(later.people[client] ?? []).map { "\(client.id) lost \($0)" }
    }
    return losses.sorted() + later.unusable.subtracting(unusable).sorted()
  }
}
