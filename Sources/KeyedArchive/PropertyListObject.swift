// SPDX-License-Identifier: MIT

extension BinaryPropertyList {
  /// One object of a property list, still undecoded: its kind and where its content is.
  package struct Object: Sendable, Hashable {
    /// What a marker byte can announce.
    package enum Kind: Sendable, Hashable {
      case null, boolean, integer, real, date, data, ascii, utf16, uid, array, set, dictionary
    }

    // Twenty bytes, so that an object travels in registers; an input is never larger than 4 GB.
    /// What the marker byte says.
    package let kind: Kind
    private let headerSize: UInt8
    private let narrowIndex: UInt32
    private let narrowOffset: UInt32
    private let narrowLength: UInt32
    private let narrowCount: UInt32

    /// The object's place in the offset table.
    package var index: Int { Int(narrowIndex) }
    /// Where the marker is, in bytes from the start of the input.
    package var offset: Int { Int(narrowOffset) }
    /// Where the content is.
    var start: Int { offset &+ Int(headerSize) }
    /// How many bytes the content has.
    var length: Int { Int(narrowLength) }
    /// Elements of a container, pairs of a dictionary, characters (code units) of a string, bytes of
    /// data, numbers and UIDs; 1 for true, 0 for false.
    package var count: Int { Int(narrowCount) }

    /// An object that lies inside the input, as the caller has seen.
    @inline(__always)
    init(_ kind: Kind, _ index: Int, _ offset: Int, start: Int, length: Int, count: Int) {
      self.kind = kind
      headerSize = UInt8(truncatingIfNeeded: start &- offset)
      narrowIndex = UInt32(truncatingIfNeeded: index)
      narrowOffset = UInt32(truncatingIfNeeded: offset)
      narrowLength = UInt32(truncatingIfNeeded: length)
      narrowCount = UInt32(truncatingIfNeeded: count)
    }

    /// Whether this is a string as such.
    package var isText: Bool { kind == .ascii || kind == .utf16 }

    /// The first byte after the object.
    var end: Int { start &+ length }

    /// Where marker, count and content are.
    package var range: Range<Int> { offset..<end }
    /// Where the content is.
    package var contentRange: Range<Int> { start..<end }

    /// How many references the content is made of.
    var referenceCount: Int {
      switch kind {
      case .array, .set: count
      // Less than the input has bytes, as everything that an object announces.
      case .dictionary: 2 &* count
      default: 0
      }
    }
  }

  /// What reading counts, in the steps and the bytes of ``Limits``.
  enum Cost {
    static let object = 64
    static let reference = 4
    static let copy = 32
    /// A key, compared where it stands.
    static let key = 8
  }
}

extension BinaryPropertyList.Object {
  /// Reads the marker at `offset` and, where there is one, the count behind it.
  init(
    _ reader: ByteReader, index: Int, at offset: Int, referenceWidth: Int
  ) throws(KeyedArchiveError) {
    let marker = try reader.byte(at: offset)
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0 where low == 0:
      self.init(.null, index, offset, start: offset + 1, length: 0, count: 0)
    case 0x0 where low == 8 || low == 9:
      self.init(.boolean, index, offset, start: offset + 1, length: 0, count: low - 8)
    case 0x1 where low <= 4:
      self.init(.integer, index, offset, start: offset + 1, length: 1 << low, count: 1 << low)
    case 0x2 where low == 2 || low == 3:
      self.init(.real, index, offset, start: offset + 1, length: 1 << low, count: 1 << low)
    case 0x3 where low == 3:
      self.init(.date, index, offset, start: offset + 1, length: 8, count: 8)
    case 0x4: try self.init(.data, index, offset, low, reader, unit: 1)
    case 0x5: try self.init(.ascii, index, offset, low, reader, unit: 1)
    case 0x6: try self.init(.utf16, index, offset, low, reader, unit: 2)
    // More than eight bytes no writer needs.
    case 0x8 where low < 8:
      self.init(.uid, index, offset, start: offset + 1, length: low + 1, count: low + 1)
    case 0xA: try self.init(.array, index, offset, low, reader, unit: referenceWidth)
    case 0xC: try self.init(.set, index, offset, low, reader, unit: referenceWidth)
    case 0xD: try self.init(.dictionary, index, offset, low, reader, unit: 2 * referenceWidth)
    default: throw KeyedArchiveError(.unknownMarker, at: offset)
    }
  }

  /// An object whose content is `count` units: the low half of the marker, or where that is 15, an
  /// integer object behind the marker.
  private init(
    _ kind: Kind, _ index: Int, _ offset: Int, _ low: Int, _ reader: ByteReader, unit: Int
  ) throws(KeyedArchiveError) {
    var count = low
    var start = offset + 1
    if low == 15 {
      let marker = try reader.byte(at: start)
      guard marker >> 4 == 1, marker & 0x0F <= 3 else {
        throw KeyedArchiveError(.unknownMarker, at: start)
      }
      let width = 1 << Int(marker & 0x0F)
      guard
        let announced = Int(
          exactly: try reader.integer(at: start + 1, shift: UInt64(64 - 8 * width)))
      else {
        throw KeyedArchiveError(.truncated, at: offset)
      }
      count = announced
      start += 1 + width
    }
    // The product of an announced count can be more than Int holds.
    let (length, isTooLong) = count.multipliedReportingOverflow(by: unit)
    guard start <= reader.count, !isTooLong, length <= reader.count - start else {
      throw KeyedArchiveError(.truncated, at: offset)
    }
    self.init(kind, index, offset, start: start, length: length, count: count)
  }
}
