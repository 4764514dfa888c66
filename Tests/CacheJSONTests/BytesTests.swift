// SPDX-License-Identifier: MIT
import Testing

@testable import CacheJSON

/// What is asked of bytes eight at a time is the same at every place and length.
struct BytesTests {
  private func isPlain(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer {
      $0.isPlain(withoutPairsOf: UInt8(ascii: ":"), UInt8(ascii: "#"))
    }
  }

  @Test("one byte from DEL on is found wherever it stands", arguments: 1...20)
  func belowDelete(count: Int) {
    let plain = [UInt8](repeating: 0x7E, count: count)
    #expect(isPlain(plain))
    for place in 0..<count {
      for byte: UInt8 in [0x7F, 0x80, 0xFF] {
        var bytes = plain
        bytes[place] = byte
        #expect(!isPlain(bytes))
      }
    }
  }

  @Test("a pair is found wherever it stands, and a single byte is none", arguments: 1...20)
  func pairs(count: Int) {
    for place in 0..<count {
      for byte in [UInt8(ascii: ":"), UInt8(ascii: "#")] {
        // The neighbours differ by one bit, which inexact arithmetic would take for it.
        var bytes = [UInt8](repeating: byte ^ 1, count: count)
        bytes[place] = byte
        #expect(isPlain(bytes))
        guard place + 1 < count else { continue }
        bytes[place + 1] = byte
        #expect(!isPlain(bytes))
      }
    }
  }
}
