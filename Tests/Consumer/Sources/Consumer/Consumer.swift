// SPDX-License-Identifier: MIT
import ADALMigration

/// An app that has the lines of README and nothing else.
@main
enum Consumer {
  static func main() async throws {
    do {
      let report = try await TokenCacheMigration().run()
      let account = report.account(forADALUserID: CommandLine.arguments.last ?? "")
      print(account?.identifier ?? "nil", account?.reasons ?? [])
    } catch StoreError.unavailable {
      // A system without a keychain: the tests see a run all the same.
      let store = MemoryStore()
      let report = try await TokenCacheMigration(from: .items(store), into: .items(store)).run()
      print("\(report.summary.rows) rows, \(report.accounts.count) accounts")
    }
  }
}
