// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import ProcessUsage
import Testing

@testable import LookupAnswers
@testable import MSALCache
@testable import MSALLookup

/// How accounts of MSAL's and rows of ADAL's become one, and where chance decides.
@Suite struct ListingOrderTests {
  private static let tenant = "3dc1f4a5-fc50-50e9-a47a-f595cb41b813"
  private static let other = "0a1e2ef8-36f5-598b-ac1b-986a363df67c"
  private static let now = 1_700_000_000.0

  private static func home(_ uid: String) -> String { "\(uid).\(tenant)" }

  /// An account with the refresh token that lists it.
  private static func account(
    _ uid: String, _ name: String?, realm: String = tenant, host: String = "login.windows.net"
  ) -> [KeychainItem] {
    let account = MSALEntry(
      accountOf: home(uid), environment: host, realm: realm, localAccountID: uid,
      username: name)
    let token = MSALEntry(
      kind: .refreshToken, homeAccountID: home(uid), environment: host, clientID: "client",
      secret: TokenSecret("rt"))
    return [account.item(accessGroup: "g", at: nil), token.item(accessGroup: "g", at: nil)]
  }

  private static func row(
    _ name: String, realm: String = tenant, host: String = "login.windows.net",
    homeAccountID: String? = nil
  ) -> ADALFallbackRow {
    let authority = "https://\(host)/common"
    let claims = #"{"ver":"1.0","oid":"o","tid":"\#(realm)","upn":"\#(name)"}"#
    return ADALFallbackRow(
      key: ADALFallbackRow.Key(userID: name, authority: authority, client: "client"),
      place: KeychainItem.Key(accessGroup: "g", account: name, service: authority + realm),
      ADALFallbackToken(
        environment: ADALFallbackToken.environment(ofAuthority: authority), clientID: "client",
        familyID: nil, homeAccountID: homeAccountID,
        claims: IDTokenClaims(TokenSecret("e30.\(Base64.text(of: Array(claims.utf8), .url)).")),
        refreshToken: TokenSecret("rt"), hasAccessToken: false))
  }

  private static func lookup(_ items: [[KeychainItem]], _ rows: [ADALFallbackRow] = []) -> Lookup {
    Lookup(MSALIndex(items: items.flatMap { $0 }), fallbackRows: rows, now: now)
  }

  private static let query = LookupQuery(
    .listedAccounts, clientID: "client", withLegacy: true)

  /// Identifier, user name and host of each account of the usual list and then of the others.
  private static func lists(_ lookup: Lookup, _ query: LookupQuery = query) -> [[String]] {
    lookup.possibleLists(query).map { list in
      list.map { "\($0.identifier ?? "-") \($0.username ?? "-") \($0.environment ?? "-")" }
    }
  }

