// SPDX-License-Identifier: MIT
import CacheFiles
import DocumentStoreConformance
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

  @Test(arguments: ItemStoreConformance.Check.allCases)
  func textInMemoryPasses(check: ItemStoreConformance.Check) throws {
    try ItemStoreConformance { try ItemText() }.run(check)
  }

  /// A document that keeps its folder alive.
  private struct HousedDocument: DocumentStore, @unchecked Sendable {
    let file: DocumentFile
    let folder: TemporaryFolder

    func read() throws -> [UInt8] { try file.read() }
    func update(_ change: ([UInt8]) throws -> [UInt8]) throws { try file.update(change) }
  }

  @Test(arguments: DocumentStoreConformance.Check.allCases)
  func documentFilesPass(check: DocumentStoreConformance.Check) throws {
    try DocumentStoreConformance {
      let folder = try TemporaryFolder()
      return HousedDocument(
        file: DocumentFile(path: folder.path("new.json"), lockTimeout: 60), folder: folder)
    }.run(check)
  }

  @Test("text in memory is read like a file of the same bytes") func textIsTheFile() throws {
    let text = #"[{"agrp": "g", "acct": "a", "other": [1.50]}]"#
    let folder = try TemporaryFolder()
    try folder.write(text, to: "one.items.json")
    let file = ItemFile(path: folder.path("one.items.json"))
    let memory = try ItemText(Array(text.utf8))
    #expect(memory.bytes == Array(text.utf8))
    let item = KeychainItem(accessGroup: "g", account: "b", service: "s", data: TokenSecret("x"))
    for store in [file, memory] as [any ItemStore] { #expect(try store.add([item]) == []) }
    #expect(try memory.bytes == CacheFile.bytes(of: folder.path("one.items.json")))
    #expect(throws: StoreError(.notACache, "")) { try ItemText(Array("{}".utf8)) }
  }
}
