// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import KeychainModel
import SyntheticCaches
import Testing

@testable import ADALMigration
@testable import MigrationReports

/// Filters that fit nothing, and inspections that show what a filter asks for.
@Suite struct FilterTests {
  private static let wrong = "27922004-5251-4030-b22d-91ecd9a37eb4"
  private static let otherGroup = "ABCDE12345.com.contoso.mail"

  private static func row(
    _ person: GoldenPerson, _ client: String = World.client, group: String = World.group
  ) -> KeychainItem {
    var row = SyntheticRow()
    row.clientID = client
    row.userID = person.upn
    row.refreshToken = "synthetic-rt-\(person.upn)-\(client)"
    row.idToken = person.token()
    row.accessGroup = group
    return row.item
  }

  private static let store = MemoryStore([
    row(World.ann), row(World.ann, World.otherClient), row(World.eve, World.otherClient),
  ])

  private func migration(
    _ clients: [String]?, groups: Set<String>? = nil, of source: Source = .items(Self.store)
  ) -> Migration {
    Migration(
      from: source, into: .items(MemoryStore()), policy: Policy(clientIDs: clients),
      accessGroups: groups, now: { Date(timeIntervalSince1970: World.now) })
  }

  private func complaints(_ report: Report) -> [String] {
    report.findings.filter { $0.reason == .policyMatchesNothing }
      .map { "\($0.severity.rawValue) \($0.rows): \($0.message)" }
  }

  private func headline(_ report: Report) -> String { ReportWords(report: report).headline }

