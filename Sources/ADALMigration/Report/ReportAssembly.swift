// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

extension Decision {
  /// The report of what is decided.
  func report(_ kind: Report.Kind) -> Report {
    let standing = Standing(inventory, plan, unfound: unfound)
    let table = AccountTable(inventory, plan, standing)
    let entries = inventory.rows.map { entry(for: $0, table) }
    let findings = Findings(self, standing, table).findings
    func count(_ outcome: Report.Outcome) -> Int { entries.count { $0.outcome == outcome } }
    let signedIn = table.accounts.count { $0.signedIn != .no }
    return Report(
      kind: kind,
      summary: Report.Summary(
        rows: entries.count, converted: count(.converted), alreadyThere: count(.alreadyThere),
        notConverted: count(.notConverted), foreign: inventory.foreign,
        accounts: table.accounts.count, accountsSignedIn: signedIn,
        accountsToSignIn: table.accounts.count - signedIn, written: plan.additions.count),
      accounts: table.accounts, entries: entries, findings: findings)
  }

  private func entry(for row: Inventory.Row, _ table: AccountTable) -> Report.Entry {
    var verdict = plan.ledger.verdicts[row.number] ?? Verdict()
    var entry = Report.Entry(
      row: row.number, place: row.place, kind: .unreadable, clientID: nil, authority: nil,
      resource: nil, scope: nil, userID: nil, homeAccountID: nil,
      account: table.index[row.number], outcome: verdict.outcome, reasons: [], evidence: [],
      writes: writes(of: verdict, in: row.group))
    switch row.content {
    case .legacy(let token):
      guard let resolved = plan.resolved[row.number] else { break }
      entry.describe(token, resolved)
    case .unreadable(let row):
      entry.describe(row)
      verdict.reasons.append(row.reason)
      if let evidence = row.evidence { verdict.evidence.append(evidence) }
    case .unified(let row):
      entry.describe(row)
    }
    entry.reasons = verdict.reasons.sorted(by: Reason.isMoreTelling(_:than:))
    entry.evidence = verdict.evidence
    return entry
  }

  /// The additions among what a row needs, in the order in which they are written.
  private func writes(of verdict: Verdict, in group: String) -> [Report.Write] {
    verdict.needs.compactMap { plan.additionsByID[Plan.AdditionID(group: group, id: $0)] }
      .sorted().map { plan.additions[$0].record.write }
  }
}

extension Report.Entry {
  fileprivate mutating func describe(_ token: LegacyToken, _ resolved: ResolvedRow) {
    kind = resolved.row.kind
    clientID = token.clientID
    authority = token.authority
    resource = token.resource
    scope = resolved.row.scope
    userID = resolved.row.userName
    homeAccountID = resolved.answer.homeAccountID?.description
  }

  fileprivate mutating func describe(_ row: UnreadableToken) {
    kind = .unreadable
    clientID = row.clientID
    authority = row.authority
    resource = row.resource
    userID = row.userID
  }

  fileprivate mutating func describe(_ row: UnifiedRow) {
    kind = row.kind
    guard let record = row.record else { return }
    clientID = record.clientID
    homeAccountID = record.homeAccountID
    switch record {
    case .account(let account): userID = account.username
    case .credential(let credential):
      scope = credential.kind == .accessToken ? credential.target : nil
      if credential.kind == .idToken { userID = IDTokenClaims(credential.secret)?.userID }
    case .appMetadata: break
    }
  }
}

extension UnreadableToken {
  var reason: Reason {
    code == .unknownClass || code == .previewFormat ? .rowUnknownClass : .rowUndecodable
  }

  /// Where the reader gave up, such as `archive.truncated@217`.
  fileprivate var evidence: String? {
    guard let archiveError else { return "archive.\(code)" }
    return "archive.\(archiveError)" + (offset.map { "@\($0)" } ?? "")
  }
}

/// The accounts of a report, and which of them each row is of.
struct AccountTable: Sendable {
  private(set) var accounts: [Report.Account] = []
  /// The account of each row, as an index.
  private(set) var index: [Int: Int] = [:]
  private(set) var indexByIdentity: [Standing.Identity: Int] = [:]

