// SPDX-License-Identifier: MIT

/// A binary property list put together by hand, so that every part of it can lie.
public struct PropertyListBytes {
  /// Marker and content of each object, in the order of the offset table.
  public var objects: [[UInt8]]
  public var top: UInt64 = 0
  public var offsetWidth = 4
  public var referenceWidth: Int
  /// Offsets that the table has in place of the true ones, by index.
  public var offsets: [Int: UInt64] = [:]
  /// Trailer fields in place of the true ones.
  public var count: UInt64?
  public var table: UInt64?

  public init(_ objects: [[UInt8]], referenceWidth: Int = 2) {
    self.objects = objects
    self.referenceWidth = referenceWidth
  }

  public var bytes: [UInt8] {
    var bytes = Array("bplist00".utf8)
    var starts: [UInt64] = []
    for object in objects {
      starts.append(UInt64(bytes.count))
      bytes += object
    }
    let tableStart = UInt64(bytes.count)
    for (index, start) in starts.enumerated() {
      bytes += Self.integer(offsets[index] ?? start, width: offsetWidth)
    }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: offsetWidth)]
    bytes += [UInt8(truncatingIfNeeded: referenceWidth)]
    bytes += Self.integer(count ?? UInt64(objects.count), width: 8)
    bytes += Self.integer(top, width: 8) + Self.integer(table ?? tableStart, width: 8)
    return bytes
  }

  public static func integer(_ value: UInt64, width: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: width)
    var rest = value
    for place in stride(from: width - 1, through: 0, by: -1) {
      bytes[place] = UInt8(truncatingIfNeeded: rest)
      rest >>= 8
    }
    return bytes
  }

  /// Marker and count of an object that announces `count` units.
  public static func head(_ kind: UInt8, _ count: UInt64) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0xF, 0x13] + integer(count, width: 8)
  }

  public static func ascii(_ text: String) -> [UInt8] {
    head(0x50, UInt64(text.utf8.count)) + Array(text.utf8)
  }

  /// An array or a set (`kind` 0xA0, 0xC0), or a dictionary (0xD0) with keys before values.
  public static func container(_ kind: UInt8, _ references: [Int], width: Int = 2) -> [UInt8] {
    let count = kind == 0xD0 ? references.count / 2 : references.count
    var bytes = head(kind, UInt64(count))
    bytes.reserveCapacity(bytes.count + references.count * width)
    for reference in references { bytes += integer(UInt64(reference), width: width) }
    return bytes
  }
}
