// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import Testing

@testable import MSALCache

@Suite struct CacheDocumentTests {
  private let account = MSALEntry(
    accountOf: "U.t", environment: "login.windows.net", realm: "T", username: "ann")
  private let refreshToken = MSALEntry(
    kind: .refreshToken, homeAccountID: "U.t", environment: "login.windows.net", clientID: "C",
    secret: TokenSecret("rt"))
  private let accessToken = MSALEntry(
    kind: .accessToken, homeAccountID: "u.t", environment: "login.windows.net", clientID: "c",
    secret: TokenSecret("at"), realm: "t", target: "https://R/.default", expiresOn: "1700003600.5")

  private func document(_ text: String) throws -> CacheDocument {
    try CacheDocument(Array(text.utf8))
  }

  @Test("keys have the shape that .NET and Java share, and Python's where it reads by key")
  func keys() {
    #expect(account.documentKey == "u.t-login.windows.net-t")
    #expect(refreshToken.documentKey == "u.t-login.windows.net-refreshtoken-c--")
    var family = refreshToken
    family.familyID = "1"
    #expect(family.documentKey == "u.t-login.windows.net-refreshtoken-1--")
    for blank in ["", " "] {
      family.familyID = blank
      #expect(family.documentKey == refreshToken.documentKey)
    }
    #expect(
      accessToken.documentKey == "u.t-login.windows.net-accesstoken-c-t-https://r/.default")
    let idToken = MSALEntry(
      kind: .idToken, homeAccountID: "u.t", environment: "e", clientID: "c",
      secret: TokenSecret("i"),
      realm: "t")
    #expect(idToken.documentKey == "u.t-e-idtoken-c-t-")
    #expect(MSALEntry(metadataOf: "C", environment: "E").documentKey == "appmetadata-E-C")
  }

  /// The documents that msal-node 2.15 and msal-go 1.6 wrote after a refresh.
  @Test func keysOfNodeAndGo() {
    let host = "u.t-login.windows.net"
    #expect(refreshToken.documentKey(as: .node) == "\(host)-refreshtoken-c----")
    #expect(refreshToken.documentKey(as: .go) == "\(host)-refreshtoken-c")
    #expect(accessToken.documentKey(as: .node) == "\(host)-accesstoken-c-t-https://r/.default--")
    #expect(accessToken.documentKey(as: .go) == "\(host)-accesstoken-c-t-https://r/.default")
    var bound = MSALEntry(
      kind: .accessTokenWithAuthScheme, homeAccountID: "u.t", environment: "login.windows.net",
      clientID: "c", secret: TokenSecret("at"), realm: "t", target: "https://r/.default")
    bound.tokenType = "pop"
    let name = "accesstoken_with_authscheme"
    #expect(bound.documentKey(as: .common) == "\(host)-\(name)-c-t-https://r/.default-pop")
    #expect(bound.documentKey(as: .node) == "\(host)-\(name)-c-t-https://r/.default--pop")
    for keys in [MSALEntry.DocumentKeys.node, .go] {
      #expect(refreshToken.libraryKeys(under: refreshToken.documentKey(as: keys)) == keys)
      #expect(accessToken.libraryKeys(under: accessToken.documentKey(as: keys)) == nil)
    }
    for key in [refreshToken.documentKey, "\(host)-refreshtoken-c--scope", ""] {
      #expect(refreshToken.libraryKeys(under: key) == nil)
    }
  }

  @Test("accounts are listed and refresh tokens are held whatever host, tenant and case they have")
  func listing() throws {
    let user = AccountKey(cloud: "login.windows.net", spelled: "u.T")
    let own = MSALEntry.Key(.refreshToken, user, owner: "c")
    let family = MSALEntry.Key(.familyRefreshToken, user, owner: "1")
    var written = CacheDocument()
    #expect(!written.lists(user) && !written.holdsRefreshToken(own))
    _ = written.add(account.moved(to: "login.microsoftonline.com"))
    #expect(written.lists(user) && !written.holdsRefreshToken(own))
    var unlisted = CacheDocument()
    _ = unlisted.add(refreshToken)
    #expect(!unlisted.lists(user) && unlisted.holdsRefreshToken(own))
    _ = written.add(refreshToken)
    for document in [written, try CacheDocument(written.encoded())] {
      #expect(document.lists(user) && document.holdsRefreshToken(own))
      #expect(!document.holdsRefreshToken(family))
      #expect(!document.lists(AccountKey(cloud: "login.windows.net", spelled: "v.t")))
    }
    // A family's token of the kind that is Apple's alone is one, too.
    let apples = try document(
      #"{"RefreshToken": {"k": {"credential_type": "FamilyRefreshToken", "secret": "rt","#
        + #" "client_id": "c", "environment": "sts.windows.net", "home_account_id": "U.t","#
        + #" "family_id": "1"}}}"#)
    #expect(apples.holdsRefreshToken(family) && !apples.lists(user))
  }

  @Test("an entry is added once, and never replaces one")
  func adding() throws {
    var document = CacheDocument()
    let added = [document.add(account), document.add(refreshToken), document.add(accessToken)]
    #expect(added == [true, true, true])
    let again = [document.add(account), document.add(refreshToken), document.add(accessToken)]
    #expect(again == [false, false, false])
    let metadata = [
      document.add(MSALEntry(metadataOf: "c", environment: "login.windows.net")),
      document.add(MSALEntry(metadataOf: "C", environment: "login.microsoftonline.com")),
      document.add(MSALEntry(metadataOf: "c", environment: "login.microsoftonline.us")),
    ]
    #expect(metadata == [true, false, true])
    let read = try CacheDocument(document.encoded())
    #expect(read == document)
    #expect(read.accounts.map(\.value) == [account])
    #expect(read.credentials.map(\.value) == [accessToken, refreshToken])
  }

  @Test("an entry under another library's key is the same entry")
  func foreignKeys() throws {
    var document = try document(
      #"""
      {"RefreshToken": {
        "u.t-login.microsoftonline.com-refreshtoken-c": {"credential_type": "RefreshToken",
          "secret": "old", "home_account_id": "u.T", "environment": "login.microsoftonline.com",
          "client_id": "c", "target": "x"}},
       "AccessToken": {
        "u.t-sts.windows.net-accesstoken-c-t-https://r/.default--": {
          "secret": "old", "home_account_id": "u.t", "environment": "sts.windows.net",
          "client_id": "c", "realm": "t", "target": "https://r/.default", "expires_on": 1}}}
      """#)
    let added = [document.add(refreshToken), document.add(accessToken), document.add(account)]
    #expect(added == [false, false, true])
    #expect(document.credentials.count == 2)
  }

  @Test("a family's token and that of a client of the family's name are two entries")
  func familyAndClient() {
    var family = refreshToken
    family.familyID = "1"
    var client = refreshToken
    client.clientID = "1"
    var document = CacheDocument()
    // .NET and Java have one key for both.
    let added = [document.add(family), document.add(client, under: "another key")]
    #expect(added == [true, true])
    let again = [document.add(family, under: "a third key"), document.add(client, under: "x")]
    #expect(again == [false, false])
  }

  @Test(
    "a family's token under its client's key is that client's own, too, as MSAL for Python writes it"
  )
  func ownTokenOfAFamily() throws {
    var family = refreshToken
    family.familyID = "1"
    let own = refreshToken.documentKey
    #expect(family.ownToken(under: own) == refreshToken)
    #expect(family.ownToken(under: family.documentKey) == nil)
    #expect(refreshToken.ownToken(under: own) == nil)
    for (key, isOwn) in [(own, true), (family.documentKey, false)] {
      let document = try document(
        #"{"RefreshToken": {"\#(key)": \#(String(decoding: family.payload.reveal(), as: UTF8.self))}}"#
      )
      #expect(document.holdsRefreshToken(family.identity))
      #expect(document.holdsRefreshToken(refreshToken.identity) == isOwn)
    }
  }

  @Test("a taken key is left alone whatever is in it")
  func takenKey() throws {
    let text = #"{"Account": {"u.t-login.windows.net-t": {"name": "?"}}}"#
    var document = try document(text)
    #expect(document.unreadable.map(\.key) == ["u.t-login.windows.net-t"])
    let added = document.add(account)
    #expect(!added)
    let expected = try self.document(text)
    #expect(document == expected)
  }

  @Test("unknown sections, fields and entries stay")
  func nothingIsLost() throws {
    let text = #"""
      {"Account": {"k": {"a": [1, 123456789012345678901234567890]}, "s": "text"},
       "accesstoken": {"x": 1}, "Future": [null], "AppMetadata": {}}
      """#
    let read = try document(text)
    #expect(try JSONValue(read.encoded()) == JSONValue(Array(text.utf8)))
    #expect(
      read.unreadable.map(\.value.description) == [
        "the field \"authority_type\" is missing or not a string", "the entry is not an object",
      ])
  }

  @Test(
    "a document that some library cannot read is refused with a sentence",
    arguments: [
      (#"{"Account": {},}"#, "a comma before a closing bracket"),
      ("[]", "is JSON, but not an object with sections"),
      ("\u{FEFF}\u{FEFF}{}", "starts with a byte order mark"), (" ", "there is no JSON"),
      ("{", "stops being JSON"),
      (#"{"Account": null}"#, #"the section "Account" of the cache document is not an object"#),
      (#"{"RefreshToken": []}"#, #"the section "RefreshToken" of the cache document"#),
      (#"{"a": 1, "a": 1}"#, "names one key twice"),
    ])
  func errors(text: String, why: String) {
    #expect {
      try CacheDocument(Array(text.utf8))
    } throws: { error in
      (error as? MSALCacheError)?.description.contains(why) ?? false
    }
  }

  @Test(
    "bytes that are not UTF-8", arguments: [[0x7B, 0xFF, 0x7D], [0xFF, 0xFE, 0x7B, 0, 0x7D, 0]])
  func notUTF8(bytes: [UInt8]) {
    #expect(
      throws: MSALCacheError("the cache document cannot be read: the text is not UTF-8")
    ) { try CacheDocument(bytes) }
  }

  @Test("a byte order mark is read, as .NET reads it, and not written")
  func byteOrderMark() throws {
    let read = try document("\u{FEFF}{\"Account\": {}}")
    #expect(try read == document(#"{"Account": {}}"#))
    #expect(!read.encoded().starts(with: [0xEF]))
  }

  @Test("no bytes are an empty document, and an unknown object is no cache")
  func emptiness() throws {
    #expect(try CacheDocument([]) == CacheDocument())
    #expect(try document("{}").isCache)
    #expect(try !document(#"{"format": "keychain-items"}"#).isCache)
    #expect(try document(#"{"x": 1, "Account": {}}"#).isCache)
  }

  @Test("numbers where strings belong are read, and written as strings in another form")
  func numbers() throws {
    let read = try document(
      #"""
      {"AccessToken": {"k": {"secret": "at", "home_account_id": "u.t", "environment": "e",
        "client_id": "c", "realm": "t", "target": "s", "expires_on": 1700003600,
        "cached_at": "1700000000", "token_type": "bearer", "unknown": 7, "client_info": "x"}}}
      """#)
    let credential = try #require(read.credentials.first?.value)
    #expect(credential.expiresOn == "1700003600")
    let kept = try #require(credential.keychainForm(tenant: nil))
    #expect(kept.tokenType == nil)
    #expect(kept.additional == ["unknown": .integer(7)])
    #expect(kept.item(accessGroup: "", at: nil).service == "accesstoken-c-t-s")
  }

  @Test("an item's number is nothing to MSAL, stays in place and becomes text elsewhere")
  func numbersOfItems() throws {
    let item = KeychainItem(
      type: 2001,
      data: TokenSecret(
        #"{"credential_type":"AccessToken","secret":"s","client_id":"c","environment":"e","#
          + #""home_account_id":"u.t","realm":"t","target":"x","expires_on":17}"#))
    let credential = try MSALEntry(item, as: .token)
    #expect(credential.expiresOn == nil)
    #expect(credential.additional == ["expires_on": .integer(17)])
    #expect(credential.item(accessGroup: "", at: nil).data == canonical(item.data))
    #expect(credential.portable(at: 0)?.expiresOn == "17")
  }

  private func canonical(_ data: TokenSecret?) -> TokenSecret? {
    data.flatMap { try? JSONValue($0.reveal()) }.map { TokenSecret($0.encoded()) }
  }

  @Test("the portable form has the fields that the other libraries need, and no others")
  func portableForm() throws {
    var token = accessToken
    token.applicationIdentifier = "app"
    token.enrollmentID = "e"
    token.additional = ["expires_in": .string("1"), "spe_info": .string("I"), "x": .integer(1)]
    let portable = try #require(token.portable(at: 1_700_000_000.7))
    #expect(portable.tokenType == "Bearer")
    #expect(portable.cachedAt == "1700000000")
    #expect(portable.expiresOn == "1700003600")
    #expect(portable.applicationIdentifier == nil)
    #expect(portable.enrollmentID == nil)
    #expect(portable.additional == ["expires_in": .string("1"), "x": .integer(1)])
    let back = try #require(portable.keychainForm(tenant: nil))
    #expect(back.tokenType == nil)
    for member in [\MSALEntry.expiresOn, \.realm, \.target] {
      token = accessToken
      token[keyPath: member] = nil
      #expect(token.portable(at: 0) == nil)
    }
    token = accessToken
    token.tokenType = "pop"
    #expect(token.portable(at: 0) == nil)
    #expect(token.keychainForm(tenant: nil) == nil)
  }

  @Test("a token without a type is of its section's, and one of another name is none")
  func types() throws {
    func kinds(_ type: String) throws -> [MSALEntry.Kind?] {
      let members =
        #"{\#(type)"client_id":"c","environment":"e","home_account_id":"u.t","secret":"s"}"#
      return try document(#"{"RefreshToken": {"k": \#(members)}}"#).entries.map(\.value.kind)
    }
    #expect(try kinds("") == [.refreshToken])
    #expect(try kinds(#""credential_type":"RefreshToken","#) == [.refreshToken])
    #expect(try kinds(#""credential_type":"Cookie","#) == [])
  }

  @Test("a file with no section of a cache is no cache, and the error says its place")
  func otherFiles() throws {
    for text in ["{\"a\":{}}", "{\"account\":{}}"] {
      #expect(
        throws: StoreError(
          .notACache, "x.json is not a cache document: it has none of its sections")
      ) {
        try CacheDocument(Array(text.utf8), of: "x.json")
      }
    }
    for text in ["", "{}", "{\"a\":{},\"Account\":{}}"] {
      #expect(try CacheDocument(Array(text.utf8), of: "x.json").isCache)
    }
  }

  @Test("a refresh token has neither realm nor target nor an empty family")
  func refreshTokens() throws {
    var token = refreshToken
    token.realm = "t"
    token.target = "s"
    token.familyID = ""
    #expect(token.portable(at: 0) == refreshToken)
    #expect(token.keychainForm(tenant: nil) == refreshToken)
    token.kind = .boundRefreshToken
    #expect(token.portable(at: 0) == nil)
    token = refreshToken
    token.familyID = "1"
    #expect(token.portable(at: 0) == token && token.keychainForm(tenant: nil) == token)
  }

  @Test("an account and app metadata go from one form to the other as they are")
  func accountsAreMoved() {
    let fields = ["spe_info", "last_modification_app", "ext_expires_on", "unknown"]
    for var entry in [account, MSALEntry(metadataOf: "c", environment: "login.windows.net")] {
      for field in fields { entry.additional[field] = .string("x") }
      #expect(entry.portable(at: 0) == entry && entry.keychainForm(tenant: nil) == entry)
    }
  }

  @Test(
    "a keychain gets no token that is bound to a request or a key, nor one of no tenant",
    arguments: ["ext_cache_key", "ext", "user_assertion_hash", "userAssertionHash"])
  func boundTokens(field: String) {
    #expect(accessToken.keychainForm(tenant: nil) != nil)
    var token = accessToken
    token.additional[field] = .string("x")
    #expect(token.keychainForm(tenant: nil) == nil)
    for realm in [nil, "", " "] as [String?] {
      token = accessToken
      token.realm = realm
      #expect(token.keychainForm(tenant: nil) == nil)
    }
    token.realm = "common"
    #expect(token.keychainForm(tenant: " ") == nil)
  }

  @Test("a realm that is no tenant becomes the ID token's, or the token is left out")
  func realmOfCommon() {
    var token = accessToken
    token.realm = "organizations"
    #expect(token.keychainForm(tenant: "T-1")?.realm == "t-1")
    #expect(token.keychainForm(tenant: nil) == nil)
    token.realm = nil
    #expect(token.keychainForm(tenant: "t") == nil)
  }
}

extension CacheDocument {
  var accounts: [Entry] { entries.filter { $0.value.kind == .account } }
  var appMetadata: [Entry] { entries.filter { $0.value.kind == .appMetadata } }
  var credentials: [Entry] { entries.filter { $0.value.kind?.isToken ?? false } }
}
