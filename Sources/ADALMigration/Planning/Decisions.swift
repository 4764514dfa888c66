// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache
import MSALLookup

extension TokenCacheMigration.Report {
  /// The result of a row.
  public enum Outcome: String, CaseIterable, Sendable {
    /// Its content was or would be written.
    case converted
    /// The target already holds its content.
    case alreadyThere = "already-there"
    /// The row stays as it is.
    case notConverted = "not-converted"
  }
}

/// The decision for one row.
struct RowDecision: Sendable, Equatable {
  fileprivate(set) var outcome = RowOutcome.notConverted
  fileprivate(set) var reasons = ReasonSet()
}

/// The decisions of a plan: the outcome of each row, and each addition once.
struct Decisions: Sendable {
  private(set) var additions: [Addition] = []
  /// The entries of additions that are not made of a row's token.
  private(set) var entries: [MSALEntry] = []
  /// The items that are carried as they are, by the number of the entry.
  private(set) var items: [Int: KeychainItem] = [:]
  private var rows: [RowDecision]
  /// The additions that contain a row's content.
  private var ties: [Tie] = []
  /// The start of each row's ties, after they are sorted.
  private var tiesOfRow: [Int] = []

  /// - Parameter count: of the rows.
  init(count: Int) {
    rows = [RowDecision](repeating: RowDecision(), count: count)
  }

  subscript(row: Int) -> RowDecision { rows.indices.contains(row) ? rows[row] : RowDecision() }

  mutating func note(_ reason: Reason, row: Int) {
    if rows.indices.contains(row) { rows[row].reasons.insert(reason) }
  }

  mutating func note(_ reasons: ReasonSet, row: Int) {
    if rows.indices.contains(row) { rows[row].reasons.formUnion(reasons) }
  }

  mutating func note(_ reason: Reason, rows: some Sequence<ADALRow>) {
    for row in rows { note(reason, row: row.number) }
  }

  /// Decides a row. A row with two tokens has the better outcome of both.
  mutating func settle(_ outcome: RowOutcome, row: Int) {
    guard rows.indices.contains(row) else { return }
    if outcome == .converted || rows[row].outcome == .notConverted { rows[row].outcome = outcome }
  }

  /// Ties a row to an addition.
  mutating func tie(row: Int, to addition: Int) {
    if rows.indices.contains(row) { ties.append((row, addition)) }
  }

  /// Adds an entry.
  ///
  /// - Returns: the place of the addition.
  mutating func add(_ addition: Addition) -> Int {
    additions.append(addition)
    return additions.count - 1
  }

  /// Stores the entry of an addition.
  ///
  /// - Parameter item: the item that it is carried in as it is.
  mutating func content(_ entry: MSALEntry, carriedIn item: KeychainItem? = nil) -> Addition.Content
  {
    entries.append(entry)
    items[entries.count - 1] = item
    return .entry(entries.count - 1)
  }

  /// The sizes to which ``withdraw(backTo:_:)`` returns.
  typealias Mark = (additions: Int, entries: Int, ties: Int)

  var mark: Mark { (additions.count, entries.count, ties.count) }

  /// Removes all additions since the mark, and the outcomes of these rows. Their reasons stay.
  mutating func withdraw(backTo mark: Mark, _ withdrawn: [ADALRow]) {
    additions.removeLast(max(0, additions.count - mark.additions))
    entries.removeLast(max(0, entries.count - mark.entries))
    ties.removeLast(max(0, ties.count - mark.ties))
    for row in withdrawn where self[row.number].outcome == .converted {
      rows[row.number].outcome = .notConverted
    }
  }

  /// Puts the additions into the order in which they are written.
  mutating func sortAdditions(_ symbols: Symbols) {
    let order = orderedPositions(additions.count) { additions[$0].precedes(additions[$1], symbols) }
    var moved = [Int](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { moved[old] = new }
    additions = order.map { additions[$0] }
    for index in ties.indices { ties[index].addition = moved[ties[index].addition] }
    // By addition first, so that those of a row stay in that order.
    (ties, _) = Self.grouped(ties, additions.count, by: \.addition)
    (ties, tiesOfRow) = Self.grouped(ties, rows.count, by: \.row)
  }

  /// The additions of each access group, once they are sorted.
  var additionsByGroup: [Symbol: ArraySlice<Addition>] {
    var groups: [Symbol: ArraySlice<Addition>] = [:]
    var rest = additions[...]
    while let group = rest.first?.group {
      groups[group] = rest.prefix { $0.group == group }
      rest = rest.drop { $0.group == group }
    }
    return groups
  }

  private typealias Tie = (row: Int, addition: Int)

  /// Ties in the order of a number below `count`, those of one number in their own, and where those of each begin.
  private static func grouped(
    _ ties: [Tie], _ count: Int, by number: (Tie) -> Int
  ) -> (ties: [Tie], starts: [Int]) {
    var starts = [Int](repeating: 0, count: count + 1)
    for tie in ties { starts[number(tie) + 1] += 1 }
    for place in 0..<count { starts[place + 1] += starts[place] }
    var next = starts
    var grouped = ties
    for tie in ties {
      grouped[next[number(tie)]] = tie
      next[number(tie)] += 1
    }
    return (grouped, starts)
  }

  /// The additions that a row's content is in, in the order in which they are written.
  func additions(of row: Int) -> [Addition] {
    guard rows.indices.contains(row), row + 1 < tiesOfRow.count else { return [] }
    var last: Int?
    return ties[tiesOfRow[row]..<tiesOfRow[row + 1]].compactMap { tie in
      defer { last = tie.addition }
      return tie.addition == last ? nil : additions[tie.addition]
    }
  }
}

extension MSALIndex.Occupant {
  /// The reason why an entry cannot be added to the place.
  func reason(against slot: MSALEntry.Slot) -> Reason {
    switch self {
    case .existing(let type) where type != slot.type: .targetTypeClash
    case .existing, .claimed: .targetCorrupt
    }
  }
}
