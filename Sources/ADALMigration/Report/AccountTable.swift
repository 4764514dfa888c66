// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

/// The accounts of a report, and which of them each row is of.
///
/// A user is one account, in however many access groups; but where MSAL shows other names in them, each
/// group has a line of its own.
struct AccountTable: Sendable {
  private(set) var accounts: [Report.Account] = []
  /// The account of each row, as an index.
  let index: [Int?]

  /// An account in one access group.
  fileprivate typealias Key = Grouped<Identity>

  private struct Line {
    let account: Report.Account
    let order: [String]
    let drafts: [Draft]
  }

  init(_ inventory: Inventory, _ plan: Plan, _ signIns: SignIns) {
    let (drafts, draftOfRow) = Self.drafts(inventory, plan, signIns)
    var lines: [Line] = []
    for groups in Dictionary(grouping: drafts, by: { $0.key.key }).values {
      let groups = groups.sorted { $0.key.group < $1.key.group }
      let isOne = groups.count == 1 || Set(groups.compactMap { $0.shownName }).count < 2
      let parts = isOne ? [groups] : groups.map { [$0] }
      for part in parts {
        guard let draft = part.first else { continue }
        for other in part.dropFirst() { draft.merge(other) }
        let account = draft.account
        let order = Self.order(draft.key.key, account) + [draft.key.group]
        lines.append(Line(account: account, order: order, drafts: part))
      }
    }
    for line in lines.sorted(by: { $0.order.lexicographicallyPrecedes($1.order) }) {
      for draft in line.drafts { draft.position = accounts.count }
      accounts.append(line.account)
    }
    index = draftOfRow.map { $0?.position }
  }

  /// The account of each row, and the one of each row by its number.
  private static func drafts(
    _ inventory: Inventory, _ plan: Plan, _ signIns: SignIns
  ) -> (all: some Collection<Draft>, ofRow: [Draft?]) {
    var drafts: [Key: Draft] = [:]
    var last: Draft?
    /// Rows and entries of one account often follow each other.
    func draft(_ key: Key) -> Draft? {
      if let last, last.key == key { return last }
      guard let draft = drafts[key] else { return nil }
      last = draft
      return draft
    }
    let ofRow = inventory.rows.map { row -> Draft? in
      guard let identity = signIns.identities[row.number] else { return nil }
      let key = Key(group: row.group, key: identity)
      let known = draft(key)
      let draft = known ?? Draft(key)
      if known == nil { drafts[key] = draft }
      draft.take(row, plan, isListed: signIns.listedRows.contains(row.number))
      if case .unified = row.content, case .account(let account) = identity {
        draft.environment = plan.spelling(of: account, group: row.group).environment
      }
      return draft
    }
    for account in plan.accounts {
      draft(Key(group: account.group, key: .account(account.key)))?.environment =
        account.spelling.environment
    }
    for (group, cache) in plan.caches {
      for record in cache.allEntries where record.homeAccountID != nil {
        draft(Key(group: group, key: .account(record.account)))?.take(record, isAdded: false)
      }
    }
    for addition in plan.decisions.additions where addition.record.homeAccountID != nil {
      draft(Key(group: addition.group, key: .account(addition.key.account)))?
        .take(addition.record, isAdded: true)
    }
    for (signIn, state) in signIns.states {
      draft(Key(group: signIn.group, key: signIn.identity))?.take(signIn, state)
    }
    return (drafts.values, ofRow)
  }

  /// The sort key of accounts: the shown name, then what tells them apart for certain.
  private static func order(_ identity: Identity, _ account: Report.Account) -> [String] {
    let shown = [account.userID ?? "", account.environment ?? "", account.homeAccountID ?? ""]
    switch identity {
    case .account: return shown + ["0", "", ""]
    case .object(_, let object): return shown + ["1", object.tid, object.oid]
    case .name: return shown + ["2", "", ""]
    case .unnamed: return shown + ["3", "", ""]
    }
  }
}

/// An account of a report while its rows are gathered. A class, since a table of large values copies them with
/// every change.
private final class Draft {
  let key: AccountTable.Key
  var environment: String
  /// Where the account is among those of the report.
  var position: Int?
  private let home: String?
  private var name: Name?
  /// The name of an ADAL row that MSAL lists, for accounts that are found only by it.
  private var listedName: Name?
  private var confidence: Report.Confidence = .none
  private var clients: [ExactText: Client] = [:]
  private var realms: Set<ExactText> = []
  private var states: [ExactText: Report.SignedIn] = [:]

  init(_ key: AccountTable.Key) {
    self.key = key
    switch key.key {
    case .account(let account):
      environment = account.cloud
      home = account.isSomebodys ? account.home : nil
    case .object(let cloud, _), .name(let cloud, _), .unnamed(let cloud):
      environment = cloud
      home = nil
    }
  }

  /// A user name, and what speaks for showing it: first what MSAL finds, accounts before rows of ADAL's;
  /// then the home tenant's; then the newest.
  private struct Name {
    enum Origin: Int { case damagedRow, row, listedRow, account }

    var text: String
    var origin: Origin
    var isOfHome: Bool
    var issuedAt = -Double.infinity

