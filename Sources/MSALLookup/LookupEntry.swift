// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache

/// An entry that a look-up knows without reading its payload, since it was made or read already (D38).
package enum LookupEntry: Sendable {
  case credential(Credential, ItemAttributes)
  case account(Account, ItemAttributes)
  case appMetadata(AppMetadata, ItemAttributes)
  /// An item as it is.
  case item(KeychainItem)
}

extension LookupEntry {
  /// An item that was read already.
  package init(_ item: KeychainItem, _ unified: MSALItem) {
    self = .item(item)
    // One that says more than its type, such as an account with a secret, is looked at again.
    guard let attributes = ItemAttributes(of: item) else { return }
    switch (unified, attributes.type) {
    case (.credential(let credential), ItemType.credentials):
      self = .credential(credential, attributes)
    case (.account(let account), ItemType.accounts) where account.additional["secret"] == nil:
      self = .account(account, attributes)
    case (.appMetadata(let metadata), ItemType.appMetadata)
    where metadata.additional["secret"] == nil:
      self = .appMetadata(metadata, attributes)
    default: break
    }
  }
}

// Each is what the item of the entry would be read as; LookupEntryTests holds them against each other.

extension CredentialRow {
  convenience init(
    _ credential: Credential, _ attributes: ItemAttributes, index: Int, accessGroup: String
  ) {
    let others = { (field: String) in credential.additional[field]?.string }
    self.init(
      index: index, item: attributes.key(accessGroup: accessGroup), type: attributes.type,
      generic: attributes.generic, kind: credential.kind, secret: credential.secret,
      homeAccountID: credential.homeAccountID, environment: credential.environment,
      clientID: credential.clientID, realm: credential.realm, target: credential.target,
      familyID: credential.familyID, requestedClaims: credential.requestedClaims,
      expiresOn: credential.expiresOn, cachedAt: credential.cachedAt,
      refreshOn: credential.refreshOn, hasKeyID: others("kid") != nil,
      hasTokenType: credential.tokenType != nil, sessionKey: others("session_key"),
      boundDeviceID: others("bound_device_id"))
  }
}

extension AccountRow {
  init?(_ account: Account, _ attributes: ItemAttributes, index: Int, accessGroup: String) {
    guard let accountType = Account.typeNumber(of: account.authorityType) else { return nil }
    self.init(
      index: index, item: attributes.key(accessGroup: accessGroup), type: attributes.type,
      generic: attributes.generic, accountType: accountType,
      homeAccountID: account.homeAccountID, environment: account.environment,
      realm: account.realm, localAccountID: account.localAccountID, username: account.username,
      alternativeAccountID: account.additional["alternative_account_id"]?.string)
  }
}

extension AppMetadataRow {
  init(_ metadata: AppMetadata, _ attributes: ItemAttributes) {
    self.init(
      service: attributes.service, clientID: metadata.clientID,
      environment: metadata.environment, familyID: metadata.familyID)
  }
}
