// SPDX-License-Identifier: MIT

/// Numbers from 0 on, found by the hashes of their values.
///
/// A place has half of the hash beside the number, so that nothing with another hash is looked at: in a large cache
/// each look is a wait for memory. At most half of the places are taken.
package struct NumberTable: Sendable {
  // Half of a hash, and below it the number plus one; 0 for a free place.
  private var places: [UInt64] = []
  private var count = 0

  package init() {}

  /// The number of the value with a hash that `isSame` accepts; nil if it has none yet.
  package func number(_ hash: UInt64, _ isSame: (Int) -> Bool) -> Int? {
    if places.isEmpty { return nil }
    return Self.number(at: places[place(of: hash >> 32, isSame)])
  }

  /// The number of the value with a hash that `isSame` accepts, or the next number; and whether it is new.
  package mutating func insert(
    _ hash: UInt64, _ isSame: (Int) -> Bool
  ) -> (number: Int, isNew: Bool) {
    if places.count < 2 * (count + 1) { makeRoom() }
    let half = hash >> 32
    let place = place(of: half, isSame)
    if let number = Self.number(at: places[place]) { return (number, false) }
    count += 1
    places[place] = half << 32 | UInt64(count)
    return (count - 1, true)
  }

  private static func number(at place: UInt64) -> Int? {
    place == 0 ? nil : Int(place & 0xFFFF_FFFF) - 1
  }

  /// The place of the value with half of a hash that `isSame` accepts, or the free place for it.
  private func place(of half: UInt64, _ isSame: (Int) -> Bool) -> Int {
    let mask = places.count - 1
    var place = Int(half) & mask
    while let number = Self.number(at: places[place]) {
      if places[place] >> 32 == half, isSame(number) { break }
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func makeRoom() {
    let old = places
    places = [UInt64](repeating: 0, count: max(16, 2 * old.count))
    for one in old where one != 0 { places[place(of: one >> 32) { _ in false }] = one }
  }
}
