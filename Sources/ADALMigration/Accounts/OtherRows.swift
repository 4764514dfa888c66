// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache

/// What rows of ADAL for .NET, Python and Node say of each other.
struct OtherRows: Sendable {
  /// A user of a cloud; object ids are not given twice.
  private struct User: Hashable {
    var cloud: String
    var oid: String
  }

  /// What was granted to one client.
  private struct Grant: Hashable {
    var cloud: String
    var client: String
    var secret: Secret
  }

  /// What rows with one refresh token say of whose it is.
  private struct Holders {
    var hasNobody = false
    var homes: Set<String> = []

    /// Whether they cannot all be the same person's.
    var disagree: Bool { hasNobody || homes.count > 1 }
  }

  private var tenants: [User: Set<String>] = [:]
  private var holders: [Grant: Holders] = [:]

  /// Nothing, as it is where all rows are of ADAL for iOS and macOS.
  init() {}

  /// - Parameter tokens: of every row, with what their authorities and ID tokens say.
  init(_ tokens: [(token: LegacyToken, authority: Authority?, idToken: IDToken?)]) {
    for (token, authority, idToken) in tokens where token.origin != .apple {
      if let user = Self.user(of: token, authority),
        let tenant = idToken?.realm ?? KeptUser.ownTenant(of: token, authority)
      {
        tenants[user, default: []].insert(tenant)
      }
    }
    // Whose a refresh token is can be told only with the tenant.
    for (token, authority, _) in tokens {
      guard let grant = Self.grant(of: token, authority) else { continue }
      if token.userID == nil {
        holders[grant, default: Holders()].hasNobody = true
      } else if let home = home(of: token, authority) {
        holders[grant, default: Holders()].homes.insert(home)
      }
    }
  }

  /// The tenant of a row whose authority is `common` or a domain: that of other rows of the same object.
  func tenant(of token: LegacyToken, _ authority: Authority?) -> String? {
    guard let user = Self.user(of: token, authority), let tenants = tenants[user],
      tenants.count == 1
    else { return nil }
    return tenants.first
  }

  /// Whether the row's refresh token may be somebody else's.
  ///
  /// ADAL for Python and Node lays a new refresh token over those of all rows of the client and user, and tells
  /// users by their names. An answer without a user counts for everybody's
  /// (other-adals §3.3; `cache_driver.py`).
  func areOverwritten(_ token: LegacyToken, _ authority: Authority?) -> Bool {
    Self.grant(of: token, authority).flatMap { holders[$0] }?.disagree ?? false
  }

  private static func user(of token: LegacyToken, _ authority: Authority?) -> User? {
    guard token.origin != .apple, let cloud = authority?.cloud else { return nil }
    return KeptUser.oid(of: token).map { User(cloud: cloud, oid: $0) }
  }

  private static func grant(of token: LegacyToken, _ authority: Authority?) -> Grant? {
    guard token.origin == .python || token.origin == .node, let authority, authority.kind == .aad,
      let secret = token.refresh
    else { return nil }
    return Grant(
      cloud: authority.cloud, client: token.clientID.nonBlank?.lowercasedLikeNSString ?? "",
      secret: secret)
  }

  /// Where the user is at home, as far as the row says: the tenant of a member, or who vouched for a guest.
  private func home(of token: LegacyToken, _ authority: Authority?) -> String? {
    guard let provider = token.identityProvider.nonBlank?.lowercasedLikeNSString else {
      return KeptUser.ownTenant(of: token, authority) ?? tenant(of: token, authority)
    }
    return GuestMarker.tenant(ofProvider: provider) ?? provider
  }
}
