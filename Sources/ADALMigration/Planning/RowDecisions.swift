// SPDX-License-Identifier: MIT
import MSALCache

/// What becomes of one row.
struct RowDecision: Sendable, Equatable {
  var outcome = RowOutcome.notConverted
  /// Each once, in no order that means anything.
  var reasons: [Reason] = []
  var evidence: [String] = []
  /// The additions that the row's content is in, by their place.
  var needs: [Int] = []

  fileprivate mutating func take(_ content: DecisionLog.Entry.Content) {
    switch content {
    case .reason(let reason): if !reasons.contains(reason) { reasons.append(reason) }
    case .evidence(let evidence): self.evidence += evidence
    case .outcome(let outcome): if outcome.isBetter(than: self.outcome) { self.outcome = outcome }
    case .need(let addition): if !needs.contains(addition) { needs.append(addition) }
    }
  }
}

/// A decision for each row, and each addition once, in the order in which they are written.
struct RowDecisions: Sendable {
  let additions: [Addition]
  private var rows: [RowDecision]

  /// - Parameter count: of the rows.
  init(_ decisions: DecisionLog, count: Int) {
    // In the order in which they are written.
    let order = decisions.additions.indices.sorted {
      decisions.additions[$0] < decisions.additions[$1]
    }
    additions = order.map { decisions.additions[$0] }
    rows = [RowDecision](repeating: RowDecision(), count: count)
    for entry in decisions.entries where rows.indices.contains(entry.row) {
      rows[entry.row].take(entry.content)
    }
    var moved = [Int](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { moved[old] = new }
    for row in rows.indices { rows[row].needs = rows[row].needs.map { moved[$0] } }
  }

  subscript(row: Int) -> RowDecision { rows.indices.contains(row) ? rows[row] : RowDecision() }
}
