// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// An entry to be written. A class without a variable: as a struct of forty parts it is copied at each step.
final class Addition: Sendable {
  let id: AdditionID
  let record: Record
  /// Its attributes, where it goes into a keychain.
  let attributes: ItemAttributes?
  /// Its key, where it goes into a document.
  let documentKey: String?
  /// The item that is carried as it is, or nil for an entry that the plan made.
  let carried: KeychainItem?

  init(
    id: AdditionID, record: Record, attributes: ItemAttributes?, documentKey: String?,
    carried: KeychainItem? = nil
  ) {
    self.id = id
    self.record = record
    self.attributes = attributes
    self.documentKey = documentKey
    self.carried = carried
  }

  /// The access group that is written to; empty for a document.
  var group: String { id.group }

  /// The keychain item to be written.
  func item(at now: Double) -> KeychainItem {
    carried ?? record.item(accessGroup: group, at: now)
  }
}

/// What an entry to be written is known by: its key, and the host that it is filed under, since an account
/// can be written under more than one (D27).
///
/// Sorts in D22's order: by access group and account, app metadata first and the accounts last.
struct AdditionID: Sendable, Comparable {
  let group: String
  let key: RecordKey
  let environment: String
  private let step: Int

  /// - Parameter isCopy: whether an account is there once more, under another host. Copies come after
  ///   the account itself, since they are made for as long as it is there.
  init(
    _ record: borrowing Record, _ key: RecordKey, in group: String, isCopy: Bool = false
  ) {
    self.group = group
    self.key = key
    environment = record.environment
    step = record.order + (isCopy ? 1 : 0)
  }

  static func < (a: Self, b: Self) -> Bool {
    if a.group != b.group { return a.group < b.group }
    // App metadata belongs to no account; it comes first of all, when nothing depends on it yet.
    if a.key.account.home != b.key.account.home { return a.key.account.home < b.key.account.home }
    if a.step != b.step { return a.step < b.step }
    return a.key != b.key ? a.key < b.key : a.environment < b.environment
  }
}
