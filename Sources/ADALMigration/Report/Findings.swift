// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import MSALCache

/// The findings of a checked plan: the effect of each reason on the users (D25).
struct Findings: Sendable {
  var findings: [Report.Finding] = []

  /// The reasons without a finding: success, and reasons of the check, which has its own findings that name the
  /// question.
  private static let unsaid = Reason.allCases.reduce(into: ReasonSet(.checkNotFound)) {
    if $1.facts.roles.contains(.success) { $0.insert($1) }
  }

  private struct Key: Hashable {
    var reason: Reason
    var severity: Report.Severity
  }

  init(_ checked: borrowing CheckedPlan, _ signIns: borrowing SignIns, _ table: AccountTable) {
    var rowsByKey: [Key: [Int]] = [:]
    for row in checked.inventory.rows {
      let decision = checked.plan.decisions[row.number]
      var all = decision.reasons
      if case .unreadable(let token) = row.content { all.insert(token.reason) }
      all.subtract(Self.unsaid)
      if all.isEmpty { continue }
      let reasons = all.reasons
      let meaning = RowMeaning(
        isLost: signIns.lostRows.contains(row.number), row: checked.plan.table[row.number],
        isLostAccount: signIns.isLostAccount(row), outcome: decision.outcome)
      for reason in reasons {
        let severity = meaning.severity(of: reason, signIns)
        rowsByKey[Key(reason: reason, severity: severity), default: []].append(row.number)
      }
    }
    for (key, rows) in rowsByKey {
      findings.append(Self.finding(key, rows.ordered(), checked.inventory, table))
    }
    addNotFound(checked)
    addHiddenClients(checked, signIns)
    if !signIns.namelessRows.isEmpty {
      // MSAL's answer by name depends on chance (D33).
      add(.coexistenceNamelessListing, .warning, signIns.namelessRows)
    }
    addSeparateSignOuts(checked)
    addSharedClients(checked)
    let rows = checked.plan.table.rows
    if !rows.isEmpty, rows.allSatisfy({ $0.blockingReason == .clientNotInSet }) {
      // Rows are there, and not one is of a client that was asked for.
      add(.clientChanged, .note)
    }
    for filter in checked.unmatched {
      add(
        .policyMatchesNothing, checked.unmatchedSeverity,
        saying: "\(filter.sentence); \(filter.choice)")
    }
    addMapEntries(.mapUnused, checked.plan.table.unusedMapEntries, "no row matches")
    addMapEntries(
      .mapUnfilled, checked.plan.policy.accountMap.unfilled, "home account id missing in")
    findings = findings.ordered {
      ($1.severity, $0.reason.code, $0.rows.first ?? -1)
        < ($0.severity, $1.reason.code, $1.rows.first ?? -1)
    }
  }

  private mutating func add(
    _ reason: Reason, _ severity: Report.Severity, _ rows: [Int] = [], saying text: String? = nil
  ) {
    var finding = Report.Finding(reason, severity: severity, rows: rows)
    if let text { finding.fragments = [.text(text)] }
    findings.append(finding)
  }

  private static func finding(
    _ key: Key, _ rows: [Int], _ inventory: borrowing Inventory, _ table: AccountTable
  ) -> Report.Finding {
    var text = key.reason.summary
    if key.reason == .sourceCutOff { text += cutOff(rows, inventory) }
    if key.reason == .envUnknownHost { text += ": \(list(hosts(of: rows, inventory)))" }
    if key.severity == .error { text += "; \(users(of: rows, table)) must sign in again" }
    var remedy = key.reason.remedy
    // The user stays signed in by name, with the authority of the tenant under which ADAL stored the row.
    if key.severity == .warning, key.reason.facts.roles.contains(.blocksSignIn) {
      let tenants = tenants(of: rows, inventory)
      if !tenants.isEmpty {
        text +=
          "; MSAL finds the refresh token only with the authority of the tenant \(list(tenants))"
        remedy = "use that authority for silent requests, or \(remedy)"
      }
    }
    return Report.Finding(
      reason: key.reason, severity: key.severity, rows: rows, fragments: [.text(text)],
      remedy: remedy)
  }

  /// The hosts of rows, sorted.
  private static func hosts(of rows: [Int], _ inventory: borrowing Inventory) -> [String] {
    Set(authorities(of: rows, inventory).compactMap { Authority($0)?.environment }).ordered()
  }

  private static func authorities(of rows: [Int], _ inventory: borrowing Inventory) -> [String] {
    rows.compactMap { row in
      guard case .legacy(let row) = inventory.rows[row].content else { return nil }
      return row.token.authority
    }
  }

  /// The tenants of rows that MSAL's fallback does not find under `common`, sorted.
  private static func tenants(of rows: [Int], _ inventory: borrowing Inventory) -> [String] {
    let tenants = authorities(of: rows, inventory).compactMap {
      $0.split(separator: "/").last.map { String($0) }
    }
    return Set(tenants).filter { !$0.isEqualInAnyCase("common") }.ordered()
  }

