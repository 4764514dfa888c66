// SPDX-License-Identifier: MIT

extension BinaryPropertyList {
  /// One object of a property list, still undecoded: its kind and where its content is.
  public struct Object: Sendable, Hashable {
    /// What a marker byte can announce.
    public enum Kind: Sendable, Hashable {
      case null, boolean, integer, real, date, data, ascii, utf16, uid, array, set, dictionary
    }

    /// What the marker byte says.
    public let kind: Kind
    /// The object's place in the offset table.
    public let index: Int
    /// Where the marker is, in bytes from the start of the input.
    public let offset: Int
    /// Where the content is.
    let start: Int
    /// How many bytes the content has.
    let length: Int
    /// Elements of a container, pairs of a dictionary, characters (code units) of a string, bytes of
    /// data, numbers and UIDs; 1 for true, 0 for false.
    public let count: Int

    /// The first byte after the object.
    var end: Int { start + length }

    /// How many references the content is made of.
    var referenceCount: Int {
      switch kind {
      case .array, .set: count
      case .dictionary: 2 * count
      default: 0
      }
    }
  }

  /// What reading counts, in the steps and the bytes of ``Limits``.
  enum Cost {
    static let object = 64
    static let reference = 4
    static let copy = 32
  }
}

extension BinaryPropertyList.Object {
  /// Reads the marker at `offset` and, where there is one, the count behind it.
  init(
    _ reader: ByteReader, index: Int, at offset: Int, referenceWidth: Int
  ) throws(KeyedArchiveError) {
    let marker = try reader.byte(at: offset)
    let low = Int(marker & 0x0F)
    let unknown = KeyedArchiveError(.unknownMarker, at: offset)
    switch marker >> 4 {
    case 0x0:
      guard low == 0 || low == 8 || low == 9 else { throw unknown }
      self.init(
        low == 0 ? .null : .boolean, index, offset, start: offset + 1, length: 0,
        count: low == 9 ? 1 : 0)
    case 0x1:
      guard low <= 4 else { throw unknown }
      self.init(.integer, index, offset, start: offset + 1, length: 1 << low, count: 1 << low)
    case 0x2:
      guard low == 2 || low == 3 else { throw unknown }
      self.init(.real, index, offset, start: offset + 1, length: 1 << low, count: 1 << low)
    case 0x3:
      guard low == 3 else { throw unknown }
      self.init(.date, index, offset, start: offset + 1, length: 8, count: 8)
    case 0x4:
      try self.init(.data, index, offset, low, reader, unit: 1)
    case 0x5:
      try self.init(.ascii, index, offset, low, reader, unit: 1)
    case 0x6:
      try self.init(.utf16, index, offset, low, reader, unit: 2)
    case 0x8:
      // More than eight bytes no writer needs.
      guard low < 8 else { throw unknown }
      self.init(.uid, index, offset, start: offset + 1, length: low + 1, count: low + 1)
    case 0xA:
      try self.init(.array, index, offset, low, reader, unit: referenceWidth)
    case 0xC:
      try self.init(.set, index, offset, low, reader, unit: referenceWidth)
    case 0xD:
      try self.init(.dictionary, index, offset, low, reader, unit: 2 * referenceWidth)
    default:
      throw unknown
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
      guard let announced = Int(exactly: try reader.integer(at: start + 1, width: width)) else {
        throw KeyedArchiveError(.truncated, at: offset)
      }
      count = announced
      start += 1 + width
    }
    // Compared by division, since the product of an announced count can be more than Int holds.
    guard start <= reader.count, count <= (reader.count - start) / unit else {
      throw KeyedArchiveError(.truncated, at: offset)
    }
    self.init(kind, index, offset, start: start, length: count * unit, count: count)
  }

  private init(
    _ kind: Kind, _ index: Int, _ offset: Int, start: Int, length: Int, count: Int
  ) {
    self.kind = kind
    self.index = index
    self.offset = offset
    self.start = start
    self.length = length
    self.count = count
  }
}
