// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import ADALMigration

/// How an app runs a migration.
@Suite struct RunTests {
  private func migration() throws -> (Migration, MemoryStore) {
    let vector = try #require(Vectors.adal.first { $0.name == "ios-2.6.6-single-mrrt" })
    return try vector.migration()
  }

  @Test("tells what happens, and that there is nothing to do the second time")
  func events() throws {
    let (migration, _) = try migration()
    var first: [Migration.Event] = []
    _ = try migration.run { first.append($0) }
    #expect(
      first == [.read(rows: 2, otherItems: 1), .planned(entries: 5), .written(entries: 5)])
    var second: [Migration.Event] = []
    _ = try migration.run { second.append($0) }
    #expect(
      second == [.read(rows: 7, otherItems: 1), .planned(entries: 0), .written(entries: 0)])
  }

  @Test("runs away from the main actor") @MainActor func async() async throws {
    let (migration, store) = try migration()
    let report = try await migration.run(onEvent: { _ in #expect(!Thread.isMainThread) })
    #expect(report.summary.written == 5)
    #expect(report.accounts.map(\.userID) == ["jane.doe@contoso.com"])
    #expect(
      report.accounts.map(\.homeAccountID) == [
        "4c9e4509-7080-4408-8985-f9032eb84631.6fd1f5cd-a94c-4335-889b-6c598e6d8048"
      ])
    #expect(try store.items().count == 8)
  }

  @Test("a cancelled task writes nothing") func cancellation() async throws {
    let (migration, store) = try migration()
    let before = try store.items()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await migration.run()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.items() == before)
  }

  @Test("the system keychain is the one place that may not be there") func keychain() {
    #if !canImport(Security)
      #expect(throws: StoreError(.unavailable, "")) {
        try Migration(from: .keychain(), into: .keychain()).run()
      }
    #endif
  }
}
