// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import CacheFiles

/// An items file is not in memory while its items are given out, so another program may write it meanwhile.
@Suite struct ItemReadingTests {
  private let folder: TemporaryFolder
  private let text = #"[{"acct": "b", "data": "AAAA"}, {"acct": "a", "labl": "l", "data": "AQ=="}]"#

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(text, to: "a.items.json")
  }

  private var path: String { folder.path("a.items.json") }

  /// Reads the file while somebody writes this over it, without a new file, when the first item is given.
  private func accounts(whileWritten text: String?, _ file: ItemFile) throws -> [String] {
    var accounts: [String] = []
    try file.forEachItem { item in
      if accounts.isEmpty, let text {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
      }
      accounts.append(item.account)
    }
    return accounts
  }

  @Test func itemsAreReadWhereTheyStand() throws {
    #expect(try accounts(whileWritten: nil, ItemFile(path: path)) == ["a", "b"])
    #expect(
      try ItemFile(path: path).items() == [
        KeychainItem(account: "a", label: "l", data: TokenSecret([1])),
        KeychainItem(account: "b", data: TokenSecret([0, 0, 0])),
      ])
  }

  @Test(arguments: [
    "", "[", #"[{"acct": "b", "data": "AA"#,
    #"[{"acct": "b", "data": "BBBB"}, {"acct": "a", "labl": "l", "data": "AQ=="}]"#,
    #"[{"acct": "\ud8", "data": "\\\\"}, {"acct": "a", "labl": "l", "data": "AQ=="}]"#,
    String(repeating: "=", count: 75), String(repeating: "\u{E9}", count: 75),
    String(repeating: "\\", count: 90), String(repeating: "A", count: 9000),
  ])
  func aFileThatIsWrittenMeanwhileIsReadAnotherTime(other: String) throws {
    do {
      let accounts = try accounts(whileWritten: other, ItemFile(path: path))
      Issue.record("read \(accounts)")
    } catch let error as StoreError {
      #expect(error.code == .locked)
      #expect(error.message == "\(path) was written while it was read; try again")
    }
  }

  /// Pieces of two moments need not be JSON together, which is not the file's fault.
  @Test func aFileThatSomebodyKeepsWritingIsNoDamagedOne() throws {
    // So many take longer to read than a busy machine lets the writer wait.
    let items = (0..<100_000).map { #"{"acct": "\#($0)", "data": "AAAA"}"# }
    let texts = [items, items.reversed()].map { Array("[\($0.joined(separator: ","))]".utf8) }
    try folder.write(texts[0], to: "a.items.json")
    #expect(texts[0].count > PiecewiseText.usualLength && texts[0].count == texts[1].count)
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/bin/sh")
    for (name, text) in zip(["one", "two"], texts) { try folder.write(text, to: name) }
    writer.arguments = [
      "-c",
      #"while kill -0 $PPID; do dd if="$0" of="$2" conv=notrunc; dd if="$1" of="$2" conv=notrunc; done"#,
      folder.path("one"), folder.path("two"), path,
    ]
    writer.standardError = FileHandle.nullDevice
    try writer.run()
    defer {
      writer.terminate()
      writer.waitUntilExit()
    }
    while try folder.bytes("a.items.json") == texts[0] {}
    for _ in 0..<3 {
      #expect(throws: StoreError(.locked, "")) { try ItemFile(path: path).items() }
    }
  }

  /// Linux before 6.13 gives two writes within some milliseconds the same time.
  @Test func aFileIsReadWhenAWriteWouldChangeItsTime() throws {
    let file = try OpenFile(reading: path)
    file.waitUntilWritesShow()
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    #expect(!file.status.isFresh(at: now))
  }

  @Test(arguments: [(-1, false), (0, true), (19_999_999, true), (20_000_000, false)])
  func aFileIsFreshForTwentyMilliseconds(nanoseconds: Int, isFresh: Bool) throws {
    let written = 1_700_000_000
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(written))], ofItemAtPath: path)
    let moment =
      nanoseconds < 0
      ? timespec(tv_sec: written - 1, tv_nsec: 999_999_999)
      : timespec(tv_sec: written, tv_nsec: nanoseconds)
    #expect(try OpenFile(reading: path).status.isFresh(at: moment) == isFresh)
  }

  @Test func aFileThatIsReplacedMeanwhileIsReadAsItWas() throws {
    var accounts: [String] = []
    try ItemFile(path: path).forEachItem { item in
      if accounts.isEmpty {
        let new = folder.path("new")
        try "[]".write(toFile: new, atomically: false, encoding: .utf8)
        #expect(rename(new, path) == 0)
      }
      accounts.append(item.account)
    }
    #expect(accounts == ["a", "b"])
    #expect(try ItemFile(path: path).items() == [])
  }

  @Test func itemsOfAFileMayBeReadWhileItsItemsAreGiven() throws {
    var pairs: [String] = []
    let file = ItemFile(path: path)
    try file.forEachItem { one in
      try file.forEachItem { other in pairs.append(one.account + other.account) }
    }
    #expect(pairs == ["aa", "ab", "ba", "bb"])
  }

  @Test func aPipeIsReadOnce() throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let writer = Thread { [text] in
      try? text.write(toFile: pipe, atomically: false, encoding: .utf8)
    }
    writer.start()
    #expect(try ItemFile(path: pipe).items().map(\.account) == ["a", "b"])
  }

  @Test func onlyAnOrdinaryFileIsLeftForLater() throws {
    let text = #"{"note": 1, "format": "keychain-items", "version": 1, "items": [{"acct": "a"}"#
    let file = try folder.write(text, to: "cut.items.json")
    #expect(CacheFile.isItemFile(at: file))
    #expect(!CacheFile.isItemFile(at: path))
    #expect(!CacheFile.isItemFile(at: folder.path("none")))
    #expect(!CacheFile.isItemFile(at: folder.path))
    #expect(!CacheFile.isItemFile(at: try folder.write(#"{"format": "other"}"#, to: "other.json")))
    let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
    #expect(!CacheFile.isItemFile(at: "/dev/fd/\(input.fileDescriptor)"))
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(!CacheFile.isItemFile(at: pipe))
  }
}
