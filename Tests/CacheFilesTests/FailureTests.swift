// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import CacheFiles

/// Disks that are full, folders that may not be written and processes that die. Each test is a process
/// of its own, since a limit is one of the whole process.
@Suite struct FailureTests {
  private static func items(_ range: Range<Int>, bytes: Int = 4000) -> [KeychainItem] {
    range.map { index in
      let data = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: bytes)
      return KeychainItem(
        accessGroup: "G", account: "\(10_000 + index)", service: "s", data: TokenSecret(data))
    }
  }

  /// Lets files grow to `bytes` only, as a full disk does.
  private static func limitFiles(to bytes: Int) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    #if canImport(Darwin)
      let result = setrlimit(RLIMIT_FSIZE, &limit)
    #else
      let result = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
    precondition(result == 0)
  }

  /// Permissions do not bind the superuser.
  private static func dropPrivileges() {
    if geteuid() == 0 { precondition(setgid(65534) == 0 && setuid(65534) == 0) }
  }

  @Test func aFullDiskLeavesNoNewFile() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      FailureTests.limitFiles(to: 300_000)
      let items = FailureTests.items(0..<200)
      #expect(throws: StoreError(.interrupted, "")) {
        try SnapshotFile(path: folder.path("a.sqlite"), missing: .isEmpty).add(items)
      }
      #expect(throws: StoreError(.interrupted, "")) {
        try ItemFile(path: folder.path("a.items.json"), missing: .isEmpty).add(items)
      }
      #expect(try folder.names == [])
    }
  }

  @Test func aFullDiskLeavesAnExistingFileAsItWas() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let before = FailureTests.items(0..<20)
      let stores: [any ItemStore] = [
        SnapshotFile(path: folder.path("a.sqlite"), missing: .isEmpty),
        ItemFile(path: folder.path("a.items.json"), missing: .isEmpty),
      ]
      for store in stores { _ = try store.add(before) }
      let bytes = try folder.names.map { try folder.bytes($0) }
      FailureTests.limitFiles(to: 300_000)
      for store in stores {
        #expect(throws: StoreError(.interrupted, "")) {
          try store.add(FailureTests.items(100..<300))
        }
        #expect(try store.items() == before)
      }
      #expect(try folder.names == ["a.items.json", "a.sqlite"])
      #expect(try folder.names.map { try folder.bytes($0) } == bytes)
    }
  }

  @Test func aLockThatCannotBeWrittenIsRemoved() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      FailureTests.limitFiles(to: 0)
      #expect(throws: StoreError(.interrupted, "")) {
        try DocumentFile(path: folder.path("cache.json")).update { _ in [1] }
      }
      #expect(try folder.names == [])
    }
  }

  @Test func aReadOnlyFolderIsUnwritable() async {
    await #expect(processExitsWith: .success) {
      FailureTests.dropPrivileges()
      let folder = try TemporaryFolder()
      let before = FailureTests.items(0..<2)
      let stores: [any ItemStore] = [
        SnapshotFile(path: folder.path("a.sqlite"), missing: .isEmpty),
        ItemFile(path: folder.path("a.items.json"), missing: .isEmpty),
      ]
      for store in stores { _ = try store.add(before) }
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
      defer {
        try? FileManager.default.setAttributes(
          [.posixPermissions: 0o700], ofItemAtPath: folder.path)
      }
      for store in stores {
        #expect(throws: StoreError(.unwritable, "")) { try store.add(FailureTests.items(5..<9)) }
        #expect(try store.items() == before)
      }
      for store in [
        SnapshotFile(path: folder.path("b.sqlite"), missing: .isEmpty),
        ItemFile(path: folder.path("b.items.json"), missing: .isEmpty),
      ] as [any ItemStore] {
        #expect(throws: StoreError(.unwritable, "")) { try store.add(before) }
      }
      #expect(try folder.names == ["a.items.json", "a.sqlite"])
    }
  }

  @Test func aPipeIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("pipe.json")
    #expect(mkfifo(path, 0o600) == 0)
    let file = OutputFile(path: path)
    #expect(throws: StoreError(.unwritable, "")) { try file.check() }
    #expect(throws: StoreError(.unwritable, "")) { try file.replace(with: [1]) }
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    #expect(try folder.names == ["pipe.json"])
  }

  @Test func aReadOnlyFileIsUnwritable() async {
    await #expect(processExitsWith: .success) {
      FailureTests.dropPrivileges()
      let folder = try TemporaryFolder()
      let store = SnapshotFile(path: folder.path("a.sqlite"), missing: .isEmpty)
      _ = try store.add(FailureTests.items(0..<2))
      try folder.setMode(0o400, of: "a.sqlite")
      #expect(throws: StoreError(.unwritable, "")) { try store.add(FailureTests.items(5..<9)) }
      #expect(try store.items() == FailureTests.items(0..<2))
      try folder.setMode(0, of: "a.sqlite")
      #expect(throws: StoreError(.unreadable, "")) { try store.items() }
      #expect(throws: StoreError(.unreadable, "")) { try CacheFile(path: store.path) }
    }
  }

  @Test func aProcessThatDiesWhileItFillsLeavesNoFileOfThatName() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("new.sqlite")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try FilePlace(path, for: .writing).create { _ in kill(getpid(), SIGKILL) }
    }
    let left = try folder.names
    #expect(left.count == 1 && left.allSatisfy { TemporaryFile.isOne($0) })
    // Its leftovers do not disturb, were readable for their owner alone, and disappear with the next run.
    for name in left { #expect(try folder.mode(name) == 0o600) }
    #expect(try CacheFile.files(inFolder: folder.path) == [])
    #expect(try SnapshotFile(path: path, missing: .isEmpty).add([KeychainItem()]) == [])
    #expect(try folder.mode("new.sqlite") == 0o600)
    #expect(try folder.names == ["new.sqlite"])
  }

  @Test func whatOthersFillStays() throws {
    let folder = try TemporaryFolder()
    let file = try FilePlace(folder.path("a.json"), for: .writing)
    #expect(throws: StoreError(.locked, "")) {
      try file.create { temporary in
        file.removeLeftovers()
        try file.replace(with: [1])
        #expect(try folder.names.contains { temporary.hasSuffix($0) })
      }
    }
    #expect(try folder.names == ["a.json"])
    // Another name's, and what somebody else called so.
    let others = [".adal2msal-0123456789ABC.tmp", ".adal2msal-x.tmp"]
    for name in others { try folder.write("x", to: name) }
    file.removeLeftovers()
    try file.replace(with: [2])
    #expect(try folder.names == others + ["a.json"])
  }

  @Test func whatManyFillAtOnceStaysUntilTheyAreGone() throws {
    let folder = try TemporaryFolder()
    let place = try OpenFolder(folder.path)
    func fill(_ depth: Int) throws {
      guard depth > 0 else { return }
      let file = try TemporaryFile(in: place)
      #expect(try folder.names.contains(file.name) && folder.mode(file.name) == 0o600)
      TemporaryFile.removeLeftovers(in: place)
      try fill(depth - 1)
      _ = consume file
    }
    try fill(12)
    #expect(try folder.names.count == 12)
    // A process that another test starts has all files open until it becomes its own program.
    for _ in 0..<100 where try !folder.names.isEmpty {
      TemporaryFile.removeLeftovers(in: place)
      if try !folder.names.isEmpty { Thread.sleep(forTimeInterval: 0.05) }
    }
    #expect(try folder.names == [])
  }

  /// Paths with such a name that are not a run's files: a link, a folder, a pipe.
  @Test func whatIsNoTemporaryFileStays() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "victim")
    let names = (0..<3).map { ".adal2msal-000000000000\($0).tmp" }
    #expect(symlink("victim", folder.path(names[0])) == 0)
    #expect(mkdir(folder.path(names[1]), 0o700) == 0)
    #expect(mkfifo(folder.path(names[2]), 0o600) == 0)
    TemporaryFile.removeLeftovers(in: try OpenFolder(folder.path))
    #expect(try folder.names == names + ["victim"])
    #expect(try folder.text("victim") == "mine")
  }

  @Test func theLockOfAProcessThatDiedIsTakenOver() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("old", to: "cache.json")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try Lock(for: FilePlace(path, for: .writing)).whileHeld { _ = kill(getpid(), SIGKILL) }
    }
    #expect(try folder.names == ["cache.json", "cache.json.lockfile"])
    try DocumentFile(path: path, lockTimeout: 0).update { _ in [1] }
    #expect(try folder.names == ["cache.json"])
    #expect(try folder.bytes("cache.json") == [1])
  }

  /// If a file is too large, only the bytes that tell its kind are read.
  @Test func aLimitIsLookedAtBeforeAFileIsRead() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = try folder.write("{", to: "a.json")
      precondition(truncate(path, off_t(CacheFile.largest + 1)) == 0)
      #expect(throws: StoreError(.unreadable, "")) { try CacheFile(path: path) }
      #expect(throws: StoreError(.unreadable, "")) { try CacheFile.bytes(of: path) }
      #if canImport(Darwin)
        var usage = rusage()
        precondition(getrusage(RUSAGE_SELF, &usage) == 0)
        let kilobytes = usage.ru_maxrss / 1024
      #else
        // getrusage counts what the process took that started this one.
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = try #require(
          peak?.split(separator: " ").dropLast().last.flatMap { Int($0) })
      #endif
      #expect(kilobytes < 512 << 10)
    }
  }

  @Test func aProcessThatDiesInATransactionLeavesNothingOfIt() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    let before = Self.items(0..<50)
    _ = try SnapshotFile(path: path, missing: .isEmpty).add(before)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let database = try Database(path: path, access: .write, patience: 0)
      try database.execute("PRAGMA cache_size = 1")
      try database.execute("BEGIN IMMEDIATE")
      let statement = try database.prepare(SnapshotSchema.insert)
      for item in FailureTests.items(100..<200) {
        for (index, value) in item.row.enumerated() {
          try statement.bind(value, at: Int32(index + 1))
        }
        _ = try statement.step()
        statement.reset()
      }
      kill(getpid(), SIGKILL)
    }
    // Refused until the program that writes it, here SQLite itself, has opened it.
    #expect(throws: StoreError(.unreadable, "")) { try SnapshotFile(path: path).items() }
    let database = try Database(path: path, access: .write, patience: 0)
    #expect(try database.integer("SELECT count(*) FROM items") == 50)
    #expect(try SnapshotFile(path: path).items() == before)
  }
}
