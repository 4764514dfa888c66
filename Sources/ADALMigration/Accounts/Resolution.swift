// SPDX-License-Identifier: MIT
import MSALCache

/// Whose each of ADAL's rows is, with the evidence of every access group (D21).
struct Resolution: Sendable {
  /// The rows with whose they are, by row number.
  private(set) var rows: [Int: ResolvedRow] = [:]
  /// Where the lines of the account map stand that fit no row.
  private(set) var unusedMapEntries: [String] = []

  /// - Parameter records: the entries in MSAL's form that the target holds.
  init(_ inventory: Inventory, _ records: some Sequence<Record>, _ policy: Policy) {
    var rows: [LegacyRow] = []
    for row in inventory.rows {
      if case .legacy(let token) = row.content {
        rows.append(LegacyRow(number: row.number, group: row.group, token: token, policy: policy))
      }
    }
    if rows.contains(where: { $0.token.origin != .apple }) {
      let others = OtherRows(rows)
      for index in rows.indices { rows[index].learn(from: others) }
    }
    var records = Array(records)
    for row in inventory.rows {
      if case .unified(let unified) = row.content, let record = unified.record {
        records.append(record)
      }
    }
    let resolution = AccountResolution(
      rows: rows, unified: UnifiedEvidence(records, policy: policy), map: policy.accountMap)
    for row in rows {
      self.rows[row.number] = ResolvedRow(row: row, answer: resolution.answer(for: row))
    }
    if policy.joinsGuests { joinGuests(records) }
    unusedMapEntries = resolution.unusedMapEntries(rows: rows)
  }

  private mutating func joinGuests(_ records: [Record]) {
    let join = GuestJoin(rows.values, records)
    for (number, row) in rows {
      guard let answer = join.answer(for: row) else { continue }
      rows[number] = ResolvedRow(row: row.row, answer: answer)
    }
  }
}
