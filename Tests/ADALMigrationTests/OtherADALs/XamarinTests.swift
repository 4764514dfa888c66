// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import KeychainItems
import KeychainModel
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Xamarin's keychain item, in which everybody of an app is (D35).
@Suite struct XamarinTests {
  private static let group = "ABCDE12345.com.example.app"
  private static let shared = "ABCDE12345.com.microsoft.adalcache"
  private let clock: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_700_000_000) }

  private func item() throws -> KeychainItem {
    let file = Vectors.folder.appendingPathComponent(
      "other-adals/containers-adal-net/xamarin-ios-keychain/cache.items.json")
    return try #require(try ItemFile(path: file.path).items().first)
  }

  @Test("in place, its rows are rows like others and the item stays") func inPlace() throws {
    let item = try item()
    let store = MemoryStore([item])
    let migration = Migration(from: .items(store), into: .items(store), now: clock)
    let planned = try migration.plan()
    let report = try migration.run()
    #expect(planned.summary == report.summary)
    #expect(report.summary.rows == 5 && report.summary.foreign == 0)
    #expect(report.summary.converted == 5)
    #expect(report.accounts.map(\.signedIn) == [.yes, .yes])
    #expect(report.accounts.map(\.confidence) == [.exact, .exact])
    #expect(report.entries.allSatisfy { $0.place.accessGroup == Self.group })
    #expect(report.entries.allSatisfy { $0.place.service == "ADAL.PCL.iOS Service" })
    let after = try store.items()
    #expect(after.contains(item))
    #expect(after.count == 1 + report.summary.written)

    let again = try migration.run()
    #expect(again.summary.written == 0)
    #expect(again.summary.alreadyThere == 5 + report.summary.written)
    #expect(again.accounts == report.accounts)
  }

  @Test("at app start it is found in the app's own group") func atStart() throws {
    let model = KeychainModel()
    model.groups = [Self.group, Self.shared]
    var foreign = try item()
    foreign.account = "something else"
    let keychain = SystemKeychain(accessGroup: nil, calls: model.calls)
    _ = try keychain.add([try item(), foreign])
    let migration = Migration(
      from: .items(SystemKeychain(accessGroup: Self.shared, calls: model.calls)),
      into: .items(SystemKeychain(accessGroup: Self.shared, calls: model.calls)), now: clock)
    let report = try migration.run()
    #expect(report.summary.rows == 5 && report.summary.foreign == 0)
    #expect(report.accounts.map(\.signedIn) == [.yes, .yes])
    let written = model.all.filter { $0.accessGroup == Self.shared }
    #expect(written.count == report.summary.written && written.count > 0)
    #expect(model.all.count == written.count + 2)
    #expect(try migration.run().summary.written == 0)
  }

  @Test("it is read once when it is in the group that is asked") func once() throws {
    let model = KeychainModel()
    model.groups = [Self.group]
    let keychain = SystemKeychain(accessGroup: Self.group, calls: model.calls)
    _ = try keychain.add([try item()])
    #expect(try Migration.inspect([.items(keychain)]).report.summary.rows == 5)
  }

  @Test("without rows it is an item like others, and damaged it is a row") func broken() throws {
    var item = try item()
    item.data = TokenSecret([3, 0, 0, 0, 0, 0, 0, 0])
    let empty = try Migration.inspect([.items(MemoryStore([item]))]).report
    #expect(empty.summary.rows == 0 && empty.summary.foreign == 1)
    item.data = TokenSecret([9, 9, 9])
    let damaged = try Migration.inspect([.items(MemoryStore([item]))]).report
    #expect(damaged.entries.map(\.kind) == [.unreadable])
    #expect(damaged.summary.foreign == 0)
  }

  @Test("its rows are in that item, and rows of others in theirs") func positions() throws {
    let row = SyntheticRow.refresh("rt-ann", World.ann.upn, World.ann.token())
    let items = [row.item, try item()].sorted { $0.key < $1.key }
    let report = try Migration.inspect([.items(MemoryStore(items))]).report
    #expect(report.entries.count == 6)
    for entry in report.entries {
      #expect(items[entry.place.index].service == entry.place.service)
    }
  }

  @Test("a filter of groups counts its rows") func groups() throws {
    let store = MemoryStore([try item()])
    let report = try Migration(
      from: .items(store), into: .items(store), accessGroups: ["other"], now: clock
    ).plan()
    #expect(report.summary.rows == 0)
    #expect(
      report.findings.map(\.reason) == [.policyMatchesNothing])
    #expect(
      try Migration(
        from: .items(store), into: .items(store), accessGroups: [Self.group], now: clock
      ).plan().summary.rows == 5)
  }
}
