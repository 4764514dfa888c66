// SPDX-License-Identifier: MIT
import MSALCache

/// Something in one access group of the target; in the empty one, in its document.
struct InGroup<Key: Sendable & Hashable>: Sendable, Hashable {
  @ExactText private(set) var group: String
  let key: Key
}

extension InGroup<AccountKey> {
  init(_ person: Person) { self.init(group: person.group, key: person.account) }
}
