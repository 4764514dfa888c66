// SPDX-License-Identifier: MIT
import KeychainItems

// What MSAL keeps an account and what it knows of a client under.

extension Account {
  /// IdentityCore cache/key/MSIDDefaultAccountCacheKey.m.
  package var attributes: ItemAttributes {
    ItemAttributes(
      account: ItemAttributes.account(homeAccountID, environment),
      service: realm?.normalized ?? "", generic: username.map(Self.generic),
      type: Self.typeNumber(of: authorityType) ?? ItemType.accounts.lowerBound)
  }

  /// kSecAttrGeneric of an account with this user name.
  package static func generic(of username: String) -> [UInt8] { Array(username.normalized.utf8) }

  /// The key in a cache document (msal-cache-format §7.2).
  package var documentKey: String {
    String(of: homeAccountID, "-", environment, "-", realm ?? "").lowercasedLikeNSString
  }

  var identity: DocumentIdentity {
    DocumentIdentity(
      section: .account, homeAccountID: homeAccountID, environment: environment,
      realm: realm ?? "")
  }

  /// What MSAL knows the account by in its tenant.
  ///
  /// - Parameter account: whose it is.
  package func recordKey(of account: AccountKey) -> RecordKey {
    RecordKey(.account, account, realm: realm ?? "")
  }
}

extension AppMetadata {
  private static let prefix = "appmetadata-"

  /// IdentityCore cache/key/MSIDAppMetadataCacheKey.m.
  package var attributes: ItemAttributes {
    ItemAttributes(
      account: environment, service: Self.service(of: clientID),
      generic: familyID.map { Array($0.utf8) }, type: ItemType.appMetadata)
  }

  /// kSecAttrService of what is known of a client.
  package static func service(of clientID: String) -> String {
    String(of: prefix, clientID.normalized)
  }

  /// Whether this is such a service.
  static func isService(_ service: String) -> Bool { service.hasPrefix(prefix) }

  /// The key in a cache document (msal-cache-format §7.2), in its own letter case: MSAL for Python finds
  /// app metadata by this key alone, and the other libraries read it whatever its case.
  package var documentKey: String { Self.documentKey(of: clientID, in: environment) }

  /// The key in a cache document of what is known of a client.
  package static func documentKey(of clientID: String, in environment: String) -> String {
    String(of: prefix, environment, "-", clientID)
  }

  var identity: DocumentIdentity {
    DocumentIdentity(section: .appMetadata, environment: environment, clientOrFamily: clientID)
  }

  /// What MSAL knows the entry by.
  package var recordKey: RecordKey {
    RecordKey(
      appMetadataOf: ClientKey(cloud: Cloud.key(of: environment), client: clientID))
  }
}
