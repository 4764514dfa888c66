// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

extension CheckedPlan {
  /// Makes the report of a checked plan.
  func report(_ kind: Report.Kind) -> Report {
    let signIns = SignIns(inventory, plan, unfound: unfound, lookups: lookups)
    let table = AccountTable(inventory, plan, signIns)
    let entries = entries(table)
    let findings = Findings(self, signIns, table).findings
    var report = Report(
      kind: kind,
      summary: Report.Summary(
        of: entries, table.accounts, findings, foreign: inventory.foreign,
        written: plan.decisions.additions.count),
      accounts: table.accounts, entries: entries, findings: findings)
    report.explainAccounts()
    for type in Report.EntryType.allCases {
      let count = plan.decisions.additions.count { $0.type == type }
      if count > 0 { report.writtenByType[type] = count }
    }
    return report
  }

  /// An entry for each row.
  private func entries(_ table: AccountTable) -> [Report.Entry] {
    var lists = ReasonLists()
    var entries: [Report.Entry] = []
    entries.reserveCapacity(inventory.rows.count)
    for row in inventory.rows {
      let decision = plan.decisions[row.number]
      entries.append(
        Report.Entry(
          row: row.number, place: row.place, kind: .unreadable, clientID: nil, authority: nil,
          resource: nil, scope: nil, userID: nil, homeAccountID: nil,
          account: table.index[row.number], outcome: decision.outcome, reasons: [], evidence: [],
          writes: plan.decisions.additions(of: row.number).map { $0.write(plan.table.symbols) }))
      // In place: an entry that is returned would be copied.
      describe(row, decision, &lists, as: &entries[entries.count - 1])
    }
    return entries
  }

  private func describe(
    _ row: Inventory.Row, _ decision: RowDecision, _ lists: inout ReasonLists,
    as entry: inout Report.Entry
  ) {
    var reasons = decision.reasons
    switch row.content {
    case .legacy:
      if let row = plan.table[row.number] { entry.describe(row, plan.table) }
    case .unreadable(let row):
      entry.describe(row)
      reasons.insert(row.reason)
      if let evidence = row.evidence { entry.evidence = [evidence] }
    case .unified(let row):
      entry.describe(row)
    }
    if inventory.target.isDistributed, !row.group.isEmpty, decision.outcome != .notConverted {
      entry.documentName = row.group
    }
    entry.reasons = lists.list(reasons)
  }
}

/// Lists of reasons. Most rows share a few of them.
private struct ReasonLists {
  private var lists: [ReasonSet: [Reason]] = [:]

  mutating func list(_ reasons: ReasonSet) -> [Reason] {
    if let known = lists[reasons] { return known }
    let list = reasons.reasons
    lists[reasons] = list
    return list
  }
}

extension Report.Entry {
  fileprivate mutating func describe(_ row: ADALRow, _ table: RowTable) {
    let symbols = table.symbols
    kind = row.kind
    generation = table.tokens[row.index].token.generation
    clientID = table.tokens[row.index].token.clientID
    authority = table.tokens[row.index].token.authority
    resource = table.tokens[row.index].token.resource
    if let number = row.resource, table.resources[number].scope != .none {
      scope = symbols[table.resources[number].scope]
    }
    if row.userName != .none { userID = symbols[row.userName] }
    homeAccountID = table.answers[row.answer].homeAccountID?.description
    evidence = table.answers[row.answer].evidence
  }

  fileprivate mutating func describe(_ row: UnreadableToken) {
    kind = RowKind(row)
    clientID = row.clientID
    authority = row.authority
    resource = row.resource
    userID = row.userID
  }

  fileprivate mutating func describe(_ row: MSALRow) {
    kind = row.kind
    generation = .msal
    guard let record = row.record else { return }
    clientID = record.clientID
    homeAccountID = record.homeAccountID
    switch record.kind {
    case .account: userID = record.username
    case .accessToken: scope = record.target
    case .idToken: userID = IDTokenClaims(record.secret)?.userID
    default: break
    }
  }
}

extension LegacyToken {
  /// Whether the row has fields that only ADAL since 2.7 archives.
  var isOfADAL27: Bool { cachedAt != nil || homeAccountID != nil }

  /// The version that the form of the row gives (adal-cache-format §0.2, §2.2).
  fileprivate var generation: Report.Generation {
    switch origin {
    case .apple where isOfADAL27: .adal27
    case .apple: knowsFamilyID ? .adal21 : .adal1
    case .dotNet(schema: 1): .adalNET1
    case .dotNet(schema: 2): .adalNET2
    case .dotNet: .adalNET3
    case .msalNet: .msalNET
    case .python: .adalPython
    case .node: .adalNode
    }
  }
}

extension UnreadableToken {
  var reason: Reason {
    switch code {
    case _ where isCutOff: .sourceCutOff
    case .servicePrincipal: .rowServicePrincipal
    case .unknownClass, .previewFormat: .rowUnknownClass
    default: .rowUndecodable
    }
  }

  /// The place where the reader stopped, such as `archive.truncated@217`.
  fileprivate var evidence: String? {
    if code == .servicePrincipal { return nil }
    let format = if case .row = place { "row" } else { "archive" }
    guard let archiveError else { return "\(format).\(code)" }
    return "\(format).\(archiveError)" + (offset.map { "@\($0)" } ?? "")
  }
}
