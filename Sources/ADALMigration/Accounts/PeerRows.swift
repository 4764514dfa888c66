// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache

/// The facts that rows of ADAL for .NET, Python and Node give about each other.
struct PeerRows: Sendable {
  /// A user of a cloud; object ids are not given twice.
  private struct User: Hashable {
    var cloud: Symbol
    var object: Symbol
  }

  /// A refresh token that one client got. ADAL copies a new token over the tokens of every cloud.
  private struct Grant: Hashable {
    var client: Symbol
    /// By number.
    var refreshToken: Int
  }

  /// The users that the rows with one refresh token name.
  private struct Holders {
    /// Whether a row names no user, or is of AD FS or Azure AD B2C.
    var hasUnknownUser = false
    var homes: Set<ExactText> = []
    /// The object IDs of members. A member has an object only in the home tenant.
    var members: Set<Symbol> = []

    /// Whether they cannot all belong to the same user.
    var disagree: Bool { hasUnknownUser || homes.count > 1 || members.count > 1 }
  }

  private var tenants: [User: Set<ExactText>] = [:]
  private var holders: [Grant: Holders] = [:]
  /// The clients for which ADAL for Python stored a refresh token of no user.
  private var namelessClients: Set<Symbol> = []

  init(_ table: RowTable) {
    for row in table.rows where !row.isOfApple && row.realm != .none {
      if let user = Self.user(of: row) {
        tenants[user, default: []].insert(table.symbols[row.realm])
      }
    }
    // The owner of a refresh token is known only together with the tenant.
    for row in table.rows {
      guard let grant = Self.grant(of: row, table), let kind = table.url(of: row)?.kind
      else { continue }
      let token = table.tokens[row.index].token
      guard kind == .aad, token.userID != nil else {
        holders[grant, default: Holders()].hasUnknownUser = true
        if kind == .aad, case .python = token.origin { namelessClients.insert(grant.client) }
        continue
      }
      if let home = home(of: row, table) { holders[grant, default: Holders()].homes.insert(home) }
      if token.storedProvider == nil, row.storedObject != .none {
        holders[grant, default: Holders()].members.insert(row.storedObject)
      }
    }
  }

  /// The tenant of a row whose authority is `common` or a domain: the tenant of other rows of the same object.
  func tenant(of row: ADALRow, _ table: RowTable) -> String? {
    guard row.isStoredWithoutIDToken, let user = Self.user(of: row),
      let tenants = tenants[user], tenants.count == 1
    else { return nil }
    return tenants.first?.text
  }

  /// Whether rows of several tenants have the row's object, which is in one of them.
  ///
  /// ADAL copies the row that it refreshes for another tenant. If the answer has no ID token, the object stays. Azure
  /// CLI does not save the tenant of that object (other-adals §3.3).
  func isOfTwoTenants(_ row: ADALRow) -> Bool {
    guard row.isStoredWithoutIDToken, let user = Self.user(of: row) else { return false }
    return tenants[user]?.count ?? 0 > 1
  }

  /// Whether the row's refresh token may belong to another user.
  ///
  /// ADAL for Python and Node lays a new refresh token, AD FS's too, over those of all rows of the client and user, and
  /// tells users by their names. In Python an answer without a user counts for all users'. When a row of another user is
  /// refreshed with that token, the row gets its successor, so that the tokens need not be equal
  /// (other-adals §3.3; `cache_driver.py`).
  func isOverwritten(_ row: ADALRow, _ table: RowTable) -> Bool {
    guard let grant = Self.grant(of: row, table) else { return false }
    return namelessClients.contains(grant.client) || holders[grant]?.disagree ?? false
  }

  private static func user(of row: ADALRow) -> User? {
    row.storedObject == .none ? nil : User(cloud: row.cloud, object: row.storedObject)
  }

  private static func grant(of row: ADALRow, _ table: RowTable) -> Grant? {
    let origin = table.tokens[row.index].token.origin
    guard origin == .python || origin == .node, let refreshToken = row.refreshToken
    else { return nil }
    return Grant(client: row.client, refreshToken: refreshToken)
  }

  /// The user's home, as far as the row tells: the tenant of a member, or the provider that vouched for a guest.
  private func home(of row: ADALRow, _ table: RowTable) -> String? {
    guard let provider = table.tokens[row.index].token.storedProvider else {
      if isOfTwoTenants(row) { return nil }
      return row.realm == .none ? tenant(of: row, table) : table.symbols[row.realm]
    }
    return GuestMarker.tenant(ofProvider: provider) ?? provider
  }
}
