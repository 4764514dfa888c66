// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

// MSAL lists accounts out of sets, whose order is undefined. It merges accounts with equal identifiers, or with equal
// names if one has no identifier. The first one of them decides the name of the account, and whether it has an
// identifier (MSAL instance/MSALAccountsProvider.m, MSALAccount.m).

extension Lookup {
  /// The most other lists that are given. They are examples, and a name can have any number of rows.
  static let otherListLimit = 8

  /// The lists that MSAL may return: ``listedAccounts(_:)``, and the lists that another order of the sets gives.
  ///
  /// Lists that differ in the order of their accounts alone are the same. No more than a few others are given.
  package func possibleLists(_ query: LookupQuery) -> [[ListedAccount]] {
    let sets = listedSets(listing(query))
    func listed(_ accounts: [TenantAccount]) -> [TenantAccount] {
      accounts.filter { whyFiltered($0, query) == nil }
    }
    let accounts = listed(sets.members())
    let usual = Self.merged(accounts)
    var others: [[ListedAccount]] = []
    for group in Self.groups(of: accounts) where group.count > 1 {
      let expected = Self.merged(group)
      var seen: Set = [Set(expected.map(\.content))]
      for order in Self.orders(of: group) where others.count < Self.otherListLimit {
        let listed = Self.merged(order)
        guard seen.insert(Set(listed.map(\.content))).inserted else { continue }
        let replaced = Set(expected.map(\.places))
        others.append(usual.filter { !replaced.contains($0.places) } + listed)
      }
      if others.count == Self.otherListLimit { break }
    }
    // Other orders of the rows. Each takes a look at them all, so that no more than some are tried.
    var seen = Set(([usual] + others).map { Set($0.map(\.content)) })
    for position in sets.rivals.prefix(8 * Self.otherListLimit)
    where others.count < Self.otherListLimit {
      let accounts = listed(sets.members(first: position))
      let row = sets.rows[position]
      // The row's account can come before those of MSAL's, too.
      let rowFirst = accounts.filter { $0 == row } + accounts.filter { $0 != row }
      for other in [accounts, rowFirst].map(Self.merged) where others.count < Self.otherListLimit {
        if seen.insert(Set(other.map(\.content))).inserted { others.append(other) }
      }
    }
    return [usual] + others
  }

  /// The answers that MSAL may give: ``answer(_:)``, and those that another order of the sets gives. For accounts as
  /// apps see them, the first of a set can be any of it.
  package func possibleAnswers(_ query: LookupQuery) -> [Answer] {
    switch query.operation {
    case .listedAccounts: return possibleLists(query).map { .listedAccounts($0) }
    case .listedAccount:
      let lists = possibleLists(query)
      let usual = lists.first?.first
      var seen = Set([usual].compactMap { $0?.content })
      let others = lists.joined().filter { seen.insert($0.content).inserted }
      return [.listedAccount(usual)]
        + others.prefix(Self.otherListLimit).map { .listedAccount($0) }
    default: return [answer(query)] + otherAnswers(query)
    }
  }

  private func otherAnswers(_ query: LookupQuery) -> [Answer] {
    switch query.operation {
    case .account: distinct(requestAccounts(query).map { .account($0) })
    case .refreshToken: distinct(refreshTokens(query))
    case .accessToken: distinct(answers(.accessToken, accessTokenQuery(query)))
    case .idToken: distinct(answers(.idToken, idTokenQuery(query)))
    default: []
    }
  }

  func answers(_ operation: LookupQuery.Operation, _ query: EntryQuery) -> [Answer] {
    find(query).map { .token(operation, token($0)) }
  }

  /// The answers after the first that differ from those before them, as far as an app sees it.
  private func distinct(_ answers: some Sequence<Answer>) -> [Answer] {
    var seen: Set<AnswerContent> = []
    var distinct: [Answer] = []
    for answer in answers where seen.insert(AnswerContent(answer)).inserted {
      distinct.append(answer)
      if distinct.count > Self.otherListLimit { break }
    }
    return Array(distinct.dropFirst())
  }

  /// Orders that differ in which account comes first.
  private static func orders(of group: [TenantAccount]) -> [[TenantAccount]] {
    let firsts = group.indices.prefix(otherListLimit).dropFirst()
    return firsts.map { first in
      [group[first]] + group.indices.filter { $0 != first }.map { group[$0] }
    } + [group.reversed()]
  }

  /// The accounts in groups that can be merged, directly or through others.
  private static func groups(of accounts: [TenantAccount]) -> [[TenantAccount]] {
    var parents = Array(accounts.indices)
    func root(_ position: Int) -> Int {
      var root = position
      while parents[root] != root {
        parents[root] = parents[parents[root]]
        root = parents[root]
      }
      return root
    }
    var byIdentifier: [ExactText: Int] = [:]
    var byName: [ExactText?: Int] = [:]
    func join(_ a: Int, _ b: Int?) {
      if let b { parents[max(root(a), root(b))] = min(root(a), root(b)) }
    }
    for (position, account) in accounts.enumerated() where account.identifier == nil {
      let name = Self.comparable(account.username)
      join(position, byName[name])
      byName[name] = byName[name] ?? position
    }
    for (position, account) in accounts.enumerated() {
      guard let identifier = account.identifier.map({ ExactText($0) }) else { continue }
      join(position, byIdentifier[identifier])
      byIdentifier[identifier] = byIdentifier[identifier] ?? position
      // Two accounts with identifiers are never one by name; over one without they can be.
      join(position, byName[Self.comparable(account.username)])
    }
    let members = Dictionary(grouping: accounts.indices) { root($0) }
    return members.sorted { $0.key < $1.key }.map { $0.value.map { accounts[$0] } }
  }
}

/// The parts that distinguish two answers, wherever their entries are.
private struct AnswerContent: Hashable {
  private var texts: [String?] = []
  private var secret: TokenSecret?
  private var flags: [Bool] = []

  init(_ answer: Lookup.Answer) {
    switch answer {
    case .token(_, let token?):
      secret = token.secret
      texts = [token.familyID]
      flags = [token.isExpired, token.isLegacy]
    case .account(let account?):
      texts = [
        account.identifier, account.username, account.environment, account.realm,
        account.localAccountID,
      ]
    case .failure: texts = ["failure"]
    default: break
    }
  }
}

extension Lookup.ListedAccount {
  /// The parts that distinguish two accounts, in any order of their tenants.
  struct Content: Hashable {
    var texts: [String?]
    var hasClaims: Bool
    var profiles: Set<TenantProfile>
  }

  var content: Content {
    Content(
      texts: [identifier, username, environment], hasClaims: hasClaims,
      profiles: Set(tenantProfiles))
  }
}