  /// The users of rows: how many accounts there are, and whether some are not known.
  private static func users(of rows: [Int], _ table: AccountTable) -> String {
    let accounts = Set(rows.compactMap { table.index[$0] }).map { table.accounts[$0] }
    let known = accounts.count { !$0.isUnknownUsers }
    let parts = [
      known == 0 ? nil : count(known, "account", "accounts"),
      known < accounts.count ? "unknown users" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? "a user" : parts.joined(separator: " and ")
  }

  /// The bytes at which sources end, and how many rows they announce beyond.
  private static func cutOff(_ rows: [Int], _ inventory: borrowing Inventory) -> String {
    let tokens = rows.compactMap { row -> UnreadableToken? in
      guard case .unreadable(let token) = inventory.rows[row].content else { return nil }
      return token
    }
    let places = tokens.compactMap { $0.offset.map(String.init) }
    guard !places.isEmpty else { return "" }
    let lost = tokens.compactMap(\.lostRows).reduce(0, +)
    let rows = lost == 0 ? "" : "; \(count(lost, "row is", "rows are")) lost"
    return " at byte \(list(places))\(rows)"
  }

  /// Adds the finding for questions without an answer, with the questions.
  private mutating func addNotFound(_ checked: borrowing CheckedPlan) {
    let misses = checked.exclusions.misses
    guard !misses.isEmpty else { return }
    let rows = checked.inventory.rows.map(\.number).filter {
      checked.plan.decisions[$0].reasons.contains(.checkNotFound)
    }
    let questions = Dictionary(grouping: misses, by: \.question.rawValue)
      .ordered { $0.key < $1.key }
      .map { "\($0) by \(Self.list(Set($1.map(\.signIn.client.text)).ordered()))" }
    let accounts = Self.count(Set(misses.map(\.signIn.account)).count, "account", "accounts")
    add(
      .checkNotFound, .error, rows,
      saying: "\(Reason.checkNotFound.summary): \(accounts), asked for "
        + questions.joined(separator: "; "))
  }

  /// D19: converting one app must not make a neighbour forget its users.
  private mutating func addHiddenClients(
    _ checked: borrowing CheckedPlan, _ signIns: borrowing SignIns
  ) {
    let rows = signIns.hiddenRows
    guard !rows.isEmpty else { return }
    let clients = Set(rows.compactMap { checked.plan.table.token(of: $0)?.clientID?.trimmed })
    let names = clients.ordered().joined(separator: ", ")
    add(
      .coexistenceHiddenClient, .warning, rows,
      saying: "\(Reason.coexistenceHiddenClient.summary): \(names)")
  }

  /// ADAL since 2.7 signs out of its own rows, which stay in the target, but not of the entries that are made of them
  /// (mapping-rules §4.j).
  private mutating func addSeparateSignOuts(_ checked: borrowing CheckedPlan) {
    guard !checked.inventory.rowsInPlace.isEmpty else { return }
    let rows = checked.plan.table.rows.filter { row in
      let shared = checked.plan.table.tokens[row.index]
      return shared.token.refreshToken != nil && shared.token.isOfADAL27
        && checked.inventory.rowsInPlace.contains(row.number)
        && checked.plan.decisions[row.number].outcome != .notConverted
    }
    if !rows.isEmpty { add(.coexistenceLogout, .note, rows.map(\.number)) }
  }

  /// The most names of a kind in a message, so that it stays one readable line.
  private static let named = 20

  private static func list(_ names: [String]) -> String {
    names.prefix(named).joined(separator: ", ") + (names.count > named ? ", …" : "")
  }

  /// Adds a finding about lines of the account map, with their places.
  private mutating func addMapEntries(_ reason: Reason, _ places: [String], _ what: String) {
    guard !places.isEmpty else { return }
    let entries = Self.count(places.count, "entry", "entries")
    add(reason, .note, saying: "\(what) \(entries) of the account map: \(Self.list(places))")
  }

  /// Reports several accounts for one client. An app that asks for "the" account gets none.
  private mutating func addSharedClients(_ checked: borrowing CheckedPlan) {
    var accounts: [Grouped<Symbol>: Int] = [:]
    for account in checked.plan.accounts {
      for client in account.clients {
        accounts[Grouped(group: account.group, key: client), default: 0] += 1
      }
    }
    let crowded = Set(accounts.filter { $0.value > 1 }.keys.map(\.key))
    guard !crowded.isEmpty else { return }
    let clients = Self.count(crowded.count, "client has", "clients have")
    add(.multiAccountsCreated, .note, saying: "\(clients) several accounts")
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}

/// The facts that decide the severity of a reason for the row's account.
private struct RowMeaning {
  /// Whether a sign-in may be lost with the row, which cannot be read (D42).
  let isLost: Bool
  let row: ADALRow?
  /// Whether the row is an account in MSAL's form whose user must sign in again.
  let isLostAccount: Bool
  let outcome: Report.Outcome

  func severity(of reason: Reason, _ signIns: borrowing SignIns) -> Report.Severity {
    if isLost && reason.isDamage { return .error }
    switch outcome {
    case .converted: return reason.facts.roles.contains(.assumption) ? .warning : .note
    case .alreadyThere:
      // An existing token is useless while its account cannot be read.
      guard let row, reason.facts.roles.contains(.blocksSignIn) else { return .note }
      return signIns.state(of: row) == .no ? .error : .note
    case .notConverted: break
    }
    // A service principal is no user's sign-in: it runs unattended.
    if reason == .rowServicePrincipal { return .warning }
    if isLostAccount, reason.facts.roles.contains(.blocksSignIn) { return .error }
    guard let row else { return .note }
    // Said of the rows with the old names, which lose to the one with the new.
    if reason == .accountRenamed { return .warning }
    guard reason.facts.roles.contains(.blocksSignIn) else { return .note }
    switch signIns.state(of: row) {
    // Another app's row has no state: it is that app's own to move (D36).
    case .yes, nil: return .note
    case .byUserName: return .warning
    case .no: return .error
    }
  }
}

extension Reason {
  /// Whether it says that a row or an entry cannot be read.
  fileprivate var isDamage: Bool {
    switch self {
    case .rowUndecodable, .rowUnknownClass, .sourceCutOff, .targetCorrupt: true
    default: false
    }
  }
}
