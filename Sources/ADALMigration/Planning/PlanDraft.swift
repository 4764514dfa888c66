// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// What one part of a plan decides, in the making: it adds no entry where something else is.
///
/// Two different entries can have one slot, since its name is parts with dashes between them, and parts have
/// dashes too.
struct PlanDraft: Sendable {
  let context: PlanContext
  private(set) var decisions = DecisionLog()

  init(_ context: PlanContext) { self.context = context }

  /// Adds a record unless its key is taken; then the rows hear why, and the result is nil.
  ///
  /// - Parameters:
  ///   - key: what MSAL knows the record by.
  ///   - cache: where it goes.
  /// - Returns: where it is among the additions.
  mutating func add(
    _ record: MSALEntry, _ key: MSALEntry.Key, isCopy: Bool = false, for rows: some Sequence<Int>,
    in cache: inout MSALIndex
  ) -> Int? {
    let attributes = context.form == .keychainItems ? record.attributes : nil
    guard let slot = attributes.map({ .init($0, in: context.group) }) ?? record.documentSlot else {
      return nil
    }
    if let occupant = cache.claim(slot) {
      for row in rows { decisions.note(occupant.reason(against: slot), row: row) }
      return nil
    }
    return decisions.add(
      Addition(
        record, key, in: context.group, isCopy: isCopy, attributes: attributes,
        documentKey: slot.documentKey))
  }

  mutating func note(_ reason: Reason, row: Int) { decisions.note(reason, row: row) }
  mutating func settle(_ outcome: RowOutcome, row: Int) { decisions.settle(outcome, row: row) }
  mutating func tie(row: Int, to addition: Int) { decisions.tie(row: row, to: addition) }
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
