// SPDX-License-Identifier: MIT
import Testing

@testable import CacheJSON

/// FIPS 180-4, with NIST's examples and messages around the size of a block.
@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ]) func ofNISTsExamples(_ text: String, _ digits: String) {
    #expect(Hexadecimal.text(of: SHA256.hash(of: Array(text.utf8))) == digits)
  }

  @Test func ofAMillionLetters() {
    #expect(
      Hexadecimal.text(of: SHA256.hash(of: [UInt8](repeating: 0x61, count: 1_000_000)))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// The hash of the hashes of as many letters as any number up to three blocks, as Python's hashlib has it.
  @Test func ofEveryLengthAroundABlock() {
    let hashes = (0...192).flatMap { SHA256.hash(of: [UInt8](repeating: 0x62, count: $0)) }
    #expect(
      Hexadecimal.text(of: SHA256.hash(of: hashes))
        == "eb56ad00fbf4b1014cf1112b410ad45565f92899b7b989a8c718b2bc3c87c948")
  }

  /// RFC 4231, test cases 1, 2 and 6.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ]) func withAKey(_ key: [UInt8], _ text: String, _ digits: String) {
    let bytes = SHA256.authentication(of: Array(text.utf8), key: key)
    #expect(Hexadecimal.text(of: bytes) == digits)
  }
}
