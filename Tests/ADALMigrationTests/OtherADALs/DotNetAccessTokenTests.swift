// SPDX-License-Identifier: MIT
import Foundation
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments

/// The tenant of ADAL.NET's access tokens. If the service sends no ID token, ADAL.NET stores a copy of the ID token of
/// the refreshed row (D2, other-adals §2).
@Suite struct DotNetAccessTokenTests {
  private static let now = 1_700_000_000
  private static let home = "d42d0063-125b-5c94-8aa2-60829eb263a2"
  private static let other = "7ef07497-8ed9-53f1-9f73-9dcb67e7aaa8"
  private static let user = "f3d86d04-186e-59e6-b8d0-d66fb30e3d61"

  /// An access token as Microsoft Entra ID makes it, of a tenant.
  private static func signed(in tenant: String) -> String {
    SyntheticRow.idToken(["aud": "https://graph.microsoft.com", "tid": tenant])
  }

  /// The realms of the access tokens that are carried from a row with an ID token of `home`, and the row's reasons.
  private func migrate(_ access: String, under tenant: String) throws -> (
    realms: [String?], reasons: [Reason]
  ) {
    let idToken = SyntheticRow.idToken([
      "aud": World.client, "iss": "https://sts.windows.net/\(Self.home)/", "tid": Self.home,
      "oid": Self.user, "upn": "megan@contoso.com", "sub": "s", "ver": "1.0", "iat": Self.now - 60,
    ])
    let value = try JSONSerialization.data(
      withJSONObject: [
        "RawClientInfo": SyntheticRow.clientInfo(uid: Self.user, utid: Self.home),
        "RefreshToken": "rt", "ResourceInResponse": "https://graph.microsoft.com",
        "Result": [
          "AccessToken": access, "AccessTokenType": "Bearer", "IdToken": idToken,
          "ExpiresOn": ["DateTime": "/Date(\(Self.now + 3600)000)/", "OffsetMinutes": 0],
          "TenantId": Self.home,
          "UserInfo": ["DisplayableId": "megan@contoso.com", "UniqueId": Self.user],
        ],
      ])
    let key =
      "https://login.windows.net/\(tenant)/:::https://graph.microsoft.com:::\(World.client):::0"
    let blob = BlobBytes(String(decoding: value, as: UTF8.self), key: key)
    let document = MemoryDocument()
    let report = try Migration(
      from: .dotNet(blob.bytes), into: .document(document),
      now: { Date(timeIntervalSince1970: Double(Self.now)) }
    ).run()
    let tokens = try CacheDocument(document.bytes).credentials.map(\.value)
    #expect(tokens.filter(\.isRefreshToken).map(\.homeAccountID) == ["\(Self.user).\(Self.home)"])
    return (
      tokens.filter { $0.kind == .accessToken }.map(\.realm),
      report.entries.flatMap(\.reasons).filter { $0.code.hasPrefix("at.") }
    )
  }

  @Test("an opaque access token is of the tenant that the authority names")
  func opaque() throws {
    #expect(try migrate("at", under: Self.home) == ([Self.home], []))
    #expect(try migrate("at", under: Self.other) == ([], [.atNotCarried]))
  }

  @Test(
    "a domain can be of another tenant than the ID token", arguments: ["contoso.com", "common"])
  func domain(_ authority: String) throws {
    #expect(try migrate("at", under: authority) == ([], [.atNotCarried]))
  }

  @Test("an access token that names its tenant is of no other")
  func signed() throws {
    for authority in [Self.home, "contoso.com", "common"] {
      #expect(try migrate(Self.signed(in: Self.home), under: authority) == ([Self.home], []))
      #expect(
        try migrate(Self.signed(in: Self.home.uppercased()), under: authority) == ([Self.home], []))
      #expect(try migrate(Self.signed(in: Self.other), under: authority) == ([], [.atNotCarried]))
    }
    #expect(try migrate(Self.signed(in: Self.home), under: Self.other) == ([], [.atNotCarried]))
  }
}
