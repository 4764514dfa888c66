// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
@testable import MigrationPolicies

/// The accounts of rows in caches for which they were once wrong (`Tests/Vectors/found`).
@Suite struct FoundAccountTests {
  private typealias Run = FoundRun
  private let home = FoundRun.home
  private let ann = FoundRun.ann
  private let identical = "already-there keep.identical"
  private let member = "converted ok.mrrt home.common-authority"

  @Test("03: a user of B2C with the same local account id says nothing of a member")
  func b2c() throws {
    let run = try Run.inPlace("03")
    run.expectRows([member, identical, identical])
    #expect(run.report.entries.first?.homeAccountID == home)
    let policyUser = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa-b2c_1_signin.\(Run.tenant)"
    #expect(
      run.accounts == [
        GoldenAccount(ann, policyUser, .exact, .yes, at: "contoso.b2clogin.com"),
        GoldenAccount(ann, home, .homeAuthority, .yes),
      ])
    run.expectFindings([.note(.keepIdentical, 2)])
    #expect(Set(try run.added.compactMap { $0["home_account_id"] }) == [home])
    #expect(try run.listed() == [ann])
  }

  @Test(
    "03: only ids of two GUIDs under a host of the row's cloud count",
    arguments: [
      ("\(World.eve.home)", "login.microsoftonline.com", true),
      ("\(World.eve.home)", "contoso.b2clogin.com", false),
      ("\(World.eve.home)", "login.chinacloudapi.cn", false),
      ("\(World.eve.oid)-b2c_1_signin.\(World.eve.tid)", "login.microsoftonline.com", false),
    ])
  func evidence(id: String, host: String, counts: Bool) throws {
    let ann = World.ann
    let account = SyntheticEntry.account(
      ann.upn, home: id, realm: ann.tid, localID: ann.oid, environment: host)
    let run = try Run.inPlace([
      SyntheticRow.refresh("rt", ann.upn, ann.token()).item,
      account.item(accessGroup: World.group, at: nil),
    ])
    let row = try #require(run.report.entries.first { $0.kind == .multiResourceRefreshToken })
    #expect(row.homeAccountID == (counts ? id : ann.home))
  }

  @Test("06: rows that derive one of two ids that contradict each other are converted by it")
  func contradiction() throws {
    let run = try Run.into(nil, "06")
    let stays = "not-converted conflict.home-id"
    run.expectRows([stays, stays, member, member])
    #expect(run.report.entries.map(\.homeAccountID) == [nil, nil, home, home])
    #expect(
      run.accounts == [
        GoldenAccount(ann, nil, .none, .no), GoldenAccount(ann, home, .homeAuthority, .yes),
      ])
    run.expectFindings([.error(.conflictHomeID, 2)])
    #expect(try run.refreshTokens() == ["rt.1"])
    #expect(try run.refreshTokens(of: Run.otherClient) == ["rt.3"])
    #expect(try run.listed() == [ann])
  }

  @Test("18: two lines of a map may give one row the same account, one of them with a name")
  func mapLines() throws {
    let file = Vectors.folder.appendingPathComponent("found/M1.csv")
    let map = try AccountMap(file: [UInt8](try Data(contentsOf: file)))
    let run = try Run.into(nil, "18", policy: Policy(accountMap: map))
    let mapped = "cccccccc-cccc-4ccc-8ccc-cccccccccccc.22222222-2222-4222-8222-222222222222"
    #expect(run.report.entries.map(\.homeAccountID) == [mapped])
    #expect(run.accounts == [GoldenAccount("ann@fabrikam.com", mapped, .exact, .yes)])
    run.expectFindings([])
  }

  @Test("20: a number sign in the local part is no mark of a guest")
  func numberSign() throws {
    let run = try Run.into(nil, "20")
    run.expectRows([member])
    #expect(
      run.accounts == [GoldenAccount("mary.o#neil@contoso.com", home, .homeAuthority, .yes)])
  }

  @Test("G1: _EXT_ marks a guest as #EXT# does")
  func underscores() throws {
    let run = try Run.into(nil, "G1")
    run.expectRows(["not-converted home.guest-unresolved"])
    #expect(run.report.entries.map(\.evidence) == [["guest.upn-ext"]])
    run.expectFindings([.error(.homeGuestUnresolved)])
    #expect(try run.added == [])
  }
}
