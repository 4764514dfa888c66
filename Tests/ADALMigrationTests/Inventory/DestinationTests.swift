// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import KeychainModel
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Into which access group things go, and that they are found there again.
@Suite struct DestinationTests {
  private static let ann = World.ann
  private static let team = "ABCDE12345"
  private static let groupA = "\(team).com.contoso.a"
  private static let groupB = "\(team).com.contoso.b"

  private let model = KeychainModel()
  private let clock: @Sendable () -> Date = { Date(timeIntervalSince1970: World.now) }

  init() {
    model.groups = ["\(Self.team).com.contoso.app", Self.groupA, Self.groupB]
  }

  private func keychain(_ group: String) -> SystemKeychain {
    SystemKeychain(accessGroup: group, calls: model.calls)
  }

  private func items(in group: String) -> [KeychainItem] {
    model.all.filter { $0.accessGroup == group }
  }

  private var row: SyntheticRow {
    var row = SyntheticRow.refresh("rt-ann", Self.ann.upn, Self.ann.token())
    row.accessGroup = Self.groupA
    return row
  }

  @Test("from one group of the keychain into another", arguments: ["com.contoso.b", groupB])
  func otherGroup(name: String) throws {
    _ = try keychain(Self.groupA).add([row.item])
    let migration = Migration(
      from: .items(keychain(Self.groupA)), into: .items(keychain(name)), now: clock)
    let report = try migration.run()
    #expect(report.accounts.map(\.signedIn) == [.yes])
    #expect(items(in: Self.groupA).count == 1)
    #expect(Set(items(in: Self.groupB).compactMap(\.type)) == [1003, 2002, 2003, 3001])
    #expect(items(in: Self.groupB).count == report.summary.written)

    let again = try migration.run()
    #expect(again.summary.written == 0 && again.entries.map(\.outcome) == [.alreadyThere])
    #expect(model.all.count == 5)
  }

  @Test("rows without a group into an empty keychain, and the same again") func emptyKeychain()
    throws
  {
    let migration = Migration(
      from: .blob(SyntheticRow.blob([row])), into: .items(keychain("com.contoso.b")), now: clock)
    #expect(try migration.plan().summary.written == 4)
    #expect(model.all.isEmpty)
    let report = try migration.run()
    #expect(report.summary.converted == 1 && report.summary.written == 4)
    #expect(items(in: Self.groupB).count == 4)
    // MSAL leaves the same hint when it starts.
    #expect(
      model.all.filter { $0.accessGroup != Self.groupB }.map(\.account) == ["SDK.ObjC.teamIDHint"])
    #expect(try migration.run().entries.map(\.outcome) == [.alreadyThere])
    #expect(model.all.count == 5)
  }

  @Test("beside another writer, an entry of the run does not count as already there")
  func besideAnotherWriter() throws {
    let rival = Self.ann.idToken(Self.ann.token()).item(accessGroup: Self.groupB, at: World.now)
    model.beforeFirstItem = { model in
      _ = try? SystemKeychain(accessGroup: rival.accessGroup, calls: model.calls).add([rival])
    }
    let report = try Migration(
      from: .blob(SyntheticRow.blob([row])), into: .items(keychain("com.contoso.b")), now: clock
    ).run()
    #expect(report.entries.map(\.outcome) == [.converted])
    #expect(report.entries.first?.reasons.contains(.keepIDToken) ?? false)
    #expect(report.summary.written == 3)
    #expect(items(in: Self.groupB).count == 4)
  }

  @Test("nothing to write leaves an empty keychain empty") func nothing() throws {
    let report = try Migration(
      from: .items(MemoryStore()), into: .items(keychain("com.contoso.b")), now: clock
    ).run()
    #expect(report.summary.rows == 0)
    #expect(model.all.isEmpty)
  }

  @Test("a group without its team prefix is refused, with the prefixes that the caches suggest")
  func withoutPrefix() throws {
    var other = row
    other.accessGroup = "ZYXWV98765.com.contoso.c"
    func plan(_ source: Source, _ there: [KeychainItem], _ group: String) throws -> Report {
      try Migration(
        from: source, into: .items(MemoryStore(there), accessGroup: group), now: clock
      ).plan()
    }
    let rows = Source.items(MemoryStore([row.item]))
    #expect(
      throws: MigrationError.accessGroupWithoutTeam(
        "com.contoso.b", suggestions: [Self.groupB, "ZYXWV98765.com.contoso.b"])
    ) { try plan(rows, [other.item], "com.contoso.b") }
    #expect(throws: MigrationError.accessGroupWithoutTeam("com.contoso.b", suggestions: [])) {
      try plan(.blob(SyntheticRow.blob([row])), [], "com.contoso.b")
    }
    // Neither ADAL nor MSAL reaches a group of App Groups by its bare name.
    #expect(
      throws: MigrationError.accessGroupWithoutTeam(
        "group.com.contoso", suggestions: ["\(Self.team).group.com.contoso"])
    ) { try plan(rows, [], "group.com.contoso") }
    #expect(try plan(rows, [], Self.groupB).summary.written == 4)
    // A cache in which groups have no prefix is taken at its word.
    other.accessGroup = "com.contoso.b"
    #expect(try plan(rows, [other.item], "com.contoso.b").summary.written == 4)
  }
}