  @Test("an entry of an unknown kind is a token without a secret")
  func unknownKind() {
    let item = KeychainItem(
      accessGroup: "g", account: "a", service: "s", type: 2000,
      data: TokenSecret(
        #"{"credential_type":"Later","secret":"s3cret","client_id":"c","environment":"e"}"#))
    #expect(
      Self.lookup([[item]]).answer(LookupQuery(.allTokens)).json { secret in
        ("secret", secret.revealText() ?? "?")
      }
        == .object([
          "found": .bool(true),
          "tokens": .array([
            .object([
              "type": .string("token"), "secret": .string(""), "clientId": .string("c"),
            ])
          ]),
        ]))
  }

  @Test("a row that becomes one with an account gives its home tenant no claims")
  func claims() {
    // One account by identifier, by identifier in spite of another name or host, and by name.
    let rows = [
      Self.row("ann@contoso.com", homeAccountID: Self.home("ann")),
      Self.row("ann.old@contoso.com", homeAccountID: Self.home("ann")),
      Self.row(
        "ann@contoso.com", host: "login.microsoftonline.com", homeAccountID: Self.home("ann")),
      Self.row("Ann@contoso.com"),
      Self.row("ann@contoso.com", host: "login.microsoftonline.com"),
    ]
    for row in rows {
      let listed = Self.lookup([Self.account("ann", "ann@contoso.com")], [row])
        .listedAccounts(Self.query)
      #expect(listed.map(\.identifier) == [Self.home("ann")])
      #expect(listed.first?.tenantProfiles.map(\.isHome) == [true])
      #expect(listed.first?.tenantProfiles.map(\.hasClaims) == [false])
    }
  }

  @Test("where every order lists the same, nothing else is told")
  func certain() {
    let ann = Self.account("ann", "ann@contoso.com")
    let bob = Self.account("bob", "bob@contoso.com")
    for lookup in [
      Self.lookup([]), Self.lookup([ann]), Self.lookup([ann, bob]),
      // The row is the account: same name, host and tenant.
      Self.lookup([ann], [Self.row("ann@contoso.com")]),
      // Two people with one name and an identifier each.
      Self.lookup([ann, Self.account("eve", "ann@contoso.com")]),
    ] {
      #expect(lookup.possibleLists(Self.query) == [lookup.listedAccounts(Self.query)])
    }
  }

  @Test("a row that stands for another one, which stores an identifier, may come first of all")
  func rowFirst() {
    let host = "sts.windows.net"
    let rows = [
      Self.row("ann@contoso.com", host: host, homeAccountID: Self.home("ann")),
      Self.row("ann@contoso.com", host: host),
    ]
    let lists = Self.lists(Self.lookup([Self.account("ann", "ann@contoso.com")], rows))
    #expect(
      Set(lists) == [
        ["\(Self.home("ann")) ann@contoso.com login.windows.net"],
        ["\(Self.home("ann")) ann@contoso.com \(host)"],
        ["- ann@contoso.com \(host)"],
      ])
  }

  @Test("a guest's row of the same name may take the identifier away")
  func namelessRow() {
    let lookup = Self.lookup(
      [Self.account("ann", "ann@contoso.com"), Self.account("bob", "bob@contoso.com")],
      [Self.row("ann@contoso.com", realm: Self.other)])
    let bob = "\(Self.home("bob")) bob@contoso.com login.windows.net"
    #expect(
      Self.lists(lookup) == [
        ["\(Self.home("ann")) ann@contoso.com login.windows.net", bob],
        [bob, "- ann@contoso.com login.windows.net"],
      ])
    // Asked by identifier, the row is not among the accounts.
    var query = Self.query
    query.identifier = Self.home("ann")
    #expect(
      Self.lists(lookup, query) == [["\(Self.home("ann")) ann@contoso.com login.windows.net"]])
  }

  @Test("a row without an identifier may join two accounts")
  func twoPeople() {
    let lookup = Self.lookup(
      [Self.account("ann", "same@contoso.com"), Self.account("eve", "same@contoso.com")],
      [Self.row("same@contoso.com", host: "sts.windows.net")])
    let (ann, eve) = (Self.home("ann"), Self.home("eve"))
    #expect(
      Self.lists(lookup) == [
        [
          "\(ann) same@contoso.com login.windows.net", "\(eve) same@contoso.com login.windows.net",
        ],
        ["- same@contoso.com sts.windows.net"],
      ])
  }

  @Test("an account under two hosts is listed under either") func hosts() {
    let lookup = Self.lookup([
      Self.account("ann", "ann@contoso.com"),
      Self.account("ann", "ann@contoso.com", host: "login.microsoftonline.com"),
    ])
    let ann = Self.home("ann")
    #expect(
      Self.lists(lookup) == [
        ["\(ann) ann@contoso.com login.windows.net"],
        ["\(ann) ann@contoso.com login.microsoftonline.com"],
      ])
  }

  @Test("of a name with very many rows only a few lists are told, in linear time") func many() {
    func lookup(_ count: Int) -> Lookup {
      Self.lookup([], (0..<count).map { Self.row("ann@contoso.com", host: "h\($0).example.com") })
    }
    #expect(lookup(40).possibleLists(Self.query).count == 1 + Lookup.otherListLimit)
    func cost(_ count: Int) -> Double {
      let lookup = lookup(count)
      let start = ProcessUsage.seconds
      for _ in 0..<3 { _ = lookup.possibleLists(Self.query) }
      return ProcessUsage.seconds - start
    }
    #expect(cost(2_000) < cost(200) * 40)
  }
}
