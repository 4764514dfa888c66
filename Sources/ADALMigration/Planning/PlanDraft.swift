// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// What one part of a plan decides, in the making: it adds no entry where something else is.
///
/// Two different entries can have one slot, since its name is parts with dashes between them, and parts have
/// dashes too.
struct PlanDraft: Sendable {
  let context: PlanContext
  private(set) var decisions = DecisionLog()
  /// Where what is added goes.
  private(set) var slots: Set<MSALEntry.Slot> = []
  /// Where what other parts of the plan add goes.
  private let taken: [Set<MSALEntry.Slot>]

  init(_ context: PlanContext, beside taken: [Set<MSALEntry.Slot>]) {
    self.context = context
    self.taken = taken
  }

  /// Adds a record unless its key is taken; then the rows hear why, and the result is nil.
  ///
  /// - Parameter key: what MSAL knows the record by.
  /// - Returns: where it is among the additions.
  mutating func add(
    _ record: MSALEntry, _ key: MSALEntry.Key, isCopy: Bool = false, for rows: some Sequence<Int>
  ) -> Int? {
    let attributes = context.form == .keychainItems ? record.attributes : nil
    guard let slot = attributes.map({ .init($0, in: context.group) }) ?? record.documentSlot else {
      return nil
    }
    if let reason = clash(with: slot) {
      for row in rows { decisions.note(reason, row: row) }
      return nil
    }
    slots.insert(slot)
    return decisions.add(
      Addition(
        record, key, in: context.group, isCopy: isCopy, attributes: attributes,
        documentKey: slot.documentKey))
  }

  private func clash(with slot: MSALEntry.Slot) -> Reason? {
    if slots.contains(slot) || taken.contains(where: { $0.contains(slot) }) {
      return .targetCorrupt
    }
    return context.existing.clash(with: slot)
  }

  mutating func note(_ reason: Reason, row: Int) { decisions.note(reason, row: row) }
  mutating func settle(_ outcome: RowOutcome, row: Int) { decisions.settle(outcome, row: row) }
  mutating func tie(row: Int, to addition: Int) { decisions.tie(row: row, to: addition) }
}
