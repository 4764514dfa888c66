// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration

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
    let token = Credential(
      kind: .refreshToken, homeAccountID: "\(Self.oid).\(Self.tid)".uppercased(),
      environment: "login.windows.net", clientID: Self.client, secret: Secret("synthetic-rt-old"))
    let account = Account(
      homeAccountID: "\(Self.oid).\(Self.tid)", environment: "login.windows.net", realm: Self.tid,
      localAccountID: Self.oid, username: "jane@contoso.com")
    let report = try report([
      token.item(accessGroup: Self.group, at: nil), account.item(accessGroup: Self.group, at: nil),
    ])
    #expect(report.accounts.map(\.signedIn) == [.no])
    #expect(report.summary.accountsToSignIn == 1)
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

  @Test("what is all our own and not found stops the run") func bug() throws {
    let store = MemoryStore([row])
    let target = Target.items(store)
    let inventory = try Inventory(of: [.items(store)], into: target)
    let plan = Plan(inventory, form: .keychainItems, policy: Policy(), now: Self.now)
    #expect(try PlanCheck(inventory, plan, form: .keychainItems, now: Self.now).unfound.isEmpty)

    let broken = plan.without { record in
      if case .account = record { true } else { false }
    }
    #expect(throws: MigrationError.notFound("accounts")) {
      try PlanCheck(inventory, broken, form: .keychainItems, now: Self.now)
    }
  }
}

extension Plan {
  /// The plan as a bug would make it: with some of its additions lost.
  fileprivate func without(_ isLost: (Record) -> Bool) -> Plan {
    var plan = self
    plan.additions.removeAll { isLost($0.record) }
    return plan
  }
}