    func precedes(_ other: Name) -> Bool {
      if origin != other.origin { return origin.rawValue > other.origin.rawValue }
      if isOfHome != other.isOfHome { return isOfHome }
      return issuedAt != other.issuedAt ? issuedAt > other.issuedAt : text < other.text
    }
  }

  /// A client id, and where it is spelled so: first in what is written, then in what is there, then in
  /// rows; in each the refresh token first.
  private struct Client {
    enum Origin: Int { case damagedRow, row, held, existingRefreshToken, added, addedRefreshToken }

    var text: String
    var origin: Origin

    func precedes(_ other: Client) -> Bool {
      origin != other.origin ? origin.rawValue > other.origin.rawValue : text < other.text
    }
  }

  /// Whether a tenant, in lower case, is the account's own.
  private func isOfHome(_ realm: String?) -> Bool {
    guard var realm, var home else { return false }
    return home.withUTF8 { home in
      realm.withUTF8 { realm in
        home.dropLast(realm.count).last == UInt8(ascii: ".")
          && home.suffix(realm.count).elementsEqual(realm)
      }
    }
  }

  private func offer(_ name: Name) {
    if self.name.map(name.precedes) ?? true { self.name = name }
    if name.origin == .listedRow, listedName.map(name.precedes) ?? true { listedName = name }
  }

  private func offer(_ client: Client) {
    let key = client.text.identifier
    if clients[key].map(client.precedes) ?? true { clients[key] = client }
  }

  /// Takes in a row of the source.
  func take(_ row: Inventory.Row, _ plan: Plan, isListed: Bool) {
    switch row.content {
    case .legacy:
      guard let resolved = plan.resolved(row.number) else { return }
      take(resolved.row, isListed: isListed)
      confidence = max(confidence, resolved.answer.confidence)
    case .unified(let unified):
      guard let record = unified.record else { return take(damaged: row) }
      confidence = .exact
      if let client = record.clientID { offer(Client(text: client, origin: .row)) }
      if record.kind == .account {
        if let realm = record.realm { realms.insert(realm) }
        take(account: record, origin: .row)
      }
    case .unreadable: take(damaged: row)
    }
  }

  /// Takes in what the place of a row says that cannot be read.
  private func take(damaged row: Inventory.Row) {
    guard let damage = DamagedRow(row) else { return }
    if damage.family == nil, let client = damage.client {
      offer(Client(text: client, origin: .damagedRow))
    }
    if case .name(let name, _) = damage.owner {
      offer(Name(text: name, origin: .damagedRow, isOfHome: false))
    }
  }

  private func take(_ row: LegacyRow, isListed: Bool) {
    if row.kind != .familyRefreshToken, let client = row.token.clientID, !client.trimmed.isEmpty {
      offer(Client(text: client, origin: .row))
    }
    if let realm = row.realm { realms.insert(realm) }
    guard let text = row.userName else { return }
    offer(
      Name(
        text: text, origin: isListed ? .listedRow : .row,
        isOfHome: isOfHome(row.realm),
        issuedAt: row.idToken?.issuedAt ?? -.infinity))
  }

  private func take(account: MSALEntry, origin: Name.Origin) {
    guard let text = account.username else { return }
    offer(
      Name(
        text: text, origin: origin,
        isOfHome: isOfHome(account.realm?.identifier)))
  }

  /// Takes in an entry that is in the target in the end.
  func take(_ record: MSALEntry, isAdded: Bool) {
    if record.kind == .account {
      if isAdded, let realm = record.realm { realms.insert(realm) }
      take(account: record, origin: .account)
    } else if let client = record.clientID, clients[client.identifier] != nil {
      let origin: Client.Origin =
        switch (isAdded, record.isRefreshToken) {
        case (true, true): .addedRefreshToken
        case (true, false): .added
        case (false, true): .existingRefreshToken
        case (false, false): .held
        }
      offer(Client(text: client, origin: origin))
    }
  }

  func take(_ signIn: SignIn, _ state: Report.SignedIn) {
    states[signIn.client] = states[signIn.client].map { Self.worse($0, state) } ?? state
  }

  /// Of one client in two access groups the worse counts.
  private static func worse(_ a: Report.SignedIn, _ b: Report.SignedIn) -> Report.SignedIn {
    a.isBetter(than: b) ? b : a
  }

  /// Takes in the same account of another access group.
  func merge(_ other: Draft) {
    for name in [other.name, other.listedName] { name.map { offer($0) } }
    confidence = max(confidence, other.confidence)
    for client in other.clients.values { offer(client) }
    realms.formUnion(other.realms)
    states.merge(other.states) { Self.worse($0, $1) }
  }

  private var signedIn: Report.SignedIn {
    if states.isEmpty || states.values.contains(.no) { return .no }
    return states.values.contains(.byUserName) ? .byUserName : .yes
  }

  /// The user name to show. An account that no refresh token lists has a name that finds no account.
  var shownName: String? {
    (signedIn == .byUserName ? listedName ?? name : name)?.text
  }

  var account: Report.Account {
    let asked = clients.filter { states[$0.key] != nil }
    return Report.Account(
      userID: shownName, homeAccountID: home,
      environment: environment.isEmpty ? nil : environment,
      confidence: confidence,
      clients: (asked.isEmpty ? clients : asked).values.map { $0.text }.sorted(),
      realms: realms.sorted().map(\.text), signedIn: signedIn)
  }
}
