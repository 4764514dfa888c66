// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

// One entry of MSAL's cache, as the planner makes, carries and finds it.
extension MSALEntry {
  /// What a target keeps the entry by; nil where documents have no section for it.
  func slot(in form: CacheForm, group: String) -> Slot? {
    form == .keychainItems ? Slot(attributes, in: group) : documentSlot
  }

  /// The place in D22's order: whatever prefix is written, MSAL sees no account that it cannot use.
  var order: Int {
    switch EntryType(self) {
    case .appMetadata: 0
    case .idToken: 1
    case .accessToken: 2
    case .refreshToken: 3
    case .account: 4
    }
  }
}
