// SPDX-License-Identifier: MIT
import KeychainItems
import Testing

@testable import LookupAnswers
@testable import MSALCache
@testable import MSALLookup

/// MSAL for Python's reading of a document, as its source (1.39.0) has it.
@Suite struct PythonLookupTests {
  private static let now = 1_700_000_000.0
  private static let tenant = "https://login.microsoftonline.com/t"

  private static let account =
    #""a": {"home_account_id": "u.t", "environment": "login.windows.net", "realm": "t", "authority_type": "MSSTS", "username": "Ann@contoso.com"}"#

  private static func accessToken(_ fields: String) -> String {
    #"{"secret": "at", "home_account_id": "u.t", "environment": "login.windows.net", "client_id": "c", "realm": "t", "target": "r/.default x", \#(fields)}"#
  }

  private static func refreshToken(_ client: String, _ secret: String, _ more: String = "")
    -> String
  {
    #"{"credential_type": "RefreshToken", "secret": "\#(secret)", "home_account_id": "u.t", "environment": "login.windows.net", "client_id": "\#(client)"\#(more)}"#
  }

  private static func lookup(_ sections: String) throws -> PythonLookup {
    PythonLookup(try CacheDocument(Array("{\(sections)}".utf8)), now: now)
  }

  private static func query(
    _ operation: LookupQuery.Operation = .accessToken, _ scopes: String = "r/.default"
  ) -> LookupQuery {
    LookupQuery(
      operation, clientID: "c", scopes: scopes, authority: tenant, homeAccountID: "u.t")
  }

  private static func accounts(
    at authority: String = tenant, named username: String? = nil
  ) -> LookupQuery {
    LookupQuery(.accounts, authority: authority, username: username)
  }

