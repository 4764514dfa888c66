// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

// One entry of MSAL's cache, as the planner makes, carries and finds it.
extension MSALEntry {
  /// What a target keeps the entry by; nil where documents have no section for it.
  func slot(in form: CacheForm, group: String) -> Slot? {
    form == .keychainItems ? Slot(attributes, in: group) : documentSlot
  }

  /// The entry in the report's words.
  var write: Report.Write {
    Report.Write(
      type: kind?.rawValue ?? "", environment: environment ?? "",
      realm: kind == .appMetadata ? nil : realm, target: target)
  }

  /// The place in D22's order: whatever prefix is written, MSAL sees no account that it cannot use.
  var order: Int {
    switch kind {
    case .appMetadata: 0
    case .idToken, .v1IDToken: 1
    case .accessToken, .accessTokenWithAuthScheme: 2
    case .account: 4
    default: 3
    }
  }
}
