// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import KeychainItems
import Testing

@Suite struct CacheFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let kinds: [(String, CacheFile.Kind)] = [
    ("bplist00\u{D1}", .archive), ("bplist15", .unknown), ("bplist0", .unknown),
    ("SQLite format 3\0rest", .snapshot), ("SQLite format 3", .unknown),
    ("[]", .items), (" \n[{\"acct\": \"a\"}]", .items), ("[1", .items), ("\u{FEFF}[]", .items),
    (#"{"format": "keychain-items", "version": 1, "items": []}"#, .items),
    (#"{"items": [{"a": [{}]}], "format": "keychain-items"}"#, .items),
    (#"{"format": "keychain-items", "items": [{"#, .items),
    ("keychain: \"/a\"", .dump), ("keychain: 0x61 ", .dump), ("keychain: ", .unknown),
    (#"[{"item_class": "", "entitlement_group": ""}]"#, .dump),
    (#"[{"item_class": "", "entitlement_group": "", "#, .dump),
    (#"[{"item_class": ""}]"#, .items),
    (#"[1, {"item_class": "", "entitlement_group": ""}]"#, .dump),
    (#"{"format": "other", "items": []}"#, .unknown), (#"{"format": 1, "items": []}"#, .unknown),
    ("{}", .document), (" { } ", .document), ("{", .unknown), ("{}}", .document),
    (#"{"AccessToken": {}}"#, .document), (#"{"x": 1, "Account": {}}"#, .document),
    (#"{"RefreshToken": {"a"#, .document), (#"{"IdToken": {}, "RefreshToken": {"a"#, .document),
    (#"{"AppMetadata": {}}"#, .document), (#"{"accesstoken": {}}"#, .unknown),
    (#"{"name": "package"}"#, .unknown), ("", .unknown), (" ", .unknown), ("null", .unknown),
    ("<?xml version=\"1.0\"?>", .unknown), ("\0\0\0\0", .unknown),
  ]

  @Test(arguments: kinds)
  func aKindIsToldByContent(text: String, kind: CacheFile.Kind) throws {
    let bytes = Array(text.utf8)
    let path = try folder.write(bytes, to: "any.name")
    let isRead = kind != .unknown && kind != .snapshot
    for file in [try CacheFile(path: path), CacheFile(bytes: bytes, name: "any.name")] {
      #expect(file.kind == kind)
      #expect(file.bytes == (isRead ? bytes : []))
    }
  }

  @Test func fromAPathThereAreErrors() throws {
    let large = try folder.write("[" + String(repeating: " ", count: 8192) + "]", to: "large.json")
    for (path, words) in [
      (folder.path("none"), "does not exist"), (folder.path, "is a folder"),
      (large + "/x", "does not exist"), (String(repeating: "x", count: 5000), "name too long"),
      ("", "does not exist"), ("a\0b", "Invalid argument"),
    ] {
      do {
        _ = try CacheFile(path: path)
        Issue.record("accepted")
      } catch let error as StoreError {
        #expect(error.code == .unreadable)
        #expect(error.message.contains(words))
      }
    }
    #expect(throws: StoreError(.unreadable, "")) { try CacheFile(path: large, limit: 8193) }
    #expect(throws: StoreError(.unreadable, "")) { try CacheFile(path: large, limit: 1) }
    #expect(try CacheFile(path: large, limit: 8194).bytes.count == 8194)
    #expect(throws: StoreError(.unreadable, "")) { try CacheFile.bytes(of: large, limit: 8193) }
    #expect(try CacheFile.bytes(of: large).count == 8194)
  }

  @Test func aPipeIsReadOnce() throws {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let text = "[" + String(repeating: " ", count: 100_000) + "]"
    Thread.detachNewThread { FileHandle(forWritingAtPath: path)?.write(Data(text.utf8)) }
    let file = try CacheFile(path: path)
    #expect(file.kind == .items)
    #expect(file.bytes == Array(text.utf8))
  }

  @Test func aSnapshotInAPipeIsUnreadable() throws {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    Thread.detachNewThread {
      FileHandle(forWritingAtPath: path)?.write(Data("SQLite format 3\0".utf8))
    }
    #expect(throws: StoreError(.unreadable, "")) { try CacheFile(path: path) }
  }

  @Test func aFoldersFilesAreThoseInIt() throws {
    for name in ["b.json", "B.json", "é", "a.sqlite", ".hidden"] { try folder.write("", to: name) }
    try FileManager.default.createDirectory(
      atPath: folder.path("sub"), withIntermediateDirectories: false)
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "a.sqlite")
    let expected = [".hidden", "B.json", "a.sqlite", "b.json", "link", "é"]
    #expect(try CacheFile.files(inFolder: folder.path) == expected.map { folder.path($0) })
    #expect(try CacheFile.files(inFolder: folder.path + "/")?.first == folder.path(".hidden"))
    #expect(try CacheFile.files(inFolder: folder.path("a.sqlite")) == nil)
    #expect(try CacheFile.files(inFolder: folder.path("none")) == nil)
  }

  @Test(
    "an unknown file is text without control characters",
    arguments: [
      ("any\ttext\u{B}\r\n", true), ("", true), ("bell\u{7}", false), ("\0", false),
      ("\u{E}", false), ("[]", false),
    ])
  func text(content: String, isText: Bool) throws {
    #expect(CacheFile(bytes: Array(content.utf8), name: "").isText == isText)
    #expect(try CacheFile(path: try folder.write(content, to: "x")).isText == isText)
  }

  // Apple's file systems have only names in UTF-8.
  #if os(Linux)
    @Test func aFolderWithAnUnreadableNameIsRefused() throws {
      for (name, words) in [("a\u{FF}", "has 1 file whose"), ("b\u{FE}", "has 2 files whose")] {
        // A name of Latin-1, which is not UTF-8.
        let path = Array(folder.path("").utf8) + name.unicodeScalars.map { UInt8($0.value) } + [0]
        let descriptor = open(path.map { CChar(bitPattern: $0) }, O_CREAT, 0o600)
        #expect(close(descriptor) == 0)
        let error = #expect(throws: StoreError.self) { try CacheFile.files(inFolder: folder.path) }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains(words) ?? false)
      }
    }
  #endif

  @Test("a pipe has a limit, although its size is unknown", arguments: [(9, true), (8, false)])
  func limitOfPipes(limit: Int, isRead: Bool) throws {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    Thread.detachNewThread { FileHandle(forWritingAtPath: path)?.write(Data("[       ]".utf8)) }
    if isRead {
      #expect(try CacheFile(path: path, limit: limit).bytes.count == 9)
    } else {
      #expect(throws: StoreError(.unreadable, "")) { try CacheFile(path: path, limit: limit) }
    }
  }
}
