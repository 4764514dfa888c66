// SPDX-License-Identifier: MIT
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The sign-ins in caches for which they were once wrong (`Tests/Vectors/found`).
@Suite struct FoundSignInTests {
  private typealias Run = FoundRun
  private let home = FoundRun.home
  private let ann = FoundRun.ann
  private let identical = "already-there keep.identical"

  @Test("07: clients that were not asked for count nowhere")
  func otherClients() throws {
    let run = try Run.into(nil, "07", policy: Policy(clientIDs: [Run.client]))
    run.expectRows([
      "converted unified.carried", "converted unified.carried", "not-converted client.not-in-set",
    ])
    #expect(run.accounts == [GoldenAccount(ann, home, .exact, .yes)])
    #expect(run.report.accounts.map(\.clients) == [[Run.client]])
    #expect(run.report.summary.accountsToSignIn == 0)
    run.expectFindings([.note(.clientNotInSet)])
    #expect(try run.refreshTokens(of: Run.otherClient) == [])
  }

  @Test("07: nor does an account that has tokens alone")
  func otherClientsPeople() throws {
    let items = try Run.items("07").filter { !$0.service.contains(Run.client) }
    for run in [
      try Run.intoNew(items, policy: Policy(clientIDs: [Run.client])),
      try Run.inPlace(items, policy: Policy(clientIDs: [Run.client])),
    ] {
      #expect(run.accounts == [])
      #expect(run.report.entries.map(\.account) == [nil, nil])
    }
  }

  @Test("09: the name of an account is the one that MSAL finds it by")
  func nameOfTheTarget() throws {
    let run = try Run.into("09.target", "09")
    run.expectRows([
      "already-there keep.target-newer account.renamed"
    ])
    #expect(
      run.accounts == [GoldenAccount("ann.new@contoso.com", home, .homeAuthority, .yes)])
    #expect(try run.listed(named: "ann.new@contoso.com") == ["ann.new@contoso.com"])
    #expect(try run.listed(named: "ann.old@contoso.com") == [])
  }

  @Test("09b: of rows the name is that of the one that MSAL lists, and of the newest")
  func nameOfTheListedRow() throws {
    let stays = "not-converted home.guest-unresolved"
    let inPlace = try Run.inPlace("09b")
    inPlace.expectRows([stays, stays])
    #expect(inPlace.accounts == [GoldenAccount(ann, nil, .usernameOnly, .byUserName)])
    #expect(try inPlace.listed() == [ann])
    let new = try Run.into(nil, "09b")
    #expect(new.accounts == [GoldenAccount(ann, nil, .usernameOnly, .no)])
    new.expectFindings([.error(.homeGuestUnresolved, 2)])
  }

  @Test("09b: an account that no refresh token lists gives its name to no other")
  func nameOfAnUnlistedAccount() throws {
    let person = World.eve
    let account = SyntheticEntry.account(
      "eve.new@fabrikam.com", home: person.home, realm: person.tid, localID: person.oid,
      environment: "login.contoso.example")
    // A host that nothing is converted for.
    let row = SyntheticRow.stored(
      person.home,
      .refresh(
        "rt", person.upn, person.token(), at: "https://login.contoso.example/\(person.tid)"))
    let run = try Run.inPlace([
      account.item(accessGroup: World.group, at: World.now), row.item,
    ])
    run.expectRows([identical, "not-converted env.unknown-host"])
    #expect(run.report.accounts.map(\.userID) == [person.upn])
    #expect(run.report.accounts.map(\.signedIn) == [.byUserName])
    #expect(try run.listed(for: World.client) == [person.upn])
  }

  @Test("10: MSAL does not list rows of the betas of 2.1")
  func beta() throws {
    let run = try Run.inPlace("10")
    run.expectRows(["not-converted home.guest-unresolved"])
    #expect(run.accounts == [GoldenAccount(ann, nil, .usernameOnly, .no)])
    run.expectFindings([.error(.homeGuestUnresolved)])
    #expect(try run.listed() == [])
  }

  @Test("15: MSAL joins accounts and refresh tokens by the spelling of the home account id")
  func spelling() throws {
    let run = try Run.inPlace("15")
    run.expectRows([identical, identical])
    #expect(run.accounts == [GoldenAccount(ann, home, .exact, .no)])
    #expect(try run.listed() == [])
    let healthy = try Run.inPlace("05")
    #expect(healthy.accounts == [GoldenAccount(ann, home, .exact, .yes)])
    #expect(try healthy.listed() == [ann])
  }
}
