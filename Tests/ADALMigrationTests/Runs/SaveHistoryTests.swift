// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The entries for several rows of one user equal the result of MSAL's own saves, one after the other.
@Suite struct SaveHistoryTests {
  private static let ann = World.ann

  /// The entries that a migration in place adds.
  private func added(_ rows: [SyntheticRow]) throws -> [SyntheticEntry] {
    let before = rows.map(\.item)
    let store = MemoryStore(before)
    _ = try Migration(
      from: .items(store), into: .items(store), now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    return try store.items().filter { !before.contains($0) }.compactMap(SyntheticEntry.init)
  }

  private func issued(_ age: Double, _ changes: [String: (any Sendable)?] = [:]) -> String {
    Self.ann.token(changes.merging(["iat": Int(World.now - age)]) { $1 })
  }

  @Test("an access token that lives long does not make its refresh token new")
  func longLivedAccessToken() throws {
    let (old, new) = (issued(36000), issued(600))
    let other = "https://login.microsoftonline.com/common"
    let entries = try added([
      .refresh("rt-old", Self.ann.upn, old),
      .access("at-old", Self.ann.upn, old, lasting: 50400),
      .refresh("rt-new", Self.ann.upn, new, at: other),
      .access("at-new", Self.ann.upn, new, at: other, lasting: 3000),
    ])
    let tokens = entries.filter { $0["credential_type"] == "RefreshToken" }
    #expect(tokens.map { $0["secret"] } == ["rt-new"])
  }

  @Test("a name that a newer ID token lacks is that of the older one") func names() throws {
    let bare = issued(300, ["name": nil, "given_name": "", "family_name": " Lee "])
    let entries = try added([
      .access("at", Self.ann.upn, issued(9000, ["middle_name": "M."])),
      .refresh("rt", Self.ann.upn, bare),
    ])
    let account = try #require(entries.first { $0["authority_type"] == "MSSTS" })
    #expect(account["name"] == "Ann Lee")
    #expect(account["middle_name"] == "M.")
    #expect(account["given_name"] == "")
    #expect(account["family_name"] == " Lee ")
  }

  @Test("client info that ADAL kept is written as it is") func clientInfo() throws {
    let kept = SyntheticRow.base64URL(
      #"{"utid":"\#(Self.ann.tid.uppercased())","uid":"\#(Self.ann.oid)","xms_tdbr":"EU"}"#)
    func account(_ clientInfo: String) throws -> SyntheticEntry? {
      try added([.refresh("rt", Self.ann.upn, Self.ann.token()) { $0.clientInfo = clientInfo }])
        .first { $0["authority_type"] == "MSSTS" }
    }
    #expect(try account(kept)?["client_info"] == kept)
    #expect(
      try account("e30")?["client_info"]
        == SyntheticRow.clientInfo(uid: Self.ann.oid, utid: Self.ann.tid))
  }

  @Test("a token that is bound to an app is no other app's") func boundToken() throws {
    let entries = try added([
      .refresh("rt", Self.ann.upn, Self.ann.token()),
      .access("at", Self.ann.upn, Self.ann.token()),
      .stored(Self.ann.home, .access("at-bound", Self.ann.upn, Self.ann.token())).bound,
    ])
    let tokens = entries.filter { $0["credential_type"] == "AccessToken" }
    #expect(Set(tokens.map { $0["secret"] }) == ["at", "at-bound"])
    #expect(
      tokens.first { $0["secret"] == "at-bound" }?["application_cache_identifier"]
        == "com.contoso.app")
  }

  @Test("app metadata spells the client as the newest refresh token") func spelling() throws {
    let entries = try added([
      .access("at-old", Self.ann.upn, issued(9000), lasting: -60) {
        $0.clientID = World.otherClient.uppercased()
        $0.resource = "https://outlook.office365.com"
      },
      .refresh("rt", Self.ann.upn, issued(600)) { $0.clientID = World.otherClient },
    ])
    let clients = entries.compactMap { $0["client_id"] }
    #expect(clients == [World.otherClient, World.otherClient, World.otherClient])
  }

  @Test("an account of an ID token without tenant has its claims") func noTenant() throws {
    let token = Self.ann.token(["tid": nil])
    let entries = try added([
      .stored(Self.ann.home, .refresh("rt", Self.ann.upn, token, at: World.tenant(World.fabrikam)))
    ])
    let account = try #require(entries.first { $0["authority_type"] == "MSSTS" })
    #expect(account["realm"] == World.fabrikam)
    #expect(account["local_account_id"] == Self.ann.oid)
    #expect(account["username"] == Self.ann.upn)
    #expect(account["name"] == "Ann Lee")
    #expect(account["given_name"] == "Ann")
    #expect(account["family_name"] == "Lee")
  }
}

extension SyntheticRow {
  fileprivate var bound: SyntheticRow {
    var row = self
    row.applicationIdentifier = "com.contoso.app"
    return row
  }
}
