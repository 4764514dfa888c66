// SPDX-License-Identifier: MIT
import KeychainItems

/// What a keychain item is to MSAL: one of its entries, or something else of its making.
package enum MSALItem: Sendable {
  case credential(Credential)
  case account(Account)
  case appMetadata(AppMetadata)
  case accountMetadata(AccountMetadata)
  /// Another item that MSAL makes.
  case other
  /// An item with the type number of an entry that cannot be read.
  case unreadable(MSALItemError)

  /// Recognises an item by its type number, or by its payload where it has none of MSAL's; nil when
  /// it is none of MSAL's.
  package init?(_ item: KeychainItem) {
    do {
      guard let item = try Self.recognize(item) else { return nil }
      self = item
    } catch {
      self = .unreadable(error)
    }
  }

  private static func recognize(_ item: KeychainItem) throws(MSALItemError) -> MSALItem? {
    switch item.type ?? 0 {
    case ItemType.credentials: return .credential(try Credential(item: item))
    case ItemType.accounts: return .account(try Account(item: item))
    case ItemType.appMetadata: return .appMetadata(try AppMetadata(item: item))
    case ItemType.accountMetadata: return .accountMetadata(try AccountMetadata(item: item))
    default: return ItemType.isOther(item) ? .other : try recognizeByPayload(item)
    }
  }

  /// What has lost its type number is never found by MSAL, but it is MSAL's all the same.
  private static func recognizeByPayload(_ item: KeychainItem) throws(MSALItemError)
    -> MSALItem?
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
