// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import Testing

@testable import MSALCache

@Suite struct ModelTests {
  private static let full = MSALEntry(
    kind: .accessToken, homeAccountID: "Uid.Utid", environment: "Login.Windows.net",
    clientID: "Client", secret: TokenSecret("token"), realm: "Realm",
    target: "https://R/.default X",
    expiresOn: "1700003600", extendedExpiresOn: "1700009999", cachedAt: "1700000000",
    refreshOn: "1700001800", tokenType: "Pop", requestedClaims: " {\"A\":1} ",
    enrollmentID: "e", applicationIdentifier: "App.Id",
    additional: ["x": .array([.integer(1), .null]), "family_id": .integer(1)])

  @Test("a credential is the same after its item is read, unknown fields included")
  func credentialRoundTrip() throws {
    let item = Self.full.item(accessGroup: "T.g", at: 5)
    #expect(try MSALEntry(item, as: .token) == Self.full)
    #expect(item.accessGroup == "T.g")
    #expect(item.account == "uid.utid-login.windows.net")
    #expect(
      item.service
        == "accesstoken-client-realm-app.id-https://r/.default x-pop|"
        + MSALEntry.claimsHash("{\"a\":1}"))
    #expect(item.generic == Array("accesstoken-client-realm-app.id".utf8))
    #expect(item.type == 2001)
    #expect(item.accessibility == "cku")
    #expect(item.created == 5)
    #expect(item.modified == 5)
  }

  @Test("claims are part of the service only if some were requested", arguments: [nil, "", " \n"])
  func blankClaims(claims: String?) {
    var token = Self.full
    token.requestedClaims = claims
    #expect(
      token.attributes.service == "accesstoken-client-realm-app.id-https://r/.default x-pop")
  }

  @Test("every kind has its number, in order")
  func kinds() {
    #expect(MSALEntry.Kind.tokens.map(\.typeNumber) == Array(2001...2009))
    #expect(
      MSALEntry.Kind.allCases.map(\.lowerCaseName)
        == MSALEntry.Kind.allCases.map { $0.name.lowercased() })
    #expect(
      MSALEntry.Kind(credentialType: "accesstoken_with_AUTHSCHEME") == .accessTokenWithAuthScheme)
    #expect(MSALEntry.Kind(credentialType: "token") == nil)
  }

  @Test("payloads are one line with sorted keys, plain slashes and strings")
  func payload() throws {
    let credential = MSALEntry(
      kind: .refreshToken, homeAccountID: "u.t", environment: "e", clientID: "c",
      secret: TokenSecret("a/b"))
    let data = credential.item(accessGroup: "", at: nil).data
    let text = [
      #"{"client_id":"c","credential_type":"RefreshToken","environment":"e","#,
      #""home_account_id":"u.t","secret":"a/b"}"#,
    ]
    #expect(data == TokenSecret(text.joined()))
  }

  @Test("an account's attributes follow from its payload")
  func account() throws {
    let account = MSALEntry(
      accountOf: "U.T", environment: "E", realm: " R ", localAccountID: "l",
      username: " Ann@Contoso.com", authorityType: "MSSTS", name: "Ann", givenName: "A",
      middleName: "M", familyName: "F", clientInfo: "x", additional: ["y": .bool(true)])
    let item = account.item(accessGroup: "g", at: 1)
    #expect(item.account == "u.t-e")
    #expect(item.service == "r")
    #expect(item.generic == Array("ann@contoso.com".utf8))
    #expect(item.type == 1003)
    #expect(try MSALEntry(item, as: .account) == account)
    let bare = MSALEntry(accountOf: "u.t", environment: "e")
    #expect(bare.item(accessGroup: "g", at: 1).generic == nil)
    #expect(bare.item(accessGroup: "g", at: 1).service == "")
  }

  @Test("app metadata keeps the spelling of its environment and family")
  func appMetadata() throws {
    let metadata = MSALEntry(metadataOf: " C ", environment: "Env", familyID: "")
    let item = metadata.item(accessGroup: "g", at: 1)
    #expect(item.account == "Env")
    #expect(item.service == "appmetadata-c")
    #expect(item.generic == [])
    #expect(item.type == 3001)
    #expect(try MSALEntry(item, as: .appMetadata) == metadata)
    #expect(
      MSALEntry(metadataOf: "c", environment: "e").item(accessGroup: "g", at: 1).generic == nil)
  }

  @Test("the type number recognises an item, else the payload, and the rest is none of MSAL's")
  func recognition() {
    func kind(_ item: KeychainItem) -> String {
      switch MSALItem(item) {
      case .entry(let entry): entry.kind?.name ?? "unknown"
      case .accountMetadata: "accountMetadata"
      case .other: "other"
      case .unreadable(let error): error.description
      case nil: "none"
      }
    }
    var item = Self.full.item(accessGroup: "g", at: 1)
    #expect(kind(item) == "AccessToken")
    item.type = nil
    #expect(kind(item) == "AccessToken")
    item.data = TokenSecret("{}")
    #expect(kind(item) == "none")
    item.type = 2001
    #expect(kind(item) == "the field \"credential_type\" is missing or not a string")
    item.data = TokenSecret("[]")
    #expect(kind(item) == "the item's data is JSON, but not an object")
    item.data = TokenSecret("x")
    #expect(kind(item).hasPrefix("the item's data is not JSON"))
    item.data = nil
    #expect(kind(item) == "the item has no data")
    item.data = TokenSecret(#"{"credential_type":"Cookie","secret":"x"}"#)
    #expect(kind(item) == "MSAL knows no credential type of this name")
    let metadata = KeychainItem(
      account: "authority_map", service: "c", type: 5001, data: TokenSecret(#"{"client_id":"c"}"#))
    #expect(kind(metadata) == "accountMetadata")
    #expect(kind(KeychainItem(account: "useSingleFRT", service: "useSingleFRT")) == "other")
    #expect(kind(KeychainItem(account: "a", service: "b", data: TokenSecret("bplist00"))) == "none")
  }

  @Test("an entry is read with any field missing, and names the fields that MSAL needs")
  func flaws() {
    func flaw(_ shape: MSALEntry.Shape, without field: String?, _ value: JSONValue? = nil)
      -> String?
    {
      var members: [String: JSONValue] = [
        "credential_type": .string("refreshTOKEN"), "secret": .string("rt"),
        "client_id": .string("c"), "environment": .string("e"), "home_account_id": .string("u.t"),
        "authority_type": .string("mssts"),
      ]
      if let field { members[field] = value }
      let entry = MSALEntry(members, as: shape)
      // A value that is not text is kept as it is.
      if let field, let value { #expect(entry.additional[field] == value || value.string != nil) }
      return entry.flaw?.description
    }
    let missing = { (field: String) in "the field \"\(field)\" is missing or not a string" }
    let needed: [(MSALEntry.Shape, [String])] = [
      (.token, ["credential_type", "secret", "client_id", "environment", "home_account_id"]),
      (.account, ["authority_type", "home_account_id", "environment"]),
      (.appMetadata, ["client_id", "environment"]),
    ]
    for (shape, fields) in needed {
      #expect(flaw(shape, without: nil) == nil)
      for field in fields {
        #expect(flaw(shape, without: field) == missing(field))
        #expect(flaw(shape, without: field, .integer(1)) == missing(field))
      }
    }
    #expect(
      flaw(.token, without: "credential_type", .string("Cookie"))
        == "MSAL knows no credential type of this name")
    #expect(
      flaw(.account, without: "authority_type", .string("B2C"))
        == "MSAL knows no authority type of this name")
    #expect(flaw(.appMetadata, without: "secret") == nil)
  }

  @Test("account metadata names the accounts that signed out")
  func accountMetadata() throws {
    let map =
      #"{"u.t":{"sign_in_state":"signed_out"},"V.t":{"sign_in_state":"signed_in"},"w.t":{}}"#
    let item = KeychainItem(
      account: "authority_map", service: "c", type: 5001,
      data: TokenSecret(#"{"client_id":"c","account_metadata_map":\#(map)}"#))
    let metadata = try AccountMetadata(item: item)
    #expect(metadata.clientID == "c")
    #expect(
      metadata.accounts.mapValues(\.signInState)
        == ["u.t": .signedOut, "V.t": .signedIn, "w.t": .unknown])
  }

  @Test("a home account id has two parts and one spelling")
  func homeAccountID() throws {
    #expect(HomeAccountID(" U.T\n")?.description == "u.t")
    for text in ["", ".", "a", "a.", ".b", "a.b.c", " . "] {
      #expect(HomeAccountID(text) == nil)
    }
    let guids = HomeAccountID(
      uid: "9F4880D8-80ba-4c40-97bc-f7a23c703084", utid: "f645ad92-e38d-4d1a-b510-d1b09a74a8ca")
    #expect(guids.isGUIDs)
    #expect(HomeAccountID("a.b")?.isGUIDs == false)
    let info = [
      "eyJ1aWQiOiI5ZjQ4ODBkOC04MGJhLTRjNDAtOTdiYy1mN2EyM2M3MDMwODQiLCJ1dGlkIjoiZjY0NWFkOTIt",
      "ZTM4ZC00ZDFhLWI1MTAtZDFiMDlhNzRhOGNhIn0",
    ]
    #expect(guids.clientInfo == info.joined())
    #expect(HomeAccountID(clientInfo: guids.clientInfo) == guids)
    #expect(HomeAccountID(clientInfo: "e30") == nil)
    #expect(HomeAccountID(clientInfo: "x") == nil)
  }

  @Test("a cloud is known by each of its hosts")
  func clouds() {
    #expect(Cloud.of(host: "STS.windows.net")?.preferredCache == "login.windows.net")
    #expect(
      Cloud.of(host: "login.chinacloudapi.cn")?.preferredCache == "login.partner.microsoftonline.cn"
    )
    #expect(Cloud.of(host: "login.microsoftonline.de")?.isClosed == true)
    #expect(Cloud.of(host: "login.usgovcloudapi.net")?.isClosed == false)
    #expect(Cloud.of(host: "example.com") == nil)
    #expect(Cloud.all.allSatisfy { $0.aliases.first == $0.preferredCache })
  }

  @Test("a credential never shows its token")
  func redaction() {
    var shown = "\(Self.full)"
    dump(Self.full, to: &shown)
    #expect(!shown.contains("\"token\""))
    #expect(shown.contains("[redacted, 5 bytes]"))
  }
}
