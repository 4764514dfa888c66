// SPDX-License-Identifier: MIT
import ADALMigration
import AppNames

/// NamesConsumer: names what is the app's own beside what is the library's, neither with its module.
let mine: [Any] = [
  Account(), Inspection(), Journal(), Migration(), Policy(), Reason(), Receipt(), Record(),
  Report(),
  Secret(), Source(), Target(),
]
for value in mine { print(String(reflecting: type(of: value))) }

let store = MemoryStore()
let policy = TokenCacheMigration.Policy(clientIDs: ["client"])
let migration = TokenCacheMigration(
  from: .items(store), into: .items(store), policy: policy)
let report: TokenCacheMigration.Report = try migration.plan()
print(String(reflecting: type(of: report)), report.account(forADALUserID: "a@contoso.com") == nil)
