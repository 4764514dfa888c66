// SPDX-License-Identifier: MIT

/// An archive that NSKeyedArchiver wrote, read lazily from untrusted bytes.
///
/// An archive is a property list with four keys: `$archiver`, `$version`, `$top` (names of roots) and `$objects`, which
/// stores every object once. Objects refer to each other by UID. The reader returns each one as a ``Reference``.
/// ``content(of:)`` gives its content, and looks through UIDs and Foundation's classes. A class is told by its first
/// name alone, because archives with renamed classes have no `$classes`.
///
/// The reader follows only one step at a time, so depth and cycles are the caller's concern: see ``Limits/depth``. It
/// counts work and memory, so every caller comes to an end.
package struct KeyedArchiveReader: Sendable {
  /// An undecoded object of the underlying property list: a slice, not a copy.
  package typealias Value = BinaryPropertyList.Object

  /// A pointer to a value that has not been looked at.
  package struct Reference: Sendable, Hashable {
    /// The value's index in the underlying property list.
    package let index: Int
  }

  /// An archived dictionary: two arrays of one length.
  package struct Dictionary: Sendable, Equatable {
    /// The object itself, which tells one dictionary from another.
    package let object: Value
    /// Whether the class is NSMutableDictionary.
    package let isMutable: Bool
    let keys: Value
    let values: Value
    package var count: Int { keys.count }
  }

  /// The content of a value after following its UID. Integers, texts, data and containers are still undecoded.
  package enum Content: Sendable, Equatable {
    /// `$null`, NSNull, or a null of the property list.
    case null
    case boolean(Bool)
    case integer(Value)
    case real(Double)
    /// Seconds since 2001-01-01 00:00 UTC, as archived; may be not finite.
    case date(Double)
    case string(Value)
    case data(Value)
    /// Two strings; the base is `$null` for most.
    case url(relative: Reference, base: Reference?)
    case array(Value)
    case set(Value)
    case dictionary(Dictionary)
    /// An object of a class outside Foundation. ``KeyedArchiveReader/fields(of:)`` gives its keys.
    case object(Value, className: ClassName)
  }

  /// The name of a class outside Foundation.
  package enum ClassName: Sendable, Equatable {
    /// A name that the reader was given, by its position.
    case known(Int)
    case other(String)
  }

  var list: BinaryPropertyList
  var objects: Value
  var top: Value
  // The classes that have none of the known names, by where their records are.
  var otherClasses: [(index: Int, name: String)] = []
  // Whether the first object is the one that stands for nil, once one has referred to it.
  var hasNull = false
  let names: Names
  var notes: [ObjectNote]
  /// The texts that were read both as text or class name and as bytes that stay in place; each once.
  package private(set) var textsKeptSecret: [ArraySlice<UInt8>] = []

  /// Checks that `bytes` are a property list with the keys of an archive.
  ///
  /// - Parameter names: those that ``readFields(of:into:)`` knows.
  package init(
    _ bytes: [UInt8], names: Names = .none, limits: Limits = Limits()
  ) throws(KeyedArchiveError) {
    var list = try BinaryPropertyList(bytes, limits: limits)
    let outermost = try list.object(at: list.topIndex)
    self.init(list, outermost, names)
    guard let objects = try value(.objects, of: outermost), objects.kind == .array,
      let top = try value(.top, of: outermost), top.kind == .dictionary
    else { throw KeyedArchiveError(.notAKeyedArchive, at: outermost.offset) }
    (self.objects, self.top) = (objects, top)
  }

  private init(_ list: consuming BinaryPropertyList, _ outermost: Value, _ names: Names) {
    notes = ObjectNote.none(list.objectCount)
    self.list = list
    // Until the two are found there is nothing that they could be mistaken for.
    (objects, top) = (outermost, outermost)
    self.names = names
  }

  /// The deepest nesting of containers that a caller may follow.
  package var maximumDepth: Int { list.limits.depth }

  /// The object that `archivedData(withRootObject:)` was given.
  package mutating func root() throws(KeyedArchiveError) -> Reference {
    guard let root = try reference(.root, of: top) else {
      throw KeyedArchiveError(.notAKeyedArchive, at: top.offset)
    }
    return Reference(index: root)
  }

  package mutating func content(
    of reference: Reference
  ) throws(KeyedArchiveError) -> Content {
    guard let value = try value(of: reference) else { return .null }
    return try content(of: value)
  }

  /// The content of a value that ``value(of:)`` returned.
  package mutating func content(of value: Value) throws(KeyedArchiveError) -> Content {
    switch value.kind {
    case .null: return .null
    case .boolean: return .boolean(value.count == 1)
    case .integer: return .integer(value)
    case .real: return .real(try list.real(of: value))
    case .date: return .date(try list.real(of: value))
    case .ascii, .utf16: return .string(value)
    case .data: return .data(value)
    case .array: return .array(value)
    case .set: return .set(value)
    case .dictionary: return try content(ofObject: value)
    // A UID that stands for a UID: no archiver writes that, and following it could go on for ever.
    case .uid: throw KeyedArchiveError(.wrongKind, at: value.offset)
    }
  }

  /// The string that `reference` points at; nil for anything else.
  package mutating func string(of reference: Reference) throws(KeyedArchiveError) -> Value? {
    guard let value = try value(of: reference) else { return nil }
    if value.isText { return value }
    guard case .string(let string) = try content(of: value) else { return nil }
    return string
  }

  /// The keys of an archived object, including `$class`, in the archive's order, with the references behind them. A
  /// damaged name is nil.
  package mutating func fields(
    of object: Value
  ) throws(KeyedArchiveError) -> [(name: String?, value: Reference)] {
    var fields: [(name: String?, value: Reference)] = []
    for position in 0..<(try fieldCount(of: object)) {
      let key = try list.reference(position, of: object)
      let value = try list.reference(object.count + position, of: object)
      fields.append((try keyName(at: key), Reference(index: value)))
    }
    return fields
  }

  /// Puts the references in the fields of an archived object into `references`, which has a place for each of the first
  /// names that the reader was given. If two fields have one name, the first counts.
  ///
  /// - Returns: whether the name of any field is damaged.
  package mutating func readFields(
    of object: Value, into references: inout [Reference?]
  ) throws(KeyedArchiveError) -> Bool {
    for place in references.indices { references[place] = nil }
    var isDamaged = false
    for position in 0..<(try fieldCount(of: object)) {
      let (key, value) = try list.pair(position, of: object)
      let name = try name(at: key)
      if name == Names.damaged { isDamaged = true }
      let place = name &- Names.first
      guard references.indices.contains(place), references[place] == nil else { continue }
      references[place] = Reference(index: value)
    }
    return isDamaged
  }

  private func fieldCount(of object: Value) throws(KeyedArchiveError) -> Int {
    guard object.kind == .dictionary else {
      throw KeyedArchiveError(.wrongKind, at: object.offset)
    }
    guard object.count <= list.limits.fields else {
      throw KeyedArchiveError(.tooManyFields, at: object.offset)
    }
    return object.count
  }

  package func text(of className: ClassName) -> String {
    switch className {
    case .known(let position): names.text(Names.first + position)
    case .other(let text): text
    }
  }

  /// The element at `position` of an array or a set.
  package mutating func element(
    _ position: Int, of container: Value
  ) throws(KeyedArchiveError) -> Reference {
    Reference(index: try list.reference(position, of: container))
  }

  /// The key and the value at `position` of a dictionary.
  package mutating func pair(
    _ position: Int, of dictionary: Dictionary
  ) throws(KeyedArchiveError) -> (key: Reference, value: Reference) {
    (
      try element(position, of: dictionary.keys), try element(position, of: dictionary.values)
    )
  }

  package mutating func text(of value: Value) throws(KeyedArchiveError) -> String {
    // Data stands for a string that was archived as UTF-8 (`NS.bytes`).
    let text =
      try value.kind == .data
      ? String(decoding: checkedUTF8(of: value), as: UTF8.self) : list.text(of: value)
    note(value.index, ObjectNote.text, Array(text.utf8)[...])
    return text
  }

  /// Checks a string's content as ``text(of:)`` does, without making a text of it.
  package mutating func check(_ value: Value) throws(KeyedArchiveError) {
    guard value.kind == .ascii, value.count >= 15 else {
      _ = try text(of: value)
      return
    }
    let bytes = try list.utf8(of: value)
    note(value.index, ObjectNote.text, bytes)
  }

  /// The text of a string's content in UTF-8. Text archived as ASCII or UTF-8 is not copied.
  package mutating func utf8(of value: Value) throws(KeyedArchiveError) -> ArraySlice<UInt8> {
    let bytes = try value.kind == .data ? checkedUTF8(of: value) : list.utf8(of: value)
    note(value.index, ObjectNote.bytes, bytes)
    return bytes
  }

  /// Notes that an object of these bytes, which is one of the table's, was read so.
  @inline(__always)
  mutating func note(_ index: Int, _ use: UInt8, _ bytes: @autoclosure () -> ArraySlice<UInt8>) {
    if notes[index].isReadInBothWays(use) { textsKeptSecret.append(bytes()) }
  }

  private mutating func checkedUTF8(
    of data: Value
  ) throws(KeyedArchiveError) -> ArraySlice<UInt8> {
    let bytes = try list.slice(of: data)
    guard bytes.isASCII || String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) else {
      throw KeyedArchiveError(.malformedString, at: data.offset)
    }
    return bytes
  }

  /// The bytes of a data content, not copied.
  package mutating func slice(of value: Value) throws(KeyedArchiveError) -> ArraySlice<UInt8> {
    let bytes = try list.slice(of: value)
    note(value.index, ObjectNote.bytes, bytes)
    return bytes
  }

  /// The number of an integer's content.
  package func integer(of value: Value) throws(KeyedArchiveError) -> Int64 {
    try list.integer(of: value)
  }

  /// Counts bytes that a caller keeps for this archive, such as a decoded entry's.
  package mutating func keep(_ bytes: Int, at offset: Int) throws(KeyedArchiveError) {
    try list.keep(bytes, at: offset)
  }
}
