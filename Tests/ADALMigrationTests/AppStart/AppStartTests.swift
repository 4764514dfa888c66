// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import KeychainModel
import SyntheticCaches
import Testing

@testable import ADALMigration
@testable import MigrationReceipts

/// A migration within the system's keychain at an app's start, beside what such a keychain holds.
@Suite struct AppStartTests {
  private static let own = "ABCDE12345.com.contoso.app"
  private static let shared = "ABCDE12345.com.microsoft.adalcache"

  private let model = KeychainModel()

  private func migration(
    _ group: String? = "com.microsoft.adalcache", into target: String? = nil
  ) -> Migration {
    let calls = model.calls
    return Migration(
      from: .items(SystemKeychain(accessGroup: group, calls: calls)),
      into: .items(SystemKeychain(accessGroup: target ?? group, calls: calls)),
      now: { Date(timeIntervalSince1970: World.now) })
  }

  /// ADAL's rows of two users, in a group.
  private func putRows(in group: String = shared, accessibility: String = "cku") {
    for person in [World.ann, World.firstSam] {
      let item = SyntheticRow.refresh("rt-\(person.upn)", person.upn, person.token()).item
      // Reveal: the model keeps what a keychain keeps.
      let data = Data(item.data?.reveal() ?? [])
      model.put([
        "agrp": group, "acct": item.account, "svce": item.service, "pdmn": accessibility,
        "gena": Data(item.generic ?? []), "v_Data": data, "cdat": Date(), "mdat": Date(),
      ])
    }
  }

  /// Items of the app's own, of which one needs a person, and half of them an unlocked device.
  private func putForeignItems(_ count: Int = 500) {
    for number in 0..<count {
      model.put([
        "agrp": Self.own, "acct": "foreign \(number)", "svce": "app",
        "pdmn": number % 2 == 0 ? "ak" : "cku", "v_Data": Data([1]),
      ])
    }
    model.put(["agrp": Self.own, "acct": "vault", "svce": "app", "pdmn": "cku", "accc": Data([1])])
  }

  private func putHint() {
    model.put(["agrp": Self.own, "acct": "SDK.ObjC.teamIDHint", "svce": "", "pdmn": "dk"])
  }

  private var written: [KeychainItem] { model.all.filter { $0.type != nil } }

  @Test(
    "everybody migrates beside 500 items of others, locked or not, and no person is asked",
    arguments: [true, false], [KeychainModel.Lock.unlocked, .locked])
  func everybody(hasHint: Bool, lock: KeychainModel.Lock) throws {
    putForeignItems()
    if hasHint { putHint() }
    putRows()
    model.lockState = lock
    model.answerOfPerson = -128
    let report = try migration().run()
    #expect(report.accounts.map(\.signedIn) == [.yes, .yes])
    #expect(report.summary.written == 7)
    #expect(written.count == 7 && written.allSatisfy { $0.accessGroup == Self.shared })
    #expect(model.questionsToPersons == 0)
    let queries = model.log.filter { $0.function == .copyMatching }.map(\.arguments)
    #expect(!queries.isEmpty)
    #expect(queries.allSatisfy { $0["u_AuthUI"] as? String == "u_AuthUIS" })
    #expect(try migration().run().summary.written == 0)
  }

  @Test(
    "a start with nothing to do makes three calls with MSAL's hint, and no addition",
    arguments: [(hint: true, calls: 3), (hint: false, calls: 5)])
  func calls(hint: Bool, calls: Int) throws {
    putForeignItems()
    if hint { putHint() }
    putRows()
    _ = try migration().run()
    model.clearLog()
    #expect(try migration().run().summary.written == 0)
    #expect(model.log.map(\.function) == Array(repeating: .copyMatching, count: calls))
  }

