// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import Testing

@testable import LookupAnswers
@testable import MSALCache
@testable import MSALLookup

/// Which of several entries or rows a look-up takes, and which it does not see.
@Suite struct LookupRowTests {
  private static let tenant = "3dc1f4a5-fc50-50e9-a47a-f595cb41b813"
  private static let home = "4d96a562-b0fe-5e0a-9154-811e96ff0939.\(tenant)"
  private static let hosts = ["login.windows.net", "login.microsoftonline.com"]
  private static let now = 1_700_000_000.0

  private static func credential(
    _ kind: MSALEntry.Kind, _ secret: String, host: String = hosts[0], target: String? = nil
  ) -> KeychainItem {
    MSALEntry(
      kind: kind, homeAccountID: home, environment: host, clientID: "client",
      secret: TokenSecret(secret), realm: kind == .refreshToken ? nil : tenant, target: target,
      expiresOn: kind == .accessToken ? "1700003600" : nil
    ).item(accessGroup: "g", at: nil)
  }

  // MARK: ADAL's rows

  private static func row(
    _ user: String, at host: String, _ secret: String, hasAccessToken: Bool = false
  ) -> ADALFallbackRow {
    let authority = "https://\(host)/common"
    return ADALFallbackRow(
      key: ADALFallbackRow.Key(userID: user, authority: authority, client: "client"),
      place: KeychainItem.Key(accessGroup: "g", account: user, service: authority),
      ADALFallbackToken(
        environment: ADALFallbackToken.environment(ofAuthority: authority), clientID: "client",
        familyID: nil, homeAccountID: nil, claims: nil,
        refreshToken: TokenSecret(secret), hasAccessToken: hasAccessToken))
  }

  private static func refreshToken(
    _ rows: [ADALFallbackRow], of user: String? = nil
  ) throws(Lookup.Failure) -> TokenSecret? {
    let query = LookupQuery(
      .refreshToken, clientID: "client", authority: "https://login.windows.net/common",
      username: user, withLegacy: true)
    return try Lookup(MSALIndex(items: []), fallbackRows: rows, now: now).refreshToken(query)?
      .secret
  }

  @Test("the first authority that has a row decides, even if the row is no refresh token")
  func firstAuthority() throws {
    let (first, second) = (Self.hosts[0], Self.hosts[1])
    let good = Self.row("ann", at: second, "rt")
    #expect(try Self.refreshToken([good], of: "ann") == TokenSecret("rt"))
    let single = Self.row("ann", at: first, "single", hasAccessToken: true)
    #expect(try Self.refreshToken([good, single], of: "ann") == nil)
    // After it, one that is none does not matter.
    let last = Self.row("ann", at: second, "single", hasAccessToken: true)
    #expect(try Self.refreshToken([Self.row("ann", at: first, "rt"), last]) == TokenSecret("rt"))
  }

  @Test("a tombstone is no row") func tombstone() throws {
    let stone = Self.row("ann", at: Self.hosts[0], "<tombstone>")
    #expect(try Self.refreshToken([stone], of: "ann") == nil)
    // It hides no row of another authority, and is no second user.
    let ann = Self.row("ann", at: Self.hosts[1], "rt of ann")
    #expect(try Self.refreshToken([stone, ann], of: "ann") == TokenSecret("rt of ann"))
    let bob = Self.row("bob", at: Self.hosts[0], "rt of bob")
    #expect(try Self.refreshToken([stone, bob]) == TokenSecret("rt of bob"))
  }

  // MARK: MSAL's entries

  @Test("white space around its host hides an account, and no token")
  func hostWithSpace() throws {
    let host = " \(Self.hosts[0])\u{200B}"
    let account = MSALEntry(accountOf: Self.home, environment: host, realm: Self.tenant)
    let items = [
      Self.credential(.refreshToken, "rt", host: host), account.item(accessGroup: "g", at: nil),
    ]
    let lookup = Lookup(MSALIndex(items: items), now: Self.now)
    let authority = "https://\(Self.hosts[0])/\(Self.tenant)"
    func query(_ operation: LookupQuery.Operation, _ authority: String?) -> LookupQuery {
      LookupQuery(
        operation, clientID: "client", authority: authority, homeAccountID: Self.home)
    }
    #expect(try lookup.refreshToken(query(.refreshToken, authority))?.secret == TokenSecret("rt"))
    #expect(lookup.account(query(.account, authority)) == nil)
    #expect(lookup.account(query(.account, nil))?.environment == host)
  }

