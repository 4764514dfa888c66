// SPDX-License-Identifier: MIT

/// A binary property list put together by hand, so that every part of it can lie.
struct PropertyListBytes {
  /// Marker and content of each object, in the order of the offset table.
  var objects: [[UInt8]]
  var top: UInt64 = 0
  var offsetWidth = 4
  var referenceWidth = 2
  /// Offsets that the table has in place of the true ones, by index.
  var offsets: [Int: UInt64] = [:]
  /// Trailer fields in place of the true ones.
  var count: UInt64?
  var table: UInt64?

  init(_ objects: [[UInt8]]) {
    self.objects = objects
  }

  var bytes: [UInt8] {
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

  static func integer(_ value: UInt64, width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> UInt64($0 * 8) : 0) }
  }

  /// Marker and count of an object that announces `count` units.
  static func head(_ kind: UInt8, _ count: UInt64) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0xF, 0x13] + integer(count, width: 8)
  }

  static func ascii(_ text: String) -> [UInt8] {
    head(0x50, UInt64(text.utf8.count)) + Array(text.utf8)
  }

  static func uid(_ value: UInt8) -> [UInt8] { [0x80, value] }

  /// An array or a set (`kind` 0xA0, 0xC0), or a dictionary (0xD0) with keys before values.
  static func container(_ kind: UInt8, _ references: [Int], width: Int = 2) -> [UInt8] {
    let count = kind == 0xD0 ? references.count / 2 : references.count
    return head(kind, UInt64(count)) + references.flatMap { integer(UInt64($0), width: width) }
  }
}