  @Test("where nothing tells the team, source and target each ask for it")
  func callsInAnEmptyKeychain() throws {
    #expect(try migration().run().summary.rows == 0)
    let (asking, xamarin) = (6, 1)
    #expect(
      model.log.map(\.function) == Array(repeating: .copyMatching, count: 2 * asking + xamarin))
    #expect(model.all.isEmpty)
  }

  @Test("rows that cannot be decrypted now end the run with nothing written") func lockedRows()
    throws
  {
    putHint()
    putRows()
    putRows(in: Self.shared, accessibility: "aku")
    model.lockState = .locked
    #expect(throws: StoreError(.locked, "")) { try migration().run() }
    #expect(written.isEmpty)
    model.lockState = .beforeFirstUnlock
    #expect(throws: StoreError(.locked, "")) { try migration().run() }
    #expect(model.log.allSatisfy { $0.function == .copyMatching })
  }

  @Test("a Mac's program without entitlements is refused, from a blob too") func mac() throws {
    model.platform = .macOS
    model.groups = []
    #expect(throws: StoreError(.refused, "")) { try migration().run() }
    let row = SyntheticRow.refresh("rt-ann", World.ann.upn, World.ann.token())
    let keychain = SystemKeychain(accessGroup: nil, calls: model.calls)
    #expect(throws: StoreError(.refused, "")) {
      try TokenCacheMigration(from: .blob(SyntheticRow.blob([row])), into: .items(keychain)).run()
    }
    #expect(throws: StoreError(.refused, "")) { try Migration.inspect([.items(keychain)]) }
    #expect(model.all.isEmpty)
  }

  @Test("on a Mac nothing is left but MSAL's entries") func macEntries() throws {
    model.platform = .macOS
    let row = SyntheticRow.refresh("rt-ann", World.ann.upn, World.ann.token())
    let keychain = SystemKeychain(accessGroup: "com.microsoft.adalcache", calls: model.calls)
    let report = try Migration(
      from: .blob(SyntheticRow.blob([row])), into: .items(keychain),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    #expect(report.summary.written == model.all.count)
    #expect(Set(model.all.map(\.accessGroup)) == [Self.shared])
  }

  @Test("a group named group.… is prefixed as ADAL and MSAL prefix it") func prefixedAppGroup()
    throws
  {
    let full = "ABCDE12345.group.com.contoso"
    model.groups = [Self.own, full]
    putHint()
    putRows(in: full)
    let report = try migration("group.com.contoso").run()
    #expect(report.accounts.map(\.signedIn) == [.yes, .yes])
    #expect(Set(written.map(\.accessGroup)) == [full])
  }

  @Test("a source's group named group.… is read verbatim too, and never written to")
  func verbatimAppGroup() throws {
    let full = "ABCDE12345.group.com.contoso"
    putHint()
    putRows(in: "group.com.contoso")
    // Both are the program's, and ADAL before 2.1 wrote under the name as it was given.
    model.groups = [Self.own, full, "group.com.contoso"]
    let report = try migration("group.com.contoso").run()
    #expect(report.accounts.map(\.signedIn) == [.yes, .yes])
    #expect(Set(written.map(\.accessGroup)) == [full])
    #expect(try migration("group.com.contoso").run().summary.written == 0)
    // Only the App Group is: enough to read, with another target.
    model.groups = [Self.own, Self.shared, "group.com.contoso"]
    let other = try migration("group.com.contoso", into: "com.microsoft.adalcache").run()
    #expect(other.accounts.map(\.signedIn) == [.yes, .yes])
    #expect(Set(written.map(\.accessGroup)) == [full, Self.shared])
    #expect(throws: StoreError(.refused, "")) { try migration("group.com.contoso").run() }
    model.groups = [Self.own]
    #expect(throws: StoreError(.refused, "")) {
      try migration("group.com.contoso", into: "com.contoso.app").run()
    }
  }

  @Test("rows under a verbatim name count for a receipt") func receipt() throws {
    model.groups = [Self.own, "ABCDE12345.group.com.contoso", "group.com.contoso"]
    putHint()
    let migration = migration("group.com.contoso")
    _ = try migration.run()
    let receipt = try #require(try migration.run(since: nil).receipt)
    #expect(try migration.run(since: receipt).report == nil)
    putRows(in: "group.com.contoso")
    #expect(try migration.run(since: receipt).report?.summary.converted == 2)
  }

  @Test("a simulator without a team migrates within the group that MSAL uses") func simulator()
    throws
  {
    let first = "FAKETEAMID.com.contoso.app"
    model.platform = .simulator
    model.groups = [first, "FAKETEAMID.com.microsoft.adalcache"]
    model.put(["agrp": first, "acct": "SDK.ObjC.teamIDHint", "svce": "", "pdmn": "dk"])
    putRows(in: first)
    let report = try migration().run()
    #expect(report.accounts.map(\.signedIn) == [.yes, .yes])
    #expect(Set(written.map(\.accessGroup)) == [first])
  }
}
