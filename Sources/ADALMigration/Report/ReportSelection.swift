// SPDX-License-Identifier: MIT

extension Plan {
  /// Whether an inspection lists a row: a row of a selected client, or one with an unknown client.
  func lists(_ row: Inventory.Row) -> Bool {
    guard case .unreadable(let token) = row.content else { return selects(row) }
    return policy.includes(client: token.clientID.nonBlank)
  }
}

extension Report {
  /// The report of an inspection without some rows, and without the accounts that only those are of. Rows
  /// keep their numbers, which are the same for every command.
  func leavingOut(_ rows: Set<Int>) -> Report {
    guard !rows.isEmpty else { return self }
    var report = self
    report.entries.removeAll { rows.contains($0.row) }
    // An account in MSAL's form is of no client: it is shown with tokens that are.
    let accountsOfTokens = Set(
      report.entries.filter { $0.kind != .unifiedAccount }.compactMap(\.account))
    report.entries.removeAll { entry in
      entry.kind == .unifiedAccount && !(entry.account.map(accountsOfTokens.contains) ?? false)
    }
    let remaining = accounts.indices.filter(accountsOfTokens.contains)
    let positions = Dictionary(uniqueKeysWithValues: remaining.enumerated().map { ($1, $0) })
    report.accounts = remaining.map { accounts[$0] }
    for index in report.entries.indices {
      report.entries[index].account = report.entries[index].account.flatMap { positions[$0] }
    }
    report.summary = Summary(
      of: report.entries, report.accounts, report.findings, foreign: summary.foreign,
      written: summary.written)
    report.leftOut = entries.count - report.entries.count
    return report
  }
}
