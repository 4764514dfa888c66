// SPDX-License-Identifier: MIT
import MSALCache

/// The findings of a decision: for each reason what it means for the people it meets (D25).
struct Findings: Sendable {
  var findings: [Report.Finding] = []

  private struct Key: Hashable {
    var reason: Reason
    var severity: Report.Severity
  }

  init(_ decision: Decision, _ standing: Standing, _ table: AccountTable) {
    var rowsByKey: [Key: [Int]] = [:]
    for row in decision.inventory.rows {
      let verdict = decision.plan.ledger.verdicts[row.number] ?? Verdict()
      var reasons = verdict.reasons
      if case .unreadable(let token) = row.content { reasons.append(token.reason) }
      let judge = Judge(
        row: decision.plan.resolved[row.number]?.row, isAskedFor: decision.plan.asksFor(row),
        verdict: verdict, standing: standing)
      for reason in reasons where reason.isSaidInFindings {
        rowsByKey[Key(reason: reason, severity: judge.severity(of: reason)), default: []]
          .append(row.number)
      }
    }
    for (key, rows) in rowsByKey {
      findings.append(Self.finding(key, rows.sorted(), table))
    }
    addNotFound(decision)
    addHiddenClients(decision, standing)
    addNamelessAccounts(standing)
    addSeparateSignOuts(decision)
    addSharedClients(decision)
    addAbsentClients(decision)
    add(decision.unmatched, decision.unmatchedSeverity)
    addUnusedMapEntries(decision.plan.unusedMapEntries)
    findings.sort {
      ($1.severity, $0.reason.code, $0.rows.first ?? -1)
        < ($0.severity, $1.reason.code, $1.rows.first ?? -1)
    }
  }

  private static func finding(_ key: Key, _ rows: [Int], _ table: AccountTable) -> Report.Finding {
    var text = key.reason.summary
    let accounts = Set(rows.compactMap { table.index[$0] })
    if key.severity == .error {
      let people = accounts.isEmpty ? "someone" : count(accounts.count, "account", "accounts")
      text += "; \(people) must sign in again"
    }
    return Report.Finding(
      reason: key.reason, severity: key.severity, rows: rows, message: [.text(text)],
      remedy: key.reason.remedy)
  }

  /// What the check did not find, and what was asked.
  private mutating func addNotFound(_ decision: Decision) {
    let misses = decision.withheld.misses
    guard !misses.isEmpty else { return }
    let rows = decision.inventory.rows.map(\.number).filter {
      decision.plan.ledger.verdicts[$0]?.reasons.contains(.checkNotFound) ?? false
    }
    let questions = Dictionary(grouping: misses, by: \.question.rawValue)
      .sorted { $0.key < $1.key }
      .map { "\($0) by \(Self.list(Set($1.map(\.client)).sorted()))" }
    let accounts = Self.count(Set(misses.map(\.account)).count, "account", "accounts")
    findings.append(
      Report.Finding(
        reason: .checkNotFound, severity: .error, rows: rows,
        message: [
          .text(
            "\(Reason.checkNotFound.summary): \(accounts), asked for "
              + questions.joined(separator: "; "))
        ],
        remedy: Reason.checkNotFound.remedy))
  }

  /// D19: converting one app must not make a neighbour forget its users.
  private mutating func addHiddenClients(_ decision: Decision, _ standing: Standing) {
    let rows = standing.hiddenRows
    guard !rows.isEmpty else { return }
    let clients = Set(rows.compactMap { decision.plan.resolved[$0]?.row.token.clientID?.trimmed })
    let names = clients.sorted().joined(separator: ", ")
    findings.append(
      Report.Finding(
        reason: .coexistenceHiddenClient, severity: .warning, rows: rows,
        message: [.text("\(Reason.coexistenceHiddenClient.summary): \(names)")],
        remedy: Reason.coexistenceHiddenClient.remedy))
  }

  /// D33: what MSAL answers by name depends on chance.
  private mutating func addNamelessAccounts(_ standing: Standing) {
    guard !standing.namelessRows.isEmpty else { return }
    findings.append(
      Report.Finding(
        reason: .coexistenceNamelessListing, severity: .warning, rows: standing.namelessRows,
        message: [.text(Reason.coexistenceNamelessListing.summary)],
        remedy: Reason.coexistenceNamelessListing.remedy))
  }

