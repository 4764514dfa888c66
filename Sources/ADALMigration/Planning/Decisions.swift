// SPDX-License-Identifier: MIT

/// The identity of one entry to be written: its key, and the host that it is filed under.
///
/// An account can be written under more than one host (D27).
struct RecordID: Sendable, Hashable {
  var key: RecordKey
  var environment: String
}

/// What becomes of one row.
struct Verdict: Sendable, Equatable {
  var outcome = Report.Outcome.notConverted
  var reasons: [Reason] = []
  var evidence: [String] = []
  /// The entries that the row's content is in, once they are there.
  var needs: Set<RecordID> = []
}

/// The books of a plan: a verdict for each row, and each addition once.
struct Ledger: Sendable {
  private(set) var verdicts: [Int: Verdict] = [:]
  private(set) var additions: [RecordID: Record] = [:]
  /// The keys of the additions.
  private(set) var keys: Set<RecordKey> = []
  /// The additions that are an account once more, under another host (D27).
  private(set) var copies: Set<RecordID> = []

  /// Says something about a row, once.
  mutating func note(_ reasons: Reason..., row: Int) {
    for reason in reasons where !(verdicts[row]?.reasons.contains(reason) ?? false) {
      verdicts[row, default: Verdict()].reasons.append(reason)
    }
  }

  mutating func note(evidence: [String], row: Int) {
    verdicts[row, default: Verdict()].evidence += evidence
  }

  /// Decides a row. A row with two tokens has the better outcome of both.
  mutating func settle(_ outcome: Report.Outcome, row: Int) {
    let rank: [Report.Outcome] = [.notConverted, .alreadyThere, .converted]
    let current = verdicts[row]?.outcome ?? .notConverted
    if (rank.firstIndex(of: outcome) ?? 0) >= (rank.firstIndex(of: current) ?? 0) {
      verdicts[row, default: Verdict()].outcome = outcome
    }
  }

  /// Ties a row to an entry.
  mutating func tie(row: Int, to id: RecordID) {
    verdicts[row, default: Verdict()].needs.insert(id)
  }

  /// Adds an entry.
  mutating func add(_ record: Record, as id: RecordID) {
    additions[id] = record
    keys.insert(id.key)
  }

  /// Adds an account once more, under another host.
  mutating func add(copy record: Record, as id: RecordID) {
    additions[id] = record
    keys.insert(id.key)
    copies.insert(id)
  }

  /// Takes in the books of another part of the plan, about other rows or more of the same.
  mutating func merge(_ other: Ledger) {
    additions.merge(other.additions) { first, _ in first }
    copies.formUnion(other.copies)
    keys.formUnion(other.keys)
    for (row, verdict) in other.verdicts {
      for reason in verdict.reasons { note(reason, row: row) }
      note(evidence: verdict.evidence, row: row)
      settle(verdict.outcome, row: row)
      verdicts[row, default: Verdict()].needs.formUnion(verdict.needs)
    }
  }
}
