// SPDX-License-Identifier: MIT
import Testing

@testable import CacheJSON

/// What is asked of bytes eight at a time is the same at every place and length.
struct BytesTests {
  @Test("one byte from DEL on is found wherever it stands", arguments: 1...20)
  func belowDelete(count: Int) {
    let plain = [UInt8](repeating: 0x7E, count: count)
    #expect(plain.withUnsafeBufferPointer(\.isBelowDelete))
    for place in 0..<count {
      for byte: UInt8 in [0x7F, 0x80, 0xFF] {
        var bytes = plain
        bytes[place] = byte
        #expect(!bytes.withUnsafeBufferPointer(\.isBelowDelete))
      }
    }
  }

  @Test("a pair is found wherever it stands, and a single byte is none", arguments: 1...20)
  func pairs(count: Int) {
    for place in 0..<count {
      // The neighbours differ by one bit, which inexact arithmetic would take for it.
      var bytes = [UInt8](repeating: UInt8(ascii: ";"), count: count)
      bytes[place] = UInt8(ascii: ":")
      #expect(!bytes.withUnsafeBufferPointer { $0.hasPair(of: UInt8(ascii: ":")) })
      guard place + 1 < count else { continue }
      bytes[place + 1] = UInt8(ascii: ":")
      #expect(bytes.withUnsafeBufferPointer { $0.hasPair(of: UInt8(ascii: ":")) })
      #expect(!bytes.withUnsafeBufferPointer { $0.hasPair(of: UInt8(ascii: "#")) })
    }
  }
}
