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
  /// Rows that stay, and that MSAL finds by user name.
  private(set) var listedRows: Set<Int> = []
  /// Rows that stay, of a client that does not see them any more (D19).
  private(set) var hiddenRows: [Int] = []
  /// Rows that stay, by which their client may see an account without its identifier (D33).
  private(set) var namelessRows: [Int] = []
  private var families: Set<Seat> = []
  /// Seats of clients that nobody asked for, whose accounts MSAL finds.
  private var neighbours: Set<Seat> = []
  private var names = UserNames()
  private var listed = ListedNames()
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
    identify(inventory, plan)
    seatPeople(plan)
    seatUnified(inventory, plan)
    for seat in unfound { seats[seat] = .no }
    gatherListed()
    seatOthers(inventory, plan)
  }

  /// What the account of a row can expect of the row's client; nil when it had no refresh token there,
  /// so that nothing is lost.
  func fate(of row: LegacyRow) -> Report.SignedIn? {
    guard let identity = identities[row.number] else { return nil }
    return seats[Seat(identity: identity, group: row.group, client: row.client)]
  }

  // MARK: Identities

  /// Finds out whose the rows are. Clients that nobody asked for count nowhere, nor does an account of
  /// which there is nothing but theirs.
  private mutating func identify(_ inventory: Inventory, _ plan: Plan) {
    var asked: Set<Identity> = []
    var others: Set<Identity> = []
    var accounts: [(row: Int, identity: Identity)] = []
    for row in inventory.rows {
      guard let identity = identity(of: row, plan) else { continue }
      if row.isAccount {
        accounts.append((row.number, identity))
      } else if plan.asksFor(row) {
        identities[row.number] = identity
        asked.insert(identity)
      } else {
        others.insert(identity)
      }
    }
    for (row, identity) in accounts
    where asked.contains(identity) || !others.contains(identity) {
      identities[row] = identity
    }
  }

  private func identity(of row: Inventory.Row, _ plan: Plan) -> Identity? {
    switch row.content {
    case .unreadable: nil
    case .unified(let unified): unified.record.flatMap(Self.identity)
    case .legacy: plan.resolved[row.number].map(identity)
    }
  }

  private static func identity(of record: Record) -> Identity? {
    record.homeAccountID.flatMap { HomeAccountID($0) }
      .map { .person(cloud: Cloud.key(of: record.environment), home: $0) }
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
      guard case .unified(let unified) = row.content,
        case .credential(let credential)? = unified.record, credential.isRefreshToken,
        let identity = Self.identity(of: .credential(credential))
      else { continue }
      let isThere = plan.ledger.verdicts[row.number].map { $0.outcome != .notConverted } ?? false
      let isFound = Record.credential(credential).isFound(in: unified.item)
      let isListed = isThere && isFound && names.lists(credential, group: row.group)
      let seat = Seat(
        identity: identity, group: row.group, client: credential.clientID.normalized)
      if identities[row.number] != nil {
        raise(seat, to: isListed ? .yes : .no)
      } else if isListed && !isSignedOut(seat) {
        neighbours.insert(seat)
      }
    }
  }

  private mutating func gatherListed() {
    let clients = seats.filter { $0.value == .yes }.map(\.key) + neighbours
    for seat in clients { list(seat, for: .client(seat.client)) }
    for seat in families { list(seat, for: .family(seat.client)) }
  }

  private mutating func list(_ seat: Seat, for reader: ListedNames.Reader) {
    guard case .person(let cloud, let home) = seat.identity else { return }
    for profile in names.profiles(of: .init(cloud: cloud, home: home), group: seat.group) {
      listed.insert(profile, for: reader, group: seat.group)
    }
  }

  private mutating func seatOthers(_ inventory: Inventory, _ plan: Plan) {
    for (number, resolved) in plan.resolved.sorted(by: { $0.key < $1.key }) {
      let row = resolved.row
      let isKept = inventory.keptRows.contains(number)
      let isFound = isKept && isFoundByName(row)
      if isFound { listedRows.insert(number) }
      if let identity = identities[number], row.hasUsableRefreshToken, row.countsAsSignIn {
        let seat = Seat(identity: identity, group: row.group, client: row.client)
        raise(seat, to: isFound ? .byUserName : .no)
      }
      if isKept { noteCoexistence(resolved) }
    }
    seatLoneFamilies(plan)
  }

  /// Whoever has nothing but a family's refresh token, of which no client is known, has that seat.
  private mutating func seatLoneFamilies(_ plan: Plan) {
    let seated = Set(seats.keys.map(\.identity)).union(families.map(\.identity))
    for (number, resolved) in plan.resolved.sorted(by: { $0.key < $1.key }) {
      let row = resolved.row
      guard row.kind == .familyRefreshToken, row.hasUsableRefreshToken,
        let identity = identities[number], !seated.contains(identity)
      else { continue }
      raise(
        Seat(identity: identity, group: row.group, client: row.client),
        to: listedRows.contains(number) ? .byUserName : .no)
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
    return !names.have(name, group: row.group) || listed.hold(row)
  }

  /// Finds out what accounts in MSAL's form do to a row that stays without being converted. From a client
  /// that does not list them they hide it (D19). One that does may list them without their identifier, as
  /// it happens to read the row first; only as long as the two are not the same to MSAL (D27, D33).
  private mutating func noteCoexistence(_ resolved: ResolvedRow) {
    let row = resolved.row
    // Names hide whatever host a row is of.
    guard row.hasUsableRefreshToken, row.token.access == nil, row.authority?.kind == .aad,
      !row.isOfBroker, row.token.homeAccountID == nil, row.token.isReadByMSAL,
      let name = row.claims?.userID
    else { return }
    if let home = resolved.answer.homeAccountID, row.isConvertible,
      isSeated(.init(cloud: row.cloud, home: home), row)
    {
      return
    }
    guard names.have(name, group: row.group) else { return }
    if !listed.hold(row) {
      hiddenRows.append(row.number)
    } else if !listed.holdTheSame(as: row) {
      namelessRows.append(row.number)
    }
  }

  private func isSeated(_ home: UserNames.Home, _ row: LegacyRow) -> Bool {
    let identity = Identity.person(cloud: home.cloud, home: home.home)
    if row.kind == .familyRefreshToken {
      return families.contains(
        Seat(identity: identity, group: row.group, client: row.family ?? ""))
    }
    let seat = Seat(identity: identity, group: row.group, client: row.client)
    return seats[seat] == .yes || neighbours.contains(seat)
  }
}

extension LegacyRow {
  /// Whether losing the row's refresh token is losing a sign-in of its client: family tokens are a
  /// second way in, and primary refresh tokens are the broker's.
  var countsAsSignIn: Bool {
    kind != .familyRefreshToken && !isOfBroker
  }

  /// Whether the row is the broker's, for all apps of the device and not for its client.
  fileprivate var isOfBroker: Bool { obstacles.contains(.rtPRT) || obstacles.contains(.rtBroker) }
}
