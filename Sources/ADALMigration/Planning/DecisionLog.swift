// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// What a part of the plan decides about rows, and what it adds.
struct DecisionLog: Sendable {
  /// One thing that is said about one row.
  struct Entry: Sendable {
    enum Content: Sendable {
      case reason(Reason)
      case evidence([String])
      case outcome(RowOutcome)
      /// The place of an addition that the row's content is in.
      case need(Int)
    }

    let row: Int
    let content: Content
  }

  private(set) var entries: [Entry] = []
  private(set) var additions: [Addition] = []

  mutating func note(_ reason: Reason, row: Int) { say(.reason(reason), row) }

  mutating func note(evidence: [String], row: Int) {
    if !evidence.isEmpty { say(.evidence(evidence), row) }
  }

  /// Decides a row. A row with two tokens has the better outcome of both.
  mutating func settle(_ outcome: RowOutcome, row: Int) { say(.outcome(outcome), row) }

  /// Ties a row to an addition.
  mutating func tie(row: Int, to addition: Int) { say(.need(addition), row) }

  private mutating func say(_ content: Entry.Content, _ row: Int) {
    entries.append(Entry(row: row, content: content))
  }

  /// Adds an entry, and says where.
  mutating func add(_ addition: Addition) -> Int {
    additions.append(addition)
    return additions.count - 1
  }

  /// Takes in what another part decides, about other rows or more about the same.
  mutating func merge(_ other: DecisionLog) {
    let start = additions.count
    additions += other.additions
    for entry in other.entries {
      if case .need(let place) = entry.content {
        say(.need(start + place), entry.row)
      } else {
        entries.append(entry)
      }
    }
  }

  /// Whether a reason is noted for one of some rows.
  func says(_ reason: Reason, ofAnyOf rows: Set<Int>) -> Bool {
    entries.contains {
      if case .reason(reason) = $0.content { rows.contains($0.row) } else { false }
    }
  }

  /// The same without any addition: what is decided then is only what is there already.
  func withoutAdditions() -> DecisionLog {
    var decisions = DecisionLog()
    decisions.entries = entries.filter {
      switch $0.content {
      case .reason, .outcome(.alreadyThere): true
      case .evidence, .need, .outcome: false
      }
    }
    return decisions
  }
}

extension DecisionLog {
  /// Adds a record unless its place is taken; then the rows hear why, and the result is nil.
  ///
  /// Two different entries can have one place, since its name is parts with dashes between them, and parts have
  /// dashes too.
  ///
  /// - Parameters:
  ///   - key: what MSAL knows the record by.
  ///   - cache: where it goes.
  /// - Returns: where it is among the additions.
  mutating func add(
    _ record: MSALEntry, _ key: MSALEntry.Key, isCopy: Bool = false, for rows: some Sequence<Int>,
    _ context: PlanContext, in cache: inout MSALIndex
  ) -> Int? {
    let attributes = context.form == .keychainItems ? record.attributes : nil
    guard let slot = attributes.map({ .init($0, in: context.group) }) ?? record.documentSlot else {
      return nil
    }
    if let occupant = cache.claim(slot) {
      for row in rows { note(occupant.reason(against: slot), row: row) }
      return nil
    }
    return add(
      Addition(
        record, key, in: context.group, isCopy: isCopy, attributes: attributes,
        documentKey: slot.documentKey))
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
