// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems

extension TokenCacheMigration.Report {
  /// The place of a row.
  public struct Place: Sendable, Hashable {
    /// The file as the caller named it; nil for the system keychain and for bytes without a name.
    public var file: String?
    /// The index of the item in the file, from 0.
    public var index: Int
    /// kSecAttrAccessGroup.
    public var accessGroup: String?
    /// kSecAttrAccount, or the user of a macOS dictionary key. This *is* a user name: masked reports
    /// leave it out.
    public var account: String?
    /// kSecAttrService.
    public var service: String?
  }
}

extension RowPlace {
  init(
    _ content: Inventory.RowContent, _ file: String, _ key: KeychainItem.Key, _ index: Int
  ) {
    let file = file.isEmpty ? nil : file
    switch content {
    case .legacy(let row):
      self.init(row.token.place, key, file: file, index: index)
    case .unreadable(let row):
      self.init(row.place, key, file: file, index: index)
    case .unified(let row):
      let isItem = row.item != nil
      self.init(
        file: file, index: index, accessGroup: isItem ? key.accessGroup : nil,
        account: isItem ? key.account : nil, service: key.service)
    }
  }

  private init(_ place: LegacyPlace, _ key: KeychainItem.Key, file: String?, index: Int) {
    switch place {
    case .keychain:
      self.init(
        file: file, index: index, accessGroup: key.accessGroup, account: key.account,
        service: key.service)
    case .blob(let key):
      self.init(file: file, index: index, accessGroup: nil, account: key.user, service: nil)
    case .archive:
      self.init(file: file, index: index, accessGroup: nil, account: nil, service: nil)
    case .row(let key):
      self.init(
        file: file, index: index, accessGroup: key.item?.accessGroup,
        account: key.item?.account ?? key.user, service: key.item?.service)
    }
  }
}
