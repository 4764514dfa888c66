// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALCache
@testable import ADALMigration

@Suite struct ADALFallbackRowTests {
  private func token(_ service: String, account: String = "YW5uQGNvbnRvc28uY29t") -> LegacyToken {
    LegacyToken(
      authority: "https://Login.Windows.net/Common", clientID: "Client", userID: "ann@contoso.com",
      refreshToken: TokenSecret("rt"), familyID: "1", homeAccountID: "U.t",
      place: .keychain(
        LegacyPlace.KeychainKey(accessGroup: "g", account: account, service: service)))
  }

  // https://login.windows.net/common, the placeholder of no resource, client.
  private static let service =
    "MSOpenTech.ADAL.1|aHR0cHM6Ly9sb2dpbi53aW5kb3dzLm5ldC9jb21tb24"
    + "|CC3513A0-0E69-4B4D-97FC-DFB6C91EE132|Y2xpZW50"

  @Test("a row is filed under its key with its own fields")
  func row() throws {
    let row = try #require(ADALFallbackRow(token(Self.service)))
    #expect(
      row.key
        == ADALFallbackRow.Key(
          userID: "ann@contoso.com", authority: "https://login.windows.net/common",
          client: "client"))
    #expect(row.environment == "login.windows.net")
    #expect(row.clientID == "Client")
    #expect(row.familyID == "1")
    #expect(row.homeAccountID == "U.t")
    #expect(row.refreshToken == TokenSecret("rt"))
    #expect(!row.hasAccessToken)
    #expect(row.place.account == "YW5uQGNvbnRvc28uY29t")
  }

  @Test("the key tells a row with a resource, one of an app and one without a user")
  func keys() throws {
    let bound = Self.service.split(separator: "|").map { String($0) }
    let resource = ["MSOpenTech.ADAL.1-YXBw", bound[1], "cmVzb3VyY2U", bound[3]]
    let row = try #require(ADALFallbackRow(token(resource.joined(separator: "|"), account: "")))
    #expect(row.key.resource == "resource")
    #expect(row.key.application == "YXBw")
    #expect(row.key.userID == "")
    let old = try #require(
      ADALFallbackRow(token(Self.service, account: "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132")))
    #expect(old.key.userID == nil)
    // Everything in it is compared, letter by letter.
    for service in [
      Self.service.replacingOccurrences(of: "CC3513A0", with: "cc3513a0"),
      Self.service.replacingOccurrences(of: "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132", with: "(null)"),
      Self.service.replacingOccurrences(of: "ADAL.1", with: "ADAL.2"),
      Self.service.replacingOccurrences(of: "ADAL.1", with: "ADAL.10"),
      Self.service + "|eA",
    ] {
      #expect(
        ADALFallbackRow(token(service))?.key
          == ADALFallbackRow.Key(userID: "ann@contoso.com", authority: "", client: ""), "\(service)"
      )
    }
    // The same letters, spelled as MSAL would not spell them.
    #expect(ADALFallbackRow(token(Self.service, account: "YW5u="))?.key.userID == nil)
  }

  @Test("a row with a service of other parts is listed, and not found by its key")
  func otherServices() throws {
    let lookup = Lookup(
      MSALIndex(items: []), fallbackRows: [try #require(ADALFallbackRow(token("x|y|z")))],
      now: 1_700_000_000)
    let listed = lookup.accounts(LookupQuery(.accounts, clientID: "Client", withLegacy: true))
    #expect(listed.count == 1)
    let query = LookupQuery(
      .refreshToken, clientID: "client", authority: "https://login.windows.net/common",
      withLegacy: true)
    #expect(try lookup.refreshToken(query) == nil)
  }

  @Test(
    "a row that lacks its token, host or client is no refresh token, nor is one with an access token"
  )
  func needs() throws {
    func isRefreshToken(_ change: (inout LegacyToken) -> Void = { _ in }) throws -> Bool {
      var token = token(Self.service)
      change(&token)
      return try #require(ADALFallbackRow(token)).isRefreshToken
    }
    #expect(try isRefreshToken())
    #expect(try !isRefreshToken { $0.refreshToken = nil })
    #expect(try !isRefreshToken { $0.accessToken = TokenSecret("at") })
    #expect(try !isRefreshToken { $0.authority = "no address" })
    #expect(try !isRefreshToken { $0.clientID = nil })
  }

  @Test("a row of 0.5-alpha is none, since MSAL asks for the generic attribute")
  func preview() throws {
    var item = SyntheticRow.refresh("rt", World.ann.upn, World.ann.token()).item
    #expect(ADALFallbackRow(item)?.refreshToken == TokenSecret("rt"))
    item.generic = Array("MSOpenTech.ADAL.1.0".utf8)
    #expect(ADALFallbackRow(item) == nil)
    item.generic = nil
    #expect(ADALFallbackRow(item) == nil)
  }

  @Test("a blob's keys are words already, and other classes and bare archives are not read")
  func otherPlaces() throws {
    var token = token(Self.service)
    token.place = .blob(
      LegacyPlace.BlobKey(
        user: "ann@contoso.com", authority: "https://Login.windows.net/common", resource: nil,
        client: "Client"))
    #expect(
      ADALFallbackRow(token)?.key
        == ADALFallbackRow.Key(
          userID: "ann@contoso.com", authority: "https://login.windows.net/common",
          client: "client"))
    token.place = .archive(index: 0)
    #expect(ADALFallbackRow(token) == nil)
    token = self.token(Self.service)
    token.className = "ADBrokerPRTCacheItem"
    #expect(ADALFallbackRow(token) == nil)
  }
}
