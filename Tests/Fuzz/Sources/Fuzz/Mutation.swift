// SPDX-License-Identifier: MIT
import HostileInput
import LibFuzzer

/// libFuzzer's function that changes an input. Every other time it splits a property list or a blob of ADAL.NET's
/// first, because one more or less byte would invalidate its offset table or its lengths, and the rest would not be
/// read.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ largest: Int, _ seed: UInt32
) -> Int {
  var random = SeededGenerator(seed: seed)
  guard Bool.random(using: &random) else { return LLVMFuzzerMutate(data, size, largest) }
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  if Fuzz.target == .dotnet, var blob = LooseBlob(bytes) {
    blob.change(using: &random)
    guard blob.bytes.count <= largest else { return LLVMFuzzerMutate(data, size, largest) }
    for (index, byte) in blob.bytes.enumerated() { data[index] = byte }
    return blob.bytes.count
  }
  let head = Fuzz.target.map { bytes.prefix($0.headSize(of: bytes)) } ?? []
  guard var list = LooseList(bytes.dropFirst(head.count)) else {
    return LLVMFuzzerMutate(data, size, largest)
  }
  for _ in 0...Int.random(in: 0..<3, using: &random) { list.change(using: &random) }
  let changed = head + list.bytes
  guard changed.count <= largest else { return LLVMFuzzerMutate(data, size, largest) }
  for (index, byte) in changed.enumerated() { data[index] = byte }
  return changed.count
}

extension HostileInput {
  /// How many bytes of an input stand before its property list.
  fileprivate func headSize(of bytes: [UInt8]) -> Int {
    guard self == .item else { return 0 }
    var nuls = 0
    let end = bytes.firstIndex { byte in
      nuls += byte == 0 ? 1 : 0
      return nuls == ItemBytes.textCount
    }
    return end.map { $0 + 1 } ?? 0
  }
}

/// A property list taken apart without asking whether it is right: the bytes of each object.
struct LooseList {
  private var objects: [[UInt8]]
  private var offsetWidth: Int
  private var referenceWidth: Int
  private var top: Int

  private static let magic = Array("bplist00".utf8)
  private static let trailerSize = 32

  init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    let trailer = bytes.count - Self.trailerSize
    guard bytes.starts(with: Self.magic), trailer > Self.magic.count else { return nil }
    func number(_ start: Int, _ width: Int) -> Int {
      bytes[start..<start + width].reduce(0) { ($0 << 8 | Int($1)) & 0xFFFF_FFFF }
    }
    let width = Int(bytes[trailer + 6])
    offsetWidth = width
    referenceWidth = Int(bytes[trailer + 7])
    top = number(trailer + 16, 8)
    let count = number(trailer + 8, 8)
    let table = number(trailer + 24, 8)
    guard (1...8).contains(width), (1...8).contains(referenceWidth), count > 0,
      table > Self.magic.count, table <= trailer, count <= (trailer - table) / width
    else { return nil }
    let starts = (0..<count).map { number(table + $0 * width, width) }
    guard starts.allSatisfy({ (Self.magic.count..<table).contains($0) }) else { return nil }
    let ends = Set(starts + [table]).sorted()
    objects = starts.map { start in
      Array(bytes[start..<(ends.first { $0 > start } ?? table)])
    }
  }

  mutating func change(using random: inout SeededGenerator) {
    guard let index = objects.indices.randomElement(using: &random),
      let other = objects.indices.randomElement(using: &random)
    else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: objects[index] = objects[other]
    case 1: objects.append(objects[index])
    case 2: objects.swapAt(index, other)
    case 3: if objects.count > 1 { objects.removeLast() }
    case 4, 5: redirect(index, to: other, using: &random)
    default: rewrite(index, using: &random)
    }
  }

  /// Lets a UID, or a reference of a container, be one to `other`.
  private mutating func redirect(
    _ index: Int, to other: Int, using random: inout SeededGenerator
  ) {
    let kind = (objects[index].first ?? 0) >> 4
    let width = kind == 8 ? max(objects[index].count - 1, 1) : referenceWidth
    let places = (objects[index].count - 1) / width
    guard [0x8, 0xA, 0xC, 0xD].contains(kind), places > 0 else { return }
    let start = 1 + width * Int.random(in: 0..<places, using: &random)
    for (place, byte) in Self.integer(other, width: width).enumerated() {
      objects[index][start + place] = byte
    }
  }

  /// Lets libFuzzer change the object's own bytes.
  private mutating func rewrite(_ index: Int, using random: inout SeededGenerator) {
    let room = objects[index].count + 64
    var bytes = objects[index] + [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { LLVMFuzzerMutate($0, objects[index].count, room) } ?? 0
    }
    var changed = Array(bytes.prefix(count))
    // Text and data that fit their marker are worth more than others.
    if let marker = changed.first, [0x4, 0x5].contains(marker >> 4), changed.count < 16,
      Bool.random(using: &random)
    {
      changed[0] = marker & 0xF0 | UInt8(changed.count - 1)
    }
    objects[index] = changed
  }

  var bytes: [UInt8] {
    var bytes = Self.magic
    var starts: [Int] = []
    for object in objects {
      starts.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    let width = max(offsetWidth, table < 1 << 8 ? 1 : table < 1 << 16 ? 2 : 4)
    for start in starts { bytes += Self.integer(start, width: width) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(width), UInt8(referenceWidth)]
    bytes += Self.integer(objects.count, width: 8) + Self.integer(top, width: 8)
    return bytes + Self.integer(table, width: 8)
  }

  private static func integer(_ value: Int, width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> ($0 * 8) : 0) }
  }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt32) {
    state = UInt64(seed)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
