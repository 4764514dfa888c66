// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationPolicies
import Testing

/// The owner of a refresh token that ADAL for Python or Node copied over others (other-adals §3.3).
extension OtherADALRuleTests {
  @Test("a guest and a member of one home share a refresh token") func shared() throws {
    let (report, tokens) = try migrate([
      row("rt"), guest("rt", of: Self.provider(Self.contoso)),
    ])
    #expect(tokens == [Self.home: "rt"] && report.summary.converted == 2)
    #expect(report.accounts.first?.realms == [Self.fabrikam, Self.contoso].sorted())
  }

  @Test(
    "users of different homes do not",
    arguments: [
      "live.com", "google.com", "https://sts.windows.net/00000000-1111-2222-3333-444444444444/",
    ])
  func notShared(provider: String) throws {
    #expect(
      try reasons([row("rt"), guest("rt", of: provider)]).filter { $0 == .rtOverwritten }.count == 2
    )
    // With tokens of their own there is no doubt of the member's.
    let (_, tokens) = try migrate([row("rt"), guest("rt-2", of: provider)])
    #expect(tokens == [Self.home: "rt"])
  }

  @Test("a refresh token without a user has none in other rows either") func nobodys() throws {
    func nobody(_ token: String, _ changes: [String: Any?] = [:]) -> Row {
      let none: [String: Any?] = ["userId": nil, "oid": nil, "tenantId": nil]
      return row(token, in: Self.contoso, none.merging(changes) { $1 })
    }
    #expect(Set(try reasons([row("rt"), nobody("rt")])) == [.homeEmptyUser, .rtOverwritten])
    // One that has lost the user's name alone has nobody's token all the same.
    let nameless = row("rt", in: Self.contoso, ["userId": nil])
    #expect(try reasons([row("rt"), nameless]) == [.rtOverwritten, .rtOverwritten])
    #expect(try migrate([row("rt"), nameless]).tokens.isEmpty)
    // Its owner in each tenant need not be known.
    let withoutObjects = [Self.contoso, Self.fabrikam].map { row("rt", in: $0, ["oid": nil]) }
    #expect(try reasons(withoutObjects) == [.rtOverwritten, .rtOverwritten])
    // It is not evidence about another client, nor is another token of the same client.
    for other in [nobody("rt", ["_clientId": "another client"]), nobody("rt-2")] {
      #expect(try migrate([row("rt"), other]).tokens == [Self.home: "rt"])
    }
    // In Python, whose times have no zone, the other token may be its successor.
    let local: [String: Any?] = ["expiresOn": "2023-11-14 23:00:00"]
    let python = [row("rt", in: Self.contoso, local), nobody("rt-2", local)]
    #expect(Set(try reasons(python)) == [.homeEmptyUser, .rtOverwritten])
    let ofAnother = nobody("rt-2", local.merging(["_clientId": "another client"]) { $1 })
    #expect(try migrate([python[0], ofAnother]).tokens == [Self.home: "rt"])
  }

  @Test(
    "a refresh token of AD FS is no user's of Microsoft Entra ID",
    arguments: ["2023-11-14T23:00:00.000Z", "2023-11-14 23:00:00"])
  func federated(_ expiry: String) throws {
    func adfs(_ token: String) -> Row {
      let own: [String: Any?] = [
        "expiresOn": expiry, "oid": nil, "tenantId": nil, "isMRRT": nil,
        "_authority": "https://adfs.example.com/adfs",
      ]
      return row(token, in: Self.contoso, own)
    }
    let member = row("rt", in: Self.contoso, ["expiresOn": expiry])
    #expect(Set(try reasons([member, adfs("rt")])) == [.rtOverwritten, .adfsUnsupported])
    #expect(try migrate([member, adfs("rt-2")]).tokens == [Self.home: "rt"])
    var broken = adfs("rt")
    broken["_authority"] = "no authority"
    #expect(try migrate([member, broken]).tokens == [Self.home: "rt"])
  }

  @Test("two users with one name and client do not get each other's tokens") func namesakes() throws
  {
    let other = row("rt", in: Self.contoso, ["oid": Self.guest])
    #expect(try reasons([row("rt"), other]).filter { $0 == .rtOverwritten }.count == 2)
    // Also where somebody else knows who they are.
    let map = try AccountMap(
      [(Self.megan, Self.megan), (Self.guest, Self.guest)].map { home, object in
        AccountMap.Entry(homeOID: home, homeTID: Self.contoso, tid: Self.contoso, oid: object)
      })
    #expect(try migrate([row("rt"), other], Policy(accountMap: map)).tokens.isEmpty)
    // ADAL lays a token over those of every cloud.
    let abroad = row(
      "rt", in: Self.fabrikam,
      ["userId": nil, "oid": nil, "_authority": "https://login.microsoftonline.us/common"])
    #expect(try reasons([row("rt"), abroad]).contains(.rtOverwritten))
    // Azure CLI keeps no tenant, which a row of `common` does not say either.
    let common: [String: Any?] = [
      "oid": Self.guest, "tenantId": nil, "_authority": "https://login.microsoftonline.com/common",
    ]
    let found = try reasons([row("rt"), row("rt", in: Self.contoso, common)])
    #expect(found.filter { $0 == .rtOverwritten }.count == 2)
    // With tokens of their own there is no doubt of the other.
    #expect(
      try migrate([row("rt"), row("rt-2", in: Self.contoso, common)]).tokens == [Self.home: "rt"])
  }
}
