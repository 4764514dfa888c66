// SPDX-License-Identifier: MIT

/// How each object was read: as text, which callers show, or as bytes, which they keep secret.
struct ObjectUses: Sendable {
  /// The bytes of the objects that were read in both ways, each once.
  private(set) var inBothWays: [ArraySlice<UInt8>] = []
  private var uses: [UInt8]

  private static let text: UInt8 = 1
  private static let bytes: UInt8 = 2

  init(count: Int) {
    uses = Array(repeating: 0, count: count)
  }

  /// The object at `index`, which is one of the table's, was read as this text.
  @inline(__always)
  mutating func read(_ index: Int, as text: String) {
    if isNew(Self.text, at: index) { inBothWays.append(Array(text.utf8)[...]) }
  }

  /// The object at `index`, which is one of the table's, was read as these bytes.
  @inline(__always)
  mutating func read(_ index: Int, as bytes: ArraySlice<UInt8>) {
    if isNew(Self.bytes, at: index) { inBothWays.append(bytes) }
  }

  /// Whether this use of an object is new and not the first.
  @inline(__always)
  private mutating func isNew(_ use: UInt8, at index: Int) -> Bool {
    let before = uses[index]
    uses[index] = before | use
    return before != 0 && before & use == 0
  }
}
