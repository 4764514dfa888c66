// SPDX-License-Identifier: MIT
import SyntheticCaches

/// The entries that the golden cases expect, user by user.
extension GoldenPerson {
  func refreshToken(
    _ secret: String, client: String = World.client, family: String? = nil,
    at environment: String = "login.windows.net"
  ) -> SyntheticEntry {
    .refreshToken(
      secret, home: home, client: client, family: family, environment: environment)
  }

  func idToken(
    _ token: String, realm: String? = nil, client: String = World.client,
    at environment: String = "login.windows.net"
  ) -> SyntheticEntry {
    .idToken(
      token, home: home, client: client, realm: realm ?? tid, environment: environment)
  }

  func accessToken(
    _ secret: String, _ target: String = "\(World.graph)/.default", realm: String? = nil,
    lasting seconds: Double = 3600, cachedAt: Double? = World.issued,
    client: String = World.client
  ) -> SyntheticEntry {
    .accessToken(
      secret, home: home, client: client, realm: realm ?? tid, target: target,
      expiresOn: World.now + seconds, cachedAt: cachedAt)
  }

  /// The account in the home tenant, or in another one as another object.
  func account(
    in realm: String? = nil, as object: String? = nil, named username: String? = nil,
    at environment: String = "login.windows.net"
  ) -> SyntheticEntry {
    .account(
      username ?? upn, home: home, realm: realm ?? tid, localID: object ?? oid, names: names,
      environment: environment)
  }

  /// The entries for one refresh token row of a member in no family.
  func written(
    _ secret: String, _ token: String, client: String = World.client,
    at environment: String = "login.windows.net"
  ) -> [SyntheticEntry] {
    [
      .appMetadata(client: client, family: "", environment: environment),
      idToken(token, client: client, at: environment),
      refreshToken(secret, client: client, at: environment), account(at: environment),
    ]
  }

  /// The entries for one refresh token row of a guest with a known home account ID.
  func writtenAsGuest(
    of realm: String, as object: String, _ secret: String, _ token: String
  ) -> [SyntheticEntry] {
    [
      .appMetadata(client: World.client, family: ""), idToken(token, realm: realm),
      refreshToken(secret), account(in: realm, as: object),
    ]
  }
}
