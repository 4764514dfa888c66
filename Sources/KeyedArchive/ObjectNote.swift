// SPDX-License-Identifier: MIT

/// What has been found out about an object of an archive, which many others refer to. Names are as `Names` numbers them.
struct ObjectNote: Sendable {
  /// Which name it is as a key.
  var name: UInt8 = 0
  /// Which name the class has whose record it is.
  var className: UInt8 = 0
  /// How it was read: as text, which callers show, or as bytes, which they keep secret.
  private var uses: UInt8 = 0

  static let text: UInt8 = 1
  static let bytes: UInt8 = 2

  /// Notes for so many objects. For as many as an item has, a copy takes a third of what a new array takes.
  static func none(_ count: Int) -> [ObjectNote] {
    count <= few.count ? few : Array(repeating: ObjectNote(), count: count)
  }

  private static let few = Array(repeating: ObjectNote(), count: 256)

  /// The object was read so; whether it now was read in both ways.
  mutating func isReadInBothWays(_ use: UInt8) -> Bool {
    let isOther = uses != 0 && uses & use == 0
    uses |= use
    return isOther
  }
}
