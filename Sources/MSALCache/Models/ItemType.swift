// SPDX-License-Identifier: MIT
import KeychainItems

/// The numbers by which MSAL tells its keychain items apart, kSecAttrType (msal-cache-format §2;
/// IdentityCore cache/key/MSIDAccountType.h, MSIDCredentialType.h).
package enum ItemType {
  package static let accounts = 1000...1004
  /// The account type that MSAL asks for.
  package static let account = 1003
  package static let credentials = 2001...2009
  package static let appMetadata = 3001
  package static let accountMetadata = 5001
  /// Items of MSAL's that are no entries.
  package static let others = [2000, 3000]

  /// Whether an item is MSAL's by its attributes, whatever its data says.
  package static func isOfMSAL(_ item: KeychainItem) -> Bool {
    if isOther(item) { return true }
    guard let type = item.type else { return false }
    return accounts.contains(type) || credentials.contains(type) || type == appMetadata
      || type == accountMetadata
  }

  /// Whether an item is one that MSAL makes beside its entries.
  static func isOther(_ item: KeychainItem) -> Bool {
    if let type = item.type, others.contains(type) { return true }
    return switch (item.account, item.service) {
    case (familySwitch, familySwitch), ("com.microsoft.identity.throttling.metadata", _),
      ("SDK.ObjC.teamIDHint", _):
      true
    default: false
    }
  }

  /// Account and service of the item that says whether MSAL keeps a single family refresh token.
  package static let familySwitch = "useSingleFRT"
}
