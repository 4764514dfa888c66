// SPDX-License-Identifier: MIT
import Testing

@testable import ADALMigration
@testable import MigrationReceipts

/// Values are those of Python's own `hash` of the same bytes, which is SipHash-1-3 since 3.11, with
/// `PYTHONHASHSEED=0`: each piece with its length before it in eight bytes, filled up with zeros.
@Suite struct FingerprintTests {
  private func fingerprint(_ body: (inout Fingerprint) -> Void) -> UInt64 {
    var fingerprint = Fingerprint()
    body(&fingerprint)
    return fingerprint.value
  }

  @Test("is SipHash-1-3") func values() {
    #expect(fingerprint { _ in } == 0xD1FB_A762_150C_532C)
    #expect(
      fingerprint { for word in 0..<3 as Range<UInt64> { $0.take(word: word) } }
        == 0xBDCB_E075_CE4E_5465)
    // Forty words are 320 bytes, more than the one byte that the last block has for the length.
    #expect(
      fingerprint { for word in 0..<40 as Range<UInt64> { $0.take(word: word) } }
        == 0xE65C_2642_C823_EE3F)
    #expect(fingerprint { $0.take("jane.doe@contoso.com") } == 0x338B_602A_E7D8_F219)
    #expect(fingerprint { $0.take(Array(0..<100 as Range<UInt8>)) } == 0xE7E4_738D_B572_FB3A)
    #expect(fingerprint { $0.take(nil as String?) } == 0x2F20_5BE2_FEC8_E38D)
  }

  @Test("tells pieces apart that are the same bytes in a row") func pieces() {
    let texts: [[String]?] = [
      ["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"], [], [""], nil,
    ]
    let bytes: [[UInt8]?] = [[], [0], [0, 0], Array(repeating: 0, count: 8), nil]
    let numbers: [Int?] = [nil, 0, 1, -1, .max, .min]
    for values in [
      texts.map { text in fingerprint { $0.take(text) } },
      bytes.map { bytes in fingerprint { $0.take(bytes) } },
      numbers.map { number in fingerprint { $0.take(number) } },
    ] {
      #expect(Set(values).count == values.count)
    }
  }
}
