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
  package let owner: String
  package let realm: String
  package let target: String
  /// The application that an access token is bound to.
  package let application: String
  // Found once, since a key is looked up about ten times.
  private let hash: Int

  /// The key of these parts, trimmed and lower-cased.
  package init(
    _ kind: Kind, _ account: AccountKey, owner: String = "", realm: String = "",
    target: String = "", application: String = ""
  ) {
    self.account = account
    self.kind = kind
    self.owner = owner.normalized
    self.realm = realm.normalized
    self.target = target.normalized
    self.application = application.normalized
    var hasher = Hasher()
    hasher.combine(account)
    hasher.combine(kind)
    hasher.combine(self.owner)
    hasher.combine(self.realm)
    hasher.combine(self.target)
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
    a.hash == b.hash && a.kind == b.kind && a.target == b.target && a.owner == b.owner
      && a.realm == b.realm && a.application == b.application && a.account == b.account
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  package static func < (a: Self, b: Self) -> Bool {
    if a.account != b.account { return a.account < b.account }
    if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
    if a.owner != b.owner { return a.owner < b.owner }
    if a.realm != b.realm { return a.realm < b.realm }
    return a.target != b.target ? a.target < b.target : a.application < b.application
  }
}
