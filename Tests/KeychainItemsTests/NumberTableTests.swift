// SPDX-License-Identifier: MIT
import Testing

@testable import KeychainItems

/// Numbers that are found by hashes.
@Suite struct NumberTableTests {
  @Test(
    "a number is found however many hashes agree, in whole or in half",
    arguments: [
      { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 }, { UInt64($0) << 32 }, { UInt64($0) }, { _ in 7 },
      { UInt64($0 % 3) << 62 },
    ] as [@Sendable (Int) -> UInt64])
  func numbers(hash: @Sendable (Int) -> UInt64) {
    var table = NumberTable()
    #expect(table.number(hash(0)) { _ in true } == nil)
    for value in 0..<200 {
      let found = table.insert(hash(value)) { $0 == value }
      #expect(found == (value, true))
    }
    for value in 0..<200 {
      let found = table.insert(hash(value)) { $0 == value }
      #expect(found == (value, false))
      #expect(table.number(hash(value)) { $0 == value } == value)
    }
    #expect(table.number(hash(200)) { $0 == 200 } == nil)
  }

  @Test func nothingOfAnotherHashIsLookedAt() {
    var table = NumberTable()
    for value in 0..<1000 {
      _ = table.insert(UInt64(value) << 32) {
        Issue.record("\($0) was looked at for \(value)")
        return false
      }
    }
  }
}
