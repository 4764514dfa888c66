// SPDX-License-Identifier: MIT
import MSALCache

/// What becomes of one row.
struct Decision: Sendable, Equatable {
  var outcome = RowOutcome.notConverted
  /// Each once, in no order that means anything.
  var reasons: [Reason] = []
  var evidence: [String] = []
  /// The additions that the row's content is in, by their place.
  var needs: [Int] = []

  fileprivate mutating func take(_ content: Decisions.Remark.Content) {
    switch content {
    case .reason(let reason): if !reasons.contains(reason) { reasons.append(reason) }
    case .evidence(let evidence): self.evidence += evidence
    case .outcome(let outcome): if outcome.isBetter(than: self.outcome) { self.outcome = outcome }
    case .need(let addition): if !needs.contains(addition) { needs.append(addition) }
    }
  }
}

/// A decision for each row, and each addition once, in the order in which they are written.
struct DecidedRows: Sendable {
  private(set) var additions: [Addition]
  private var rows: [Decision]

  /// - Parameter count: of the rows.
  init(_ decisions: Decisions, count: Int) {
    additions = decisions.additions
    rows = [Decision](repeating: Decision(), count: count)
    for remark in decisions.remarks where rows.indices.contains(remark.row) {
      rows[remark.row].take(remark.content)
    }
    order(additions.indices)
  }

  subscript(row: Int) -> Decision { rows.indices.contains(row) ? rows[row] : Decision() }

  /// Loses additions, as a bug of ours would.
  mutating func lose(_ isLost: (MSALEntry) -> Bool) {
    order(additions.indices.filter { !isLost(additions[$0].record) })
  }

  /// Keeps the additions at some places, and puts them into the order in which they are written.
  private mutating func order(_ kept: some Collection<Int>) {
    let order = kept.sorted { additions[$0] < additions[$1] }
    var moved = [Int?](repeating: nil, count: additions.count)
    for (new, old) in order.enumerated() { moved[old] = new }
    additions = order.map { additions[$0] }
    for row in rows.indices { rows[row].needs = rows[row].needs.compactMap { moved[$0] } }
  }
}
