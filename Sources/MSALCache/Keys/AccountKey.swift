// SPDX-License-Identifier: MIT

/// One account in one cloud, for all tenants and clients.
package struct AccountKey: Sendable, Hashable {
  /// The cloud, as ``Cloud/key(of:)`` names it.
  @ExactText package private(set) var cloud: String
  /// The home account id, trimmed, with ASCII's letters in lower case; empty for entries without an account.
  @ExactText package private(set) var home: String
  // Found once, since a key is looked up many times.
  private let hash: Int

  /// The key of an account of Entra ID.
  package init(cloud: String, home: HomeAccountID) { self.init(cloud, home.description) }

  /// The key of a home account id as an entry spells it.
  package init(cloud: String, spelled home: String) { self.init(cloud, home.identifier) }

  private init(_ cloud: String, _ home: String) {
    self.cloud = cloud
    self.home = home
    var hasher = Hasher()
    hasher.combine(_cloud)
    hasher.combine(_home)
    hash = hasher.finalize()
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// The home account id, unless the entries of the account spell none.
  package var homeAccountID: HomeAccountID? { HomeAccountID(home) }

  /// Whether there is a home account id.
  package var hasIdentifier: Bool { HomeAccountID.dot(in: home) != nil }
}

/// One client in one cloud.
package struct ClientKey: Sendable, Hashable {
  /// The cloud, as ``Cloud/key(of:)`` names it.
  @ExactText package private(set) var cloud: String
  /// The client id, trimmed, with ASCII's letters in lower case.
  @ExactText package private(set) var client: String

  /// The key of a client id as it is spelled.
  package init(cloud: String, client: String) {
    self.cloud = cloud
    self.client = client.identifier
  }
}
