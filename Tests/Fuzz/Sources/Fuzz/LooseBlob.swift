// SPDX-License-Identifier: MIT
import LibFuzzer

/// ADAL.NET's blob taken apart without asking whether it is right: what stands before the rows, and the
/// strings that they are made of.
struct LooseBlob {
  private var schema: [UInt8]
  private var strings: [[UInt8]] = []

  init?(_ bytes: [UInt8]) {
    guard bytes.count > 8 else { return nil }
    schema = Array(bytes.prefix(4))
    var place = 8
    while place < bytes.count {
      var length = 0
      var shift = 0
      while place < bytes.count, shift < 28 {
        let byte = bytes[place]
        place += 1
        length |= Int(byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 { break }
      }
      guard length <= bytes.count - place else { break }
      strings.append(Array(bytes[place..<place + length]))
      place += length
    }
    if strings.count < 2 { return nil }
  }

  mutating func change(using random: inout SeededGenerator) {
    guard let index = strings.indices.randomElement(using: &random),
      let other = strings.indices.randomElement(using: &random)
    else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: strings[index] = strings[other]
    case 1: strings.append(strings[index])
    case 2: strings.swapAt(index, other)
    case 3: if strings.count > 2 { strings.remove(at: index) }
    case 4: schema[0] = UInt8.random(in: 1...3, using: &random)
    default: rewrite(index)
    }
  }

  /// Lets libFuzzer change a string.
  private mutating func rewrite(_ index: Int) {
    let room = strings[index].count + 64
    var bytes = strings[index] + [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { LLVMFuzzerMutate($0, strings[index].count, room) } ?? 0
    }
    strings[index] = Array(bytes.prefix(count))
  }

  var bytes: [UInt8] {
    let count = strings.count / 2
    var bytes = schema + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    for string in strings {
      var rest = string.count
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
      bytes += string
    }
    return bytes
  }
}
