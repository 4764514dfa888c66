// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The content of a report's line about an account: its name, its certainty, whether it is signed in.
@Suite struct AccountTableTests {
  private static let groups = ["ABCDE12345.com.contoso.a", "ABCDE12345.com.contoso.b"]
  private let ann = World.ann
  private let eve = World.eve

  // MARK: Names

  @Test("of an account's names the one of its home tenant is shown, be another newer")
  func homeName() throws {
    // In order of the alphabet the guest's would come first.
    let guest = eve.guestToken(
      of: World.contoso, as: World.eveInContoso,
      ["email": "a.guest@contoso.com", "iat": Int(World.now) - 10])
    let rows = [
      SyntheticRow.stored(eve.home, .refresh("rt-1", eve.upn, eve.token())),
      .stored(
        eve.home,
        .refresh("rt-2", "a.guest@contoso.com", guest, at: World.tenant(World.contoso))),
    ].map(\.item)
    #expect(try FoundRun.inPlace(rows).report.accounts.map(\.userID) == [eve.upn])
    #expect(try FoundRun.intoNew(rows).report.accounts.map(\.userID) == [eve.upn])
  }

  @Test("an account that only a row's name finds has that name, whatever MSAL's account says")
  func listedName() throws {
    let there = [
      ann.account(named: "ann.maiden@contoso.com").item(accessGroup: World.group, at: 1),
      SyntheticEntry.signedOut(home: ann.home, client: World.client, accessGroup: World.group),
    ]
    let row = SyntheticRow.refresh("rt", ann.upn, ann.token()).item
    let run = try FoundRun.inPlace([row] + there)
    #expect(run.accounts == [GoldenAccount(ann.upn, ann.home, .exact, .byUserName)])
    // Signed in, the account's own name is shown.
    let signedIn = try FoundRun.inPlace([row, there[0]])
    #expect(
      signedIn.accounts == [GoldenAccount("ann.maiden@contoso.com", ann.home, .exact, .yes)])
  }

  @Test("the name is that of a client that finds the account by it, not another client's newer one")
  func listedNameOfAnother() throws {
    let renamed = ann.token(["upn": "ann.new@contoso.com", "iat": Int(World.now) - 10])
    let items = [
      SyntheticRow.refresh("rt", ann.upn, ann.token(["iat": Int(World.now) - 1000])).item,
      SyntheticRow.refresh("rt-new", "ann.new@contoso.com", renamed) {
        $0.clientID = World.otherClient
      }.item,
      SyntheticEntry.signedOut(home: ann.home, client: World.client, accessGroup: World.group),
    ]
    let run = try FoundRun.inPlace(items)
    #expect(run.accounts == [GoldenAccount(ann.upn, ann.home, .homeAuthority, .byUserName)])
  }

  @Test(
    "an account that an entry without a name finds has none, whatever another client's row says")
  func nameOfAnother() throws {
    let rows = [
      SyntheticRow.stored(ann.home, .refresh("rt", nil, nil)),
      .access("at", ann.upn, ann.token(), at: World.tenant(World.contoso)) {
        $0.clientID = World.otherClient
      },
    ].map(\.item)
    let run = try FoundRun.inPlace(rows)
    #expect(run.accounts == [GoldenAccount(nil, ann.home, .exact, .yes)])
    // As soon as the account has the name, it is shown.
    let named = ann.account().item(accessGroup: World.group, at: 1)
    let other = try FoundRun.inPlace(rows + [named])
    #expect(other.accounts == [GoldenAccount(ann.upn, ann.home, .exact, .yes)])
  }

  // MARK: Several access groups

  private func row(_ group: String, _ change: SyntheticRow.Change = { _ in }) -> KeychainItem {
    let row = SyntheticRow.refresh("rt-\(group)", ann.upn, ann.token()) {
      $0.accessGroup = group
      change(&$0)
    }
    return row.item
  }

  @Test("a client that is signed in in one access group alone is as in the other")
  func worseGroup() throws {
    for out in Self.groups {
      let note = SyntheticEntry.signedOut(home: ann.home, client: World.client, accessGroup: out)
      let run = try FoundRun.inPlace(Self.groups.map { row($0) } + [note])
      #expect(run.accounts == [GoldenAccount(ann.upn, ann.home, .homeAuthority, .byUserName)])
      #expect(run.report.accounts.map(\.clients) == [[World.client]])
    }
    let run = try FoundRun.inPlace(Self.groups.map { row($0) })
    #expect(run.report.accounts.map(\.signedIn) == [.yes])
  }

  @Test("access groups that have the same name of an account share a line")
  func oneLineForAName() throws {
    let names = [("a", ann.upn), ("b", "ann.maiden@contoso.com"), ("c", ann.upn)]
    let items = names.flatMap { group, name in
      [ann.account(named: name), ann.refreshToken("rt-\(group)")].map {
        $0.item(accessGroup: "ABCDE12345.com.contoso.\(group)", at: nil)
      }
    }
    let report = try FoundRun.inPlace(items).report
    #expect(report.accounts.map(\.userID) == ["ann.maiden@contoso.com", ann.upn].sorted())
    let lines = report.entries.map { ($0.place.accessGroup?.last, $0.account) }
    let byGroup = Dictionary(grouping: lines) { $0.0 }.mapValues { Set($0.map(\.1)) }
    #expect(byGroup["a"] == byGroup["c"] && byGroup["a"] != byGroup["b"])
  }

  @Test("an account is as certain as its most certain row, in whichever access group that is")
  func confidence() throws {
    for certain in Self.groups {
      let items = Self.groups.map { group in
        row(group) { if group == certain { $0 = .stored(World.ann.home, $0) } }
      }
      let run = try FoundRun.inPlace(items)
      #expect(run.report.accounts.map(\.confidence) == [.exact])
    }
    let run = try FoundRun.inPlace(Self.groups.map { row($0) })
    #expect(run.report.accounts.map(\.confidence) == [.homeAuthority])
  }

  @Test("a row whose client is blank adds no client to its account")
  func blankClient() throws {
    let blank = SyntheticRow.refresh("rt", ann.upn, ann.token()) { $0.clientID = " " }
    #expect(try FoundRun.intoNew([blank.item]).report.accounts.map(\.clients) == [[]])
  }
}
