// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

/// Whose each of ADAL's rows is, with the evidence of every access group (D21).
struct Resolution: Sendable {
  /// The rows of ADAL's with whose they are, in row order.
  private(set) var rows: [ResolvedRow] = []
  /// Of each row of the inventory where it is among the rows of ADAL's.
  private let places: [Int?]
  /// Where the lines of the account map stand that fit no row.
  let unusedMapEntries: [String]

  /// - Parameter records: the entries in MSAL's form that the target holds.
  init(_ inventory: Inventory, _ records: some Sequence<Record>, _ policy: Policy) {
    var reader = LegacyRowReader(policy: policy)
    let others = reader.others(
      inventory.rows.compactMap { if case .legacy(let token) = $0.content { token } else { nil } })
    var rows: [LegacyRow] = []
    var places = [Int?](repeating: nil, count: inventory.rows.count)
    var records = Array(records)
    for row in inventory.rows {
      switch row.content {
      case .legacy(let token):
        places[row.number] = rows.count
        rows.append(reader.row(token, number: row.number, group: row.group, others: others))
      case .unified(let unified): unified.record.map { records.append($0) }
      case .unreadable: break
      }
    }
    let resolution = AccountResolution(
      rows: rows, unified: UnifiedEvidence(records, policy: policy), map: policy.accountMap)
    self.places = places
    self.rows = zip(rows, resolution.answers(for: rows)).map(ResolvedRow.init)
    unusedMapEntries = resolution.unusedMapEntries(rows: rows)
    if policy.joinsGuests { joinGuests(records) }
  }

  /// A row of ADAL's with whose it is; nil for other rows.
  func row(_ number: Int) -> ResolvedRow? { places[number].map { rows[$0] } }

  private mutating func joinGuests(_ records: [Record]) {
    let join = GuestJoin(rows, records)
    rows = rows.map { row in
      join.answer(for: row).map { ResolvedRow(row.row, $0) } ?? row
    }
  }
}
