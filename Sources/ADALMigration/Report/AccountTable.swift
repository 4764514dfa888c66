// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import MSALCache

/// The accounts of a report, and which of them each row is of.
///
/// A user is one account, in however many access groups; but where MSAL shows other names in them, each
/// name has a line of its own.
struct AccountTable: Sendable {
  private(set) var accounts: [Report.Account] = []
  /// The account of each row, as an index.
  let index: [Int?]

  private struct Line {
    let account: Report.Account
    /// The numbers of the accounts that it stands for.
    let parts: [Int]
  }

  init(_ inventory: borrowing Inventory, _ plan: borrowing Plan, _ signIns: borrowing SignIns) {
    var symbols = signIns.table.symbols
    let drafts = Self.drafts(inventory, plan, signIns, &symbols)
    var lines: [Line] = []
    var orders: [String] = []
    let shown = drafts.indices.filter { drafts[$0] != nil }
    for numbers in Dictionary(grouping: shown, by: { signIns.accounts[$0].identity }).values {
      let groups =
        numbers.count == 1
        ? numbers : numbers.ordered { signIns.accounts[$0].group < signIns.accounts[$1].group }
      let isOne =
        groups.count == 1 || Set(groups.compactMap { drafts[$0]?.shownName }).count < 2
      let byName = isOne ? [:] : Dictionary(grouping: groups) { drafts[$0]?.shownName ?? "" }
      for part in isOne ? [groups] : Array(byName.values) {
        let parts = part.compactMap { drafts[$0] }
        guard let first = part.first, var draft = parts.first else { continue }
        for other in parts.dropFirst() { draft.merge(other) }
        // Together they could show another name than the one that each of them shows, and another line has.
        let account = draft.account(
          symbols, named: isOne ? draft.shownName : parts.first?.shownName)
        lines.append(Line(account: account, parts: part))
        let (identity, group) = (signIns.identity(of: first), signIns.accounts[first].group)
        orders.append(Self.order(account, identity, group))
      }
    }
    var positions = [Int?](repeating: nil, count: drafts.count)
    for place in orderedPositions(lines.count, by: { orders[$0] < orders[$1] }) {
      let line = lines[place]
      for number in line.parts { positions[number] = accounts.count }
      accounts.append(line.account)
    }
    index = signIns.accountOfRow.map { number in number.flatMap { positions[$0] } }
  }

  /// The sort key of lines: the shown name, then parts that are unique.
  private static func order(
    _ account: Report.Account, _ identity: Identity, _ group: String
  ) -> String {
    String(
      of: account.userID ?? "", "\0", account.environment ?? "", "\0", account.homeAccountID ?? "",
      "\0", identity.order, "\0", group)
  }

  /// The draft of each account, by its number; nil for an account without rows.
  private static func drafts(
    _ inventory: borrowing Inventory, _ plan: borrowing Plan, _ signIns: borrowing SignIns,
    _ symbols: inout Symbols
  ) -> [AccountDraft?] {
    var drafts = [AccountDraft?](repeating: nil, count: signIns.accounts.count)
    var lastEntered: Int?
    for row in inventory.rows {
      guard let number = signIns.accountOfRow[row.number] else { continue }
      if drafts[number] == nil {
        drafts[number] = AccountDraft(
          signIns.identity(of: number), signIns.accounts[number].states)
      }
      drafts[number]?.take(
        row, plan, isListed: signIns.listedRows.contains(row.number), &symbols)
      // Rows of one account often follow each other.
      if number != lastEntered, case .unified = row.content,
        case .account(let key) = signIns.identity(of: number)
      {
        drafts[number]?.environment = plan.environment(of: key, group: row.group)
        lastEntered = number
      }
    }
    for account in plan.accounts {
      let group = symbols.known(account.group)
      guard let number = signIns.knownNumber(of: account.number, in: group) else { continue }
      drafts[number]?.environment = account.spelling.environment
    }
    for (group, cache) in plan.caches {
      for record in cache.allEntries where record.homeAccountID != nil {
        guard let number = signIns.knownNumber(of: .account(record.account), in: group) else {
          continue
        }
        drafts[number]?.take(record, isAdded: false, &symbols)
      }
    }
    var last: (home: Symbol, cloud: Symbol, group: Symbol, number: Int?)?
    for addition in plan.decisions.additions {
      guard addition.homeAccountID != nil else { continue }
      let key = addition.key
      if last.map({ $0.home != key.home || $0.cloud != key.cloud || $0.group != addition.group })
        ?? true
      {
        let number = signIns.knownNumber(
          of: .account(key.account(symbols)), in: symbols[addition.group])
        last = (key.home, key.cloud, addition.group, number)
      }
      if let number = last?.number { drafts[number]?.take(addition, plan, &symbols) }
    }
    return drafts
  }
}

