// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import ProcessUsage
import Testing

/// Inputs that ask for more than they hold, each read under a second of a release and under 200 MB.
///
/// Measured in a process of its own, whose time and memory are nobody else's.
@Suite struct BombTests {
  /// The results of reading `bytes` as an item and as a whole cache.
  private static func outcome(_ bytes: [UInt8]) -> String {
    let item =
      switch LegacyItem(archive: bytes) {
      case .token(let token): "dropped \(token.droppedFields)"
      case .unreadable(let row): row.archiveError ?? row.code.description
      case .foreign: "foreign"
      case .cache: "a cache"
      }
    do {
      let blob = try LegacyBlob(bytes)
      let errors = blob.unreadable.map { $0.archiveError ?? $0.code.description }
      return "\(item); \(blob.tokens.isEmpty ? "none" : "some") \(errors)"
    } catch { return "\(item); \(error)" }
  }

  private static func check(_ name: String) -> Bool {
    guard let bomb = Bombs.all[name] else { return false }
    let bytes = bomb.make()
    let start = ProcessUsage.seconds
    let outcome = outcome(bytes)
    // Twice: as an item and as a cache.
    let seconds = (ProcessUsage.seconds - start) / 2
    let said = "\(name): \(bytes.count) bytes, \(seconds) s, \(ProcessUsage.peak) MB, \(outcome)"
    print(said)
    return outcome == bomb.outcome && seconds < ProcessUsage.second && ProcessUsage.peak < 200
  }

  @Test("is read in bounds", arguments: Bombs.all.keys.sorted())
  func inBounds(name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      exit(Self.check(name) ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}

extension BombTests {
  @Test func whatWasReadBeforeTheLimitStays() throws {
    let blob = try LegacyBlob(Bombs.sharedEntries(3000))
    #expect(blob.tokens.count > 1000 && blob.tokens.count < 10_000)
    #expect(blob.unreadable.map(\.archiveError) == ["too-much-memory"])
    #expect(blob.unreadable.map(\.code) == [.undecodable])
  }
}
