// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import KeychainItems
import KeychainModel
import Testing

@testable import ADALMigration
@testable import MigrationReceipts

/// Receipts of a migration within the system's keychain, as an app runs it at each start.
@Suite struct KeychainReceiptTests {
  /// The questions that a keychain was asked.
  private final class Questions: @unchecked Sendable {
    // Each test has its own, in one thread.
    var names: [String] = []
    var additions = 0

    func take(_ query: [String: Any]) {
      if query["agrp"] != nil {
        names.append("the group")
      } else {
        let isXamarin = query["acct"] as? String == LegacyItem.cacheAccount
        names.append(isXamarin ? "Xamarin's item" : "the prefix")
      }
    }
  }

  private let model = KeychainModel()
  private let questions = Questions()
  private let migration: Migration

  init() throws {
    let (model, questions) = (model, questions)
    let plain = model.calls
    let calls = KeychainCalls(
      copyMatching: { query in
        questions.take(query)
        return plain.copyMatching(query)
      },
      add: { attributes in
        questions.additions += 1
        return plain.add(attributes)
      }, delete: plain.delete)
    let vector = try #require(Vectors.adal.first { $0.name == "ios-2.6.6-single-mrrt" })
    migration = Migration(
      from: .items(SystemKeychain(accessGroup: nil, calls: calls)),
      into: .items(SystemKeychain(accessGroup: nil, calls: calls)), now: vector.clock)
    let keychain = SystemKeychain(accessGroup: nil, calls: plain)
    let rows = try vector.items().map { item in
      var item = item
      item.accessGroup = "ABCDE12345.com.microsoft.adalcache"
      return item
    }
    #expect(try keychain.add(rows) == [])
  }

  @Test("nothing to do asks for the prefix by two hints, the group and Xamarin's item, once each")
  func questionsAtAStart() throws {
    #expect(try migration.run(since: nil).receipt == nil)
    let receipt = try #require(try migration.run(since: nil).receipt)
    (questions.names, questions.additions) = ([], 0)
    #expect(try migration.run(since: receipt).report == nil)
    #expect(questions.names == ["the prefix", "the prefix", "the group", "Xamarin's item"])
    #expect(questions.additions == 0)
  }

  @Test("Xamarin's item in another group counts") func xamarin() throws {
    _ = try migration.run()
    let receipt = try #require(try migration.run(since: nil).receipt)
    let item = KeychainItem(
      accessGroup: "ABCDE12345.com.contoso.app", account: LegacyItem.cacheAccount,
      service: LegacyItem.cacheService, data: TokenSecret("no cache"))
    #expect(try SystemKeychain(accessGroup: item.accessGroup, calls: model.calls).add([item]) == [])
    #expect(try migration.run(since: receipt).report != nil)
  }

  @Test("a locked device is an error, with a receipt too") func locked() throws {
    _ = try migration.run()
    let receipt = try #require(try migration.run(since: nil).receipt)
    model.matchStatus = -25308
    #expect(throws: StoreError(.locked, "")) { try migration.run(since: receipt) }
  }
}
