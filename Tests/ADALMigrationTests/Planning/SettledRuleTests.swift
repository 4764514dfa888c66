// SPDX-License-Identifier: MIT
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Rules that were read in two ways until they were settled.
@Suite struct SettledRuleTests {
  private let ann = World.ann
  private let tenant = World.tenant(World.contoso)

  // MARK: One line per access group

  private static let groups = ["ABCDE12345.com.contoso.a", "ABCDE12345.com.contoso.b"]

  /// Ann in two access groups, under these names.
  private func groups(_ names: [String]) throws -> Report {
    let rows = zip(Self.groups, names).map { group, name in
      SyntheticRow.refresh(
        "rt-\(group)", name, ann.token(["upn": name, "unique_name": name])
      ) { $0.accessGroup = group }
    }
    return try FoundRun.inPlace(rows.map(\.item)).report
  }

  @Test("an account has one line, in however many access groups it is")
  func oneLine() throws {
    let report = try groups([ann.upn, ann.upn])
    #expect(report.accounts.map(\.userID) == [ann.upn])
    #expect(report.entries.map(\.account) == [0, 0])
    #expect(report.summary.accounts == 1)
  }

  @Test("it has one for each access group where the names differ")
  func linesPerGroup() throws {
    let report = try groups(["b.lee@contoso.com", "a.lee@contoso.com"])
    #expect(report.accounts.map(\.userID) == ["a.lee@contoso.com", "b.lee@contoso.com"])
    #expect(report.accounts.map(\.homeAccountID) == [ann.home, ann.home])
    #expect(report.accounts.map(\.signedIn) == [.yes, .yes])
    // The first row is in the first group.
    #expect(report.entries.map(\.account) == [1, 0])
    #expect(report.summary.accounts == 2 && report.summary.accountsSignedIn == 2)
  }

  @Test("a loss in one access group is reported in its own line alone")
  func lossInOneGroup() throws {
    let names = ["b.lee@contoso.com", "a.lee@contoso.com"]
    var rows = zip(Self.groups, names).map { group, name in
      SyntheticRow.refresh(
        "rt-\(group)", name, ann.token(["upn": name, "unique_name": name])
      ) { $0.accessGroup = group }
    }
    // Nobody's client is known in the first group.
    rows[0].clientID = "foci-1"
    rows[0].familyID = "1"
    let report = try FoundRun.intoNew(rows.map(\.item)).report
    #expect(report.accounts.map(\.userID) == ["a.lee@contoso.com", "b.lee@contoso.com"])
    #expect(report.accounts.map(\.signedIn) == [.yes, .no])
    #expect(report.summary.accountsToSignIn == 1)
    #expect(
      report.findings.map { ($0.reason) } == [.rtFRTNoClient]
        && report.findings.map(\.rows) == [[0]])
  }

  // MARK: Ages

  @Test("an access token that ends late tells nothing of when it was issued")
  func lateEnds() throws {
    func rows(_ lifetime: Double) -> [SyntheticRow] {
      [
        .refresh("rt-common", ann.upn, ann.token()),
        .access("at-1", for: "https://one", ann.upn, ann.token(), lasting: lifetime),
        .refresh("rt-tenant", ann.upn, ann.token(), at: tenant),
        .access("at-2", for: "https://two", ann.upn, ann.token(), at: tenant, lasting: 1800),
      ]
    }
    let late = try FoundRun.intoNew(rows(86_400).map(\.item))
    #expect(try late.refreshTokens(of: World.client) == ["rt-tenant"])
    let usual = try FoundRun.intoNew(rows(3600).map(\.item))
    #expect(try usual.refreshTokens(of: World.client) == ["rt-common"])
  }

  // MARK: Joins

  @Test("a join reaches over any number of rows") func hops() throws {
    let eve = World.eve
    let objects = [
      (World.contoso, World.eveInContoso), (World.tailspin, World.eveInTailspin),
    ]
    func guest(_ index: Int, _ secret: String, client: String) -> SyntheticRow {
      let (tenant, object) = objects[index]
      return .refresh(
        secret, eve.upn, eve.guestToken(of: tenant, as: object), at: World.tenant(tenant)
      ) { $0.clientID = client }
    }
    // Home and Contoso share a token, Contoso and Tailspin another one, and Tailspin has a third.
    let rows: [SyntheticRow] = [
      .refresh("rt-1", eve.upn, eve.token()), guest(0, "rt-1", client: World.client),
      guest(0, "rt-2", client: World.otherClient), guest(1, "rt-2", client: World.otherClient),
      guest(1, "rt-3", client: "27922004-5251-4030-b22d-000000000003"),
    ]
    let report = try FoundRun.inPlace(rows.map(\.item)).report
    #expect(report.entries.map(\.homeAccountID) == Array(repeating: eve.home, count: 5))
    #expect(report.accounts.map(\.confidence) == [.homeAuthority])
    #expect(Set(report.accounts.flatMap(\.realms)) == Set([World.fabrikam] + objects.map(\.0)))
  }

  // MARK: Expired access tokens

  @Test("an expired access token is not carried from an archive, and stays where MSAL wrote it")
  func expired() throws {
    let scope = "User.Read"
    let own = SyntheticEntry.accessToken(
      "at-msal", home: ann.home, client: World.client, realm: ann.tid, target: scope,
      expiresOn: World.now - 3600, cachedAt: World.now - 7200
    ).item(accessGroup: World.group, at: 1)
    let run = try FoundRun.inPlace([
      SyntheticRow.refresh("rt", ann.upn, ann.token()).item,
      SyntheticRow.access("at-adal", ann.upn, ann.token(), lasting: -60).item, own,
    ])
    let archived = try #require(run.report.entries.first { $0.kind == .accessToken })
    #expect(archived.outcome == .notConverted && archived.reasons.first == .atExpired)
    let existing = try #require(run.report.entries.first { $0.kind == .unifiedAccessToken })
    #expect(existing.outcome == .alreadyThere && existing.reasons == [.keepIdentical])
    #expect(try run.target.items().contains(own))
    #expect(!(try run.added.contains { $0["credential_type"] == "AccessToken" }))
  }
}
