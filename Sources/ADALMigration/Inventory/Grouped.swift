// SPDX-License-Identifier: MIT
import MSALCache

/// Something in one access group of the target; in the empty one, in its document.
struct Grouped<Key: Sendable & Hashable>: Sendable, Hashable {
  @ExactText private(set) var group: String
  let key: Key
}

extension Grouped<AccountKey> {
  init(_ account: borrowing PlannedAccount) { self.init(group: account.group, key: account.key) }
}
