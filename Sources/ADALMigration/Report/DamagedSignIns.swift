// SPDX-License-Identifier: MIT
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
    // All rows are judged before any is noted, so that no row influences another.
    let owners = damaged.map { row, damage in
      let candidates = candidates(damage, names)
      let holder = candidates.first {
        isSignedIn($0, in: group(of: $0, for: row), despite: damage, plan, lookups)
      }
      return (identity: holder ?? identityNumber(of: damage, candidates), isLost: holder == nil)
    }
    for ((row, damage), owner) in zip(damaged, owners) {
      note(
        damaged: row, of: owner.identity, client: damage.client ?? "", isLost: owner.isLost)
    }
  }

  /// The users of each name, in lower case, as readable rows and entries tell them.
  private mutating func identitiesByName(
    _ inventory: borrowing Inventory, _ plan: borrowing Plan
  ) -> [String: Set<Int>] {
    var byName: [String: Set<Int>] = [:]
    for row in plan.table.rows where !row.hasNoUser {
      let identity =
        accountOfRow[row.number].map { accounts[$0].identity } ?? identityNumber(of: row)
      for name in [row.nameOfKey, row.userName] where name != .none {
        byName[table.symbols[name].lowercasedLikeNSString, default: []].insert(identity)
      }
    }
    for row in inventory.rows {
      guard case .unified(let unified) = row.content, let account = unified.record,
        account.kind == .account, let identity = identityNumber(of: account),
        let name = account.username?.normalized
      else { continue }
      byName[name, default: []].insert(identity)
    }
    return byName
  }

  /// The accounts that a damaged row may be of, in an order that does not depend on that of the rows (law 9).
  private mutating func candidates(
    _ damage: DamagedRow, _ names: [String: Set<Int>]
  ) -> [Int] {
    switch damage.owner {
    case .account(let account): [number(of: .account(account))]
    case .name(let name, let cloud):
      (names[name] ?? []).filter { cloud == nil || identities[$0].cloud == cloud }
        .ordered { identities[$0].order < identities[$1].order }
    case .unknown: []
    }
  }

  /// One line of the report for each user that a place names, and one for all other rows.
  private mutating func identityNumber(of damage: DamagedRow, _ candidates: [Int]) -> Int {
    if candidates.count == 1 { return candidates[0] }
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
    guard let client = damage.client else { return false }
    let key = ClientKey(cloud: damage.cloud ?? identities[identity].cloud, client: client)
    guard let family = plan.family(of: key, in: group), has(family) else { return false }
    guard case .account(let key) = identities[identity], let lookup = lookups[group] else {
      return true
    }
    return ClientListing(lookup, clientID: client).lists(home: key.home)
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
