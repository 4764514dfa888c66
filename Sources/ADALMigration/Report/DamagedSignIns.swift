// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache
import MSALLookup

// The sign-ins that may be lost with rows and entries that cannot be read (D42).
//
// A damaged row is of no consequence where another row or entry keeps the same user of the same client, or
// of its family, signed in. Otherwise it counts as that user's only sign-in.
extension SignIns {
  mutating func addDamaged(
    _ inventory: borrowing Inventory, _ plan: borrowing Plan, _ lookups: [String: Lookup]
  ) {
    let damaged = inventory.rows.compactMap { row in
      DamagedRow(row).flatMap { plan.selects(row) ? (row: row, damage: $0) : nil }
    }
    guard !damaged.isEmpty else { return }
    let names = identitiesByName(inventory, plan)
    let holders = TokenHolders(accounts, identities)
    // All rows are judged before any is noted, so that no row influences another; those that say the same only once.
    var owners: [Grouped<DamagedRow>: (identity: Int, isLost: Bool)] = [:]
    for (row, damage) in damaged {
      let place = Grouped(group: row.group, key: damage)
      guard owners[place] == nil else { continue }
      let candidates = candidates(damage, names)
      let family = damage.family ?? family(of: damage, damage.cloud, in: row.group, plan)
      let holder = holders.among(candidates, damage, family, table.symbols).first {
        isSignedIn($0, in: group(of: $0, for: row), despite: damage, plan, lookups)
      }
      owners[place] = (holder ?? identityNumber(of: damage, candidates), holder == nil)
    }
    for (row, damage) in damaged {
      guard let owner = owners[Grouped(group: row.group, key: damage)] else { continue }
      note(
        damaged: row, of: owner.identity, client: damage.client ?? "", isLost: owner.isLost)
    }
  }

  /// A user name in lower case, in one cloud or in any.
  private struct Name: Hashable {
    let name: String
    var cloud: String?
  }

  /// The users of each name, as readable rows and entries tell them.
  private mutating func identitiesByName(
    _ inventory: borrowing Inventory, _ plan: borrowing Plan
  ) -> [Name: Set<Int>] {
    var byName: [Name: Set<Int>] = [:]
    func insert(_ identity: Int, _ name: String, _ cloud: String) {
      byName[Name(name: name), default: []].insert(identity)
      byName[Name(name: name, cloud: cloud), default: []].insert(identity)
    }
    for row in plan.table.rows where !row.hasNoUser {
      let identity =
        accountOfRow[row.number].map { accounts[$0].identity } ?? identityNumber(of: row)
      for name in [row.nameOfKey, row.userName] where name != .none {
        insert(identity, table.symbols[name].lowercasedLikeNSString, identities[identity].cloud)
      }
    }
    for row in inventory.rows {
      guard case .unified(let unified) = row.content, let account = unified.record,
        account.kind == .account, let identity = identityNumber(of: account),
        let name = account.username?.normalized
      else { continue }
      insert(identity, name, identities[identity].cloud)
    }
    return byName
  }

  /// The accounts that a damaged row may be of.
  private mutating func candidates(_ damage: DamagedRow, _ names: [Name: Set<Int>]) -> Set<Int> {
    switch damage.owner {
    case .account(let account): [number(of: .account(account))]
    case .name(let name, let cloud): names[Name(name: name, cloud: cloud)] ?? []
    case .unknown: []
    }
  }

  /// One line of the report for each user that a place names, and one for all other rows.
  private mutating func identityNumber(of damage: DamagedRow, _ candidates: Set<Int>) -> Int {
    if candidates.count == 1, let only = candidates.first { return only }
    return switch damage.owner {
    case .account(let account): number(of: .account(account))
    case .name(let name, let cloud): number(of: .name(cloud: cloud ?? "", name))
    case .unknown: number(of: .unnamed(cloud: ""))
    }
  }

