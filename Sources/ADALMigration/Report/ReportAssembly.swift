// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

extension CheckedPlan {
  /// The report of what is decided.
  func report(_ kind: Report.Kind) -> Report {
    let signIns = SignIns(inventory, plan, unfound: unfound, lookups: lookups)
    let table = AccountTable(inventory, plan, signIns)
    var order = ReasonOrder()
    let entries = inventory.rows.map { entry(for: $0, table, &order) }
    let findings = Findings(self, signIns, table).findings
    var report = Report(
      kind: kind,
      summary: Report.Summary(
        of: entries, table.accounts, findings, foreign: inventory.foreign,
        written: plan.decisions.additions.count),
      accounts: table.accounts, entries: entries, findings: findings)
    report.explainAccounts()
    for addition in plan.decisions.additions {
      report.writtenByType[EntryType(addition.record), default: 0] += 1
    }
    return report
  }

  private func entry(
    for row: Inventory.Row, _ table: AccountTable, _ order: inout ReasonOrder
  ) -> Report.Entry {
    var decision = plan.decisions[row.number]
    var entry = Report.Entry(
      row: row.number, place: row.place, kind: .unreadable, clientID: nil, authority: nil,
      resource: nil, scope: nil, userID: nil, homeAccountID: nil,
      account: table.index[row.number], outcome: decision.outcome, reasons: [], evidence: [],
      writes: writes(of: decision))
    switch row.content {
    case .legacy:
      guard let resolved = plan.resolved(row.number) else { break }
      entry.describe(resolved)
    case .unreadable(let row):
      entry.describe(row)
      decision.reasons.append(row.reason)
      if let evidence = row.evidence { decision.evidence.append(evidence) }
    case .unified(let row):
      entry.describe(row)
    }
    if inventory.target.isDistributed, !row.group.isEmpty, decision.outcome != .notConverted {
      entry.documentName = row.group
    }
    entry.reasons = order.ordered(decision.reasons)
    entry.evidence = decision.evidence
    return entry
  }

  /// The additions that a row needs, in the order in which they are written.
  private func writes(of decision: RowDecision) -> [Report.Write] {
    decision.needs.ordered().map { plan.decisions.additions[$0].record.write }
  }
}

/// Reasons of rows in the order in which a report tells them. Most rows have the same few lists, each of which is
/// ordered and kept once.
private struct ReasonOrder {
  private var known: [(reasons: [Reason], ordered: [Reason])] = []
  /// So many lists are looked through faster than one is ordered.
  private static let most = 16

  mutating func ordered(_ reasons: [Reason]) -> [Reason] {
    if let known = known.first(where: { $0.reasons == reasons }) { return known.ordered }
    let ordered = reasons.ordered(by: Reason.isMoreTelling(_:than:))
    if known.count < Self.most { known.append((reasons, ordered)) }
    return ordered
  }
}

extension Report.Entry {
  fileprivate mutating func describe(_ resolved: ResolvedRow) {
    let row = resolved.row
    kind = row.kind
    generation = row.token.generation
    library = generation.library
    clientID = row.token.clientID
    authority = row.token.authority
    resource = row.token.resource
    scope = row.scope
    userID = row.userName
    homeAccountID = resolved.answer.homeAccountID?.description
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

extension MSALEntry {
  /// The entry in the report's words.
  var write: Report.Write {
    Report.Write(
      type: EntryType(self), environment: environment ?? "",
      realm: kind == .appMetadata ? nil : realm, target: target)
  }
}

extension LegacyToken {
  /// Whether the row has what only ADAL since 2.7 archives.
  var isOfADAL27: Bool { cachedAt != nil || homeAccountID != nil }

  /// What its form says of the version (adal-cache-format §0.2, §2.2).
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

  /// Where the reader gave up, such as `archive.truncated@217`.
  fileprivate var evidence: String? {
    if code == .servicePrincipal { return nil }
    let format = if case .row = place { "row" } else { "archive" }
    guard let archiveError else { return "\(format).\(code)" }
    return "\(format).\(archiveError)" + (offset.map { "@\($0)" } ?? "")
  }
}
