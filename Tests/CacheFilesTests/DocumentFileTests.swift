// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import CacheFiles

@Suite struct DocumentFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("cache.json") }
  private var file: DocumentFile { DocumentFile(path: path, lockTimeout: 0) }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func aMissingFileHasNothingAndIsMadeWithMode0600() throws {
    #expect(try file.read() == [])
    #expect(try file.whole() == nil)
    try file.update { old in
      #expect(old == [])
      return Array("{}".utf8)
    }
    #expect(try folder.text("cache.json") == "{}")
    #expect(try folder.mode("cache.json") == 0o600)
    #expect(try folder.names == ["cache.json"])
  }

  @Test func sameBytesWriteNothingAndTakeNoLock() throws {
    try folder.write("", to: "cache.json.lockfile")
    try file.update { $0 }
    #expect(try folder.names == ["cache.json.lockfile"])
    try folder.write("{}", to: "cache.json")
    try file.update { $0 }
    #expect(try folder.names == ["cache.json", "cache.json.lockfile"])
  }

  @Test func theWholeContentIsReplaced() throws {
    try folder.write(String(repeating: "x", count: 100_000), to: "cache.json")
    try folder.setMode(0o644, of: "cache.json")
    try file.update { Array("\($0.count)".utf8) }
    #expect(try folder.text("cache.json") == "100000")
    #expect(try folder.mode("cache.json") == 0o644)
    #expect(try folder.names == ["cache.json"])
  }

  @Test func whatTheChangeThrowsLeavesEverything() throws {
    struct Stop: Error {}
    try folder.write("old", to: "cache.json")
    var calls = 0
    #expect(throws: Stop.self) {
      try file.update { old in
        calls += 1
        if calls == 2 { throw Stop() }
        return old + [1]
      }
    }
    #expect(calls == 2)
    #expect(try folder.text("cache.json") == "old")
    #expect(try folder.names == ["cache.json"])
  }

  @Test func whatCouldNotBeReadAgainIsNotWritten() throws {
    let file = DocumentFile(path: path, lockTimeout: 0, limit: 10)
    #expect(throws: StoreError(.unwritable, "")) {
      try file.update { _ in [UInt8](repeating: 1, count: 11) }
    }
    #expect(try folder.names == [])
    try file.update { _ in [UInt8](repeating: 1, count: 10) }
    #expect(try file.read().count == 10)
    try folder.write([UInt8](repeating: 1, count: 11), to: "cache.json")
    #expect(throws: StoreError(.unreadable, "")) { try file.read() }
  }

  @Test func aReaderKeepsWhatItOpened() throws {
    try folder.write("old", to: "cache.json")
    let handle = try #require(FileHandle(forReadingAtPath: path))
    try file.update { _ in Array("new".utf8) }
    #expect(try handle.readToEnd() == Data("old".utf8))
    #expect(try folder.text("cache.json") == "new")
  }

  @Test func aSymbolicLinkStaysOne() throws {
    try folder.write("old", to: "cache.json")
    let link = folder.path("link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "cache.json")
    try DocumentFile(path: link).update { _ in Array("new".utf8) }
    #expect(try folder.text("cache.json") == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "cache.json")
  }

  @Test func aFolderIsNoDocument() throws {
    #expect(throws: StoreError(.unreadable, "")) { try DocumentFile(path: folder.path).read() }
    #expect(throws: StoreError(.unreadable, "")) {
      try DocumentFile(path: folder.path).update { _ in [1] }
    }
    #expect(throws: StoreError(.unwritable, "")) {
      try DocumentFile(path: folder.path("none/cache.json")).update { _ in [1] }
    }
  }

  @Test func changesAtTheSameTimeAreAllKept() throws {
    let file = DocumentFile(path: path, lockTimeout: 60)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      do {
        try file.update { $0 + [UInt8(ascii: "x")] }
      } catch {
        Issue.record(error)
      }
    }
    #expect(try folder.text("cache.json") == "xxxxxxxx")
    #expect(try folder.names == ["cache.json"])
  }

  @Test func somebodyElsesLockIsLocked() throws {
    try folder.write("123 python", to: "cache.json.lockfile")
    #expect(throws: StoreError(.locked, "")) { try file.update { _ in [1] } }
    #expect(throws: StoreError(.locked, "")) {
      try ItemFile(path: folder.path("cache.json"), missing: .isEmpty, lockTimeout: 0)
        .add([KeychainItem()])
    }
    // The lock is the other's, so it stays.
    #expect(try folder.text("cache.json.lockfile") == "123 python")
    #expect(try folder.names == ["cache.json.lockfile"])
  }

  @Test(
    "a file that another program writes in place is read when it is whole",
    arguments: ["", "{", #"{"Account": {}} {"a"#])
  func writingInPlace(half: String) throws {
    try folder.write(half, to: "cache.json")
    try folder.write("123 python", to: "cache.json.lockfile")
    let isWritten = DispatchSemaphore(value: 0)
    let path = path
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.4) {
      do {
        try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path + ".lockfile")
      } catch {
        Issue.record(error)
      }
      isWritten.signal()
    }
    let bytes = try DocumentFile(path: path, lockTimeout: 60).read()
    #expect(bytes == Array("{}".utf8))
    isWritten.wait()
  }

  @Test("half a document is locked while its lock stays, and damaged without one")
  func staysHalf() throws {
    try folder.write("{", to: "cache.json")
    #expect(try DocumentFile(path: path).read() == Array("{".utf8))
    try folder.write("123 python", to: "cache.json.lockfile")
    let file = DocumentFile(path: path, lockTimeout: 0.25)
    #expect(throws: StoreError(.locked, "")) { try file.read() }
    try folder.write("{}", to: "cache.json")
    #expect(try file.read() == Array("{}".utf8))
    // MSAL.NET's byte order mark does not make it half.
    try folder.write([0xEF, 0xBB, 0xBF] + Array("{}".utf8), to: "cache.json")
    #expect(try file.read().count == 5)
    // An empty document is whole.
    try folder.write("", to: "cache.json")
    #expect(try file.read() == [])
    #expect(try folder.names == ["cache.json", "cache.json.lockfile"])
  }

  @Test func theLockFileSaysWhoHasIt() throws {
    var seen = ""
    try Lock(for: FilePlace(path, for: .writing)).whileHeld {
      seen = try folder.text("cache.json.lockfile")
    }
    let me = ProcessInfo.processInfo
    #expect(seen == "\(me.processIdentifier) \(me.processName)")
    #expect(try folder.names == [])
  }

  @Test func aLockIsWaitedFor() throws {
    try folder.write("", to: "cache.json.lockfile")
    let lock = folder.path("cache.json.lockfile")
    Thread.detachNewThread {
      usleep(150_000)
      unlink(lock)
    }
    let patience = Lock.Patience(attempts: 1000, pause: 10)
    #expect(try Lock(for: FilePlace(path, for: .writing)).whileHeld(patience) { 7 } == 7)
  }
}