  /// Whether another row or entry keeps an identity signed in to the client of a damaged row, or to its family.
  private func isSignedIn(
    _ identity: Int, in group: String, despite damage: DamagedRow, _ plan: borrowing Plan,
    _ lookups: [String: Lookup]
  ) -> Bool {
    guard let number = knownNumber(of: identity, in: table.symbols.known(group)) else {
      return false
    }
    let account = accounts[number]
    if damage.isOfEveryClient {
      return !account.states.isEmpty && !account.states.values.contains(.no)
    }
    if let client = table.symbols.known(damage.client ?? ""), let state = account.states[client],
      state != .no
    {
      return true
    }
    func has(_ family: String) -> Bool {
      table.symbols.known(family).map(account.families.contains) ?? false
    }
    if let family = damage.family { return has(family) }
    let cloud = damage.cloud ?? identities[identity].cloud
    guard let client = damage.client, let family = family(of: damage, cloud, in: group, plan),
      has(family)
    else { return false }
    guard case .account(let key) = identities[identity], let lookup = lookups[group] else {
      return true
    }
    return ClientListing(lookup, clientID: client).lists(home: key.home)
  }

  /// The family of the client that a place names, in a cloud.
  private func family(
    of damage: DamagedRow, _ cloud: String?, in group: String, _ plan: borrowing Plan
  ) -> String? {
    guard let client = damage.client, let cloud else { return nil }
    return plan.family(of: ClientKey(cloud: cloud, client: client), in: group)
  }
}

/// The users by the clients and the families that they have refresh tokens of: many users can have one name.
private struct TokenHolders {
  private var ofClient: [Symbol: Set<Int>] = [:]
  private var ofFamily: [Symbol: Set<Int>] = [:]
  private var ofAnyFamily: Set<Int> = []
  /// The place of each user in an order that does not depend on that of the rows (law 9).
  private var ranks: [Int]

  init(_ accounts: [SignIns.Account], _ identities: [Identity]) {
    for account in accounts {
      for (client, state) in account.states where state != .no {
        ofClient[client, default: []].insert(account.identity)
      }
      for family in account.families { ofFamily[family, default: []].insert(account.identity) }
      if !account.families.isEmpty { ofAnyFamily.insert(account.identity) }
    }
    let orders = identities.map(\.order)
    ranks = Array(repeating: 0, count: orders.count)
    for (rank, identity) in orderedPositions(orders.count, by: { orders[$0] < orders[$1] })
      .enumerated()
    {
      ranks[identity] = rank
    }
  }

  /// Those candidates, in order, that may be signed in to the client of a damaged row, or to its family.
  ///
  /// - Parameter family: nil where none is known; of a row without a cloud it may be any.
  func among(
    _ candidates: Set<Int>, _ damage: DamagedRow, _ family: String?, _ symbols: Symbols
  ) -> [Int] {
    // An account's own entry: it alone is a candidate.
    if candidates.count < 2 { return Array(candidates) }
    let client = symbols.known(damage.client ?? "").flatMap { ofClient[$0] } ?? []
    let ofFamily =
      family.map { symbols.known($0).flatMap { self.ofFamily[$0] } ?? [] }
      ?? (damage.cloud == nil ? ofAnyFamily : [])
    let found = [client, ofFamily].reduce(into: Set()) { found, holders in
      found.formUnion(
        holders.count < candidates.count
          ? holders.intersection(candidates) : candidates.intersection(holders))
    }
    return found.ordered { ranks[$0] < ranks[$1] }
  }
}

extension Identity {
  /// The cloud of the account; empty when it is not known.
  var cloud: String {
    switch self {
    case .account(let account): account.cloud
    case .object(let cloud, _), .name(let cloud, _), .unnamed(let cloud): cloud
    }
  }

  /// The sort key. Only a hostile text contains the character between its parts.
  var order: String {
    switch self {
    case .account(let account): String(of: "0\0", account.cloud, "\0", account.home)
    case .object(let cloud, let object):
      String(of: "1\0", cloud, "\0", object.tid, "\0", object.oid)
    case .name(let cloud, let name): String(of: "2\0", cloud, "\0", name)
    case .unnamed(let cloud): String(of: "3\0", cloud)
    }
  }
}
