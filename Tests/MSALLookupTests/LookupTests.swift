// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation
import KeychainItems
import ProcessUsage
import Testing

@testable import LookupAnswers
@testable import MSALCache
@testable import MSALLookup

/// The explanations of look-ups, and queries without a recorded case.
@Suite struct LookupTests {
  private static let home =
    "4d96a562-b0fe-5e0a-9154-811e96ff0939.3dc1f4a5-fc50-50e9-a47a-f595cb41b813"
  private static let tenant = "3dc1f4a5-fc50-50e9-a47a-f595cb41b813"
  private static let now = 1_700_000_000.0
  private static let idToken =
    "e30." + Base64.text(of: Array(#"{"oid":"o","ver":"2.0"}"#.utf8), .url) + "."

  private static func credential(_ kind: MSALEntry.Kind, _ secret: String) -> MSALEntry {
    MSALEntry(
      kind: kind, homeAccountID: home, environment: "login.windows.net", clientID: "client",
      secret: TokenSecret(secret), realm: kind == .refreshToken ? nil : tenant)
  }

  private static var accessToken: MSALEntry {
    var token = credential(.accessToken, "at")
    token.target = "https://graph.microsoft.com/.default"
    token.expiresOn = "1700003600"
    token.cachedAt = "1700000000"
    return token
  }

  private static let account = MSALEntry(
    accountOf: home, environment: "login.windows.net", realm: tenant, localAccountID: "o",
    username: "ann@contoso.com")

  private static func items(accessToken: MSALEntry = accessToken) -> [KeychainItem] {
    [
      account.item(accessGroup: "g", at: nil), accessToken.item(accessGroup: "g", at: nil),
      credential(.refreshToken, "rt").item(accessGroup: "g", at: nil),
      credential(.idToken, idToken).item(accessGroup: "g", at: nil),
    ]
  }

  private static func lookup(_ items: [KeychainItem], at now: Double = now) -> Lookup {
    Lookup(MSALIndex(items: items), now: now)
  }

  private static func tokenQuery(_ operation: LookupQuery.Operation) -> LookupQuery {
    LookupQuery(
      operation, clientID: "client", scopes: "https://graph.microsoft.com/.default",
      authority: "https://login.microsoftonline.com/common", homeAccountID: home)
  }

  @Test("a silent request asks in the account's own tenant")
  func silentAuthority() {
    let lookup = Self.lookup(Self.items())
    func authority(_ tenant: String, _ home: String = Self.home) -> String {
      lookup.silentAuthority(
        "https://login.microsoftonline.com/\(tenant)", homeAccountID: home, clientID: "client")
    }
    let own = "https://login.microsoftonline.com/\(Self.tenant)"
    #expect(authority("common") == own)
    #expect(authority("Organizations") == own)
    #expect(authority("consumers") == own)
    #expect(authority("contoso.com") == "https://login.microsoftonline.com/contoso.com")
    #expect(authority("common", "x") == "https://login.microsoftonline.com/common")
    let personal = "u.9188040d-6c67-4c5b-b112-36a304b66dad"
    #expect(
      authority("organizations", personal) == "https://login.microsoftonline.com/organizations")
    #expect(lookup.silentAccessToken(Self.tokenQuery(.accessToken))?.secret == TokenSecret("at"))
    #expect(lookup.accessToken(Self.tokenQuery(.accessToken)) == nil)
  }

  @Test("account metadata redirects an authority, until the account is signed out")
  func redirectedAuthority() {
    func lookup(_ state: String) -> Lookup {
      let map =
        #"{"sign_in_state":"\#(state)","athority_map":{"URLMap-":{"https://login.microsoftonline.com/contoso.com":"https://login.microsoftonline.com/t"}}}"#
      let item = KeychainItem(
        account: "authority_map", service: "client", type: 5001,
        data: TokenSecret(
          #"{"client_id":"client","account_metadata_map":{"\#(Self.home)":\#(map)}}"#))
      return Self.lookup([item])
    }
    let asked = "https://login.microsoftonline.com/contoso.com"
    #expect(
      lookup("signed_in").silentAuthority(asked, homeAccountID: Self.home, clientID: "client")
        == "https://login.microsoftonline.com/t")
    #expect(
      lookup("signed_out").silentAuthority(asked, homeAccountID: Self.home, clientID: "client")
        == asked)
  }

  @Test("each change to an access token is named by the first predicate that it breaks")
  func accessTokenCandidates() {
    func failed(_ change: (inout MSALEntry) -> Void) -> [LookupPredicate] {
      var token = Self.accessToken
      change(&token)
      let lookup = Self.lookup(Self.items(accessToken: token))
      #expect(lookup.silentAccessToken(Self.tokenQuery(.accessToken)) == nil)
      return lookup.silentAccessTokenCandidates(Self.tokenQuery(.accessToken)).map(\.failed)
    }
    #expect(failed { $0.homeAccountID = "x.y" } == [.homeAccountID])
    #expect(failed { $0.environment = "login.microsoftonline.us" } == [.environment])
    #expect(failed { $0.clientID = "other" } == [.clientID])
    #expect(failed { $0.realm = "other" } == [.realm])
    #expect(failed { $0.target = "User.Read" } == [.target])
    #expect(failed { $0.requestedClaims = "{}" } == [.requestedClaims])
    #expect(failed { $0.applicationIdentifier = "app" } == [.genericAttribute])
    #expect(failed { $0.expiresOn = "1700000299" } == [.expiresOn])
    #expect(failed { $0.cachedAt = "1700000001" } == [.cachedAt])
    #expect(failed { $0.refreshOn = "1699999999" } == [.refreshOn])
    #expect(failed { $0.secret = TokenSecret("<tombstone>") } == [.tombstone])
  }

  @Test("the sentence gives the question and the answer")
  func sentence() {
    let lookup = Self.lookup(Self.items())
    var query = Self.tokenQuery(.accessToken)
    query.scopes = "User.Read"
    let candidates = lookup.silentAccessTokenCandidates(query)
    #expect(
      candidates == [
        LookupCandidate(
          .item(index: 1, key: Self.items()[1].key), .target,
          "asked for User.Read, has https://graph.microsoft.com/.default; "
            + "scopes are compared as strings")
      ])
  }

