// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache
import MSALLookup

extension TokenCacheMigration.Report {
  /// The result of a row.
  public enum Outcome: String, CaseIterable, Sendable {
    /// Its content was or would be written.
    case converted
    /// The target already holds its content.
    case alreadyThere = "already-there"
    /// It stays what it is.
    case notConverted = "not-converted"
  }
}

/// What becomes of one row.
struct RowDecision: Sendable, Equatable {
  fileprivate(set) var outcome = RowOutcome.notConverted
  /// Each once, in no order that means anything.
  var reasons: [Reason] = []
  var evidence: [String] = []
  /// The additions that the row's content is in, by their place.
  fileprivate(set) var needs: [Int] = []
}

/// What a plan decides: the outcome of each row, and each addition once.
struct Decisions: Sendable {
  private(set) var additions: [Addition] = []
  private var rows: [RowDecision]

  /// - Parameter count: of the rows.
  init(count: Int) {
    rows = [RowDecision](repeating: RowDecision(), count: count)
  }

  subscript(row: Int) -> RowDecision { rows.indices.contains(row) ? rows[row] : RowDecision() }

  mutating func note(_ reason: Reason, row: Int) {
    guard rows.indices.contains(row), !rows[row].reasons.contains(reason) else { return }
    rows[row].reasons.append(reason)
  }

  mutating func note(_ reason: Reason, rows: some Sequence<ResolvedRow>) {
    for row in rows { note(reason, row: row.number) }
  }

  mutating func note(evidence: [String], row: Int) {
    if rows.indices.contains(row) { rows[row].evidence += evidence }
  }

  /// Decides a row. A row with two tokens has the better outcome of both.
  mutating func settle(_ outcome: RowOutcome, row: Int) {
    guard rows.indices.contains(row) else { return }
    if outcome == .converted || rows[row].outcome == .notConverted { rows[row].outcome = outcome }
  }

  /// Ties a row to an addition.
  mutating func tie(row: Int, to addition: Int) {
    guard rows.indices.contains(row), !rows[row].needs.contains(addition) else { return }
    rows[row].needs.append(addition)
  }

  /// Adds an entry.
  ///
  /// - Returns: the place of the addition.
  mutating func add(_ addition: Addition) -> Int {
    additions.append(addition)
    return additions.count - 1
  }

  /// Takes back all additions from one on, and what they decided about some rows. What was said of these stays.
  mutating func withdraw(from start: Int, rows withdrawn: some Sequence<ResolvedRow>) {
    additions.removeSubrange(min(start, additions.count)...)
    for row in withdrawn where rows.indices.contains(row.number) {
      rows[row.number].needs.removeAll { $0 >= start }
      if rows[row.number].outcome == .converted { rows[row.number].outcome = .notConverted }
    }
  }

  /// Puts the additions into the order in which they are written.
  mutating func sortAdditions() {
    let order = orderedPositions(additions.count) { additions[$0] < additions[$1] }
    var moved = [Int](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { moved[old] = new }
    additions = order.map { additions[$0] }
    for row in rows.indices {
      for index in rows[row].needs.indices {
        rows[row].needs[index] = moved[rows[row].needs[index]]
      }
    }
  }
}

extension MSALIndex.Occupant {
  /// Why an entry cannot be added to the place.
  func reason(against slot: MSALEntry.Slot) -> Reason {
    switch self {
    case .held(let type) where type != slot.type: .targetTypeClash
    case .held, .claimed: .targetCorrupt
    }
  }
}
