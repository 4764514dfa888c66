// SPDX-License-Identifier: MIT
import KeychainItems

/// The keychain attributes of one of MSAL's entries, every one derived from its fields, without the cost of
/// the payload beside them.
package struct ItemAttributes: Sendable {
  /// kSecAttrAccount.
  package let account: String
  /// kSecAttrService.
  package let service: String
  /// kSecAttrGeneric, where it is no part of the service.
  let ownGeneric: [UInt8]?
  /// The number of bytes of a token's service that are its kSecAttrGeneric.
  let genericCount: Int?
  /// kSecAttrType.
  package let type: Int

  init(account: String, service: String, generic: [UInt8]?, type: Int) {
    self.account = account
    self.service = service
    ownGeneric = generic
    genericCount = nil
    self.type = type
  }

  /// kSecAttrGeneric.
  package var generic: [UInt8]? {
    genericCount.map { Array(service.utf8.prefix($0)) } ?? ownGeneric
  }

  /// The attributes that make the item unique in an access group.
  package func key(accessGroup: String) -> KeychainItem.Key {
    KeychainItem.Key(accessGroup: accessGroup, account: account, service: service)
  }

  /// kSecAttrAccount of an account's items in one environment.
  package static func account(_ homeAccountID: String, _ environment: String) -> String {
    String(of: homeAccountID.normalized, "-", environment.normalized)
  }

  /// The item with this payload: device only and after the first unlock, as MSAL adds it.
  package func item(accessGroup: String, data: TokenSecret, at instant: Double?) -> KeychainItem {
    KeychainItem(
      accessGroup: accessGroup, account: account, service: service, generic: generic, type: type,
      accessibility: "cku", created: instant, modified: instant, data: data)
  }
}

extension ItemAttributes {
  /// The attributes of an item as it is, whatever its payload says; nil where it has no type.
  package init?(of item: KeychainItem) {
    guard let type = item.type else { return nil }
    self.init(account: item.account, service: item.service, generic: item.generic, type: type)
  }
}
