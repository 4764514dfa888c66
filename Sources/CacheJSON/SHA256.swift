// SPDX-License-Identifier: MIT

/// SHA-256 (FIPS 180-4), for order and recognition: which of two tokens comes first, which entry a journal means;
/// and with a key, for names that only a team can tell.
///
/// An own implementation, because the library for Linux is a hundred times as large as the part that this package
/// needs, and every app that resolves this package would have to fetch it.
package enum SHA256 {
  package static func hash(of bytes: [UInt8]) -> [UInt8] {
    var state = initial
    let whole = bytes.count / blockSize * blockSize
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: blockSize) { schedule in
      bytes.withUnsafeBytes { add($0, upTo: whole, to: &state, schedule) }
      let end = padded(bytes[whole...], length: bytes.count)
      end.withUnsafeBytes { add($0, upTo: end.count, to: &state, schedule) }
    }
    return [UInt8](unsafeUninitializedCapacity: 32) { hash, count in
      for place in 0..<32 {
        let shift = UInt32(truncatingIfNeeded: 24 &- 8 &* (place & 3))
        hash[place] = UInt8(truncatingIfNeeded: state[place &>> 2] &>> shift)
      }
      count = 32
    }
  }

  /// The 32 bytes of the HMAC (RFC 2104) of these bytes with a key of any length.
  package static func authentication(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > blockSize ? hash(of: key) : key
    block += [UInt8](repeating: 0, count: blockSize - block.count)
    let inner = hash(of: block.map { $0 ^ 0x36 } + bytes)
    return hash(of: block.map { $0 ^ 0x5C } + inner)
  }

  private static let blockSize = 64

  /// The bytes behind the last whole block: a set bit, zeros, and the length in bits.
  private static func padded(_ rest: ArraySlice<UInt8>, length: Int) -> [UInt8] {
    let bits = UInt64(length) &* 8
    let blocks = (rest.count + 9 + blockSize - 1) / blockSize
    var end = [UInt8](repeating: 0, count: blocks * blockSize)
    end.replaceSubrange(..<rest.count, with: rest)
    end[rest.count] = 0x80
    for place in 0..<8 {
      end[end.count - 8 + place] = UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * place))
    }
    return end
  }

  /// Adds the first `end` bytes, which are whole blocks.
  private static func add(
    _ bytes: UnsafeRawBufferPointer, upTo end: Int, to state: inout SIMD8<UInt32>,
    _ words: UnsafeMutableBufferPointer<UInt32>
  ) {
    func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
      word &>> count | word &<< (32 &- count)
    }
    constants.withUnsafeBufferPointer { constants in
      for start in stride(from: 0, to: end, by: blockSize) {
        for index in 0..<16 {
          words[index] = UInt32(
            bigEndian: bytes.loadUnaligned(fromByteOffset: start &+ 4 &* index, as: UInt32.self))
        }
        for index in 16..<64 {
          let (near, far) = (words[index &- 2], words[index &- 15])
          let mixedFar = rotated(far, 7) ^ rotated(far, 18) ^ far &>> 3
          let mixedNear = rotated(near, 17) ^ rotated(near, 19) ^ near &>> 10
          words[index] = words[index &- 16] &+ mixedFar &+ words[index &- 7] &+ mixedNear
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
          let chosen = e & f ^ ~e & g
          let mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
          let first = h &+ mixed &+ chosen &+ constants[index] &+ words[index]
          let majority = a & b ^ a & c ^ b & c
          let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
          (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
      }
    }
  }

  /// The first 32 bits of the fractional parts of the square roots of the first eight primes.
  private static let initial = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19)

  /// Those of the cube roots of the first 64.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
