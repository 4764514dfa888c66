// SPDX-License-Identifier: MIT

/// A binary property list (`bplist00`), read object by object from untrusted bytes.
///
/// Only the trailer and the order of the offset table are checked at once, so one damaged object does
/// not cost the others. Objects are slices; nothing is copied until a caller asks for text or bytes.
/// Whatever is read counts against ``Limits/work(forSize:)`` and ``Limits/memory(forSize:)``, which is
/// why reading mutates.
///
/// Source of the format: CFBinaryPList.c (swift-corelibs-foundation), which also reads big-endian
/// integers of 1, 2 and 4 bytes as unsigned and wider ones as signed.
public struct BinaryPropertyList: Sendable {
  /// What reading may cost at the most.
  public let limits: Limits
  /// The index of the outermost object.
  public let topIndex: Int
  /// How many objects the offset table lists.
  public let objectCount: Int
  /// What is left of ``Limits/work(forSize:)``.
  public private(set) var remainingWork: Int
  /// What is left of ``Limits/memory(forSize:)``.
  public private(set) var remainingMemory: Int

  private let reader: ByteReader
  private let offsetWidth: Int
  private let referenceWidth: Int
  private let tableStart: Int
  // Only for a table that does not ascend; the writers of Apple and Python make one that does.
  private let starts: ObjectStarts?

  /// Where a trailer is and how long.
  private static let trailerSize = 32
  private static let magic = Array("bplist00".utf8)

  /// Checks the header, the trailer and the offset table of `bytes`.
  ///
  /// - Throws: ``KeyedArchiveError`` for what is no property list as a whole.
  public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(KeyedArchiveError) {
    guard bytes.count <= limits.size else { throw KeyedArchiveError(.tooLarge, at: limits.size) }
    let reader = ByteReader(bytes)
    guard bytes.starts(with: Self.magic) else {
      throw KeyedArchiveError(.notAPropertyList, at: 0)
    }
    let trailer = bytes.count - Self.trailerSize
    guard trailer > Self.magic.count else { throw KeyedArchiveError(.truncated, at: bytes.count) }
    let offsetWidth = Int(try reader.byte(at: trailer + 6))
    let referenceWidth = Int(try reader.byte(at: trailer + 7))
    let malformed = KeyedArchiveError(.malformedTrailer, at: trailer)
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth),
      let count = Int(exactly: try reader.integer(at: trailer + 8, width: 8)), count > 0,
      let top = Int(exactly: try reader.integer(at: trailer + 16, width: 8)), top < count,
      let table = Int(exactly: try reader.integer(at: trailer + 24, width: 8)),
      table > Self.magic.count, table <= trailer, count <= (trailer - table) / offsetWidth
    else { throw malformed }
    guard count <= limits.objects else { throw KeyedArchiveError(.tooManyObjects, at: trailer) }

