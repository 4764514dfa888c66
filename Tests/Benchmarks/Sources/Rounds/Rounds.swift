// SPDX-License-Identifier: MIT
import ADALCache
import ADALMigration
import CacheFiles
import Foundation
import KeychainItems
import MigrationReceipts

/// One round of something that is measured beside a peer; prints a JSON object of figures.
///
///     Rounds archives ITEMS [ours COUNT]    nanoseconds an archive, ours and Foundation's
///     Rounds blob FILE ROWS                 nanoseconds a row, ours and Foundation's
///     Rounds library ITEMS                  microseconds a run: with rows to convert, with nothing to do, and by a
///                                           receipt of that
///     Rounds write SNAPSHOT NEW             seconds for a new snapshot, and for a file of as many bytes
///
/// Times are of the processor but for writing, where the disk counts.
@main struct Rounds {
  /// The clock of the shapes.
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)
  /// How long ours is repeated, in seconds, so that a clock of microseconds says something.
  private static let least = 0.2

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("archives", 2): try archives(arguments[1])
    case ("archives", 4): try decode(arguments[1], Int(arguments[3]) ?? 0)
    case ("blob", 3): try blob(arguments[1], rows: Int(arguments[2]) ?? 1)
    case ("library", 2): try library(arguments[1])
    case ("write", 3): try write(arguments[1], arguments[2])
    default:
      print("usage: see Rounds.swift")
      exit(64)
    }
  }

  // Archives

  private static func archives(_ path: String) throws {
    let items = try ItemFile(path: path).items()
    let archives = items.compactMap { $0.data.map { Data($0.reveal()) } }
    let ours = time { for item in items where !isToken(item) { exit(70) } }
    let theirs = try once { for data in archives { try Peer.item(data) } }
    show([
      "ours": ours / Double(items.count) * 1e9, "foundation": theirs / Double(items.count) * 1e9,
    ])
  }

  /// Decodes so many archives and nothing else, for instruments that count.
  private static func decode(_ path: String, _ count: Int) throws {
    let items = try ItemFile(path: path).items()
    for place in 0..<count where !isToken(items[place % items.count]) { exit(70) }
  }

  private static func isToken(_ item: KeychainItem) -> Bool {
    if case .token = LegacyItem(item) { true } else { false }
  }

  private static func blob(_ path: String, rows: Int) throws {
    let bytes = try CacheFile.bytes(of: path)
    let ours = try time {
      if try LegacyBlob(bytes).tokens.count != rows { exit(70) }
    }
    let theirs = try once { try Peer.blob(Data(bytes), rows: rows) }
    show(["ours": ours / Double(rows) * 1e9, "foundation": theirs / Double(rows) * 1e9])
  }

  // The library

  private static func library(_ path: String) throws {
    let items = try ItemFile(path: path).items()
    func run(_ store: MemoryStore) throws -> TokenCacheMigration.Report {
      try TokenCacheMigration(from: .items(store), into: .items(store), now: { now }).run()
    }
    let done = MemoryStore(items)
    guard try run(done).summary.written > 0 else { exit(70) }
    let converting = try time { _ = try run(MemoryStore(items)) }
    let nothing = try time { if try run(done).summary.written != 0 { exit(70) } }
    let migration = TokenCacheMigration(from: .items(done), into: .items(done), now: { now })
    guard let receipt = try migration.run(since: nil).receipt else { exit(70) }
    let unchanged = try time { if try migration.run(since: receipt).report != nil { exit(70) } }
    show([
      "converting": converting * 1e6, "nothing": nothing * 1e6, "unchanged": unchanged * 1e6,
    ])
  }

  // Writing

  private static func write(_ path: String, _ new: String) throws {
    let items = try SnapshotFile(path: path).items()
    let ours = try wall {
      if !(try SnapshotFile(path: new, missing: .isEmpty).add(items)).isEmpty { exit(70) }
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: new))
    let theirs = try wall {
      let file = open(new + ".bytes", O_WRONLY | O_CREAT | O_EXCL, 0o600)
      let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
      try handle.write(contentsOf: bytes)
      guard fsync(file) == 0 else { exit(74) }
    }
    try FileManager.default.removeItem(atPath: new + ".bytes")
    show([
      "ours": ours, "bytes": theirs, "items": Double(items.count), "size": Double(bytes.count),
    ])
  }

  // Clocks

  /// Seconds of the processor that a body takes, repeated long enough to be measured.
  private static func time(_ body: () throws -> Void) rethrows -> Double {
    try body()
    var count = 0
    let start = cpu()
    var end = start
    repeat {
      try body()
      count += 1
      end = cpu()
    } while end - start < least
    return (end - start) / Double(count)
  }

  private static func once(_ body: () throws -> Void) rethrows -> Double {
    let start = cpu()
    try body()
    return cpu() - start
  }

  private static func wall(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// The seconds of the processor that the process has had.
  private static func cpu() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func show(_ figures: [String: Double]) {
    let members = figures.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
    print("{\(members.joined(separator: ", "))}")
  }
}
