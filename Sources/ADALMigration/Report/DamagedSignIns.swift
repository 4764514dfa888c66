// SPDX-License-Identifier: MIT
import MSALCache

/// The sign-ins that may be lost with rows and entries that cannot be read (D42).
///
/// A damaged row is of no consequence where another row or entry keeps the same user of the same client, or
/// of its family, signed in. Otherwise it counts as that user's only sign-in.
struct DamagedSignIns: Sendable {
  /// A damaged row with the sign-in that it is counted for.
  struct Row: Sendable {
    let number: Int
    let identity: Identity
    /// The client in lower case; empty when no place names one.
    let client: ExactText
    /// Whether no other row or entry keeps the sign-in.
    let isLost: Bool
  }

  private(set) var rows: [Row] = []

  /// What is known of the sign-ins of readable rows.
  struct Known {
    let signIns: SignIns
    /// The family that a client is in, as far as a cache says.
    let family: (_ client: ClientKey, _ group: String) -> String?
    /// Whether MSAL lists an account for a client in a cache.
    let lists: (_ account: Identity, _ client: String, _ group: String) -> Bool
    /// Whether each account has a cache of its own, so that a damaged row is of none.
    let isDistributed: Bool
  }

  /// The users of each name, in lower case, as readable rows and entries tell them.
  struct Users {
    private var identities: [String: Set<Identity>] = [:]

    mutating func insert(_ identity: Identity, _ name: String?) {
      if let name { identities[name, default: []].insert(identity) }
    }

    /// In an order that does not depend on that of the rows (law 9).
    func named(_ name: String, cloud: String?) -> [Identity] {
      (identities[name] ?? []).filter { cloud == nil || $0.cloud == cloud }
        .sorted { "\($0.order)".utf8.lexicographicallyPrecedes("\($1.order)".utf8) }
    }
  }

  init(
    _ damaged: [(row: Inventory.Row, damage: DamagedRow)], _ users: Users, _ known: Known,
    isSelected: (Inventory.Row) -> Bool
  ) {
    let groups = Set(
      known.isDistributed ? known.signIns.accounts.lazy.filter(\.hasTokens).map(\.group) : []
    ).sorted()
    for (row, damage) in damaged where isSelected(row) {
      let client = ExactText(damage.client ?? "")
      let candidates = Self.candidates(damage, users)
      let holder = candidates.lazy.flatMap { identity in
        (known.isDistributed ? groups : [row.group]).lazy.map { (identity: identity, group: $0) }
      }.first { Self.isKept($0.identity, client, in: $0.group, damage, known) }
      if holder == nil || holder?.group == row.group {
        // In a target of one cache each, only the account's own cache has a line for it.
        rows.append(
          Row(
            number: row.number, identity: holder?.identity ?? Self.identity(damage, candidates),
            client: client, isLost: holder == nil))
      }
    }
  }

  private static func candidates(_ damage: DamagedRow, _ users: Users) -> [Identity] {
    switch damage.owner {
    case .account(let account): [.account(account)]
    case .name(let name, let cloud): users.named(name, cloud: cloud)
    case .unknown: []
    }
  }

  /// One line of the report for each user whom a place names, and one for all others.
  private static func identity(_ damage: DamagedRow, _ candidates: [Identity]) -> Identity {
    if candidates.count == 1 { return candidates[0] }
    return switch damage.owner {
    case .account(let account): .account(account)
    case .name(let name, let cloud): .name(cloud: cloud ?? "", name)
    case .unknown: .unnamed(cloud: "")
    }
  }

  private static func isKept(
    _ identity: Identity, _ client: ExactText, in group: String, _ damage: DamagedRow,
    _ known: Known
  ) -> Bool {
    guard let number = known.signIns.knownNumber(of: identity, in: group) else { return false }
    let account = known.signIns.accounts[number]
    if damage.isOfEveryClient {
      return !account.states.isEmpty && !account.states.values.contains(.no)
    }
    if let state = account.states[client], state != .no { return true }
    if let family = damage.family { return account.families.contains(family) }
    guard let client = damage.client else { return false }
    let key = ClientKey(cloud: damage.cloud ?? identity.cloud, client: client)
    return known.family(key, group).map(account.families.contains) ?? false
      && known.lists(identity, client, group)
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

  fileprivate var order: [String] {
    switch self {
    case .account(let account): ["0", account.cloud, account.home]
    case .object(let cloud, let object): ["1", cloud, object.tid, object.oid]
    case .name(let cloud, let name): ["2", cloud, name]
    case .unnamed(let cloud): ["3", cloud]
    }
  }
}
