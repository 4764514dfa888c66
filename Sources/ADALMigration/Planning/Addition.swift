// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// An entry to be written. A class without a variable: each part of a plan hands it on.
///
/// Sorts in D22's order: by access group and account, app metadata first and the accounts last.
final class Addition: Sendable, Comparable {
  /// What MSAL knows the entry by. An account can be written under more than one host, too (D27).
  let key: MSALEntry.Key
  let record: MSALEntry
  /// The access group that is written to; empty for a document.
  let group: String
  /// Its attributes, where it goes into a keychain.
  let attributes: ItemAttributes?
  /// Its key, where it goes into a document.
  let documentKey: String?
  /// The item that is carried as it is, or nil for an entry that the plan made.
  let carried: KeychainItem?
  private let step: Int

  /// - Parameter isCopy: whether an account is there once more, under another host. Copies come after
  ///   the account itself, since they are made for as long as it is there.
  init(
    _ record: MSALEntry, _ key: MSALEntry.Key, in group: String, isCopy: Bool = false,
    attributes: ItemAttributes?, documentKey: String?, carried: KeychainItem? = nil
  ) {
    self.key = key
    self.record = record
    self.group = group
    self.attributes = attributes
    self.documentKey = documentKey
    self.carried = carried
    step = record.order + (isCopy ? 1 : 0)
  }

  /// The keychain item to be written.
  func item(at now: Double) -> KeychainItem {
    carried
      ?? attributes?.item(accessGroup: group, data: record.payload, at: now)
      ?? record.item(accessGroup: group, at: now)
  }

  static func == (a: Addition, b: Addition) -> Bool { !(a < b) && !(b < a) }

  static func < (a: Addition, b: Addition) -> Bool {
    if a.group != b.group { return a.group < b.group }
    // App metadata belongs to no account; it comes first of all, when nothing depends on it yet.
    if a.key.account.home != b.key.account.home { return a.key.account.home < b.key.account.home }
    if a.step != b.step { return a.step < b.step }
    return a.key != b.key
      ? a.key < b.key : a.record.environment ?? "" < b.record.environment ?? ""
  }
}
