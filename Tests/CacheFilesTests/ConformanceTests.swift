// SPDX-License-Identifier: MIT
import CacheFiles
import ItemStoreConformance
import KeychainItems
import Testing

/// Every store in files passes the exam, with the file made by the first `add` that has items.
@Suite struct ConformanceTests {
  /// A store that keeps its folder alive.
  private struct Housed<Store: ItemStore>: ItemStore, @unchecked Sendable {
    let store: Store
    let folder: TemporaryFolder

    func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
      try store.forEachItem(body)
    }

    func add(_ items: [KeychainItem]) throws -> [KeychainItem] { try store.add(items) }
  }

  @Test(arguments: ItemStoreConformance.Check.allCases)
  func snapshotsPass(check: ItemStoreConformance.Check) throws {
    try ItemStoreConformance {
      let folder = try TemporaryFolder()
      return Housed(
        store: SnapshotFile(path: folder.path("new.sqlite"), missing: .isEmpty), folder: folder)
    }.run(check)
  }

  @Test(arguments: ItemStoreConformance.Check.allCases)
  func itemFilesPass(check: ItemStoreConformance.Check) throws {
    try ItemStoreConformance {
      let folder = try TemporaryFolder()
      return Housed(
        store: ItemFile(path: folder.path("new.items.json"), missing: .isEmpty), folder: folder)
    }.run(check)
  }

  @Test(arguments: ItemStoreConformance.Check.allCases)
  func bareArraysPass(check: ItemStoreConformance.Check) throws {
    try ItemStoreConformance {
      let folder = try TemporaryFolder()
      try folder.write("[]", to: "bare.items.json")
      return Housed(store: ItemFile(path: folder.path("bare.items.json")), folder: folder)
    }.run(check)
  }
}