    self.limits = limits
    self.reader = reader
    self.offsetWidth = offsetWidth
    self.referenceWidth = referenceWidth
    self.objectCount = count
    self.topIndex = top
    self.tableStart = table
    self.remainingWork = limits.work(forSize: bytes.count)
    self.remainingMemory = limits.memory(forSize: bytes.count)
    self.starts = try ObjectStarts(
      reader, table: table, width: offsetWidth, count: count, first: Self.magic.count)
  }

  /// The object at `index` of the offset table.
  public mutating func object(at index: Int) throws(KeyedArchiveError) -> Object {
    try charge(Cost.object, at: tableStart)
    guard index >= 0, index < objectCount else {
      throw KeyedArchiveError(.referenceOutOfRange, at: tableStart)
    }
    let offset = try self.offset(of: index)
    let object = try Object(reader, index: index, at: offset, referenceWidth: referenceWidth)
    guard object.end <= tableStart else { throw KeyedArchiveError(.truncated, at: offset) }
    guard object.end <= (try limit(of: object)) else {
      throw KeyedArchiveError(.overlappingObjects, at: offset)
    }
    return object
  }

  /// Where the next object after `object` begins, or the offset table.
  private mutating func limit(of object: Object) throws(KeyedArchiveError) -> Int {
    guard let starts else {
      let place = tableStart + (object.index + 1) * offsetWidth
      guard object.index + 1 < objectCount else { return tableStart }
      return Int(exactly: try reader.integer(at: place, width: offsetWidth)) ?? tableStart
    }
    try charge(object.length, at: object.offset)
    guard !starts.isShared(object.offset) else {
      throw KeyedArchiveError(.overlappingObjects, at: object.offset)
    }
    return starts.next(after: object.offset, before: object.end) ?? tableStart
  }

  private func offset(of index: Int) throws(KeyedArchiveError) -> Int {
    let place = tableStart + index * offsetWidth
    guard let offset = Int(exactly: try reader.integer(at: place, width: offsetWidth)),
      offset >= Self.magic.count, offset < tableStart
    else { throw KeyedArchiveError(.offsetOutOfRange, at: place) }
    return offset
  }

  /// The index of the object that `container` refers to at `position`: for arrays and sets the
  /// elements, for dictionaries the keys and then, from ``Object/count`` on, the values.
  public mutating func reference(
    _ position: Int, of container: Object
  ) throws(KeyedArchiveError) -> Int {
    try charge(Cost.reference, at: container.offset)
    guard position >= 0, position < container.referenceCount else {
      throw KeyedArchiveError(.wrongKind, at: container.offset)
    }
    let place = container.start + position * referenceWidth
    guard let index = Int(exactly: try reader.integer(at: place, width: referenceWidth)),
      index < objectCount
    else { throw KeyedArchiveError(.referenceOutOfRange, at: place) }
    return index
  }

  /// The text of an ASCII or UTF-16 string.
  public mutating func text(of object: Object) throws(KeyedArchiveError) -> String {
    if object.kind == .utf16 { try keep(5 * object.length, at: object.offset) }
    let bytes = try content(of: object)
    switch object.kind {
    case .ascii:
      let text = String(decoding: bytes, as: UTF8.self)
      // Only ASCII has as many UTF-16 units as UTF-8 bytes. A repaired byte is U+FFFD: one to three.
      guard text.utf16.count == text.utf8.count else {
        throw KeyedArchiveError(.malformedString, at: object.offset)
      }
      return text
    case .utf16:
      return try Self.text(utf16: bytes, at: object.offset)
    default:
      throw KeyedArchiveError(.wrongKind, at: object.offset)
    }
  }

  /// Text of big-endian UTF-16 in which every surrogate has its pair.
  private static func text(
    utf16 bytes: ArraySlice<UInt8>, at offset: Int
  ) throws(KeyedArchiveError) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var needsLow = false
    for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: 2) {
      let unit = UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
      // The standard library would put U+FFFD in the place of a lone surrogate.
      guard (unit & 0xFC00 == 0xDC00) == needsLow else { break }
      needsLow = unit & 0xFC00 == 0xD800
      units.append(unit)
    }
    guard units.count == bytes.count / 2, !needsLow else {
      throw KeyedArchiveError(.malformedString, at: offset)
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// A copy of the bytes of a data object.
  public mutating func bytes(of object: Object) throws(KeyedArchiveError) -> [UInt8] {
    guard object.kind == .data else { throw KeyedArchiveError(.wrongKind, at: object.offset) }
    return Array(try content(of: object))
  }

  /// The value of an integer or a UID that fits 64 bits with a sign.
  public func integer(of object: Object) throws(KeyedArchiveError) -> Int64 {
    let (high, low) = try wideInteger(of: object)
    let narrow = Int64(bitPattern: low)
    guard high == (narrow < 0 ? -1 : 0) else {
      throw KeyedArchiveError(.integerOutOfRange, at: object.offset)
    }
    return narrow
  }

  /// The value of an integer or a UID as the two halves of 128 bits with a sign.
  public func wideInteger(
    of object: Object
  ) throws(KeyedArchiveError) -> (high: Int64, low: UInt64) {
    guard object.kind == .integer || object.kind == .uid else {
      throw KeyedArchiveError(.wrongKind, at: object.offset)
    }
    guard object.length <= 8 else {
      let high = try reader.integer(at: object.start, width: object.length - 8)
      return (
        Int64(bitPattern: high), try reader.integer(at: object.end - 8, width: 8)
      )
    }
    let low = try reader.integer(at: object.start, width: object.length)
    let isNegative = object.kind == .integer && object.length == 8 && low >> 63 == 1
    return (isNegative ? -1 : 0, low)
  }

  /// The value of a real number, or of a date in seconds since 2001-01-01 00:00 UTC.
  public func real(of object: Object) throws(KeyedArchiveError) -> Double {
    guard object.kind == .real || object.kind == .date else {
      throw KeyedArchiveError(.wrongKind, at: object.offset)
    }
    let bits = try reader.integer(at: object.start, width: object.length)
    guard object.length == 4 else { return Double(bitPattern: bits) }
    return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }

  /// Takes steps off what may still be read.
  mutating func charge(_ steps: Int, at offset: Int) throws(KeyedArchiveError) {
    guard steps <= remainingWork else { throw KeyedArchiveError(.tooMuchWork, at: offset) }
    remainingWork -= steps
  }

  /// Takes bytes off what may still be kept.
  mutating func keep(_ bytes: Int, at offset: Int) throws(KeyedArchiveError) {
    guard bytes <= remainingMemory else { throw KeyedArchiveError(.tooMuchMemory, at: offset) }
    remainingMemory -= bytes
  }

  private mutating func content(
    of object: Object
  ) throws(KeyedArchiveError) -> ArraySlice<UInt8> {
    try charge(Cost.copy, at: object.offset)
    try keep(Cost.copy + object.length, at: object.offset)
    return try reader.slice(at: object.start, count: object.length)
  }
}
