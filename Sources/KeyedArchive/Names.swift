// SPDX-License-Identifier: MIT

/// The names that keys of an archive are known by, each of ASCII letters: the archiver's own and a caller's.
///
/// A name is known by its number: those of ``KeyedArchiveReader/Key`` are the archiver's, and those from
/// ``first`` on the caller's.
package struct Names: Sendable {
  private struct Entry {
    let spelling: StaticString
    let length: Int
    /// The first eight bytes, zeros behind the end, and the last eight of a longer one.
    let beginning: UInt64
    let ending: UInt64
  }

  private let entries: [Entry]
  // One more than the position of an entry, or 0; an entry is in the first place from its hash on that was free.
  private let places: [UInt8]

  /// The number of what has not been looked at.
  static let unknown = 0
  /// The number of a sound text that is none of the names.
  static let other = 1
  /// The number of what is no text, or one that cannot be read.
  static let damaged = 2
  /// The number of the first of the caller's names.
  static let first = KeyedArchiveReader.Key.class.rawValue + KeyedArchiveReader.Key.spellings.count

  /// The archiver's names alone.
  package static let none = Names([])

  /// The archiver's names, and behind them these.
  package init(_ names: [StaticString]) {
    let spellings = KeyedArchiveReader.Key.spellings + names
    var places = [UInt8](repeating: 0, count: Self.placeCount)
    entries = spellings.map { spelling in
      let letters = Array(spelling.description.utf8)
      return Entry(
        spelling: spelling, length: letters.count, beginning: Self.word(letters.prefix(8)),
        ending: letters.count > 8 ? Self.word(letters.suffix(8)) : 0)
    }
    for (position, entry) in entries.enumerated() {
      var place = Self.place(of: entry.beginning, length: entry.length)
      while places[place] != 0 { place = Self.next(place) }
      places[place] = UInt8(position + 1)
    }
    self.places = places
  }

  /// The number of the name of this length that begins and ends so; `isName` says of one that has more than
  /// sixteen bytes whether it is the name. Nil when there is none.
  @inline(__always)
  func number(
    length: Int, beginning: UInt64, ending: UInt64, _ isName: (StaticString) -> Bool
  ) -> Int? {
    var place = Self.place(of: beginning, length: length)
    while places[place] != 0 {
      let position = Int(places[place]) &- 1
      if entries[position].beginning == beginning, entries[position].ending == ending,
        entries[position].length == length, length <= 16 || isName(entries[position].spelling)
      {
        return KeyedArchiveReader.Key.class.rawValue &+ position
      }
      place = Self.next(place)
    }
    return nil
  }

  /// Up to eight letters as a big-endian integer, zeros behind them.
  static func word(_ letters: ArraySlice<UInt8>) -> UInt64 {
    letters.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(64 - 8 * letters.count)
  }

  // Names are few and known when the code is written, so that no input makes them collide.
  private static let placeCount = 256

  @inline(__always)
  private static func place(of beginning: UInt64, length: Int) -> Int {
    let mixed = (beginning ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> 56)
  }

  @inline(__always)
  private static func next(_ place: Int) -> Int { (place &+ 1) & (placeCount &- 1) }
}
