// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments

/// Law 10 where it could fail.
@Suite struct PlanCheckTests {
  private static let now = 1_700_000_000.0
  private static let oid = "4c9e4509-7080-4408-8985-f9032eb84631"
  private static let tid = "6fd1f5cd-a94c-4335-889b-6c598e6d8048"
  private static let client = "27922004-5251-4030-b22d-91ecd9a37ea4"
  private static let group = "ABCDE12345.com.microsoft.adalcache"

  private var row: KeychainItem {
    var row = SyntheticRow()
    row.refreshToken = "synthetic-rt-jane"
    row.userID = "jane@contoso.com"
    row.idToken = SyntheticRow.idToken([
      "oid": Self.oid, "tid": Self.tid, "upn": "jane@contoso.com", "ver": "1.0",
      "iat": 1_699_999_000,
    ])
    return row.item
  }

  private func report(_ target: [KeychainItem]) throws -> Report {
    let store = MemoryStore([row] + target)
    return try Migration(
      from: [.items(store)], into: .items(store), now: { Date(timeIntervalSince1970: Self.now) }
    ).run()
  }

  @Test("an account that the target hides is not called signed in")
  func hiddenByTarget() throws {
    // MSAL joins a refresh token and an account by the home account id as it is spelled.
    let token = MSALEntry(
      kind: .refreshToken, homeAccountID: "\(Self.oid).\(Self.tid)".uppercased(),
      environment: "login.windows.net", clientID: Self.client,
      secret: TokenSecret("synthetic-rt-old"))
    let account = MSALEntry(
      accountOf: "\(Self.oid).\(Self.tid)", environment: "login.windows.net", realm: Self.tid,
      localAccountID: Self.oid, username: "jane@contoso.com")
    let report = try report([
      token.item(accessGroup: Self.group, at: nil), account.item(accessGroup: Self.group, at: nil),
    ])
    #expect(report.accounts.map(\.signedIn) == [.no])
    #expect(report.summary.accountsToSignIn == 1)
  }

  /// An account of the same object in another cloud, of whose name a byte is damaged: what MSAL searches it
  /// by is still the old one.
  @Test("an account that a moved entry hides is written, and the next run has nothing to do")
  func hiddenByWhatIsCarried() throws {
    let account = MSALEntry(
      accountOf: "\(Self.oid).\(Self.tid)", environment: "login.partner.microsoftonline.cn",
      realm: Self.tid, localAccountID: Self.oid, username: "jane@contoso.col")
    var damaged = account.item(accessGroup: Self.group, at: nil)
    damaged.generic = MSALEntry.generic(ofUsername: "jane@contoso.com")
    let target = MemoryStore([])
    let migration = Migration(
      from: .items(MemoryStore([row, damaged])),
      into: .items(target), now: { Date(timeIntervalSince1970: Self.now) })
    let first = try migration.run()
    #expect(!first.findings.contains { $0.reason == .checkNotFound })
    #expect(try target.items().count == 5)
    #expect(try migration.run().summary.written == 0)
  }

