// SPDX-License-Identifier: MIT
import KeychainItems

/// What a keychain item is to MSAL: one of its entries, or something else of its making.
package enum MSALItem: Sendable {
  case entry(MSALEntry)
  case accountMetadata(AccountMetadata)
  /// Another item that MSAL makes.
  case other
  /// An item with the type number of an entry that cannot be read.
  case unreadable(MSALCacheError)

  /// Recognises an item by its type number, or by its payload where it has none of MSAL's; nil when
  /// it is none of MSAL's.
  package init?(_ item: borrowing KeychainItem) {
    do {
      guard let item = try Self.recognize(item) else { return nil }
      self = item
    } catch {
      self = .unreadable(error)
    }
  }

  /// The entry; nil when it is none, or none that can be read.
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

  /// What has lost its type number is never found by MSAL, but it is MSAL's all the same.
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