/// The draft of an account's line in a report.
private struct AccountDraft {
  var environment: String
  private let home: String?
  private var name: Name?
  /// The name of an ADAL row that MSAL lists for a client that finds the account only by it.
  private var listedName: Name?
  private var confidence: Report.Confidence = .none
  private var clients: [Symbol: Client] = [:]
  /// The facts taken in last. Rows of one sign-in often follow each other with the same facts.
  private var lastRow: RowFacts?
  private var lastClient: Symbol?
  private var realms: Set<Symbol> = []
  private var states: [Symbol: Report.SignedIn]

  /// The facts taken from a row.
  private struct RowFacts: Equatable {
    let client: Int?
    let idToken: Int?
    let name: Symbol
    let realm: Symbol
    let answer: Int
    let isOfFamily: Bool
    let isListed: Bool
  }

  init(_ identity: Identity, _ states: [Symbol: Report.SignedIn]) {
    self.states = states
    environment = identity.cloud
    if case .account(let key) = identity, key.hasIdentifier {
      home = key.home
    } else {
      home = nil
    }
  }

  /// A user name with its rank: the name of MSAL's account first, before those of ADAL's rows; then the home tenant's
  /// name; then the newest.
  private struct Name {
    enum Origin: Int { case damagedRow, row, account }

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

  /// A client ID as it is spelled, with the origin of the spelling: additions first, then existing entries, then rows;
  /// within each, the refresh token first.
  fileprivate struct Client {
    enum Origin: Int {
      case damagedRow, row, existing, existingRefreshToken, added, addedRefreshToken
    }

    /// The form that is compared.
    let id: Symbol
    let text: String
    let origin: Origin

    func precedes(_ other: Client) -> Bool {
      origin != other.origin ? origin.rawValue > other.origin.rawValue : text < other.text
    }
  }

  /// Whether a tenant, in lower case, is the account's own.
  private func isOfHome(_ realm: String?) -> Bool {
    guard let realm, !realm.isEmpty, let home, home.hasSuffix(realm) else { return false }
    return home.utf8.dropLast(realm.utf8.count).last == UInt8(ascii: ".")
  }

  private mutating func offer(_ name: Name) {
    if self.name.map(name.precedes) ?? true { self.name = name }
  }

  private mutating func offer(listed name: Name) {
    if listedName.map(name.precedes) ?? true { listedName = name }
  }

  private mutating func offer(_ client: Client) {
    if clients[client.id].map(client.precedes) ?? true { clients[client.id] = client }
  }

  /// Adds a row of the source.
  mutating func take(
    _ row: Inventory.Row, _ plan: borrowing Plan, isListed: Bool, _ symbols: inout Symbols
  ) {
    switch row.content {
    case .legacy:
      guard let row = plan.table[row.number] else { return }
      take(row, plan.table, isListed: isListed)
    case .unified(let unified):
      guard let record = unified.record else { return take(damaged: row, &symbols) }
      confidence = .exact
      if let client = record.clientID { offer(symbols.client(client, .row)) }
      if record.kind == .account {
        if let realm = record.realm { realms.insert(symbols.symbol(of: realm)) }
        take(account: record, origin: .row)
      }
    case .unreadable: take(damaged: row, &symbols)
    }
  }

  /// Adds the facts in the place of an unreadable row.
  private mutating func take(damaged row: Inventory.Row, _ symbols: inout Symbols) {
    guard let damage = DamagedRow(row) else { return }
    if damage.family == nil, let client = damage.client {
      offer(symbols.client(client, .damagedRow))
    }
    if case .name(let name, _) = damage.owner {
      offer(Name(text: name, origin: .damagedRow, isOfHome: false))
    }
  }

