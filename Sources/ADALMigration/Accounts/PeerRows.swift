// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache

/// What rows of ADAL for .NET, Python and Node say of each other.
struct PeerRows: Sendable {
  /// A user of a cloud; object ids are not given twice.
  private struct User: Hashable {
    @ExactText var cloud: String
    @ExactText var oid: String
  }

  /// What was granted to one client.
  private struct Grant: Hashable {
    @ExactText var cloud: String
    var client: ExactText
    var secret: TokenSecret
  }

  /// What rows with one refresh token say of whose it is.
  private struct Holders {
    var hasNobody = false
    var homes: Set<ExactText> = []

    /// Whether they cannot all belong to the same user.
    var disagree: Bool { hasNobody || homes.count > 1 }
  }

  private var tenants: [User: Set<ExactText>] = [:]
  private var holders: [Grant: Holders] = [:]

  init(_ rows: [LegacyRow]) {
    for row in rows where row.token.origin != .apple {
      if let user = Self.user(of: row), let tenant = row.realm {
        tenants[user, default: []].insert(tenant)
      }
    }
    // Whose a refresh token is can be told only with the tenant.
    for row in rows {
      guard let grant = Self.grant(of: row) else { continue }
      if row.token.userID == nil {
        holders[grant, default: Holders()].hasNobody = true
      } else if let home = home(of: row) {
        holders[grant, default: Holders()].homes.insert(home)
      }
    }
  }

  /// The tenant of a row whose authority is `common` or a domain: that of other rows of the same object.
  func tenant(of row: LegacyRow) -> String? {
    guard row.isStoredWithoutIDToken, let user = Self.user(of: row), let tenants = tenants[user],
      tenants.count == 1
    else { return nil }
    return tenants.first?.text
  }

  /// Whether the row's refresh token may belong to another user.
  ///
  /// ADAL for Python and Node lays a new refresh token over those of all rows of the client and user, and tells
  /// users by their names. An answer without a user counts for all users'
  /// (other-adals §3.3; `cache_driver.py`).
  func isOverwritten(_ row: LegacyRow) -> Bool {
    Self.grant(of: row).flatMap { holders[$0] }?.disagree ?? false
  }

  private static func user(of row: LegacyRow) -> User? {
    row.token.storedObject.map { User(cloud: row.cloud, oid: $0) }
  }

  private static func grant(of row: LegacyRow) -> Grant? {
    guard row.token.origin == .python || row.token.origin == .node, row.authority?.kind == .aad,
      let secret = row.token.refresh
    else { return nil }
    return Grant(cloud: row.cloud, client: row.client, secret: secret)
  }

  /// Where the user is at home, as far as the row says: the tenant of a member, or who vouched for a guest.
  private func home(of row: LegacyRow) -> String? {
    guard let provider = row.token.storedProvider else {
      return row.realm ?? tenant(of: row)
    }
    return GuestMarker.tenant(ofProvider: provider) ?? provider
  }
}