  @Test("a served access token needs an ID token and an account of its tenant")
  func servedWith() {
    func failed(without index: Int) -> [LookupPredicate] {
      var items = Self.items()
      items.remove(at: index)
      let lookup = Self.lookup(items)
      #expect(lookup.silentAccessToken(Self.tokenQuery(.accessToken)) == nil)
      return lookup.silentAccessTokenCandidates(Self.tokenQuery(.accessToken)).map(\.failed)
    }
    #expect(failed(without: 0) == [.account])
    #expect(failed(without: 3) == [.idToken])
    var items = Self.items()
    items[3] = Self.credential(.idToken, "no token").item(accessGroup: "g", at: nil)
    let lookup = Self.lookup(items)
    #expect(
      lookup.silentAccessTokenCandidates(Self.tokenQuery(.accessToken)).map(\.failed) == [.idToken])
  }

  private static let signedOut = KeychainItem(
    account: "authority_map", service: "client", type: 5001,
    data: TokenSecret(#"{"account_metadata_map":{"\#(home)":{"sign_in_state":"signed_out"}}}"#))

  @Test("whoever signed out is asked for, though the tokens are there") func signedOut() {
    let lookup = Self.lookup(Self.items() + [Self.signedOut])
    let query = Self.tokenQuery(.accessToken)
    #expect(lookup.silentAccessToken(query) == nil)
    #expect(lookup.silentAccessTokenCandidates(query).map(\.failed) == [.signInState])
    var other = query
    other.clientID = "other"
    #expect(lookup.silentAccessTokenCandidates(other).map(\.failed) == [.clientID])
  }

  @Test("attributes that disagree with the payload are named")
  func attributes() {
    func failed(_ change: (inout KeychainItem) -> Void) -> [LookupPredicate] {
      var item = Self.credential(.refreshToken, "rt").item(accessGroup: "g", at: nil)
      change(&item)
      let lookup = Self.lookup([item])
      return lookup.candidates(Self.tokenQuery(.refreshToken)).map(\.failed)
    }
    #expect(failed { _ in } == [])
    #expect(failed { $0.type = 2001 } == [.typeAttribute])
    #expect(failed { $0.generic = nil } == [.genericAttribute])
    #expect(failed { $0.service += "x" } == [.serviceAttribute])
    #expect(failed { $0.data = TokenSecret("{") } == [.readable])
    #expect(failed { $0.data = TokenSecret("{}") } == [.readable])
    #expect(failed { $0.data = nil } == [.readable])
  }

  @Test("why an account is not listed")
  func listing() {
    func failed(
      _ items: [KeychainItem],
      _ query: LookupQuery = LookupQuery(.listedAccounts, clientID: "client")
    ) -> [LookupPredicate] {
      let lookup = Self.lookup(items)
      #expect(lookup.listedAccounts(query).isEmpty)
      return lookup.candidates(query).map(\.failed)
    }
    let account = Self.account.item(accessGroup: "g", at: nil)
    #expect(failed([account]) == [.refreshToken])
    var upper = Self.credential(.refreshToken, "rt")
    upper.homeAccountID = Self.home.uppercased()
    #expect(failed([account, upper.item(accessGroup: "g", at: nil)]) == [.refreshToken])
    var other = Self.account
    other.authorityType = "AAD"
    #expect(failed([other.item(accessGroup: "g", at: nil)]) == [.typeAttribute])
    other.authorityType = "?"
    #expect(failed([other.item(accessGroup: "g", at: nil)]) == [.authorityType])
    #expect(
      failed(
        Self.items(), LookupQuery(.listedAccounts, clientID: "client", username: "bob@contoso.com"))
        == [.username])
    #expect(
      failed(
        Self.items(), LookupQuery(.listedAccounts, clientID: "client", tenantProfileID: "p"))
        == [.account])
    #expect(failed(Self.items() + [Self.signedOut]) == [.signInState])
    #expect(
      Self.lookup(Self.items()).candidates(LookupQuery(.listedAccounts, clientID: "client")) == [])
  }

  @Test("predicates come in the order in which they are asked")
  func predicates() {
    let lookup = Self.lookup([])
    #expect(
      lookup.refreshTokenQueries(Self.tokenQuery(.refreshToken)).first?.predicates
        == [
          .tombstone, .homeAccountID, .environment, .clientID, .requestedClaims, .typeAttribute,
          .genericAttribute, .serviceAttribute, .usable,
        ])
    #expect(
      lookup.accountQuery(LookupQuery(.account, homeAccountID: "x")).predicates == [
        .homeAccountID, .typeAttribute,
      ])
  }

  @Test("rows of several users are an error, and a row of one is found by his name")
  func fallbackRows() throws {
    func row(_ user: String, _ authority: String = "https://login.windows.net/common")
      -> ADALFallbackRow
    {
      ADALFallbackRow(
        key: ADALFallbackRow.Key(userID: user, authority: authority, client: "client"),
        place: KeychainItem.Key(accessGroup: "g", account: user, service: authority),
        ADALFallbackToken(
          environment: ADALFallbackToken.environment(ofAuthority: authority), clientID: "Client",
          familyID: nil, homeAccountID: nil,
          claims: nil, refreshToken: TokenSecret("rt of \(user)"), hasAccessToken: false))
    }
    var query = LookupQuery(
      .refreshToken, clientID: "CLIENT", authority: "https://login.microsoftonline.com/common",
      withLegacy: true)
    let lookup = Lookup(
      MSALIndex(items: []), fallbackRows: [row("ann"), row("bob")], now: Self.now)
    #expect(lookup.answer(query) == .failure(.severalUsers))
    #expect(
      lookup.answer(query).json { _ in ("", "") }
        == .object(["found": .bool(false), "error": .bool(true)]))
    query.username = " ANN "
    #expect(try lookup.refreshToken(query)?.secret == TokenSecret("rt of ann"))
    #expect(try lookup.refreshToken(query)?.isLegacy == true)
    query.withLegacy = false
    #expect(try lookup.refreshToken(query) == nil)
    query.withLegacy = true
    query.username = "eve"
    #expect(lookup.candidates(query).map(\.failed) == [.username, .username])
    query.username = "ann"
    query.clientID = "other"
    #expect(lookup.candidates(query).map(\.failed) == [.clientID, .username])
    query.clientID = "client"
    query.authority = "https://login.microsoftonline.us/common"
    #expect(lookup.candidates(query).map(\.failed) == [.authority, .username])
    let domain = Lookup(
      MSALIndex(items: []), fallbackRows: [row("ann", "https://login.windows.net/contoso.com")],
      now: Self.now)
    query.authority = "https://login.windows.net/\(Self.tenant)"
    #expect(try domain.refreshToken(query) == nil)
    query.authority = "https://sts.windows.net/Contoso.com/oauth2?x#y"
    #expect(try domain.refreshToken(query) != nil)
  }

  @Test("the single family refresh token is asked first where its switch is on")
  func singleFamilyToken() throws {
    var family = Self.credential(.familyRefreshToken, "frt")
    family.realm = nil
    family.familyID = "1"
    var old = Self.credential(.refreshToken, "old frt")
    old.familyID = "1"
    let items = [old, family].map { $0.item(accessGroup: "g", at: nil) }
    func frtSwitch(_ value: String) -> KeychainItem {
      KeychainItem(
        account: "useSingleFRT", service: "useSingleFRT",
        data: TokenSecret(#"{"use_single_frt":\#(value)}"#))
    }
    var query = Self.tokenQuery(.refreshToken)
    query.familyID = "1"
    #expect(try Self.lookup(items).refreshToken(query)?.secret == TokenSecret("old frt"))
    for value in ["true", "1", "-1", "0.5", "\"yes\"", "\" +01\""] {
      let lookup = Self.lookup(items + [frtSwitch(value)])
      #expect(try lookup.refreshToken(query)?.secret == TokenSecret("frt"))
    }
    for value in ["false", "0", "0.0", "\"no\"", "\"-0\"", "\"\"", "null", "[]"] {
      let lookup = Self.lookup(items + [frtSwitch(value)])
      #expect(try lookup.refreshToken(query)?.secret == TokenSecret("old frt"))
    }
    // The first switch decides, by its own member.
    let both = Self.lookup(items + [frtSwitch("false,\"a\":true"), frtSwitch("true")])
    #expect(try both.refreshToken(query)?.secret == TokenSecret("old frt"))
    let listed = Self.lookup([Self.account.item(accessGroup: "g", at: nil), items[1]])
    #expect(listed.listedAccounts(LookupQuery(.listedAccounts, clientID: "other")).isEmpty)
    let switched = Self.lookup(
      [Self.account.item(accessGroup: "g", at: nil), items[1], frtSwitch("true")])
    #expect(switched.listedAccounts(LookupQuery(.listedAccounts, clientID: "other")).count == 1)
  }

  @Test("a text that is no query has an error that says why")
  func queries() throws {
    func error(_ text: String) -> String? {
      do {
        _ = try LookupQuery(JSONValue(Array(text.utf8)))
        return nil
      } catch { return "\(error)" }
    }
    #expect(error("[]") == "a query is not an object")
    #expect(error("{}") == #"a query has no operation "op" that is known"#)
    #expect(error(#"{"op":"rt","x":1}"#) == #"a query has "x", which is unknown"#)
    #expect(error(#"{"op":"at","scopes":["a"]}"#) == #""scopes" of a query is not a text"#)
    #expect(error(#"{"op":"rt","v1":"yes"}"#) == #""v1" of a query is neither true nor false"#)
    #expect(error(#"{"op":"rt","clientId":null,"answer":{}}"#) == nil)
  }

  @Test("recorded answers are compared as sets, and loosely where the order is unknown")
  func recordedAnswers() throws {
    func agrees(_ query: String, _ answer: String) throws -> Bool {
      RecordedAnswer(try JSONValue(Array(query.utf8)))
        .agrees(with: try JSONValue(Array(answer.utf8)))
    }
    #expect(try agrees(#"{"answer":{"a":[1,2]}}"#, #"{"a":[2,1]}"#))
    #expect(try !agrees(#"{"answer":{"a":[1,2]}}"#, #"{"a":[1]}"#))
    #expect(try agrees(#"{"answer":1,"alternatives":[2],"orderDependent":true}"#, "2"))
    #expect(try !agrees(#"{"answer":1,"alternatives":[2],"orderDependent":true}"#, "3"))
    let loose =
      #"{"answer":{"tenantProfiles":[],"username":"a"},"alternatives":[],"orderDependent":true}"#
    #expect(try agrees(loose, #"{"tenantProfiles":[],"username":"b"}"#))
    #expect(try !agrees(loose, #"{"tenantProfiles":[1],"username":"a"}"#))
    #expect(try !RecordedAnswer(JSONValue(Array("{}".utf8))).isPresent)
  }

  @Test(
    "authorities are taken apart as IdentityCore does",
    arguments: [
      ("https://Login.Windows.net:443/Common/oauth2", "login.windows.net", "common"),
      ("https://host:8080/a%20b", "host:8080", "a b"),
      ("https://host/adfs/ls", "host", "/adfs/ls"), ("https://host/tfp/T/p", "host", "T"),
      ("https://host/tfp", "host", "tfp"),
    ])
  func authorities(url: String, environment: String, realm: String) throws {
    let authority = try #require(RequestAuthority(url))
    #expect(authority.environment == environment)
    #expect(authority.realm == realm)
  }

  @Test(
    "texts that are not authorities",
    arguments: [
      "", "x", "http://host/t", "https://host", "https://host/", "https:///t", "https://h o/t",
    ])
  func noAuthorities(url: String) {
    #expect(RequestAuthority(url) == nil)
  }

  @Test("the cost of a look-up grows with its answer, not with the cache")
  func linear() {
    func cost(_ count: Int) -> Double {
      let items = (0..<count).flatMap { number -> [KeychainItem] in
        var token = Self.credential(.refreshToken, "rt")
        token.homeAccountID = "u\(number).t"
        var account = Self.account
        account.homeAccountID = "u\(number).t"
        account.username = "user\(number)@contoso.com"
        return [token.item(accessGroup: "g", at: nil), account.item(accessGroup: "g", at: nil)]
      }
      let lookup = Self.lookup(items)
      let start = ProcessUsage.seconds
      for number in 0..<100 {
        let listed = lookup.listedAccounts(
          LookupQuery(.listedAccounts, clientID: "client", identifier: "u\(number).t"))
        let named = lookup.listedAccounts(
          LookupQuery(.listedAccounts, clientID: "client", username: "user\(number)@contoso.com"))
        #expect(listed.count == 1 && listed == named)
      }
      return ProcessUsage.seconds - start
    }
    let (small, large) = (cost(200), cost(4_000))
    #expect(large < small * 10)
  }
}
