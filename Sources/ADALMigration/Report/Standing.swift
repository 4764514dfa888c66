// SPDX-License-Identifier: MIT
import MSALCache

/// Who stays signed in: for every account and client, whether MSAL finds it after the migration.
///
/// The person's view (D25): a row that is left is only as bad as what it means for whose it is.
struct Standing: Sendable {
  /// Whose a row is, as well as the cache tells.
  enum Identity: Sendable, Hashable {
    case person(cloud: String, home: HomeAccountID)
    /// A user of one tenant, of whom the home account id is not known.
    case object(cloud: String, ObjectID)
    case name(cloud: String, String)
    /// Nobody's name is known.
    case nobody(cloud: String)
  }

  /// One account with one client in one access group.
  struct Seat: Sendable, Hashable {
    var identity: Identity
    var group: String
    var client: String
  }

  private(set) var identities: [Int: Identity] = [:]
  /// What becomes of every seat that had a refresh token, or has one now.
  private(set) var seats: [Seat: Report.SignedIn] = [:]
  /// Rows that stay, of a client that does not see them any more (D19).
  private(set) var hiddenRows: [Int] = []
  private var families: Set<Seat> = []
  private var names = UserNames()
  private let states: [String: UnifiedState]

  /// - Parameter unfound: seats that have a refresh token, and whose account MSAL does not find.
  init(_ inventory: Inventory, _ plan: Plan, unfound: Set<Seat>) {
    states = plan.states
    for planned in plan.people { names.insert(planned) }
    for (group, state) in plan.states { names.insert(state, group: group) }
    for addition in plan.additions {
      if case .account(let account) = addition.record {
        names.insert(account, group: addition.group)
      }
    }
    for row in inventory.rows {
      identities[row.number] = identity(of: row, plan)
    }
    seatPeople(plan)
    seatUnified(inventory, plan)
    for seat in unfound { seats[seat] = .no }
    seatOthers(inventory, plan)
  }

  /// What the account of a row can expect of the row's client; nil when it had no refresh token there,
  /// so that nothing is lost.
  func fate(of row: LegacyRow) -> Report.SignedIn? {
    guard let identity = identities[row.number] else { return nil }
    return seats[Seat(identity: identity, group: row.group, client: row.client)]
  }

  // MARK: Identities

  private func identity(of row: Inventory.Row, _ plan: Plan) -> Identity? {
    switch row.content {
    case .unreadable: return nil
    case .unified(let unified):
      guard let record = unified.record,
        let home = record.homeAccountID.flatMap({ HomeAccountID($0) })
      else { return nil }
      return .person(cloud: Cloud.key(of: record.environment), home: home)
    case .legacy:
      guard let resolved = plan.resolved[row.number],
        !resolved.row.obstacles.contains(.clientNotInSet)
      else { return nil }
      return identity(of: resolved)
    }
  }

  private func identity(of resolved: ResolvedRow) -> Identity {
    let row = resolved.row
    guard row.authority?.kind == .aad else {
      return row.userName.map { .name(cloud: row.cloud, $0) } ?? .nobody(cloud: row.cloud)
    }
    if let home = resolved.answer.homeAccountID {
      return .person(cloud: row.cloud, home: home)
    }
    if let object = row.object { return .object(cloud: row.cloud, object) }
    guard let name = row.userName else { return .nobody(cloud: row.cloud) }
    if let home = names.onlyHome(of: name, cloud: row.cloud) {
      return .person(cloud: row.cloud, home: home)
    }
    return .name(cloud: row.cloud, name)
  }

  // MARK: Seats

  private mutating func seatPeople(_ plan: Plan) {
    for planned in plan.people {
      let identity = Identity.person(cloud: planned.person.cloud, home: planned.person.home)
      for client in planned.coveredClients {
        seats[Seat(identity: identity, group: planned.group, client: client)] = .yes
      }
      for family in planned.coveredFamilies {
        families.insert(Seat(identity: identity, group: planned.group, client: family))
      }
    }
  }

  /// Refresh tokens in MSAL's form that are there or are carried.
  private mutating func seatUnified(_ inventory: Inventory, _ plan: Plan) {
    for row in inventory.rows {
      guard case .unified(let unified) = row.content, let identity = identities[row.number],
        case .credential(let credential)? = unified.record, credential.isRefreshToken,
        case .person(let cloud, let home) = identity
      else { continue }
      let isThere = plan.ledger.verdicts[row.number].map { $0.outcome != .notConverted } ?? false
      let isListed = isThere && names.hasAccount(home, cloud: cloud, group: row.group)
      let client = credential.clientID.normalized
      raise(Seat(identity: identity, group: row.group, client: client), to: isListed ? .yes : .no)
    }
  }

  private mutating func seatOthers(_ inventory: Inventory, _ plan: Plan) {
    for (number, resolved) in plan.resolved.sorted(by: { $0.key < $1.key }) {
      let row = resolved.row
      let isKept = inventory.keptRows.contains(number)
      if let identity = identities[number], row.hasUsableRefreshToken, row.countsAsSignIn {
        let seat = Seat(identity: identity, group: row.group, client: row.client)
        raise(seat, to: isKept && isFoundByName(row) ? .byUserName : .no)
      }
      if isKept && isHidden(row, resolved) { hiddenRows.append(number) }
    }
    seatLoneFamilies(inventory, plan)
  }

