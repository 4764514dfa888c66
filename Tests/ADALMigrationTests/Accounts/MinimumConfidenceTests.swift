// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration
@testable import MigrationPolicies

/// A policy that requires more certain home account ids than the default: what is skipped for it, and what the
/// report says (D1).
@Suite struct MinimumConfidenceTests {
  private let ann = World.ann
  private let eve = World.eve
  /// A member's row through `common`: level 4.
  private var member: SyntheticRow { .refresh("rt", ann.upn, ann.token()) }
  private let exact = Policy(minimumConfidence: .exact)

  private func run(
    _ row: SyntheticRow, into target: MemoryStore? = nil, _ policy: Policy
  ) throws -> Report {
    let source = MemoryStore([row.item])
    return try Migration(
      from: [.items(source)], into: .items(target ?? source), policy: policy,
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
  }

  @Test("the user of a skipped row must sign in, which is an error") func elsewhere() throws {
    let target = MemoryStore([])
    let report = try run(member, into: target, exact)
    #expect(try target.items() == [])
    #expect(report.entries.map(\.outcome) == [.notConverted])
    #expect(report.entries.map(\.reasons) == [[.homeBelowMinimum, .homeCommonAuthority]])
    #expect(report.findings.map(\.reason) == [.homeBelowMinimum])
    #expect(report.findings.map(\.severity) == [.error])
    #expect(
      report.findings.map(\.message) == [
        "home account id is less certain than the policy requires; 1 account must sign in again"
      ])
    #expect(report.summary.accountsToSignIn == 1 && report.summary.accountsSignedOut == 0)
    #expect(report.accounts.map(\.reasons) == [[.homeBelowMinimum]])
    #expect(report.accounts.map(\.identifier) == [nil])
  }

  @Test("where the row stays beside MSAL's entries, MSAL finds the user by name")
  func inPlace() throws {
    let report = try run(member, exact)
    #expect(report.accounts.map(\.signedIn) == [.byUserName])
    #expect(report.findings.map(\.reason) == [.homeBelowMinimum])
    #expect(report.findings.map(\.severity) == [.warning])
  }

  @Test("a row that is certain enough is converted") func enough() throws {
    let report = try run(member, Policy(minimumConfidence: .homeAuthority))
    #expect(report.entries.map(\.outcome) == [.converted])
    #expect(!report.findings.map(\.reason).contains(.homeBelowMinimum))
  }

  @Test("an account from the map has the same confidence in the next run") func again() throws {
    let token = eve.guestToken(of: World.contoso, as: World.eveInContoso)
    let store = MemoryStore([
      SyntheticRow.refresh("rt", eve.upn, token, at: World.tenant(World.contoso)).item
    ])
    var policy = Policy.map([
      AccountMap.Entry(
        homeOID: eve.oid, homeTID: eve.tid, tid: World.contoso, oid: World.eveInContoso)
    ])
    policy.minimumConfidence = .exact
    func run() throws -> Report {
      try Migration(
        from: [.items(store)], into: .items(store), policy: policy,
        now: { Date(timeIntervalSince1970: World.now) }
      ).run()
    }
    let (first, second) = (try run(), try run())
    let (row, later) = (
      try #require(first.entries.first),
      try #require(second.entries.first { $0.kind == .multiResourceRefreshToken })
    )
    #expect(row.outcome == .converted && later.outcome == .alreadyThere)
    #expect(row.evidence == ["map.tid+oid"] && later.evidence == ["map.tid+oid", "join.oid+tid"])
    #expect(first.accounts.map(\.confidence) == [.exact])
    #expect(second.accounts.map(\.confidence) == [.exact])
    #expect(second.summary.written == 0)
  }
}
