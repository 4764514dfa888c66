// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import Testing

@testable import ADALMigration

/// The users that count as guests, with the sign for each (mapping-rules §2.3).
@Suite struct GuestMarkerTests {
  private static let upn = "jane@contoso.com"

  private func markers(_ changes: [String: (any Sendable)?]) throws -> [GuestMarker] {
    let jane = GoldenPerson(
      Self.upn, "11111111-aaaa-4000-8000-00000000000a", World.contoso, "Jane", "Doe")
    return GuestMarker.all(in: try #require(IDTokenClaims(TokenSecret(jane.token(changes)))))
  }

  @Test func aMemberHasNone() throws {
    #expect(try markers([:]) == [])
  }

  @Test(
    "a number sign in a name",
    arguments: [
      ("jane#1@contoso.com", "jane#1@contoso.com", []),
      ("Jane#1@contoso.com", "jane#1@Contoso.com", []),
      (nil, "jane#1@contoso.com", [.external, .noUPN]),
      ("jane@contoso.com", "jane#1@contoso.com", [.external]),
      ("live.com#jane@contoso.com", "live.com#jane@contoso.com", [.personal]),
      ("adfs.contoso.com#jane@contoso.com", "adfs.contoso.com#jane@contoso.com", [.external]),
      ("google.com#jane@contoso.com", "google.com#jane@contoso.com", [.external]),
      ("mary.o#neil@contoso.com", "mary.o#neil@contoso.com", []),
      ("mary.ann#neil@contoso.com", "Mary.Ann#Neil@contoso.com", []),
      ("jane#EXT#@contoso.com", "jane#EXT#@contoso.com", [.extUPN]),
      ("jane_EXT_@contoso.com", "jane_ext_@contoso.com", [.extUPN]),
      ("jane_ext@contoso.com", "jane_ext@contoso.com", []),
    ] as [(String?, String, [GuestMarker])])
  func numberSign(upn: String?, name: String, expected: [GuestMarker]) throws {
    #expect(try markers(["upn": upn, "unique_name": name]) == expected)
  }

  @Test(
    "the issuer of the own tenant vouches for a member, in every cloud",
    arguments: [
      ("https://sts.windows.net/", nil, []),
      ("https://sts.chinacloudapi.cn/", nil, []),
      ("https://sts.microsoftonline.de/", nil, []),
      ("https://sts.example.com/", nil, [.otherProvider]),
      ("https://sts.example.com/", "https://sts.example.com/\(World.contoso)/", []),
    ] as [(String, String?, [GuestMarker])])
  func ownIssuer(host: String, issuer: String?, expected: [GuestMarker]) throws {
    #expect(try markers(["idp": "\(host)\(World.contoso)/", "iss": issuer]) == expected)
  }

  @Test(arguments: ["sts.windows.net", "sts.chinacloudapi.cn", "sts.microsoftonline.de"])
  func anotherTenantIsAGuestsHome(host: String) throws {
    #expect(try markers(["idp": "https://\(host)/\(World.fabrikam)/"]) == [.otherTenant])
  }

  @Test("the issuer of personal accounts proves guests alone, also in its own tokens")
  func personalIssuer() throws {
    for issuer in ["live.com", "https://sts.windows.net/\(World.personal)/"] {
      #expect(try markers(["idp": issuer, "iss": issuer]) == [.personal])
    }
  }

  @Test(
    "the user's name at another provider",
    arguments: [
      ("1:live.com:0003BFFD00000001", [.personal]), ("1:LIVE.com:0003", [.personal]),
      ("5::10032000A1B2C3D4", [.external]), ("10032000A1B2C3D4", []),
    ] as [(String, [GuestMarker])])
  func otherID(id: String, expected: [GuestMarker]) throws {
    #expect(try markers(["altsecid": id]) == expected)
  }

  @Test("the account status of a guest is 1, as text or as a number") func accountStatus() throws {
    #expect(try markers(["acct": 1]) == [.account])
    #expect(try markers(["acct": " 1 "]) == [.account])
    #expect(try markers(["acct": 0]) == [])
  }
}
