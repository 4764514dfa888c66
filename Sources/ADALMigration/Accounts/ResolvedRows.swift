// SPDX-License-Identifier: MIT
import MSALCache

/// A row and whose account it is. A class without a variable, as ``LegacyRow`` is.
final class ResolvedRow: Sendable {
  let row: LegacyRow
  let answer: AccountResolution.Answer
  /// The account; nil as long as its home account id is not known.
  let account: AccountKey?

  init(_ row: LegacyRow, _ answer: AccountResolution.Answer) {
    self.row = row
    self.answer = answer
    account = answer.homeAccountID.map { AccountKey(cloud: row.cloud, home: $0) }
  }

  var number: Int { row.number }
}

/// Whose each of ADAL's rows is, with the evidence of every access group (D21).
struct ResolvedRows: Sendable {
  /// The rows with whose they are, in row order.
  private(set) var rows: [ResolvedRow] = []
  /// Where the lines of the account map stand that fit no row.
  private(set) var unusedMapEntries: [String] = []
  /// Of each row of the inventory where it is among the rows of ADAL's.
  private var places: [Int?]

  /// - Parameter records: the entries in MSAL's form that the target holds.
  init(_ inventory: Inventory, _ records: some Sequence<MSALEntry>, _ policy: Policy) {
    places = [Int?](repeating: nil, count: inventory.rows.count)
    var reader = LegacyRowReader(policy: policy)
    var rows: [LegacyRow] = []
    for row in inventory.rows {
      if case .legacy(let token) = row.content {
        places[row.number] = rows.count
        rows.append(reader.row(token, number: row.number, group: row.group))
      }
    }
    if rows.contains(where: { $0.token.origin != .apple }) {
      let peers = PeerRows(rows)
      rows = rows.map { reader.row($0, knowing: peers) }
    }
    var records = Array(records)
    for row in inventory.rows where !inventory.rowsInTarget.contains(row.number) {
      if case .unified(let unified) = row.content, let record = unified.record {
        records.append(record)
      }
    }
    let resolution = AccountResolution(rows, records, policy)
    self.rows = zip(rows, resolution.answers(for: rows)).map(ResolvedRow.init)
    if policy.joinsGuests { joinGuests(records) }
    unusedMapEntries = resolution.unusedMapEntries(rows: rows)
  }

  /// A row of the inventory with whose it is; nil for rows that are not ADAL's.
  subscript(row: Int) -> ResolvedRow? { places[row].map { rows[$0] } }

  private mutating func joinGuests(_ records: [MSALEntry]) {
    let join = GuestJoin(rows, records)
    rows = rows.map { row in join.answer(for: row).map { ResolvedRow(row.row, $0) } ?? row }
  }
}
