// SPDX-License-Identifier: MIT
// OwnStore CACHE STORE: examines the store, then adds the sign-ins of any cache to the one in the file STORE.
import Foundation
import ItemStoreConformance
import MigrationFiles

let arguments = Array(CommandLine.arguments.dropFirst())
guard let cache = arguments.first, let path = arguments.last, arguments.count == 2 else {
  print("usage: OwnStore CACHE STORE")
  exit(64)
}
let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
  UUID().uuidString)
defer { try? FileManager.default.removeItem(at: folder) }
do {
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  try ItemStoreConformance {
    PropertyListStore(file: folder.appendingPathComponent(UUID().uuidString))
  }.run()
  print("the store passes its exam")

  let store = PropertyListStore(file: URL(fileURLWithPath: path))
  let report = try TokenCacheMigration(
    from: TokenCacheMigration.Source.caches(inFile: cache), into: .items(store)
  ).run()
  print("\(report.summary.accountsSignedIn) of \(report.accounts.count) accounts stay signed in")
  print("\(report.summary.written) entries were added, \(try store.items().count) are there")
} catch {
  print("\(error)")
  exit(1)
}
