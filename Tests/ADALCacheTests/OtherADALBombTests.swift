// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import MigrationDocuments
import ProcessUsage
import SyntheticCaches
import Testing

/// Blobs and lists that ask for more than they hold, each read under a second of a release and under
/// 200 MB, in a process of its own.
@Suite struct OtherADALBombTests {
  private struct Bomb: Sendable {
    var isBlob = true
    /// How many tokens and how many others, and why the last one.
    var outcome: String
    var make: @Sendable () -> [UInt8]
  }

  private static func repeated(_ part: String, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(part.utf8.count * count)
    for _ in 0..<count { bytes += part.utf8 }
    return bytes
  }

  private static let bombs: [String: Bomb] = [
    "rows of nothing": Bomb(outcome: "0 100001 too-many-rows") {
      BlobBytes.integer(3) + BlobBytes.integer(20_000_000)
        + [UInt8](repeating: 0, count: 40_000_000)
    },
    "small rows": Bomb(outcome: "100000 1 too-many-rows") {
      let row = BlobBytes.string(Array("a:::b:::c:::0".utf8)) + BlobBytes.string([0x7B, 0x7D])
      return BlobBytes.integer(3) + BlobBytes.integer(120_000)
        + repeatElement(row, count: 120_000).joined()
    },
    "a row of members": Bomb(outcome: "0 1 duplicate-member") {
      BlobBytes("{\"Result\":null" + String(repeating: ",\"Result\":null", count: 70_000) + "}")
        .bytes
    },
    "a row of brackets": Bomb(outcome: "0 1 too-deep") {
      BlobBytes("{\"x\":" + String(repeating: "[", count: 1_000_000)).bytes
    },
    "a list of nothing": Bomb(isBlob: false, outcome: "0 100001 too-many-rows") {
      [0x5B] + repeated("{},", 10_000_000)
    },
    "a list of small rows": Bomb(isBlob: false, outcome: "100000 1 too-many-rows") {
      [0x5B] + repeated("{\"_clientId\":\"\",\"_authority\":\"\"},", 120_000)
    },
    "a list of brackets": Bomb(isBlob: false, outcome: "0 1 too-deep") {
      repeated("[", 10_000_000)
    },
    "a list of one member": Bomb(isBlob: false, outcome: "0 1 truncated") {
      Array("[{\"x\":[".utf8) + repeated("0,", 5_000_000)
    },
  ]

  private static func check(_ name: String) -> Bool {
    guard let bomb = bombs[name] else { return false }
    let bytes = bomb.make()
    let start = ProcessUsage.seconds
    let rows: (tokens: Int, unreadable: [UnreadableToken])
    if bomb.isBlob {
      guard let blob = try? DotNetBlob(bytes) else { return false }
      rows = (blob.tokens.count, blob.unreadable)
    } else {
      guard let list = try? TokenList(bytes, localTime: .utc) else { return false }
      rows = (list.tokens.count, list.unreadable)
    }
    let last = rows.unreadable.last?.archiveError ?? ""
    let outcome = "\(rows.tokens) \(rows.unreadable.count) \(last)"
    let seconds = ProcessUsage.seconds - start
    print("\(name): \(bytes.count) bytes, \(seconds) s, \(ProcessUsage.peak) MB, \(outcome)")
    let isQuick = seconds < ProcessUsage.second
    return outcome == bomb.outcome && isQuick && ProcessUsage.peak < 200 + bytes.count >> 20
  }

  @Test("is read in bounds", arguments: bombs.keys.sorted())
  func inBounds(name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      exit(Self.check(name) ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  /// Processor time of reading a blob, or a list, of so many rows.
  private static func seconds(rows: Int, isBlob: Bool) throws -> Double {
    let token = String(repeating: "x", count: 1500)
    let bytes: [UInt8]
    if isBlob {
      var blob = BlobBytes()
      let value = "{\"RefreshToken\":\"\(token)\",\"Result\":{\"AccessToken\":\"\(token)\"}}"
      blob.rows = (0..<rows).map {
        (Array("https://a/:::r\($0):::c:::0".utf8), Array(value.utf8))
      }
      bytes = blob.bytes
    } else {
      let row =
        "{\"_clientId\":\"c\",\"_authority\":\"a\",\"accessToken\":\"\(token)\",\"refreshToken\":\"\(token)\"}"
      bytes = Array("[\(repeatElement(row, count: rows).joined(separator: ","))]".utf8)
    }
    let start = ProcessUsage.seconds
    if isBlob {
      #expect(try DotNetBlob(bytes).tokens.count == rows)
    } else {
      #expect(try TokenList(bytes, localTime: .utc).tokens.count == rows)
    }
    return ProcessUsage.seconds - start
  }

  @Test("eight times the rows take eight times as long", arguments: [true, false])
  func linear(isBlob: Bool) async {
    await #expect(processExitsWith: .success) { [isBlob] in
      _ = try Self.seconds(rows: 100, isBlob: isBlob)
      let small = try Self.seconds(rows: 500, isBlob: isBlob)
      let large = try Self.seconds(rows: 4000, isBlob: isBlob)
      print("500 rows: \(small) s, 4000 rows: \(large) s")
      // Quadratic work would take 64 times as long.
      exit(large < 20 * max(small, 0.001) ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
