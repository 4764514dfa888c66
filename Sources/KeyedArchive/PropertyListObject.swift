// SPDX-License-Identifier: MIT

extension BinaryPropertyList {
  /// One object of a property list, still undecoded: its kind and where its content is.
  package struct Object: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case null, boolean, integer, real, date, data, ascii, utf16, uid, array, set, dictionary
    }

    // Twenty bytes, so that an object travels in registers; an input is never larger than 4 GB.
    package let kind: Kind
    private let headerSize: UInt8
    private let narrowIndex: UInt32
    private let narrowOffset: UInt32
    private let narrowLength: UInt32
    private let narrowCount: UInt32

    /// The object's place in the offset table.
    package var index: Int { Int(narrowIndex) }
    /// The place of the marker, in bytes from the start of the input.
    package var offset: Int { Int(narrowOffset) }
    /// The place of the content.
    var start: Int { offset &+ Int(headerSize) }
    /// The number of bytes of the content.
    var length: Int { Int(narrowLength) }
    /// Elements of a container, pairs of a dictionary, characters (code units) of a string, bytes of
    /// data, numbers and UIDs; 1 for true, 0 for false.
    package var count: Int { Int(narrowCount) }

    /// An object that lies inside the input, as the caller has seen.
    @inline(__always)
    private init(_ kind: Kind, _ index: Int, _ offset: Int, start: Int, length: Int, count: Int) {
      self.kind = kind
      headerSize = UInt8(truncatingIfNeeded: start &- offset)
      narrowIndex = UInt32(truncatingIfNeeded: index)
      narrowOffset = UInt32(truncatingIfNeeded: offset)
      narrowLength = UInt32(truncatingIfNeeded: length)
      narrowCount = UInt32(truncatingIfNeeded: count)
    }

    package var isText: Bool { kind == .ascii || kind == .utf16 }

    /// The first byte after the object.
    var end: Int { start &+ length }

    /// The place of marker, count and content.
    package var range: Range<Int> { offset..<end }
    package var contentRange: Range<Int> { start..<end }

    /// The number of references in the content.
    var referenceCount: Int {
      switch kind {
      case .array, .set: count
      // Less than the input has bytes, as everything that an object announces.
      case .dictionary: 2 &* count
      default: 0
      }
    }
  }

  // The costs of reading, in the steps and the bytes of `Limits`.
  static let costOfObject = 64
  static let costOfReference = 4
  static let costOfCopy = 32
  /// A key, compared where it stands.
  static let costOfKey = 8
}

extension BinaryPropertyList.Object {
  /// Reads the marker at `offset`, which is before the trailer, and where there is one the count behind it.
  ///
  /// - Returns: nil when the object does not end at `limit`, which is in the input, or before.
  @inline(__always)
  init?(
    _ reader: ByteReader, index: Int, at offset: Int, limit: Int, referenceWidth: Int
  ) throws(KeyedArchiveError) {
    let head = try reader.word(at: offset)
    let low = head &>> 56 & 0x0F
    var start = offset &+ 1
    // The number of bytes of an object with a fixed size, or the number of bytes of a unit.
    let kind: Kind
    let unit: UInt64
    switch head &>> 60 {
    case 0x5: (kind, unit) = (.ascii, 1)
    case 0x8 where low < 8:
      // More than eight bytes no writer needs.
      self.init(.uid, index, offset, fixed: low &+ 1, limit)
      return
    case 0xD: (kind, unit) = (.dictionary, UInt64(truncatingIfNeeded: 2 &* referenceWidth))
    case 0xA: (kind, unit) = (.array, UInt64(truncatingIfNeeded: referenceWidth))
    case 0xC: (kind, unit) = (.set, UInt64(truncatingIfNeeded: referenceWidth))
    case 0x4: (kind, unit) = (.data, 1)
    case 0x6: (kind, unit) = (.utf16, 2)
    case 0x0 where low == 0:
      self.init(.null, index, offset, fixed: 0, limit)
      return
    case 0x0 where low == 8 || low == 9:
      guard start <= limit else { return nil }
      let count = Int(truncatingIfNeeded: low &- 8)
      self.init(.boolean, index, offset, start: start, length: 0, count: count)
      return
    case 0x1 where low <= 4:
      self.init(.integer, index, offset, fixed: 1 &<< low, limit)
      return
    case 0x2 where low == 2 || low == 3:
      self.init(.real, index, offset, fixed: 1 &<< low, limit)
      return
    case 0x3 where low == 3:
      self.init(.date, index, offset, fixed: 8, limit)
      return
    default: throw KeyedArchiveError(.unknownMarker, at: offset)
    }
    var count = low
    if low == 15 {
      // An integer object stands behind the marker.
      let marker = head &>> 48 & 0xFF
      guard marker & 0xFC == 0x10 else { throw KeyedArchiveError(.unknownMarker, at: start) }
      let width = 1 &<< (marker & 3)
      count = try reader.word(at: start &+ 1) &>> (64 &- 8 &* width)
      start &+= 1 &+ Int(truncatingIfNeeded: width)
    }
    // The input has less than 2³² bytes, so the product of a smaller count fits an integer.
    let room = limit &- start
    guard room >= 0, count <= UInt64(truncatingIfNeeded: room),
      count &* unit <= UInt64(truncatingIfNeeded: room)
    else { return nil }
    self.init(
      kind, index, offset, start: start, length: Int(truncatingIfNeeded: count &* unit),
      count: Int(truncatingIfNeeded: count))
  }

  /// An object of so many bytes behind its marker.
  @inline(__always)
  private init?(_ kind: Kind, _ index: Int, _ offset: Int, fixed: UInt64, _ limit: Int) {
    let length = Int(truncatingIfNeeded: fixed)
    guard offset &+ 1 &+ length <= limit else { return nil }
    self.init(kind, index, offset, start: offset &+ 1, length: length, count: length)
  }
}
