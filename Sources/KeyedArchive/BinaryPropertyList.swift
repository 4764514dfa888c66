// SPDX-License-Identifier: MIT

/// A binary property list (`bplist00`), read object by object from untrusted bytes.
///
/// Only the trailer and the order of the offset table are checked in advance, so one damaged object does not cost the
/// others. Objects are slices. Text and bytes are copied only on request. Every read counts against
/// ``Limits/work(forSize:)`` and ``Limits/memory(forSize:)``, which is why reading mutates.
///
/// Source of the format: CFBinaryPList.c (swift-corelibs-foundation), which also reads big-endian
/// integers of 1, 2 and 4 bytes as unsigned and wider ones as signed.
package struct BinaryPropertyList: Sendable {
  package let limits: Limits
  package let topIndex: Int
  package let objectCount: Int
  /// The rest of ``Limits/work(forSize:)``.
  package internal(set) var remainingWork: Int
  /// The rest of ``Limits/memory(forSize:)``.
  package private(set) var remainingMemory: Int

  let reader: ByteReader
  let offsetWidth: Int
  let referenceWidth: Int
  // The number of bits that an integer of this width leaves of eight bytes.
  let offsetShift: UInt64
  let referenceShift: UInt64
  let tableStart: Int
  // Only for a table that does not ascend; the writers of Apple and Python make one that does.
  let starts: ObjectStarts?
  // The objects of an ascending table with places inside the input: all objects, unless the table is damaged. It is
  // empty if a place takes more than four bytes, which no writer needs. Eight bytes therefore hold two places.
  private let inOrder: Range<Int>

  package static let trailerSize = 32
  private static let magic = Array("bplist00".utf8)

  /// Checks the header, the trailer and the offset table of `bytes`.
  package init(_ bytes: [UInt8], limits: Limits = Limits()) throws(KeyedArchiveError) {
    guard bytes.count <= min(limits.size, Int(UInt32.max)) else {
      throw KeyedArchiveError(.tooLarge, at: limits.size)
    }
    let reader = ByteReader(bytes)
    guard bytes.starts(with: Self.magic) else {
      throw KeyedArchiveError(.notAPropertyList, at: 0)
    }
    let trailer = bytes.count - Self.trailerSize
    guard trailer > Self.magic.count else { throw KeyedArchiveError(.truncated, at: bytes.count) }
    let offsetWidth = Int(bytes[trailer + 6])
    let referenceWidth = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth),
      let count = Int(exactly: try reader.word(at: trailer + 8)), count > 0,
      let top = Int(exactly: try reader.word(at: trailer + 16)), top < count,
      let table = Int(exactly: try reader.word(at: trailer + 24)),
      table > Self.magic.count, table <= trailer, count <= (trailer - table) / offsetWidth
    else { throw KeyedArchiveError(.malformedTrailer, at: trailer) }
    guard count <= limits.objects else { throw KeyedArchiveError(.tooManyObjects, at: trailer) }
    let starts = try ObjectStarts(
      reader, table: table, width: offsetWidth, count: count, first: Self.magic.count)
    let inOrder = try reader.places(
      ofIntegersIn: Self.magic.count..<table, at: table, width: offsetWidth,
      count: starts == nil && offsetWidth <= 4 ? count : 0)

    self.limits = limits
    self.reader = reader
    self.offsetWidth = offsetWidth
    self.referenceWidth = referenceWidth
    self.offsetShift = UInt64(64 - 8 * offsetWidth)
    self.referenceShift = UInt64(64 - 8 * referenceWidth)
    self.objectCount = count
    self.topIndex = top
    self.tableStart = table
    self.remainingWork = limits.work(forSize: bytes.count)
    self.remainingMemory = limits.memory(forSize: bytes.count)
    self.starts = starts
    self.inOrder = inOrder
  }

  /// The place of the offset table and the trailer.
  package var tableRange: Range<Int> { tableStart..<reader.count }

  /// Whether nothing lies between the offset table and the trailer, as every writer leaves it.
  package var isTableWhole: Bool {
    tableStart + objectCount * offsetWidth == reader.count - Self.trailerSize
  }

  package mutating func object(at index: Int) throws(KeyedArchiveError) -> Object {
    try charge(Self.costOfObject, at: tableStart)
    return try read(at: index)
  }

  /// The object at `index`, which the caller has charged for.
  @inline(__always)
  mutating func read(at index: Int) throws(KeyedArchiveError) -> Object {
    guard let (offset, limit) = try bounds(of: index),
      let object = try Object(
        reader, index: index, at: offset, limit: limit, referenceWidth: referenceWidth)
    else { return try readOutOfOrder(at: index) }
    return object
  }

  /// The number of the UID at `index`, which the caller has charged for; nil for another object or an unusual UID.
  @inline(__always)
  func uid(at index: Int) throws(KeyedArchiveError) -> UInt64? {
    guard let (offset, limit) = try bounds(of: index) else { return nil }
    let head = try reader.word(at: offset)
    let length = Int(truncatingIfNeeded: head &>> 56 & 0x0F) &+ 1
    guard head &>> 60 == 0x8, length < 8, offset &+ 1 &+ length <= limit else { return nil }
    return (head &<< 8) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* length)
  }

  /// The spelling, place and length of the ASCII string at `index`, which the caller has charged for; nil for another
  /// object or an unusual string.
  @inline(__always)
  func spelling(
    at index: Int
  ) throws(KeyedArchiveError) -> (spelling: Spelling, offset: Int, length: Int)? {
    guard let (offset, limit) = try bounds(of: index) else { return nil }
    let head = try reader.word(at: offset)
    var length = Int(truncatingIfNeeded: head &>> 56 & 0x0F)
    var start = offset &+ 1
    if length == 15 {
      // An integer of one byte stands behind the marker.
      guard head &>> 48 & 0xFF == 0x10 else { return nil }
      length = Int(truncatingIfNeeded: head &>> 40 & 0xFF)
      start &+= 2
    }
    guard head &>> 60 == 0x5, start &+ length <= limit,
      let spelling = try Spelling(reader, at: start, length: length)
    else { return nil }
    return (spelling, offset, length)
  }

  /// The start of the object at `index`, and its latest end: the start of the next one, or of the table. Nil for an
  /// object that is not in order.
  @inline(__always)
  private func bounds(of index: Int) throws(KeyedArchiveError) -> (offset: Int, limit: Int)? {
    guard inOrder.contains(index) else { return nil }
    let places = try reader.word(at: place(of: index))
    let offset = Int(truncatingIfNeeded: places &>> offsetShift)
    guard index &+ 1 < inOrder.upperBound else { return (offset, tableStart) }
    return (offset, Int(truncatingIfNeeded: (places &<< (64 &- offsetShift)) &>> offsetShift))
  }

  /// The object at `index` that is not in order, and must not have the beginning of another.
  ///
  /// - Throws: the reason if there is no object, or if it reaches into the offset table or into the next object.
  @inline(never)
  private mutating func readOutOfOrder(at index: Int) throws(KeyedArchiveError) -> Object {
    guard index >= 0, index < objectCount else {
      throw KeyedArchiveError(.referenceOutOfRange, at: tableStart)
    }
    let offset = try offset(of: index)
    let object = try Object(
      reader, index: index, at: offset, limit: tableStart, referenceWidth: referenceWidth)
    guard let object else { throw KeyedArchiveError(.truncated, at: offset) }
    if let starts {
      try charge(object.length, at: offset)
      if !starts.isShared(offset), starts.next(after: offset, before: object.end) == nil {
        return object
      }
    } else {
      let isLast = index + 1 == objectCount
      let next = try isLast ? .max : reader.word(at: place(of: index + 1)) >> offsetShift
      if next >= UInt64(object.end) { return object }
    }
    throw KeyedArchiveError(.overlappingObjects, at: offset)
  }

  /// Checks that `object` does not begin inside the object before it: a damaged offset would show a part of a longer
  /// text. The damaged one of the two is the object whose end is not the beginning of another.
  private mutating func checkBeginning(of object: Object) throws(KeyedArchiveError) {
    // One that cannot be read says nothing of its end.
    guard let start = try startBefore(object),
      let other = try? Object(
        reader, index: 0, at: start, limit: reader.count, referenceWidth: referenceWidth),
      other.end > object.offset
    else { return }
    guard try isStart(object.end, after: object), try !isStart(other.end, after: object) else {
      throw KeyedArchiveError(.overlappingObjects, at: object.offset)
    }
  }

  /// The start of the object before `object`; nil for the first.
  private mutating func startBefore(_ object: Object) throws(KeyedArchiveError) -> Int? {
    guard let starts else {
      return object.index > 0 ? try offset(of: object.index - 1) : nil
    }
    guard let start = starts.last(before: object.offset) else { return nil }
    try charge((object.offset - start) / 64, at: object.offset)
    return start
  }

  /// Whether the object after `object`, or in a table that does not ascend any other, begins at `place`,
  /// or the table itself.
  private mutating func isStart(
    _ place: Int, after object: Object
  ) throws(KeyedArchiveError) -> Bool {
    guard place != tableStart else { return true }
    if let starts { return place < tableStart && starts.contains(place) }
    guard object.index + 1 < objectCount else { return false }
    return try offset(of: object.index + 1) == place
  }

  /// The start of the object at `index`, which is one of the table's.
  private func offset(of index: Int) throws(KeyedArchiveError) -> Int {
    let offset = try reader.word(at: place(of: index)) &>> offsetShift
    guard offset &- 8 < UInt64(truncatingIfNeeded: tableStart &- 8) else {
      throw KeyedArchiveError(.offsetOutOfRange, at: place(of: index))
    }
    return Int(truncatingIfNeeded: offset)
  }

  @inline(__always)
  private func place(of index: Int) -> Int { tableStart &+ index &* offsetWidth }

  /// The index of the object that `container` refers to at `position`: for arrays and sets the
  /// elements, for dictionaries the keys and then, from ``Object/count`` on, the values.
  package mutating func reference(
    _ position: Int, of container: Object
  ) throws(KeyedArchiveError) -> Int {
    try charge(Self.costOfReference, at: container.offset)
    guard position >= 0, position < container.referenceCount else {
      throw KeyedArchiveError(.wrongKind, at: container.offset)
    }
    return try reference(at: container.start &+ position &* referenceWidth)
  }

  /// The index that stands at `place`, inside a container.
  @inline(__always)
  func reference(at place: Int) throws(KeyedArchiveError) -> Int {
    let index = try reader.word(at: place) &>> referenceShift
    guard index < UInt64(truncatingIfNeeded: objectCount) else {
      throw KeyedArchiveError(.referenceOutOfRange, at: place)
    }
    return Int(truncatingIfNeeded: index)
  }

  /// The element at `position` of the array `container`, which has so many.
  @inline(__always)
  mutating func element(_ position: Int, of container: Object) throws(KeyedArchiveError) -> Int {
    try charge(Self.costOfReference, at: container.offset)
    return try reference(at: container.start &+ position &* referenceWidth)
  }

  /// Key and value at `position` of the dictionary `container`, which has so many pairs.
  @inline(__always)
  mutating func pair(
    _ position: Int, of container: Object
  ) throws(KeyedArchiveError) -> (key: Int, value: Int) {
    try charge(2 &* Self.costOfReference, at: container.offset)
    let place = container.start &+ position &* referenceWidth
    return (
      try reference(at: place), try reference(at: place &+ container.count &* referenceWidth)
    )
  }

  /// Whether the letters of a string are those that its kind asks for.
  mutating func isSound(_ string: Object) throws(KeyedArchiveError) -> Bool {
    guard string.kind == .utf16 else {
      try charge(string.length, at: string.offset)
      return try reader.slice(at: string.start, count: string.length).isASCII
    }
    do { _ = try text(of: string) } catch {
      if error.isFinal { throw error }
      return false
    }
    return true
  }

  package mutating func text(of object: Object) throws(KeyedArchiveError) -> String {
    // No character of a token announces more.
    if object.count < 15 { try checkBeginning(of: object) }
    switch object.kind {
    case .ascii:
      try chargeCopy(of: object)
      guard let text = reader.text(at: object.start, count: object.length) else {
        throw KeyedArchiveError(.malformedString, at: object.offset)
      }
      return text
    case .utf16:
      try keep(5 * object.length, at: object.offset)
      return try Self.text(utf16: try content(of: object), at: object.offset)
    default:
      try chargeCopy(of: object)
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

  /// The bytes of a text in UTF-8: of an ASCII string those of the input, not copied.
  mutating func utf8(of object: Object) throws(KeyedArchiveError) -> ArraySlice<UInt8> {
    guard object.kind == .ascii else { return Array(try text(of: object).utf8)[...] }
    let bytes = try content(of: object)
    guard bytes.isASCII else { throw KeyedArchiveError(.malformedString, at: object.offset) }
    return bytes
  }

  /// The bytes of a data object, not copied.
  package mutating func slice(of object: Object) throws(KeyedArchiveError) -> ArraySlice<UInt8> {
    guard object.kind == .data else { throw KeyedArchiveError(.wrongKind, at: object.offset) }
    return try content(of: object)
  }

  /// The value of an integer or a UID that fits 64 bits with a sign.
  package func integer(of object: Object) throws(KeyedArchiveError) -> Int64 {
    let (high, low) = try wideInteger(of: object)
    let narrow = Int64(bitPattern: low)
    guard high == (narrow < 0 ? -1 : 0) else {
      throw KeyedArchiveError(.integerOutOfRange, at: object.offset)
    }
    return narrow
  }

  /// The value of an integer or a UID as the two halves of 128 bits with a sign.
  package func wideInteger(
    of object: Object
  ) throws(KeyedArchiveError) -> (high: Int64, low: UInt64) {
    guard object.kind == .integer || object.kind == .uid else {
      throw KeyedArchiveError(.wrongKind, at: object.offset)
    }
    guard object.length <= 8 else {
      let high = try reader.word(at: object.start) >> UInt64(128 - 8 * object.length)
      return (Int64(bitPattern: high), try reader.word(at: object.end - 8))
    }
    let low = try reader.word(at: object.start) >> UInt64(64 - 8 * object.length)
    let isNegative = object.kind == .integer && object.length == 8 && low >> 63 == 1
    return (isNegative ? -1 : 0, low)
  }

  /// The value of a real number, or of a date in seconds since 2001-01-01 00:00 UTC.
  package func real(of object: Object) throws(KeyedArchiveError) -> Double {
    guard object.kind == .real || object.kind == .date else {
      throw KeyedArchiveError(.wrongKind, at: object.offset)
    }
    let bits = try reader.word(at: object.start) >> UInt64(64 - 8 * object.length)
    guard object.length == 4 else { return Double(bitPattern: bits) }
    return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }

  /// Reduces the remaining work by these steps.
  @inline(__always)
  mutating func charge(_ steps: Int, at offset: Int) throws(KeyedArchiveError) {
    guard steps <= remainingWork else { throw KeyedArchiveError(.tooMuchWork, at: offset) }
    remainingWork -= steps
  }

  /// Reduces the remaining memory by these bytes.
  @inline(__always)
  mutating func keep(_ bytes: Int, at offset: Int) throws(KeyedArchiveError) {
    guard bytes <= remainingMemory else { throw KeyedArchiveError(.tooMuchMemory, at: offset) }
    remainingMemory -= bytes
  }

  @inline(__always)
  mutating func chargeCopy(of object: Object) throws(KeyedArchiveError) {
    try charge(Self.costOfCopy, at: object.offset)
    try keep(Self.costOfCopy &+ object.length, at: object.offset)
  }

  private mutating func content(
    of object: Object
  ) throws(KeyedArchiveError) -> ArraySlice<UInt8> {
    try chargeCopy(of: object)
    return try reader.slice(at: object.start, count: object.length)
  }
}
