// SPDX-License-Identifier: MIT

/// A number that changes when its input changes: SipHash-1-3 with a key of zeros, over words of eight bytes (Aumasson
/// and Bernstein, SipHash: a fast short-input PRF, 2012).
///
/// Swift's own hasher has another key in each process. A cryptographic hash would take longer than a migration,
/// and two caches of one number help no attacker: a program that can write a keychain can take the tokens.
struct Fingerprint: Sendable {
  private var state = State()
  /// The number of words so far.
  private var count: UInt64 = 0

  private struct State {
    var x: UInt64 = 0x736F_6D65_7073_6575
    var y: UInt64 = 0x646F_7261_6E64_6F6D
    var z: UInt64 = 0x6C79_6765_6E65_7261
    var w: UInt64 = 0x7465_6462_7974_6573

    mutating func absorb(_ word: UInt64) {
      w ^= word
      mix()
      x ^= word
    }

    /// SipRound.
    mutating func mix() {
      x = x &+ y
      z = z &+ w
      y = x ^ (y << 13 | y >> 51)
      w = z ^ (w << 16 | w >> 48)
      x = x << 32 | x >> 32
      z = z &+ y
      x = x &+ w
      y = z ^ (y << 17 | y >> 47)
      w = x ^ (w << 21 | w >> 43)
      z = z << 32 | z >> 32
    }
  }

  /// Adds eight bytes.
  mutating func take(word: UInt64) {
    count &+= 1
    state.absorb(word)
  }

  /// Adds bytes with their number, so that two pieces differ from one longer piece.
  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    take(word: UInt64(bytes.count))
    let words = bytes.count / 8
    count &+= UInt64(words)
    // A copy of its own stays in registers.
    var state = state
    for place in 0..<words {
      state.absorb(
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self)))
    }
    self.state = state
    let rest = bytes[(words * 8)...]
    if !rest.isEmpty { take(word: rest.reversed().reduce(0) { $0 << 8 | UInt64($1) }) }
  }

  mutating func take(_ bytes: [UInt8]?) {
    guard let bytes else { return take(word: .max) }
    bytes.withUnsafeBytes { take($0) }
  }

  mutating func take(_ text: String?) {
    guard var text else { return take(word: .max) }
    text.withUTF8 { take(UnsafeRawBufferPointer($0)) }
  }

  mutating func take(_ number: Int?) {
    take(word: number == nil ? 0 : 1)
    take(word: UInt64(bitPattern: Int64(number ?? 0)))
  }

  mutating func take(_ texts: [String]?) {
    guard let texts else { return take(word: .max) }
    take(texts.count)
    for text in texts { take(text) }
  }

  /// The number in hexadecimal.
  var text: String { String(value, radix: 16) }

  /// The number of all that was taken in.
  var value: UInt64 {
    var state = state
    // The last block has no bytes left, only the total length, modulo 256, in its highest byte.
    state.absorb(count << 59)
    state.z ^= 0xFF
    for _ in 0..<3 { state.mix() }
    return state.x ^ state.y ^ state.z ^ state.w
  }
}