  /// Whoever has nothing but a family's refresh token, of which no client is known, has that seat.
  private mutating func seatLoneFamilies(_ inventory: Inventory, _ plan: Plan) {
    let seated = Set(seats.keys.map(\.identity)).union(families.map(\.identity))
    for (number, resolved) in plan.resolved.sorted(by: { $0.key < $1.key }) {
      let row = resolved.row
      guard row.kind == .familyRefreshToken, row.hasUsableRefreshToken,
        let identity = identities[number], !seated.contains(identity)
      else { continue }
      let isFound = inventory.keptRows.contains(number) && isFoundByName(row)
      raise(
        Seat(identity: identity, group: row.group, client: row.client),
        to: isFound ? .byUserName : .no)
    }
  }

  private mutating func raise(_ seat: Seat, to state: Report.SignedIn) {
    let rank: [Report.SignedIn] = [.no, .byUserName, .yes]
    // By name MSAL finds even somebody who is signed out, since it does not know who that is.
    let state = state == .yes && isSignedOut(seat) ? .no : state
    let current = seats[seat].flatMap { rank.firstIndex(of: $0) } ?? -1
    if let new = rank.firstIndex(of: state), new > current { seats[seat] = state }
  }

  /// Whether MSAL hides the account from the client, whatever tokens are there (D13).
  private func isSignedOut(_ seat: Seat) -> Bool {
    guard case .person(_, let home) = seat.identity else { return false }
    return states[seat.group]?.isSignedOut(client: seat.client, home: home) ?? false
  }

  // MARK: Lazy reading

  /// Whether MSAL's lazy reading still finds a row that stays: no account of the same user name hides
  /// it from the row's client.
  private func isFoundByName(_ row: LegacyRow) -> Bool {
    guard row.isListedLazily, let name = row.claims?.userID else { return false }
    // A row with a home account id of its own is listed by it, whoever else has the name.
    if let home = row.token.homeAccountID.flatMap({ HomeAccountID($0) }) {
      let seat = Seat(
        identity: .person(cloud: row.cloud, home: home), group: row.group, client: row.client)
      return !isSignedOut(seat)
    }
    let homes = names.homes(of: name, group: row.group)
    return homes.isEmpty || homes.contains { isSeated($0, row) }
  }

  /// Whether an account in MSAL's form hides the row, or takes its name without its tenant (D19).
  private func isHidden(_ row: LegacyRow, _ resolved: ResolvedRow) -> Bool {
    guard row.hasUsableRefreshToken, row.token.access == nil, row.mayTestify, !row.isOfBroker,
      row.token.homeAccountID == nil, let name = row.claims?.userID
    else { return false }
    if let home = resolved.answer.homeAccountID, isSeated(.init(cloud: row.cloud, home: home), row),
      row.isConvertible
    {
      return false
    }
    return !names.homes(of: name, group: row.group).isEmpty
  }

  private func isSeated(_ home: UserNames.Home, _ row: LegacyRow) -> Bool {
    let identity = Identity.person(cloud: home.cloud, home: home.home)
    if row.kind == .familyRefreshToken {
      return families.contains(
        Seat(identity: identity, group: row.group, client: row.family ?? ""))
    }
    return seats[Seat(identity: identity, group: row.group, client: row.client)] == .yes
  }
}

extension LegacyRow {
  /// Whether losing the row's refresh token is losing a sign-in of its client: family tokens are a
  /// second way in, and primary refresh tokens are the broker's.
  var countsAsSignIn: Bool {
    kind != .familyRefreshToken && !isOfBroker && !obstacles.contains(.clientNotInSet)
  }

  /// Whether the row is the broker's, for all apps of the device and not for its client.
  fileprivate var isOfBroker: Bool { obstacles.contains(.rtPRT) || obstacles.contains(.rtBroker) }
}

/// The user names of accounts in MSAL's form, of each access group.
struct UserNames: Sendable {
  struct Home: Sendable, Hashable {
    var cloud: String
    var home: HomeAccountID
  }

  private struct Name: Hashable {
    var scope: String
    var name: String
  }

  private var byGroup: [Name: Set<Home>] = [:]
  private var byCloud: [Name: Set<HomeAccountID>] = [:]
  private var accounts: [String: Set<Home>] = [:]

  mutating func insert(_ planned: Plan.PlannedPerson) {
    for name in Set(planned.person.rows.compactMap(\.row.userName)) {
      byCloud[Name(scope: planned.person.cloud, name: name), default: []]
        .insert(planned.person.home)
    }
  }

  mutating func insert(_ state: UnifiedState, group: String) {
    for case .account(let account) in state.allRecords { insert(account, group: group) }
  }

  mutating func insert(_ account: Account, group: String) {
    guard let id = HomeAccountID(account.homeAccountID) else { return }
    let home = Home(cloud: Cloud.key(of: account.environment), home: id)
    accounts[group, default: []].insert(home)
    guard let name = account.username else { return }
    byGroup[Name(scope: group, name: name), default: []].insert(home)
    byCloud[Name(scope: home.cloud, name: name.normalized), default: []].insert(id)
  }

  /// The accounts of a user name, compared with case as MSAL does when it joins ADAL's rows.
  func homes(of name: String, group: String) -> Set<Home> {
    byGroup[Name(scope: group, name: name)] ?? []
  }

  /// The account of a user name, when it is one alone.
  func onlyHome(of name: String, cloud: String) -> HomeAccountID? {
    guard let homes = byCloud[Name(scope: cloud, name: name)], homes.count == 1 else { return nil }
    return homes.first
  }

  func hasAccount(_ home: HomeAccountID, cloud: String, group: String) -> Bool {
    accounts[group]?.contains(Home(cloud: cloud, home: home)) ?? false
  }
}
