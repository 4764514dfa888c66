// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The report and the spelling of clients if the policy names clients (D5, D36, D37).
@Suite struct AskedClientsTests {
  private let ann = World.ann
  private let eve = World.eve
  private var guestToken: String { eve.guestToken(of: World.contoso, as: World.eveInContoso) }

  private func guest(of client: String?, family: String? = nil) -> SyntheticRow {
    .refresh("rt-guest", eve.upn, guestToken, at: World.tenant(World.contoso)) {
      $0.clientID = client
      $0.familyID = family
    }
  }

  private func run(_ rows: [SyntheticRow], _ clients: [String]? = [World.client]) throws -> FoundRun
  {
    try FoundRun.intoNew(rows.map(\.item), policy: Policy(clientIDs: clients))
  }

  @Test("D36: a loss of other clients is no error")
  func otherClients() throws {
    let member = SyntheticRow.refresh("rt", ann.upn, ann.token())
    let adfs = SyntheticRow.refresh(
      "rt-adfs", "bob", nil, at: "https://adfs.contoso.com/adfs"
    ) { $0.clientID = World.otherClient }
    let run = try run([member, guest(of: World.otherClient), adfs])
    run.expectFindings([.note(.clientNotInSet), .note(.adfsUnsupported)])
    #expect(run.accounts == [GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)])
    // Asked for, each of them is one.
    let all = try self.run([member, guest(of: World.otherClient), adfs], nil)
    all.expectFindings([.error(.homeGuestUnresolved), .error(.adfsUnsupported)])
    #expect(all.accounts.count == 3)
  }

  @Test("D36: nor is a row without a client")
  func noClient() throws {
    let run = try run([.refresh("rt", ann.upn, ann.token()), guest(of: nil)])
    run.expectFindings([.note(.rtMalformed)])
    #expect(run.accounts.count == 1)
  }

  @Test("D36: a family's row is an error only where a client that was named may use it")
  func families() throws {
    let family = guest(of: "foci-1", family: "1")
    let member = SyntheticRow.refresh("rt", ann.upn, ann.token()) { $0.familyID = "1" }
    let loner = SyntheticRow.refresh("rt", ann.upn, ann.token())
    let asMember = try run([member, family])
    asMember.expectFindings([.error(.homeGuestUnresolved)])
    #expect(asMember.accounts.map(\.signedIn) == [.yes, .no])
    let asLoner = try run([loner, family])
    asLoner.expectFindings([.note(.homeGuestUnresolved)])
    #expect(asLoner.accounts.map(\.signedIn) == [.yes])
  }

  @Test("a client that the target puts into the family is signed in by the family's token alone")
  func declaredMember() throws {
    let family = SyntheticRow.refresh("rt", ann.upn, ann.token()) {
      $0.clientID = "foci-1"
      $0.familyID = "1"
    }
    let metadata = SyntheticEntry.appMetadata(client: World.client, family: "1")
    let items = [family.item, metadata.item(accessGroup: World.group, at: nil)]
    let policy = Policy(clientIDs: [World.client])
    for run in [
      try FoundRun.inPlace(items, policy: policy), try FoundRun.intoNew(items, policy: policy),
    ] {
      #expect(run.report.accounts.map(\.signedIn) == [.yes])
      #expect(run.report.accounts.map(\.clients) == [[World.client]])
      #expect(run.report.accounts.map(\.identifier) == [ann.home])
      #expect(run.report.summary.accountsToSignIn == 0)
    }
  }

  @Test("a family's token does not sign in the client that got it, once it is in no family")
  func formerMember() throws {
    func run(_ family: String) throws -> FoundRun {
      let token = SyntheticEntry.refreshToken(
        "rt", home: ann.home, client: World.client, family: "1")
      let metadata = SyntheticEntry.appMetadata(client: World.client, family: family)
      return try FoundRun.inPlace(
        [ann.account(), token, metadata].map { $0.item(accessGroup: World.group, at: nil) })
    }
    #expect(try run("1").report.accounts.map(\.signedIn) == [.yes])
    #expect(try run("").report.accounts.map(\.signedIn) == [.no])
  }

  @Test("a family's token in another access group takes no sign-in from a client in no family")
  func formerMemberElsewhere() throws {
    let token = SyntheticEntry.refreshToken(
      "rt-1", home: ann.home, client: World.client, family: "1")
    let metadata = SyntheticEntry.appMetadata(client: World.client, family: "")
    let others = [ann.account(), token, metadata].map {
      $0.item(accessGroup: "ABCDE12345.com.contoso.other", at: nil)
    }
    let member = SyntheticRow.refresh("rt", ann.upn, ann.token())
    #expect(try FoundRun.inPlace([member.item] + others).report.accounts.map(\.signedIn) == [.yes])
  }