  @Test("accounts are those of the host, else of an alias, one for each home account id")
  func accounts() throws {
    let lookup = try Self.lookup(
      #""Account": {\#(Self.account), "b": {"home_account_id": "u.t", "environment": "login.windows.net", "realm": "z", "authority_type": "MSSTS", "username": "guest"}}"#
    )
    let found = try lookup.accounts(Self.accounts())
    #expect(found.map(\.username) == ["guest"])
    #expect(found.map(\.realm) == ["z"])
    #expect(try lookup.accounts(Self.accounts(named: "GUEST")).count == 1)
    #expect(try lookup.accounts(Self.accounts(named: "ann@contoso.com")).isEmpty)
    #expect(try lookup.accounts(Self.accounts(at: "https://login.microsoftonline.us/t")).isEmpty)
    #expect(
      lookup.candidates(Self.accounts(at: "https://login.microsoftonline.us/t")).map(\.failed)
        == [.environment, .environment])
    #expect(
      lookup.candidates(Self.accounts(named: "x")).map(\.failed) == [
        .username, .username,
      ])
  }

  @Test("an account in other case, or of another authority type, is not seen")
  func unseenAccounts() throws {
    let upper = Self.account.replacing("login.windows.net", with: "Login.Windows.net")
    #expect(try Self.lookup(#""Account": {\#(upper)}"#).accounts(Self.accounts()).isEmpty)
    let other = Self.account.replacing("MSSTS", with: "MSA")
    let lookup = try Self.lookup(#""Account": {\#(other)}"#)
    #expect(try lookup.accounts(Self.accounts()).isEmpty)
    #expect(lookup.candidates(Self.accounts()).map(\.failed) == [.authorityType])
  }

  @Test("an account without authority type, or without a name to compare, is an exception")
  func accountFailures() throws {
    let typeless = Self.account.replacing("authority_type", with: "other")
    #expect(throws: Lookup.Failure.self) {
      try Self.lookup(#""Account": {\#(typeless)}"#).accounts(Self.accounts())
    }
    let nameless = Self.account.replacing("\"username\"", with: "\"other\"")
    let lookup = try Self.lookup(#""Account": {\#(nameless)}"#)
    #expect(try lookup.accounts(Self.accounts()).count == 1)
    #expect(throws: Lookup.Failure.self) {
      try lookup.accounts(Self.accounts(named: "ann"))
    }
  }

  @Test("an access token of an alias needs a refresh token of that alias")
  func accessTokens() throws {
    let token = Self.accessToken(#""expires_on": "1700000300""#)
    let alone = try Self.lookup(#""AccessToken": {"k": \#(token)}"#)
    #expect(try alone.accessToken(Self.query()) == nil)
    let both = try Self.lookup(
      #""AccessToken": {"k": \#(token)}, "RefreshToken": {"r": \#(Self.refreshToken("z", "rt"))}"#)
    #expect(try both.accessToken(Self.query())?.secret == TokenSecret("at"))
    #expect(
      try both.accessToken(Self.query(.accessToken, "x r/.default"))?.secret == TokenSecret("at"))
    #expect(both.candidates(Self.query()).isEmpty)
  }

  private static func failed(
    _ fields: String, _ change: (inout LookupQuery) -> Void = { _ in }
  ) throws -> [LookupPredicate] {
    let token = accessToken(fields).replacing(
      "login.windows.net", with: "login.microsoftonline.com")
    let lookup = try lookup(#""AccessToken": {"k": \#(token)}"#)
    var query = query()
    change(&query)
    #expect(try lookup.accessToken(query) == nil)
    return lookup.candidates(query).map(\.failed)
  }

  @Test("everything is compared with its case, and tokens must have 300 seconds left")
  func missedAccessTokens() throws {
    let valid = #""expires_on": 1700003600"#
    #expect(try Self.failed(valid) { $0.clientID = "C" } == [.clientID])
    #expect(try Self.failed(valid) { $0.homeAccountID = "U.t" } == [.homeAccountID])
    #expect(
      try Self.failed(valid) { $0.authority = "https://login.microsoftonline.com/common" } == [
        .realm
      ])
    #expect(
      try Self.failed(valid) { $0.authority = "https://login.microsoftonline.us/t" } == [
        .environment
      ])
    #expect(try Self.failed(valid) { $0.scopes = "R/.default" } == [.target])
    #expect(try Self.failed(#""expires_on": "1700000299""#) == [.expiresOn])
    #expect(try Self.failed(#""expires_on": "1700003600", "ext_cache_key": "h""#) == [.extendedKey])
  }

  @Test("an aging access token is served only where nothing can refresh it")
  func aging() throws {
    let token = Self.accessToken(#""expires_on": "1700003600", "refresh_on": "1699999999""#)
      .replacing("login.windows.net", with: "login.microsoftonline.com")
    let refresh = Self.refreshToken("c", "rt")
      .replacing("login.windows.net", with: "login.microsoftonline.com")
    let alone = try Self.lookup(#""AccessToken": {"k": \#(token)}"#)
    #expect(try alone.accessToken(Self.query())?.secret == TokenSecret("at"))
    let both = try Self.lookup(
      #""AccessToken": {"k": \#(token)}, "RefreshToken": {"r": \#(refresh)}"#)
    #expect(try both.accessToken(Self.query()) == nil)
    #expect(both.candidates(Self.query()).map(\.failed) == [.refreshOn])
  }

  @Test(
    "an access token without a whole number for expires_on is an exception",
    arguments: [#""x": 1"#, #""expires_on": null"#, #""expires_on": "1.5""#, #""expires_on": """#])
  func accessTokenFailures(fields: String) throws {
    let lookup = try Self.lookup(#""AccessToken": {"k": \#(Self.accessToken(fields))}"#)
    #expect(throws: Lookup.Failure.self) { try lookup.accessToken(Self.query()) }
  }

  @Test("the entry under the very key is taken whatever its target and extension are")
  func preferredEntry() throws {
    let token = Self.accessToken(#""expires_on": "1700003600", "ext_cache_key": "h""#)
      .replacing("login.windows.net", with: "login.microsoftonline.com")
      .replacing("r/.default x", with: "else")
    let key = "u.t-login.microsoftonline.com-accesstoken-c-t-r/.default"
    let lookup = try Self.lookup(#""AccessToken": {"\#(key)": \#(token)}"#)
    #expect(try lookup.accessToken(Self.query())?.secret == TokenSecret("at"))
  }

  @Test("app metadata under its exact key decides about the family")
  func family() throws {
    let tokens =
      #""RefreshToken": {"a": \#(Self.refreshToken("z", "family", #", "family_id": "1""#)), "b": \#(Self.refreshToken("c", "own"))}"#
    func secret(_ metadata: String, key: String = "appmetadata-login.windows.net-c") throws
      -> TokenSecret?
    {
      try Self.lookup(#"\#(tokens), "AppMetadata": {"\#(key)": \#(metadata)}"#)
        .refreshToken(Self.query())?.secret
    }
    #expect(try Self.lookup(tokens).refreshToken(Self.query())?.secret == TokenSecret("family"))
    #expect(try secret("{}") == TokenSecret("own"))
    #expect(try secret(#"{"family_id": ""}"#) == TokenSecret("own"))
    #expect(try secret(#"{"family_id": null}"#) == TokenSecret("own"))
    #expect(try secret(#"{"family_id": "1"}"#) == TokenSecret("family"))
    #expect(try secret(#"{"family_id": "2"}"#) == TokenSecret("own"))
    #expect(try secret("{}", key: "AppMetadata-login.windows.net-c") == TokenSecret("family"))
    var query = Self.query(.refreshToken)
    query.homeAccountID = "v.t"
    let lookup = try Self.lookup(tokens)
    #expect(try lookup.refreshToken(query) == nil)
    #expect(lookup.candidates(query).map(\.failed) == [.homeAccountID, .homeAccountID])
  }

  @Test("the newest refresh token comes first")
  func newest() throws {
    let lookup = try Self.lookup(
      #""RefreshToken": {"a": \#(Self.refreshToken("c", "old", #", "last_modification_time": "5""#)), "b": \#(Self.refreshToken("c", "new", #", "last_modification_time": 17"#)), "d": \#(Self.refreshToken("c", "none"))}"#
    )
    #expect(try lookup.refreshToken(Self.query())?.secret == TokenSecret("new"))
    let wrong = try Self.lookup(
      #""RefreshToken": {"a": \#(Self.refreshToken("c", "rt").replacing("RefreshToken\"", with: "refreshtoken\""))}"#
    )
    #expect(throws: Lookup.Failure.self) { try wrong.refreshToken(Self.query()) }
  }
}

extension String {
  fileprivate func replacing(_ text: String, with other: String) -> String {
    split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
  }
}
