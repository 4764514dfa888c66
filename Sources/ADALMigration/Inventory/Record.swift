// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// One entry of MSAL's cache, as the planner makes, carries and finds it.
enum Record: Sendable, Hashable {
  case appMetadata(AppMetadata)
  case credential(Credential)
  case account(Account)

  /// The record of a keychain item of MSAL's; nil when it is none, or none that can be read.
  init?(_ item: MSALItem) {
    switch item {
    case .credential(let credential): self = .credential(credential)
    case .account(let account): self = .account(account)
    case .appMetadata(let metadata): self = .appMetadata(metadata)
    case .accountMetadata, .other, .unreadable: return nil
    }
  }

  var environment: String {
    switch self {
    case .appMetadata(let metadata): metadata.environment
    case .credential(let credential): credential.environment
    case .account(let account): account.environment
    }
  }

  /// The home account id as it is spelled; nil for app metadata.
  var homeAccountID: String? {
    switch self {
    case .appMetadata: nil
    case .credential(let credential): credential.homeAccountID
    case .account(let account): account.homeAccountID
    }
  }

  var realm: String? {
    switch self {
    case .appMetadata: nil
    case .credential(let credential): credential.realm
    case .account(let account): account.realm
    }
  }

  /// The client of a token or of app metadata.
  var clientID: String? {
    switch self {
    case .appMetadata(let metadata): metadata.clientID
    case .credential(let credential): credential.clientID
    case .account: nil
    }
  }

  /// The same record under another host.
  func moved(to environment: String) -> Record {
    switch self {
    case .appMetadata(var metadata):
      metadata.environment = environment
      return .appMetadata(metadata)
    case .credential(var credential):
      credential.environment = environment
      return .credential(credential)
    case .account(var account):
      account.environment = environment
      return .account(account)
    }
  }

  /// The keychain item of the record.
  func item(accessGroup: String, at now: Double?) -> KeychainItem {
    switch self {
    case .appMetadata(let metadata): metadata.item(accessGroup: accessGroup, at: now)
    case .credential(let credential): credential.item(accessGroup: accessGroup, at: now)
    case .account(let account): account.item(accessGroup: accessGroup, at: now)
    }
  }

  /// The attributes of the keychain item of the record.
  var attributes: ItemAttributes {
    switch self {
    case .appMetadata(let metadata): metadata.attributes
    case .credential(let credential): credential.attributes
    case .account(let account): account.attributes
    }
  }

  /// What a target keeps the record by; nil where documents have no section for it.
  func entryKey(in form: CacheForm, group: String) -> EntryKey? {
    entryKey(form == .keychainItems ? attributes : nil, group: group)
  }

  /// - Parameter attributes: those of the record's item; nil for a document.
  func entryKey(_ attributes: ItemAttributes?, group: String) -> EntryKey? {
    if let attributes { return EntryKey(attributes, in: group) }
    return switch self {
    case .appMetadata(let metadata): EntryKey(metadata.documentSection, metadata.documentKey)
    case .credential(let credential): EntryKey(credential.documentSection, credential.documentKey)
    case .account(let account): EntryKey(account.documentSection, account.documentKey)
    }
  }

  /// The record in the report's words.
  var write: Report.Write {
    switch self {
    case .appMetadata(let metadata):
      Report.Write(type: "AppMetadata", environment: metadata.environment, realm: nil, target: nil)
    case .credential(let credential):
      Report.Write(
        type: credential.kind.rawValue, environment: credential.environment,
        realm: credential.realm, target: credential.target)
    case .account(let account):
      Report.Write(
        type: "Account", environment: account.environment, realm: account.realm, target: nil)
    }
  }

  /// The place in D22's order: whatever prefix is written, MSAL sees no account that it cannot use.
  var order: Int {
    switch self {
    case .appMetadata: 0
    case .credential(let credential):
      switch credential.kind {
      case .idToken, .v1IDToken: 1
      case .accessToken, .accessTokenWithAuthScheme: 2
      default: 3
      }
    case .account: 4
    }
  }
}

/// What a target keeps an entry by: no two have the same, whatever they are.
struct EntryKey: Sendable, Hashable {
  private enum Name: Hashable {
    case item(KeychainItem.Key)
    case entry(DocumentSection, String)
  }

  private let name: Name

  /// The key in a document's section; nil for a keychain item.
  var documentKey: String? {
    if case .entry(_, let key) = name { key } else { nil }
  }

  /// kSecAttrType of a keychain item, by which MSAL tells what it is.
  let type: Int?
  // Found once, since a key goes into several sets.
  private let hash: Int

  init(_ item: KeychainItem) { self.init(.item(item.key), type: item.type) }

  init(_ attributes: ItemAttributes, in group: String) {
    self.init(.item(attributes.key(accessGroup: group)), type: attributes.type)
  }

  init?(_ section: DocumentSection?, _ key: String) {
    guard let section else { return nil }
    self.init(.entry(section, key), type: nil)
  }

  private init(_ name: Name, type: Int?) {
    self.name = name
    self.type = type
    var hasher = Hasher()
    hasher.combine(name)
    hash = hasher.finalize()
  }

  // The type is an attribute and no part of the key.
  static func == (a: EntryKey, b: EntryKey) -> Bool { a.hash == b.hash && a.name == b.name }
  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension Record {
  /// The keys that the record answers to: one, but for an access token with several scopes.
  var keys: [RecordKey] {
    switch self {
    case .appMetadata(let metadata): [metadata.recordKey]
    case .account(let account): [account.recordKey(of: accountKey)]
    case .credential(let credential): credential.recordKeys(of: accountKey)
    }
  }

  /// The cloud of the record's environment.
  var cloud: String { Cloud.key(of: environment) }

  /// The record's account; none for app metadata.
  var accountKey: AccountKey { AccountKey(cloud: cloud, spelled: homeAccountID ?? "") }
}