  init(_ inventory: Inventory, _ plan: Plan, _ standing: Standing) {
    var drafts: [Standing.Identity: Draft] = [:]
    for row in inventory.rows {
      guard let identity = standing.identities[row.number] else { continue }
      drafts[identity, default: Draft(identity)].take(row, plan)
    }
    for planned in plan.people {
      let identity = Standing.Identity.person(
        cloud: planned.person.cloud, home: planned.person.home)
      drafts[identity]?.environment = planned.person.spelling.environment
    }
    for addition in plan.additions {
      guard case .account(let account) = addition.record,
        let home = HomeAccountID(account.homeAccountID)
      else { continue }
      let identity = Standing.Identity.person(
        cloud: Cloud.key(of: account.environment), home: home)
      drafts[identity]?.take(account)
    }
    for (seat, state) in standing.seats { drafts[seat.identity]?.take(seat, state) }

    let ordered = drafts.map { ($0.key, $0.value.account) }.sorted {
      Self.order($0.0, $0.1).lexicographicallyPrecedes(Self.order($1.0, $1.1))
    }
    for (position, (identity, account)) in ordered.enumerated() {
      indexByIdentity[identity] = position
      accounts.append(account)
    }
    for (row, identity) in standing.identities { index[row] = indexByIdentity[identity] }
  }

  /// What accounts are sorted by: what a person sees, then what tells them apart for certain.
  private static func order(_ identity: Standing.Identity, _ account: Report.Account) -> [String] {
    let shown = [account.userID ?? "", account.environment ?? "", account.homeAccountID ?? ""]
    switch identity {
    case .person: return shown
    case .object(_, let object): return shown + ["1", object.tid, object.oid]
    case .name: return shown + ["2"]
    case .nobody: return shown + ["3"]
    }
  }

  /// An account while its rows are gathered.
  private struct Draft {
    var environment: String
    private let home: HomeAccountID?
    private var name: (rank: Int, text: String)?
    private var confidence: Report.Confidence = .none
    private var clients: [String: String] = [:]
    private var realms: Set<String> = []
    private var seats: [String: Report.SignedIn] = [:]

    init(_ identity: Standing.Identity) {
      switch identity {
      case .person(let cloud, let home):
        environment = cloud
        self.home = home
      case .object(let cloud, _), .name(let cloud, _), .nobody(let cloud):
        environment = cloud
        home = nil
      }
    }

    mutating func take(_ row: Inventory.Row, _ plan: Plan) {
      switch row.content {
      case .legacy:
        guard let resolved = plan.resolved[row.number] else { return }
        take(resolved.row)
        confidence = max(confidence, resolved.answer.confidence)
      case .unified(let unified):
        guard let record = unified.record else { return }
        confidence = .exact
        if let client = record.clientID { note(client: client) }
        if case .account(let account) = record { take(account) }
      case .unreadable: break
      }
    }

    private mutating func take(_ row: LegacyRow) {
      if row.kind != .familyRefreshToken, let client = row.token.clientID.nonBlank {
        note(client: client)
      }
      if let realm = row.realm { realms.insert(realm) }
      if let text = row.userName { offer(text, rank: row.realm == home?.utid ? 2 : 1) }
    }

    mutating func take(_ account: Account) {
      if let realm = account.realm { realms.insert(realm) }
      if let text = account.username {
        offer(text, rank: account.realm?.lowercased() == home?.utid ? 4 : 3)
      }
    }

    /// The name of the home tenant's account counts most; of two alike, the one that sorts first.
    private mutating func offer(_ text: String, rank: Int) {
      guard let name else {
        self.name = (rank, text)
        return
      }
      if rank > name.rank || (rank == name.rank && text < name.text) { self.name = (rank, text) }
    }

    private mutating func note(client: String) {
      let key = client.normalized
      clients[key] = min(clients[key] ?? client, client)
    }

    mutating func take(_ seat: Standing.Seat, _ state: Report.SignedIn) {
      let rank: [Report.SignedIn] = [.no, .byUserName, .yes]
      guard let current = seats[seat.client] else {
        seats[seat.client] = state
        return
      }
      // The same client in two access groups: the worse counts.
      if let a = rank.firstIndex(of: state), let b = rank.firstIndex(of: current), a < b {
        seats[seat.client] = state
      }
    }

    var account: Report.Account {
      let seated = clients.filter { seats[$0.key] != nil }
      let states = Set(seats.values)
      let worst: Report.SignedIn =
        states.contains(.no) || states.isEmpty
        ? .no : states.contains(.byUserName) ? .byUserName : .yes
      return Report.Account(
        userID: name?.text, homeAccountID: home?.description,
        environment: environment.isEmpty ? nil : environment,
        confidence: confidence, clients: (seated.isEmpty ? clients : seated).values.sorted(),
        realms: realms.sorted(), signedIn: worst)
    }
  }
}