  /// ADAL since 2.7 signs out of its own rows, which stay in the target, and not of what is made of them
  /// (mapping-rules §4.j).
  private mutating func addSeparateSignOuts(_ decision: Decision) {
    let rows = decision.inventory.rows.filter { row in
      guard case .legacy(let token) = row.content, token.refreshToken != nil,
        token.homeAccountID != nil || token.cachedAt != nil
      else { return false }
      return decision.inventory.keptRows.contains(row.number)
        && decision.plan.ledger.verdicts[row.number].map { $0.outcome != .notConverted } ?? false
    }
    guard !rows.isEmpty else { return }
    findings.append(
      Report.Finding(
        reason: .coexistenceLogout, severity: .note, rows: rows.map(\.number),
        message: [.text(Reason.coexistenceLogout.summary)],
        remedy: Reason.coexistenceLogout.remedy))
  }

  /// Rows are there, and not one is of a client that was asked for.
  private mutating func addAbsentClients(_ decision: Decision) {
    let rows = decision.plan.resolved.values
    guard !rows.isEmpty, rows.allSatisfy({ $0.row.obstacles.contains(.clientNotInSet) }) else {
      return
    }
    findings.append(
      Report.Finding(
        reason: .clientChanged, severity: .note, rows: [],
        message: [.text(Reason.clientChanged.summary)], remedy: Reason.clientChanged.remedy))
  }

  /// How many of a kind a message names: more than that nobody reads in one line.
  private static let named = 20

  private static func list(_ names: [String]) -> String {
    names.prefix(named).joined(separator: ", ") + (names.count > named ? ", …" : "")
  }

  private mutating func addUnusedMapEntries(_ places: [String]) {
    guard !places.isEmpty else { return }
    let names = Self.list(places)
    let entries = Self.count(places.count, "entry", "entries")
    findings.append(
      Report.Finding(
        reason: .mapUnused, severity: .note, rows: [],
        message: [.text("\(entries) of the account map fit no row: \(names)")],
        remedy: Reason.mapUnused.remedy))
  }

  /// Several accounts for one client: an app that asks for "the" account gets none.
  private mutating func addSharedClients(_ decision: Decision) {
    struct Client: Hashable {
      var group: String
      var id: String
    }
    var people: [Client: Int] = [:]
    for planned in decision.plan.people {
      for client in planned.coveredClients {
        people[Client(group: planned.group, id: client), default: 0] += 1
      }
    }
    let crowded = people.filter { $0.value > 1 }
    guard !crowded.isEmpty else { return }
    findings.append(
      Report.Finding(
        reason: .multiAccountsCreated, severity: .note, rows: [],
        message: [
          .text(
            "\(Self.count(Set(crowded.keys.map(\.id)).count, "client has", "clients have")) several accounts"
          )
        ],
        remedy: Reason.multiAccountsCreated.remedy))
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}

/// How bad a reason is for whom the row belongs to.
private struct Judge {
  let row: LegacyRow?
  let isAskedFor: Bool
  let verdict: Verdict
  let standing: Standing

  func severity(of reason: Reason) -> Report.Severity {
    if verdict.outcome != .notConverted {
      return verdict.outcome == .converted && reason.facts.roles.contains(.assumption)
        ? .warning : .note
    }
    // Another app's row is that app's own to move (D36).
    guard let row, isAskedFor else { return .note }
    // Said of the rows with the old names, which lose to the one with the new.
    if reason == .accountRenamed { return .warning }
    guard reason.facts.roles.contains(.blocksSignIn) else { return .note }
    switch standing.fate(of: row) {
    case .yes, nil: return .note
    case .byUserName: return .warning
    case .no: return .error
    }
  }
}

extension Reason {
  /// Whether a report has a word about it beside the row's own entry: success is no finding, and the check
  /// has findings of its own, that say what was asked.
  fileprivate var isSaidInFindings: Bool {
    !facts.roles.contains(.success) && self != .checkNotFound
  }
}
