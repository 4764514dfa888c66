// SPDX-License-Identifier: MIT
import ADALMigration

// The lines of README, in an app that has nothing else.
do {
  let report = try await TokenCacheMigration().run()
  let account = report.account(forADALUserID: CommandLine.arguments.last ?? "")
  print(account?.identifier ?? "nil", account?.reasons ?? [])
} catch StoreError.locked {
  print("locked")
}
