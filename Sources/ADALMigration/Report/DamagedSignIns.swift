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
    let signIn: SignIn
    /// Whether no other row or entry keeps the sign-in.
    let isLost: Bool
  }

  private(set) var rows: [Row] = []

  /// What is known of the sign-ins of readable rows.
  struct Known {
    let states: [SignIn: Report.SignedIn]
    let families: Set<SignIn>
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
    let held = Self.groups(known)
    for (row, damage) in damaged where isSelected(row) {
      let groups = known.isDistributed ? held.sorted() : [row.group]
      let candidates = Self.candidates(damage, users)
      let kept = candidates.lazy.flatMap { identity in
        groups.lazy.map {
          SignIn(identity: identity, group: $0, client: ExactText(damage.client ?? ""))
        }
      }.first { Self.isKept($0, damage, known) }
      if let kept {
        // In a target of one cache each, only the account's own cache has a line for it.
        if kept.group == row.group {
          rows.append(Row(number: row.number, signIn: kept, isLost: false))
        }
        continue
      }
      let signIn = SignIn(
        identity: Self.identity(damage, candidates), group: row.group,
        client: ExactText(damage.client ?? ""))
      rows.append(Row(number: row.number, signIn: signIn, isLost: true))
    }
  }

  private static func groups(_ known: Known) -> Set<String> {
    known.isDistributed ? Set((known.states.keys.map(\.group)) + known.families.map(\.group)) : []
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

  private static func isKept(_ signIn: SignIn, _ damage: DamagedRow, _ known: Known) -> Bool {
    func isFamilyKept(_ family: String) -> Bool {
      known.families.contains(
        SignIn(identity: signIn.identity, group: signIn.group, client: ExactText(family)))
    }
    if damage.isOfEveryClient {
      let states = known.states.filter {
        $0.key.identity == signIn.identity && $0.key.group == signIn.group
      }
      return !states.isEmpty && !states.values.contains(.no)
    }
    if let state = known.states[signIn], state != .no { return true }
    if let family = damage.family { return isFamilyKept(family) }
    guard let client = damage.client else { return false }
    let cloud = damage.cloud ?? signIn.identity.cloud
    let family = known.family(ClientKey(cloud: cloud, client: client), signIn.group)
    return family.map(isFamilyKept) ?? false
      && known.lists(signIn.identity, client, signIn.group)
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
