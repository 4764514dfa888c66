// SPDX-License-Identifier: MIT

/// The known facts about an object of an archive that many others refer to. Names are numbered as in `Names`.
struct ObjectNote: Sendable {
  /// Its number as a key.
  var name: UInt8 = 0
  /// The name of the class if the object is its record.
  var className: UInt8 = 0
  /// The use of its content: as text, which callers show, or as bytes, which they keep secret.
  private var uses: UInt8 = 0

  static let text: UInt8 = 1
  static let bytes: UInt8 = 2

  /// Notes for so many objects. For the number in an item, copying takes a third of the time of making an array.
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
