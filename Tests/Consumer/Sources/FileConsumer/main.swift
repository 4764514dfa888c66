// SPDX-License-Identifier: MIT
import MigrationFiles

/// FileConsumer SOURCE DOCUMENT: adds the sign-ins of any cache to a cache document.
let paths = Array(CommandLine.arguments.dropFirst())
do {
  guard let source = paths.first, let document = paths.dropFirst().first else {
    throw StoreError(.unreadable, "two paths are needed")
  }
  let report = try TokenCacheMigration(
    from: TokenCacheMigration.Source.caches(inFile: source),
    into: .document(DocumentFile(path: document))
  ).run()
  let count = report.accounts.filter { $0.signedIn == .yes }.count
  print("\(report.summary.rows) rows, \(count) of \(report.accounts.count) accounts signed in")
} catch StoreError.notACache {
  print("not a cache")
} catch let error as StoreError {
  print("\(error.code)")
}