  @Test func aClientThatNoRowHasIsAnError() throws {
    let report = try migration([Self.wrong]).plan()
    #expect(
      complaints(report) == [
        "error []: no token in the cache belongs to client '\(Self.wrong)'; the cache has \(World.client), \(World.otherClient)"
      ])
    #expect(headline(report) == "A selected client or access group is not in the cache.")
    #expect(report.worstSeverity == .error)
    let some = try migration([World.client.uppercased(), "b", Self.wrong]).plan()
    #expect(
      complaints(some) == [
        "error []: no token in the cache belongs to the clients '\(Self.wrong)', 'b'; the cache has \(World.client), \(World.otherClient)"
      ])
    #expect(
      headline(some)
        == "A selected client or access group is not in the cache. The account stays signed in."
    )
    let none = try migration([]).plan()
    #expect(
      complaints(none) == [
        "error []: the list of clients is empty, so nothing would be migrated; the cache has \(World.client), \(World.otherClient)"
      ])
    #expect(complaints(try migration([World.client]).plan()) == [])
    #expect(complaints(try migration(nil).plan()) == [])
  }

  @Test("at an app's start, neighbours' rows alone are no error") func neighbours() throws {
    let model = KeychainModel()
    model.groups = [World.group]
    let keychain = SystemKeychain(accessGroup: World.group, calls: model.calls)
    _ = try keychain.add([Self.row(World.eve, World.otherClient)])
    let report = try Migration(
      from: .items(keychain), into: .items(keychain), policy: Policy(clientIDs: [World.client]),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    #expect(
      complaints(report) == [
        "warning []: no token in the cache belongs to client '\(World.client)'; the cache has \(World.otherClient)"
      ])
    #expect(report.worstSeverity == .warning && report.summary.written == 0)
  }

  @Test func aGroupThatNoRowIsInIsAnError() throws {
    let report = try migration([Self.wrong], groups: ["com.microsoft.adalcache"]).plan()
    #expect(
      complaints(report) == [
        "error []: no token in the cache is in the access group 'com.microsoft.adalcache'; the cache has \(World.group)"
      ])
    #expect(headline(report) == "A selected client or access group is not in the cache.")
    let known = try migration(nil, groups: [World.group]).plan()
    #expect(complaints(known) == [])
    let some = try migration(nil, groups: [World.group, Self.otherGroup]).plan()
    #expect(
      complaints(some) == [
        "error []: no token in the cache is in the access group '\(Self.otherGroup)'; the cache has \(World.group)"
      ])
    // Items that are no rows make no group.
    let noise = MemoryStore([KeychainItem(accessGroup: Self.otherGroup, account: "wifi")])
    #expect(complaints(try migration(nil, groups: ["x"], of: .items(noise)).plan()) == [])
  }

  @Test func whereNoRowIsNothingIsMissed() throws {
    let empty = Source.items(MemoryStore())
    #expect(complaints(try migration([Self.wrong], groups: ["x"], of: empty).plan()) == [])
  }

  /// A filter of groups does not apply to a blob beside a keychain, because a blob has no groups.
  @Test func whatHasNoGroupsIsInNone() throws {
    var row = SyntheticRow()
    row.refreshToken = "synthetic-rt"
    row.idToken = World.ann.token()
    let blob = Source.blob(row.archive)
    func migration(_ sources: [Source]) -> Migration {
      Migration(
        from: sources, into: .items(MemoryStore(), accessGroup: World.group), accessGroups: ["x"])
    }
    #expect(
      complaints(try migration([blob]).plan()) == [
        "error []: no token in the cache is in the access group 'x'; the tokens are in no access group"
      ])
    #expect(complaints(try migration([blob, .items(MemoryStore())]).plan()) == [])
  }

  @Test func aStrictFilterEndsTheRunBeforeAnythingIsWritten() throws {
    let target = MemoryStore()
    let migration = Migration(
      from: .items(Self.store), into: .items(target), policy: Policy(clientIDs: [Self.wrong]),
      accessGroups: ["x"])
    let clients = UnmatchedFilter(
      kind: .clientIDs, values: [Self.wrong], known: [World.client, World.otherClient])
    let groups = UnmatchedFilter(kind: .accessGroups, values: ["x"], known: [World.group])
    #expect(throws: groups) {
      try migration.requiring([.clientIDs, .accessGroups]).run()
    }
    #expect(try target.items() == [])
    #expect(throws: clients) {
      try Migration.inspect(
        [.items(Self.store)], policy: Policy(clientIDs: [Self.wrong]), accessGroups: nil,
        now: Date(), requiring: [.clientIDs])
    }
    // The finding names the policy file.
    #expect(try migration.requiring([.clientIDs]).plan().worstSeverity == .error)
  }

  @Test func manyNamesAreNotAllSaid() {
    let filter = UnmatchedFilter(
      kind: .clientIDs, values: ["x"], known: (10..<35).map { "c\($0)" })
    #expect(filter.choice.hasSuffix("c28, c29, … and 5 more"))
  }

  @Test func anInspectionShowsTheClientsThatAreAskedFor() throws {
    var family = SyntheticRow()
    family.clientID = "foci-1"
    family.userID = World.ann.upn
    family.refreshToken = "synthetic-rt-family"
    family.idToken = World.ann.token()
    var member = SyntheticRow()
    member.clientID = World.client
    member.familyID = "1"
    member.userID = World.ann.upn
    member.resource = World.graph
    member.accessToken = "synthetic-at"
    member.idToken = World.ann.token()
    var broken = SyntheticRow()
    broken.clientSlot = "?"
    var unknown = broken.item
    unknown.data = TokenSecret("bplist00")
    let rows = try Self.store.items() + [family.item, member.item, unknown]
    let all = MemoryStore(rows)
    let whole = try Migration.inspect([.items(all)]).report
    let part = try Migration.inspect(
      [.items(all)], policy: Policy(clientIDs: [World.client.uppercased()])
    ).report
    // The family's row is one that the client may use; whose the broken one is, nobody knows.
    #expect(
      part.entries.map { $0.clientID ?? "?" }.sorted()
        == [World.client, World.client, "?", "foci-1"])
    // Each keeps its number.
    for entry in part.entries {
      #expect(whole.entries.first { $0.row == entry.row }?.place == entry.place)
    }
    #expect(part.accounts.map(\.userID) == [nil, World.ann.upn])
    #expect(part.accounts.map(\.isUnknownUsers) == [true, false])
    #expect(Set(part.entries.map(\.account)) == [0, 1])
    #expect(part.summary.rows == 4 && part.summary.accounts == 2)
    let text = ReportFormat.text.render(part.masked())
    #expect(text.hasPrefix("4 tokens of 2 accounts. 2 of other clients are not included.\n"))
    #expect(!text.contains(World.otherClient))
    let json = ReportFormat.json.render(part.masked())
    #expect(!json.contains(World.otherClient) && !json.contains("client.not-in-set"))

    let other = try Migration.inspect(
      [.items(all)], policy: Policy(clientIDs: [World.otherClient])
    ).report
    #expect(
      other.entries.map { $0.clientID ?? "?" }.sorted()
        == ["?", World.otherClient, World.otherClient])
    #expect(other.accounts.map(\.userID) == [nil, World.ann.upn, World.eve.upn])
  }

  @Test func accountsInMSALsFormAreShownWithTheirTokens() throws {
    let target = MemoryStore(try Self.store.items())
    _ = try Migration(from: .items(target), into: .items(target)).run()
    let part = try Migration.inspect(
      [.items(target)], policy: Policy(clientIDs: [World.client])
    ).report
    #expect(part.accounts.map(\.userID) == [World.ann.upn])
    #expect(Set(part.entries.map { $0.clientID ?? "-" }) == ["-", World.client])
    #expect(part.entries.allSatisfy { $0.account == 0 || $0.kind == .unifiedAppMetadata })
  }
}