  @Test("of a tenant's ID tokens the last gives the claims, whether an authority is asked or not")
  func lastIDToken() {
    let readable = "e30." + Base64.text(of: Array(#"{"oid":"o","ver":"2.0"}"#.utf8), .url) + "."
    let account = MSALEntry(
      accountOf: Self.home, environment: Self.hosts[0], realm: Self.tenant,
      localAccountID: "o", username: "ann@contoso.com")
    func hasClaims(_ idTokens: [KeychainItem], at authority: String?) -> [Bool] {
      let others = [account.item(accessGroup: "g", at: nil), Self.credential(.refreshToken, "rt")]
      let query = LookupQuery(
        .accounts, clientID: "client", authority: authority, signedInOnly: true)
      return Lookup(MSALIndex(items: idTokens + others), now: Self.now).accounts(query).map(
        \.hasClaims)
    }
    for (tokens, hasThem) in [(["no token", readable], true), ([readable, "no token"], false)] {
      let ofHosts = zip(tokens, Self.hosts).map { Self.credential(.idToken, $0, host: $1) }
      let authority = "https://login.windows.net/\(Self.tenant)"
      #expect(hasClaims(ofHosts, at: authority) == [hasThem])
      // Two entries of one host, filed under two services.
      var ofOneHost = tokens.map { Self.credential(.idToken, $0) }
      ofOneHost[1].service = "another"
      #expect(hasClaims(ofOneHost, at: nil) == [hasThem])
    }
  }

  @Test("a refresh token is found by the account that is given before the one of the user name")
  func givenAccount() throws {
    let bob = "7f2b9c11-3a52-5d0e-8c1f-0d9a1c2b3e4f.\(Self.tenant)"
    let entries = [
      MSALEntry(
        kind: .refreshToken, homeAccountID: bob, environment: Self.hosts[0], clientID: "client",
        secret: TokenSecret("rt of bob")),
      MSALEntry(
        accountOf: bob, environment: Self.hosts[0], realm: Self.tenant,
        username: "bob@contoso.com"),
    ].map { $0.item(accessGroup: "g", at: nil) }
    let anns = Self.credential(.refreshToken, "rt of ann")
    func found(_ items: [KeychainItem], of home: String?) throws -> TokenSecret? {
      let query = LookupQuery(
        .refreshToken, clientID: "client", authority: "https://login.windows.net/\(Self.tenant)",
        homeAccountID: home, username: "bob@contoso.com")
      return try Lookup(MSALIndex(items: items), now: Self.now).refreshToken(query)?.secret
    }
    for items in [[anns] + entries, entries + [anns]] {
      #expect(try found(items, of: Self.home) == TokenSecret("rt of ann"))
      #expect(try found(items, of: nil) == TokenSecret("rt of bob"))
    }
    #expect(try found(entries, of: Self.home) == TokenSecret("rt of bob"))
  }

  @Test(
    "a credential without a field that its kind needs is no token",
    arguments: [
      ("RefreshToken", []), ("IdToken", []), ("AccessToken", ["target"]),
      ("AccessToken_With_AuthScheme", ["target", "kid", "token_type"]),
      ("LegacySingleResourceToken", ["target"]), ("PrimaryRefreshToken", ["session_key"]),
      ("BoundRefreshToken", ["bound_device_id"]),
    ])
  func needs(kind: String, members: [String]) throws {
    let needed = ["client_id", "environment", "credential_type"] + members
    func isToken(without missing: String? = nil) throws -> Bool {
      var payload: [String: JSONValue] = [
        "home_account_id": .string(Self.home), "realm": .string(Self.tenant),
        "secret": .string("s"),
      ]
      for member in needed where member != missing {
        payload[member] = .string(member == "credential_type" ? kind : "bWVtYmVy")
      }
      let bytes = JSONValue.object(payload).encoded()
      let item = KeychainItem(
        account: "a", service: "s",
        type: try #require(MSALEntry.Kind(credentialType: kind)).typeNumber,
        data: TokenSecret(String(decoding: bytes, as: UTF8.self)))
      return !Lookup(MSALIndex(items: [item]), now: Self.now).allTokens().isEmpty
    }
    #expect(try isToken())
    for missing in needed where missing != "credential_type" {
      #expect(try !isToken(without: missing), "\(missing)")
    }
  }

  @Test("an access token is found for scopes that it has all of")
  func scopes() {
    let targets = ["Mail.Read", "User.Read", "Mail.Read User.Read Files.Read"]
    let items = targets.map { target in
      Self.credential(.accessToken, "at for \(target)", target: target)
    }
    func found(_ scopes: String, among items: [KeychainItem]) -> TokenSecret? {
      let query = LookupQuery(
        .accessToken, clientID: "client",
        authority: "https://login.windows.net/\(Self.tenant)", homeAccountID: Self.home)
      let search = AccountSearch(Lookup(MSALIndex(items: items), now: Self.now), query)
      return search.accessToken(for: scopes)?.secret
    }
    let all = "at for Mail.Read User.Read Files.Read"
    #expect(found("user.read", among: Array(items.prefix(2))) == TokenSecret("at for User.Read"))
    // Whichever of the two is asked for first.
    #expect(found("User.Read Mail.Read", among: Array(items.prefix(2))) == nil)
    #expect(found("User.Read Mail.Read", among: items) == TokenSecret(all))
    #expect(found("User.Read Calendars.Read", among: items) == nil)
  }
}
