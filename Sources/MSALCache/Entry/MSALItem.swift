// SPDX-License-Identifier: MIT
import KeychainItems

/// The meaning of a keychain item to MSAL: one of its entries, or another item that MSAL wrote.
package enum MSALItem: Sendable {
  case entry(MSALEntry)
  case accountMetadata(AccountMetadata)
  /// Another item that MSAL makes.
  case other
  /// An item with the type number of an entry that cannot be read.
  case unreadable(MSALCacheError)

  /// Recognizes an item by its type number, or by its payload if the number is not MSAL's; nil if the item is not
  /// MSAL's.
  package init?(_ item: borrowing KeychainItem) {
    do {
      guard let item = try Self.recognize(item) else { return nil }
      self = item
    } catch {
      self = .unreadable(error)
    }
  }

  /// The entry; nil if the item has no readable entry.
  package var entry: MSALEntry? { if case .entry(let entry) = self { entry } else { nil } }

  private static func recognize(_ item: KeychainItem) throws(MSALCacheError) -> MSALItem? {
    switch item.type ?? 0 {
    case ItemType.credentials: return .entry(try MSALEntry(item, as: .token))
    case ItemType.accounts: return .entry(try MSALEntry(item, as: .account))
    case ItemType.appMetadata: return .entry(try MSALEntry(item, as: .appMetadata))
    case ItemType.accountMetadata: return .accountMetadata(try AccountMetadata(item: item))
    default: return ItemType.isOther(item) ? .other : try recognizeByPayload(item)
    }
  }

  /// MSAL never finds an item that has lost its type number, but the item is still MSAL's.
  private static func recognizeByPayload(
    _ item: KeychainItem
  ) throws(MSALCacheError) -> MSALItem? {
    // A binary property list is no JSON, which is told at once.
    guard !(item.data?.begins(with: "bplist00") ?? false), let members = try? item.payload() else {
      return nil
    }
    let shape: MSALEntry.Shape
    if members["credential_type"]?.string != nil, members["secret"] != nil {
      shape = .token
    } else if members["authority_type"]?.string != nil, members["home_account_id"] != nil {
      shape = .account
    } else if MSALEntry.isMetadataService(item.service), members["client_id"] != nil {
      shape = .appMetadata
    } else {
      return nil
    }
    return .entry(try MSALEntry(wellFormed: members.map { $0 }, as: shape))
  }
}
