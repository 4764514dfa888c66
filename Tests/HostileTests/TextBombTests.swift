// SPDX-License-Identifier: MIT
import Foundation
import HostileInput
import ProcessUsage
import Testing

/// Texts that ask for more than they hold, each read under a second of a release and under 200 MB.
///
/// Measured in a process of its own, whose time and memory are nobody else's.
@Suite struct TextBombTests {
  private static func check(_ name: String) -> Bool {
    guard let bomb = TextBombs.all[name] else { return false }
    let bytes = bomb.make()
    let start = ProcessUsage.seconds
    do {
      try bomb.target.read(bytes)
    } catch {
      print("\(name): \(error)")
      return false
    }
    let seconds = ProcessUsage.seconds - start
    print("\(name): \(bytes.count) bytes, \(seconds) s, \(ProcessUsage.peak) MB")
    return seconds < ProcessUsage.second && ProcessUsage.peak < 200
  }

  @Test("is read in bounds", arguments: TextBombs.all.keys.sorted())
  func inBounds(name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      exit(Self.check(name) ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
