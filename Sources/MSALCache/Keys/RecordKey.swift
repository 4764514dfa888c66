// SPDX-License-Identifier: MIT

/// What MSAL knows a record by, whatever alias host it is filed under: two records with one key are the
/// same entry to it.
package struct RecordKey: Sendable, Hashable, Comparable {
  package enum Kind: Int, Sendable {
    case appMetadata, idToken, otherToken, accessToken, refreshToken, familyRefreshToken, account
  }

  package let account: AccountKey
  package let kind: Kind
  /// The client id, or the family id of a family token.
  @ExactText package private(set) var owner: String
  @ExactText package private(set) var realm: String
  @ExactText package private(set) var target: String
  /// The application that an access token is bound to.
  @ExactText package private(set) var application: String
  // Found once, since a key is looked up about ten times.
  private let hash: Int

  /// The key of these parts, trimmed, with ASCII's letters in lower case.
  package init(
    _ kind: Kind, _ account: AccountKey, owner: String = "", realm: String = "",
    target: String = "", application: String = ""
  ) {
    self.account = account
    self.kind = kind
    self.owner = owner.identifier
    self.realm = realm.identifier
    self.target = target.identifier
    self.application = application.identifier
    var hasher = Hasher()
    hasher.combine(account)
    hasher.combine(kind)
    hasher.combine(_owner)
    hasher.combine(_realm)
    hasher.combine(_target)
    hash = hasher.finalize()
  }

  /// The key of a client's app metadata.
  package init(appMetadataOf client: ClientKey) {
    self.init(
      .appMetadata, AccountKey(cloud: client.cloud, spelled: ""), owner: client.client)
  }

  /// The same key for another scope.
  package func of(target: String) -> RecordKey {
    RecordKey(
      kind, account, owner: owner, realm: realm, target: target, application: application)
  }

  // By what tells most keys apart first.
  package static func == (a: Self, b: Self) -> Bool {
    a.hash == b.hash && a.kind == b.kind && a._target == b._target && a._owner == b._owner
      && a._realm == b._realm && a._application == b._application && a.account == b.account
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  package static func < (a: Self, b: Self) -> Bool {
    if a.account != b.account { return a.account < b.account }
    if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
    if a._owner != b._owner { return a._owner < b._owner }
    if a._realm != b._realm { return a._realm < b._realm }
    return a._target != b._target ? a._target < b._target : a._application < b._application
  }
}
