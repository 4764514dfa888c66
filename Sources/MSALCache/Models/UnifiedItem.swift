// SPDX-License-Identifier: MIT
import KeychainItems

/// What a keychain item is to MSAL: one of its entries, or something else of its making.
package enum UnifiedItem: Sendable {
  case credential(Credential)
  case account(Account)
  case appMetadata(AppMetadata)
  case accountMetadata(AccountMetadata)
  /// Another item that MSAL makes.
  case other
  /// An item with the type number of an entry that cannot be read.
  case unreadable(UnifiedItemError)

  /// Recognises an item by its type number, or by its payload where it has none of MSAL's; nil when
  /// it is none of MSAL's.
  package init?(_ item: KeychainItem) {
    do {
      guard let item = try Self.recognise(item) else { return nil }
      self = item
    } catch {
      self = .unreadable(error)
    }
  }

  private static func recognise(_ item: KeychainItem) throws(UnifiedItemError) -> UnifiedItem? {
    switch item.type ?? 0 {
    case 2000, 3000: return .other
    case 2001...2009: return .credential(try Credential(item: item))
    case 1000...1004: return .account(try Account(item: item))
    case AppMetadata.typeNumber: return .appMetadata(try AppMetadata(item: item))
    case 5001: return .accountMetadata(try AccountMetadata(item: item))
    default:
      if let known = recogniseByName(item) { return known }
      return try recogniseByPayload(item)
    }
  }

  private static func recogniseByName(_ item: KeychainItem) -> UnifiedItem? {
    switch (item.account, item.service) {
    case ("useSingleFRT", "useSingleFRT"), ("com.microsoft.identity.throttling.metadata", _),
      ("SDK.ObjC.teamIDHint", _):
      .other
    default: nil
    }
  }

  /// What has lost its type number is never found by MSAL, but it is MSAL's all the same.
  private static func recogniseByPayload(_ item: KeychainItem) throws(UnifiedItemError)
    -> UnifiedItem?
  {
    guard let members = try? Payload.members(of: item) else { return nil }
    if members["credential_type"]?.string != nil, members["secret"] != nil {
      return .credential(try Credential(payload: Payload(members)))
    }
    if members["authority_type"]?.string != nil, members["home_account_id"] != nil {
      return .account(try Account(payload: Payload(members)))
    }
    if AppMetadata.isService(item.service), members["client_id"] != nil {
      return .appMetadata(try AppMetadata(payload: Payload(members)))
    }
    return nil
  }
}