  @Test("one object of one tenant in two clouds is two accounts, each with tokens of its own")
  func twoClouds() throws {
    let vectors = try ["ios-2.6.6-cloud-china", "ios-2.6.6-cloud-germany"].map { name in
      try #require(Vectors.adal.first { $0.name == name })
    }
    let store = MemoryStore(try vectors.flatMap { try $0.items() })
    let report = try Migration(
      from: .items(store), into: .items(store), now: try #require(vectors.last).clock
    ).run()
    #expect(Set(report.accounts.map(\.homeAccountID)).count == 1)
    #expect(
      report.accounts.map(\.environment) == [
        "login.microsoftonline.de", "login.partner.microsoftonline.cn",
      ])
    #expect(report.accounts.map(\.signedIn) == [.yes, .yes])
    #expect(report.summary.notConverted == 0)
  }

  @Test("the check asks about accounts that something there could hide, and about no others")
  func whoIsAsked() throws {
    func isHidden(_ there: [KeychainItem]) throws -> Bool {
      let store = MemoryStore(there)
      let inventory = try Inventory(of: [.items(MemoryStore([row]))], into: .items(store))
      return inventory.target[Self.group].index.mayHide(home: "\(Self.oid).\(Self.tid)")
    }
    let other = MSALEntry(
      kind: .refreshToken, homeAccountID: "other.\(Self.tid)", environment: "login.windows.net",
      clientID: Self.client, secret: TokenSecret("synthetic-rt-other"))
    var own = other
    own.homeAccountID = "\(Self.oid).\(Self.tid)".uppercased()
    // One that MSAL does not find is in the way all the same.
    var stray = own.item(accessGroup: Self.group, at: nil)
    stray.generic = nil
    let metadata = MSALEntry(metadataOf: Self.client, environment: "login.windows.net")
    #expect(try !isHidden([]))
    #expect(try !isHidden([other.item(accessGroup: Self.group, at: nil)]))
    #expect(try isHidden([own.item(accessGroup: Self.group, at: nil)]))
    #expect(try isHidden([stray]))
    #expect(try isHidden([metadata.item(accessGroup: Self.group, at: nil)]))
  }

  // MARK: - A bug of ours

  private static let ann = World.ann
  private static let eve = World.eve

  private var twoPeople: [KeychainItem] {
    [
      SyntheticRow.refresh("rt-ann", Self.ann.upn, Self.ann.token()),
      .access("at-ann", Self.ann.upn, Self.ann.token()),
      .refresh("rt-eve", Self.eve.upn, Self.eve.token()),
    ].map(\.item)
  }

  @Test("an account that MSAL would not find is left out, and the others are migrated")
  func account() throws {
    let checked = try CheckedPlan(twoPeople, mistaking: [Self.ann.account()])
    let report = checked.report(.dryRun)
    #expect(report.accounts.map(\.userID) == [Self.ann.upn, Self.eve.upn])
    #expect(report.accounts.map(\.signedIn) == [.byUserName, .yes])
    #expect(report.summary.converted == 1 && report.summary.notConverted == 2)
    for entry in report.entries where entry.userID == Self.ann.upn {
      #expect(entry.outcome == .notConverted)
      #expect(entry.reasons.first == .checkNotFound && entry.writes.isEmpty)
    }

    let finding = try #require(report.findings.first { $0.reason == .checkNotFound })
    #expect(finding.severity == .error && report.worstSeverity == .error)
    #expect(finding.rows == [0, 1])
    #expect(
      finding.fragments == [
        .text(
          "MSAL would not find the new entries: a bug in adal2msal: 1 account, "
            + "asked for accounts by \(World.client)")
      ])
    #expect(finding.remedy.contains("https://github.com/adal2msal/adal2msal/issues"))

    let alone = try CheckedPlan(Array(twoPeople.suffix(1)), mistaking: [])
    #expect(checked.items == alone.items && alone.items.count == 4)
  }

  @Test("entries that only other accounts need are left out, too")
  func consistency() throws {
    var neighbour = SyntheticRow.refresh("rt-eve", Self.eve.upn, Self.eve.token())
    neighbour.clientID = World.otherClient
    let checked = try CheckedPlan(
      Array(twoPeople.prefix(2)) + [neighbour.item], mistaking: [Self.eve.account()])
    let report = checked.report(.dryRun)
    #expect(report.accounts.map(\.signedIn) == [.yes, .byUserName])
    #expect(!report.findings.contains { $0.reason == .coexistenceHiddenClient })
    let metadata = checked.items.compactMap(SyntheticEntry.init).filter {
      $0["credential_type"] == nil && $0["authority_type"] == nil
    }
    #expect(metadata.map { $0["client_id"] } == [World.client])
  }

  @Test("an access token that would not be found is left out, and its owner is signed in")
  func accessToken() throws {
    let checked = try CheckedPlan(twoPeople, mistaking: [Self.ann.idToken(Self.ann.token())])
    let report = checked.report(.dryRun)
    #expect(report.accounts.map(\.signedIn) == [.yes, .yes])
    let finding = try #require(report.findings.first { $0.reason == .checkNotFound })
    #expect(finding.rows.map { report.entries[$0].kind } == [.accessToken])
    #expect(!checked.items.contains { $0.type == 2001 })
    #expect(checked.items.count { $0.type == 1003 } == 2)
  }

  @Test("in a document, too") func document() throws {
    let checked = try CheckedPlan(twoPeople, mistaking: [Self.ann.account()], form: .document)
    let report = checked.report(.dryRun)
    #expect(report.accounts.map(\.signedIn) == [.no, .yes])
    #expect(report.findings.contains { $0.reason == .checkNotFound && $0.rows == [0, 1] })
    #expect(checked.documents[""]?.accounts.map(\.value.username) == [Self.eve.upn])
  }

  @Test("everybody can be left out, and a run and a look at the cache still end")
  func everybody() throws {
    let checked = try CheckedPlan(
      twoPeople, mistaking: [Self.ann.account(), Self.eve.account()])
    let report = checked.report(.dryRun)
    #expect(report.summary.converted == 0 && report.summary.written == 0)
    #expect(report.worstSeverity == .error)
    #expect(checked.items.isEmpty)
    #expect(Inspection(checked).report.accounts.map(\.userID) == [Self.ann.upn, Self.eve.upn])
  }
}

extension CheckedPlan {
  /// The plan for items where the planner mistakes these entries for the target's, in which MSAL finds none of
  /// them: the consequence of a bug of ours.
  init(
    _ items: [KeychainItem], mistaking entries: [SyntheticEntry], form: CacheForm = .keychainItems
  ) throws {
    let store = MemoryStore(items)
    let target = form == .document ? Target.document(MemoryDocument()) : .items(store)
    var inventory = try Inventory(of: [.items(store)], into: target)
    var index = MSALIndex()
    for entry in entries {
      let item = entry.item(accessGroup: World.group, at: nil)
      index.insert(try #require(MSALItem(item)?.entry))
    }
    inventory.target.insert(
      .init(index: index, document: CacheDocument()), as: form == .document ? "" : World.group)
    self.init(inventory, form: form, policy: Policy(), now: World.now)
  }

  /// The planned entries, as keychain items.
  fileprivate var items: [KeychainItem] {
    plan.decisions.additions.map { plan.item(of: $0) }
  }
}