  @Test("a family's token is no sign-in of a client that is asked for and in no family")
  func formerMembersToken() throws {
    let token = SyntheticEntry.refreshToken(
      "rt-1", home: ann.home, client: World.client, family: "1")
    let metadata = SyntheticEntry.appMetadata(client: World.client, family: "")
    let items = [ann.account(), token, metadata].map { $0.item(accessGroup: World.group, at: nil) }
    let run = try FoundRun.inPlace(items, policy: Policy(clientIDs: [World.client]))
    #expect(run.report.accounts == [])
    // Without the policy the account is there, and no client has a sign-in.
    #expect(try FoundRun.inPlace(items).report.accounts.map(\.signedIn) == [.no])
  }

  @Test("a loss of one client does not keep other clients from the account's identifier")
  func lostByAnother() throws {
    let lost = SyntheticRow.refresh("rt-2", ann.upn, ann.token()) {
      $0.clientID = World.otherClient
      $0.sessionKey = [1, 2, 3]
    }
    let run = try run([.refresh("rt", ann.upn, ann.token()), lost], nil)
    #expect(run.report.accounts.map(\.signedIn) == [.no])
    #expect(run.report.accounts.map(\.identifier) == [ann.home])
    #expect(run.report.accounts.map(\.reasons) == [[.rtSessionKey]])
    let alone = try self.run([lost], nil)
    #expect(alone.report.accounts.map(\.identifier) == [nil])
  }

  @Test("D37: a client id is written as it is archived, white space included")
  func archivedSpelling() throws {
    let client = " \(World.client.uppercased()) "
    let row = SyntheticRow.refresh("rt", ann.upn, ann.token()) { $0.clientID = client }
    let run = try run([row], nil)
    let spelled = Set(try run.added.compactMap { $0["client_id"] })
    #expect(spelled == [client])
    #expect(run.report.accounts.map(\.clients) == [[client]])
    #expect(run.accounts == [GoldenAccount(ann.upn, ann.home, .homeAuthority, .yes)])
  }

  @Test("D37: the check asks with that spelling") func checkedSpelling() throws {
    let client = " \(World.client) "
    let rows = [
      SyntheticRow.refresh("rt", ann.upn, ann.token()) { $0.clientID = client },
      .access("at", ann.upn, ann.token()) { $0.clientID = client },
    ]
    func findings(mistaking entries: [SyntheticEntry]) throws -> [Reason] {
      try CheckedPlan(rows.map(\.item), mistaking: entries).report(.dryRun).findings.map(\.reason)
    }
    #expect(try findings(mistaking: []) == [])
    let idToken = ann.idToken(ann.token(), client: client)
    #expect(try findings(mistaking: [idToken]) == [.checkNotFound, .keepIDToken])
  }

  @Test("D5: a client id that is given is written as it is given")
  func givenSpelling() throws {
    let given = World.client.uppercased()
    let run = try run([.refresh("rt", ann.upn, ann.token())], [given])
    #expect(Set(try run.added.compactMap { $0["client_id"] }) == [given])
    #expect(run.report.accounts.map(\.clients) == [[given]])
  }

  @Test("an account's clients are spelled as they are written, not as they sort")
  func writtenSpelling() throws {
    let lower = SyntheticRow.refresh("rt-new", ann.upn, ann.token()) { $0.modified = 2 }
    let upper = SyntheticRow.refresh(
      "rt-old", ann.upn, ann.token(), at: World.tenant(World.contoso)
    ) {
      $0.clientID = World.client.uppercased()
      $0.modified = 1
    }
    let run = try run([lower, upper], nil)
    #expect(try run.refreshTokens(of: World.client) == ["rt-new"])
    #expect(run.report.accounts.map(\.clients) == [[World.client]])
  }

  @Test("in place they are spelled as MSAL has them")
  func existingSpelling() throws {
    let upper = World.client.uppercased()
    let row = SyntheticRow.refresh("rt", ann.upn, ann.token()) { $0.clientID = upper }
    let items = [ann.account(), ann.refreshToken("rt-msal"), ann.idToken(ann.token())].map {
      $0.item(accessGroup: World.group, at: nil)
    }
    let run = try FoundRun.inPlace(items + [row.item])
    #expect(run.report.accounts.map(\.clients) == [[World.client]])
  }

  @Test("D37: of two spellings of one client id the first is written; a policy can be changed")
  func spellings() {
    var policy = Policy(clientIDs: ["ABC", "abc", "Other"])
    #expect(policy.written("aBc") == "ABC")
    #expect(policy.includes(client: " OTHER") && !policy.includes(client: "another"))
    policy.clientIDs = ["abc"]
    #expect(policy.written("ABC") == "abc")
    #expect(!policy.includes(client: "Other") && policy.includes(client: nil))
    policy.clientIDs = nil
    #expect(policy.written("ABC") == "ABC" && policy.includes(client: "Other"))
  }
}
