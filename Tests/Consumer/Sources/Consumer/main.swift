// SPDX-License-Identifier: MIT
import ADALMigration

let store = MemoryStore()
do {
  let report = try TokenCacheMigration(from: .items(store), into: .items(store)).run()
  print("\(report.summary.rows) rows, \(report.accounts.count) accounts")
} catch StoreError.locked {
  print("locked")
}
