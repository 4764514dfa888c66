// SPDX-License-Identifier: MIT

/// What has been found out about the objects of an archive, which many others refer to: which name one is as a
/// key, and whether it was read as text, which callers show, or as bytes, which they keep secret.
struct ObjectNotes: Sendable {
  /// The bytes of the objects that were read in both ways, each once.
  private(set) var inBothWays: [ArraySlice<UInt8>] = []
  private var notes: [Note]

  /// What is known of one object: its number as a name, and how it was read.
  private struct Note {
    var name: UInt8 = 0
    var uses: UInt8 = 0
  }

  private static let text: UInt8 = 1
  private static let bytes: UInt8 = 2

  init(count: Int) {
    notes = Array(repeating: Note(), count: count)
  }

  /// The name that the object at `index`, which is one of the table's, is, as `Names` numbers them.
  subscript(_ index: Int) -> Int {
    @inline(__always) get { Int(notes[index].name) }
    @inline(__always) set { notes[index].name = UInt8(truncatingIfNeeded: newValue) }
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
    let before = notes[index].uses
    notes[index].uses = before | use
    return before & use == 0 && before != 0
  }
}