  private mutating func take(_ row: ADALRow, _ table: RowTable, isListed: Bool) {
    let facts = RowFacts(
      client: row.spelledClient, idToken: row.idToken, name: row.userName, realm: row.realm,
      answer: row.answer, isOfFamily: row.kind == .familyRefreshToken, isListed: isListed)
    if facts == lastRow { return }
    lastRow = facts
    confidence = max(confidence, table.answers[row.answer].confidence)
    if row.kind != .familyRefreshToken, let client = table.tokens[row.index].token.clientID,
      !client.trimmed.isEmpty
    {
      offer(Client(id: row.client, text: client, origin: .row))
    }
    if row.realm != .none { realms.insert(row.realm) }
    guard row.userName != .none else { return }
    let name = Name(
      text: table.symbols[row.userName], origin: .row,
      isOfHome: isOfHome(table.symbols[row.realm]), issuedAt: row.idTokenIssue ?? -.infinity)
    offer(name)
    // Another client's name may be another one.
    if isListed, states[row.client] == .byUserName { offer(listed: name) }
  }

  private mutating func take(account: MSALEntry, origin: Name.Origin) {
    guard let text = account.username else { return }
    offer(
      Name(
        text: text, origin: origin,
        isOfHome: isOfHome(account.realm?.identifier)))
  }

  /// Adds an entry of the plan.
  mutating func take(_ addition: Addition, _ plan: borrowing Plan, _ symbols: inout Symbols) {
    guard addition.type != .account, let client = addition.clientID else {
      return take(plan.entry(of: addition), isAdded: true, &symbols)
    }
    let isToken = addition.type == .refreshToken
    if client == lastClient, !isToken { return }
    lastClient = client
    offer(ofEntry: symbols.client(symbols[client], isToken ? .addedRefreshToken : .added))
  }

  private mutating func offer(ofEntry client: Client) {
    if clients[client.id] != nil || states[client.id] != nil { offer(client) }
  }

  /// Adds an entry that the target has in the end.
  mutating func take(_ record: MSALEntry, isAdded: Bool, _ symbols: inout Symbols) {
    if record.kind == .account {
      if isAdded, let realm = record.realm { realms.insert(symbols.symbol(of: realm)) }
      take(account: record, origin: .account)
    } else if let client = record.clientID {
      let origin: Client.Origin =
        switch (isAdded, record.isRefreshToken) {
        case (true, true): .addedRefreshToken
        case (true, false): .added
        case (false, true): .existingRefreshToken
        case (false, false): .existing
        }
      offer(ofEntry: symbols.client(client, origin))
    }
  }

  /// Adds the same account of another access group.
  mutating func merge(_ other: AccountDraft) {
    if let name = other.name { offer(name) }
    if let name = other.listedName { offer(listed: name) }
    confidence = max(confidence, other.confidence)
    for client in other.clients.values { offer(client) }
    realms.formUnion(other.realms)
    // If one client is in two access groups, the worse result counts.
    states.merge(other.states) { $0.isBetter(than: $1) ? $1 : $0 }
  }

  private var signedIn: Report.SignedIn {
    if states.isEmpty || states.values.contains(.no) { return .no }
    return states.values.contains(.byUserName) ? .byUserName : .yes
  }

  /// The user name to show: of an account that MSAL finds, the name that it finds the account by. An account that no
  /// refresh token lists has a name that finds no account.
  var shownName: String? {
    switch signedIn {
    case .yes: name.flatMap { $0.origin == .account ? $0.text : nil }
    case .byUserName: (listedName ?? name)?.text
    case .no: name?.text
    }
  }

  func account(_ symbols: Symbols, named name: String?) -> Report.Account {
    let asked = clients.filter { states[$0.key] != nil }
    var account = Report.Account(
      userID: name, homeAccountID: home,
      environment: environment.isEmpty ? nil : environment,
      confidence: confidence,
      clients: (asked.isEmpty ? clients : asked).values.map { $0.text }.ordered(),
      realms: realms.ordered { symbols.order($0, $1) < 0 }.map { symbols[$0] }, signedIn: signedIn)
    account.isFoundForSomeClient = states.values.contains(.yes)
    return account
  }
}

extension Symbols {
  fileprivate mutating func client(_ text: String, _ origin: AccountDraft.Client.Origin)
    -> AccountDraft.Client
  {
    AccountDraft.Client(id: symbol(of: text.identifier), text: text, origin: origin)
  }
}
