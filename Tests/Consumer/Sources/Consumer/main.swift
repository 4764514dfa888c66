// SPDX-License-Identifier: MIT
import ADALMigration
import KeychainItems

let store = MemoryStore()
let report = try Migration(from: .items(store), into: .items(store)).run()
print("\(report.summary.rows) rows, \(report.accounts.count) accounts")
