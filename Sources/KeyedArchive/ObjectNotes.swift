// SPDX-License-Identifier: MIT

/// What has been found out about the objects of an archive, which many others refer to: which name one is as a
/// key, the class whose record it is, and whether it was read as text, which callers show, or as bytes, which they keep secret.
struct ObjectNotes: Sendable {
  /// The bytes of the objects that were read in both ways, each once.
  private(set) var inBothWays: [ArraySlice<UInt8>] = []
  private var notes: [Note]

  /// What is known of one object.
  private struct Note {
    /// Which name it is.
    var name: UInt8 = 0
    /// Which name the class has whose record it is.
    var className: UInt8 = 0
    /// How it was read.
    var uses: UInt8 = 0
  }

  /// What an object is read as.
  enum Use: UInt8 {
    case text = 1
    case bytes = 2
  }

  init(count: Int) {
    // A copy takes a third of what an array takes that is made.
    notes = count <= Self.few.count ? Self.few : Array(repeating: Note(), count: count)
  }

  /// Notes for as many objects as an item has.
  private static let few = Array(repeating: Note(), count: 256)

  /// The name that the object at `index`, which is one of the table's, is, as `Names` numbers them.
  subscript(_ index: Int) -> Int {
    @inline(__always) get { Int(notes[index].name) }
    @inline(__always) set { notes[index].name = UInt8(truncatingIfNeeded: newValue) }
  }

  /// The name of the class whose record the object at `index` is, which is one of the table's.
  subscript(className index: Int) -> Int {
    @inline(__always) get { Int(notes[index].className) }
    @inline(__always) set { notes[index].className = UInt8(truncatingIfNeeded: newValue) }
  }

  /// The object at `index`, which is one of the table's, was read so, and these are its bytes.
  @inline(__always)
  mutating func read(_ index: Int, as use: Use, _ bytes: @autoclosure () -> ArraySlice<UInt8>) {
    let before = notes[index].uses
    notes[index].uses = before | use.rawValue
    if before & use.rawValue == 0, before != 0 { inBothWays.append(bytes()) }
  }
}
