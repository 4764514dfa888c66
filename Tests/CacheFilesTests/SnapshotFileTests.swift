// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import CacheFiles

@Suite struct SnapshotFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("a.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private let one = KeychainItem(
    accessGroup: "G", account: "a", service: "s", generic: [1, 2], type: 1001,
    accessibility: "cku", label: "l", itemDescription: "d", comment: "c", isInvisible: true,
    created: 1_700_000_000, modified: 1.5, data: TokenSecret([0xFB, 0]))

  private func made(_ items: [KeychainItem]) throws -> SnapshotFile {
    let store = SnapshotFile(path: path, missing: .isEmpty, busyTimeout: 0)
    _ = try store.add(items)
    return store
  }

  @Test func aNewSnapshotIsAsTheContractSays() throws {
    _ = try made([one])
    #expect(try folder.mode("a.sqlite") == 0o600)
    #expect(try folder.names == ["a.sqlite"])
    let database = try Database(path: path, access: .read, patience: 0)
    #expect(try database.integer("PRAGMA application_id") == 0x4132_4D53)
    #expect(try database.integer("PRAGMA user_version") == 1)
    #expect(try database.integer("PRAGMA page_size") == 16384)
    #expect(
      try texts("SELECT sql FROM sqlite_master WHERE name = 'items'", in: database) == [
        "CREATE TABLE items (\"agrp\" TEXT NOT NULL, \"acct\" TEXT NOT NULL, "
          + "\"svce\" TEXT NOT NULL, \"gena\" BLOB, \"type\" INTEGER, \"pdmn\" TEXT, "
          + "\"labl\" TEXT, \"desc\" TEXT, \"icmt\" TEXT, \"invi\" INTEGER, \"cdat\" REAL, "
          + "\"mdat\" REAL, \"data\" BLOB, UNIQUE (agrp, acct, svce))"
      ])
    #expect(
      try values("SELECT * FROM items", in: database) == [
        "G", "a", "s", "[1, 2]", "1001", "cku", "l", "d", "c", "1", "1700000000.0", "1.5",
        "[251, 0]",
      ])
    #expect(try texts("PRAGMA integrity_check", in: database) == ["ok"])
  }

  @Test func whatSQLiteCannotOpenIsSaid() throws {
    let error = #expect(throws: DatabaseError.self) {
      _ = try Database(path: path, access: .read, patience: 0)
    }
    #expect(error?.kind == .cannotOpen)
  }

  /// The values of the first row.
  private func values(_ sql: String, in database: Database) throws -> [String] {
    let statement = try database.prepare(sql)
    guard try statement.step() else { return [] }
    return (0..<Int32(SnapshotSchema.columns.count)).map { column in
      switch statement.value(at: column) {
      case .null: ""
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      case .text(let bytes): String(decoding: bytes, as: UTF8.self)
      case .blob(let bytes): "\(bytes)"
      }
    }
  }

  private func texts(_ sql: String, in database: Database) throws -> [String] {
    let statement = try database.prepare(sql)
    var texts: [String] = []
    while try statement.step() {
      if case .text(let bytes) = statement.value(at: 0) {
        texts.append(String(decoding: bytes, as: UTF8.self))
      }
    }
    return texts
  }

  @Test func nothingToWriteMakesNoFile() throws {
    #expect(try SnapshotFile(path: path, missing: .isEmpty).add([]) == [])
    #expect(try SnapshotFile(path: path, missing: .isEmpty).items() == [])
    #expect(try folder.names == [])
  }

  @Test func aMissingSourceIsUnreadable() throws {
    #expect(throws: StoreError(.unreadable, "")) { try SnapshotFile(path: path).items() }
    #expect(throws: StoreError(.unreadable, "")) { try SnapshotFile(path: path).add([one]) }
    #expect(throws: StoreError(.unreadable, "")) { try SnapshotFile(path: folder.path).items() }
    #expect(throws: StoreError(.unreadable, "")) { try SnapshotFile(path: "a\0b").items() }
    #expect(try folder.names == [])
  }

  @Test func aFolderThatDoesNotExistIsUnwritable() throws {
    let store = SnapshotFile(path: folder.path("none/a.sqlite"), missing: .isEmpty)
    #expect(throws: StoreError(.unwritable, "")) { try store.add([one]) }
  }

  @Test func readingChangesNothing() throws {
    let store = try made([one])
    let bytes = try folder.bytes("a.sqlite")
    let old = Date(timeIntervalSince1970: 1_600_000_000)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    try folder.setMode(0o444, of: "a.sqlite")
    #expect(try store.items() == [one])
    #expect(try folder.names == ["a.sqlite"])
    #expect(try folder.bytes("a.sqlite") == bytes)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.modificationDate] as? Date == old)
  }

  @Test func addingToAnExistingFileKeepsItsModeAndRows() throws {
    let store = try made([one])
    try folder.setMode(0o640, of: "a.sqlite")
    let other = KeychainItem(accessGroup: "G", account: "b", service: "s")
    var again = one
    again.data = TokenSecret("another")
    #expect(try store.add([again, other]) == [again])
    #expect(try store.items() == [one, other])
    #expect(try folder.mode("a.sqlite") == 0o640)
    #expect(try folder.names == ["a.sqlite"])
  }

  @Test func takenKeysAloneWriteNothing() throws {
    let store = try made([one])
    let bytes = try folder.bytes("a.sqlite")
    #expect(try store.add([one, one]) == [one, one])
    #expect(try folder.bytes("a.sqlite") == bytes)
  }

  @Test func aSymbolicLinkStaysOne() throws {
    let link = folder.path("link.sqlite")
    _ = try made([one])
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let other = KeychainItem(accessGroup: "G", account: "b", service: "s")
    #expect(try SnapshotFile(path: link).add([other]) == [])
    #expect(try SnapshotFile(path: path).items() == [one, other])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
  }

  @Test func anyFileNameWorks() throws {
    let name = "ä b?mode=rw#%41'\"&\n.sqlite"
    let store = SnapshotFile(path: folder.path(name), missing: .isEmpty)
    #expect(try store.add([one]) == [])
    #expect(try store.items() == [one])
    let before = FileManager.default.currentDirectoryPath
    #expect(
      try SnapshotFile(path: "./\(relative(folder.path, to: before))/\(name)").items() == [one])
    #expect(try folder.names == [name])
  }

  private func relative(_ path: String, to folder: String) -> String {
    String(repeating: "../", count: folder.split(separator: "/").count) + path.dropFirst()
  }

  @Test func aLockedFileIsLocked() throws {
    let store = try made([one])
    let other = KeychainItem(accessGroup: "G", account: "b", service: "s")
    let database = try Database(path: path, access: .write, patience: 0)
    try database.execute("BEGIN IMMEDIATE")
    #expect(throws: StoreError(.locked, "")) { try store.add([other]) }
    // Another writer's lock does not keep readers away until it commits.
    #expect(try store.items() == [one])
    try database.execute("ROLLBACK")
    try database.execute("BEGIN EXCLUSIVE")
    #expect(throws: StoreError(.locked, "")) { try store.items() }
    try database.execute("ROLLBACK")
    #expect(try store.add([other]) == [])
  }

  @Test func anItemThatIsTooLargeIsRefused() throws {
    let store = try made([one])
    var large = KeychainItem(accessGroup: "G", account: "b", service: "s")
    large.data = TokenSecret([UInt8](repeating: 0, count: Database.largestValue + 1))
    #expect(throws: StoreError(.unwritable, "")) { try store.add([large]) }
    #expect(try store.items() == [one])
  }

  @Test func aHundredThousandRowsStream() throws {
    let items = (0..<100_000).map {
      KeychainItem(account: "\(1_000_000 + $0)", data: TokenSecret("x"))
    }
    let store = try made(items)
    var count = 0
    try store.forEachItem { item in
      if item != items[count] { Issue.record("row \(count)") }
      count += 1
    }
    #expect(count == 100_000)
  }
}
