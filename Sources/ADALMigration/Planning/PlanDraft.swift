// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// What one part of a plan decides, in the making: it adds no entry under a key that something else has.
///
/// Two different entries can have one key, since a key is parts with dashes between them, and parts have
/// dashes too.
struct PlanDraft: Sendable {
  let context: PlanContext
  private(set) var decisions = Decisions()
  /// The keys of what is added.
  private(set) var keys: Set<EntryKey> = []
  /// The keys of what other parts of the plan add.
  private let taken: [Set<EntryKey>]

  init(_ context: PlanContext, beside taken: [Set<EntryKey>]) {
    self.context = context
    self.taken = taken
  }

  /// Adds a record unless its key is taken; then the rows hear why, and the result is nil.
  ///
  /// - Parameter key: what MSAL knows the record by.
  /// - Returns: where it is among the additions.
  mutating func add(
    _ record: Record, _ key: RecordKey, isCopy: Bool = false, for rows: some Sequence<Int>
  ) -> Int? {
    let attributes = context.form == .keychainItems ? record.attributes : nil
    guard let entry = record.entryKey(attributes, group: context.group) else { return nil }
    if let reason = clash(with: entry) {
      for row in rows { decisions.note(reason, row: row) }
      return nil
    }
    keys.insert(entry)
    let id = AdditionID(record, key, in: context.group, isCopy: isCopy)
    return decisions.add(
      Addition(
        id: id, record: record, attributes: attributes, documentKey: entry.documentKey))
  }

  private func clash(with key: EntryKey) -> Reason? {
    if keys.contains(key) || taken.contains(where: { $0.contains(key) }) { return .targetCorrupt }
    return context.existing.clash(with: key)
  }

  mutating func note(_ reason: Reason, row: Int) { decisions.note(reason, row: row) }
  mutating func settle(_ outcome: Report.Outcome, row: Int) { decisions.settle(outcome, row: row) }
  mutating func tie(row: Int, to addition: Int) { decisions.tie(row: row, to: addition) }
}
