// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import KeychainItems

private let addition = KeychainItem(
  accessGroup: "fuzz", account: "fuzz", service: "fuzz", data: TokenSecret([0]))

func readItems(_ bytes: [UInt8]) throws {
  if CacheFile(bytes: bytes, name: "input").kind == .dump { try readDump(bytes) }
  let items: [KeychainItem]
  do {
    items = try ItemFile(bytes: bytes, name: "input").items()
  } catch let error as StoreError {
    try promise(error.code == .notACache, "an items file is \(error.code)")
    return
  }
  let folder = try Scratch()
  let path = try folder.file(bytes)
  let file = ItemFile(path: path)
  let taken = try file.add([addition])
  let wasThere = items.contains { $0.key == addition.key }
  try promise(taken.isEmpty != wasThere, "an item was added where it is, or not where it is not")
  let after = try file.items().filter { wasThere || $0.key != addition.key }
  try promise(after == items, "items changed when another was added")
}

private func readDump(_ bytes: [UInt8]) throws {
  do {
    _ = try KeychainDump(bytes: bytes, name: "input").items()
  } catch let error as StoreError {
    try promise(error.code == .notACache, "a dump is \(error.code)")
  }
}

func readSnapshot(_ bytes: [UInt8]) throws {
  let folder = try Scratch()
  let path = try folder.file(bytes)
  _ = try CacheFile(path: path)
  let file = SnapshotFile(path: path, busyTimeout: 0)
  var items: [KeychainItem]?
  do {
    items = try file.items()
  } catch is StoreError {}
  try promise(isSame(try CacheFile.bytes(of: path), bytes), "a snapshot changed when it was read")
  var wasAdded = false
  do {
    wasAdded = try file.add([addition]).isEmpty
  } catch is StoreError {
    try promise(
      isSame(try CacheFile.bytes(of: path), bytes), "a snapshot changed when nothing was added")
  }
  try promise(try folder.names == ["input"], "a snapshot has files beside it")
  guard wasAdded, let items, let after = try? file.items() else { return }
  try promise(
    after.filter { $0.key != addition.key } == items, "items changed when another was added")
}

/// Whether bytes are the same, compared in one piece: the sanitizer looks at each comparison that Swift makes.
private func isSame(_ some: [UInt8], _ others: [UInt8]) -> Bool {
  some.count == others.count
    && some.withUnsafeBytes { some in
      others.withUnsafeBytes { others in
        guard let one = some.baseAddress, let other = others.baseAddress else { return true }
        return memcmp(one, other, some.count) == 0
      }
    }
}

/// A folder of its own, in memory where there is a place for that; gone with this value.
private struct Scratch: ~Copyable {
  private let path: String

  init() throws {
    let shared = "/dev/shm"
    let parent =
      FileManager.default.isWritableFile(atPath: shared) ? shared : NSTemporaryDirectory()
    path = "\(parent)/adal2msal-\(UInt64.random(in: .min ... .max))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: nil)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/input"))
    return "\(path)/input"
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path) }
  }
}
