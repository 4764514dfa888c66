// SPDX-License-Identifier: MIT

// The values behind references.
extension KeyedArchiveReader {
  /// The value that `reference` points at, through one UID; nil for `$null`.
  package mutating func value(
    of reference: Reference
  ) throws(KeyedArchiveError) -> Value? {
    try list.charge(BinaryPropertyList.costOfObject, at: list.tableStart)
    guard let uid = try list.uid(at: reference.index), uid < UInt64(objects.count) else {
      return try otherValue(of: reference)
    }
    return try value(ofUID: Int(truncatingIfNeeded: uid))
  }

  /// The same for an object that is not a plain UID. The caller has charged for it.
  @inline(never)
  private mutating func otherValue(of reference: Reference) throws(KeyedArchiveError) -> Value? {
    let value = try list.read(at: reference.index)
    guard value.kind == .uid else { return value }
    let uid = try list.integer(of: value)
    guard uid >= 0, uid < objects.count else {
      throw KeyedArchiveError(.referenceOutOfRange, at: value.offset)
    }
    return try self.value(ofUID: Int(uid))
  }

  /// The object of this number, which the archive has; nil for `$null`.
  @inline(__always)
  private mutating func value(ofUID uid: Int) throws(KeyedArchiveError) -> Value? {
    if uid == 0, hasNull { return nil }
    let index = try list.element(uid, of: objects)
    try list.charge(BinaryPropertyList.costOfObject, at: list.tableStart)
    let target = try list.read(at: index)
    guard uid == 0, try number(of: target) == Name.null.rawValue else { return target }
    hasNull = true
    return nil
  }

  /// The content of the archived object `value`: one of Foundation's or another object.
  mutating func content(ofObject value: Value) throws(KeyedArchiveError) -> Content {
    let (known, other) = try `class`(of: value)
    switch Name(rawValue: known) {
    case .stringClass, .mutableStringClass:
      guard try reference(.string, of: value) != nil else {
        return .string(try required(.bytes, of: value) { $0 == .data })
      }
      return .string(try required(.string, of: value) { $0 == .ascii || $0 == .utf16 })
    case .dataClass, .mutableDataClass:
      let key: Name = try reference(.data, of: value) == nil ? .bytes : .data
      return .data(try required(key, of: value) { $0 == .data })
    case .dateClass:
      let time = try required(.time, of: value) { $0 == .real || $0 == .integer }
      return .date(
        time.kind == .real ? try list.real(of: time) : Double(try list.integer(of: time)))
    case .dictionaryClass, .mutableDictionaryClass:
      let keys = try required(.keys, of: value) { $0 == .array }
      let values = try required(.values, of: value) { $0 == .array }
      guard keys.count == values.count else {
        throw KeyedArchiveError(.wrongKind, at: value.offset)
      }
      let isMutable = known == Name.mutableDictionaryClass.rawValue
      return .dictionary(
        Dictionary(object: value, isMutable: isMutable, keys: keys, values: values))
    case .arrayClass, .mutableArrayClass:
      return .array(try required(.values, of: value) { $0 == .array })
    case .setClass, .mutableSetClass:
      return .set(try required(.values, of: value) { $0 == .array })
    case .urlClass:
      guard let relative = try reference(.relative, of: value) else {
        throw KeyedArchiveError(.wrongKind, at: value.offset)
      }
      let base = try reference(.base, of: value)
      return .url(relative: Reference(index: relative), base: base.map(Reference.init(index:)))
    case .numberClass:
      return try number(value)
    case .nullClass:
      return .null
    default:
      return .object(value, className: other.map { .other($0) } ?? .known(known - Names.first))
    }
  }

  /// A number that was archived as an object: Foundation on Linux does so.
  private mutating func number(_ value: Value) throws(KeyedArchiveError) -> Content {
    var key = Name.number
    for other in [Name.number, .boolean, .integer, .double]
    where try reference(other, of: value) != nil {
      key = other
      break
    }
    let number = try required(key, of: value) { $0 == .boolean || $0 == .integer || $0 == .real }
    switch number.kind {
    case .boolean: return .boolean(number.count == 1)
    case .integer: return .integer(number)
    default: return .real(try list.real(of: number))
    }
  }

  /// The value of the key that `object` must have, of a kind that fits.
  @inline(__always)
  private mutating func required(
    _ key: Name, of object: Value, _ fits: (Value.Kind) -> Bool
  ) throws(KeyedArchiveError) -> Value {
    guard let index = try reference(key, of: object),
      let value = try self.value(of: Reference(index: index)), fits(value.kind)
    else { throw KeyedArchiveError(.wrongKind, at: object.offset) }
    return value
  }

  /// The class of `object`, by the first name in the class record: its number, or its text if it has no number.
  private mutating func `class`(
    of object: Value
  ) throws(KeyedArchiveError) -> (number: Int, other: String?) {
    guard let reference = try reference(.class, of: object),
      let record = try self.value(of: Reference(index: reference)), record.kind == .dictionary
    else { throw KeyedArchiveError(.notAKeyedArchive, at: object.offset) }
    let known = Int(notes[record.index].className)
    if known != Names.unknown { return (known, nil) }
    if !otherClasses.isEmpty, let other = otherClasses.first(where: { $0.index == record.index }) {
      return (Names.other, other.name)
    }
    let index = try firstName(in: record)
    try list.charge(BinaryPropertyList.costOfObject, at: list.tableStart)
    let text = try list.read(at: index)
    if let number = try number(of: text), try isClass(number, text) {
      notes[record.index].className = UInt8(truncatingIfNeeded: number)
      return (number, nil)
    }
    let name = try self.text(of: text)
    // ADAL's archives have about ten; the rest of an archive with more is looked up each time.
    if otherClasses.count < Self.otherClassLimit { otherClasses.append((record.index, name)) }
    return (Names.other, name)
  }

  private static let otherClassLimit = 32

  /// Whether a known name is that of a class; a class of a caller's counts as a text that was read.
  private mutating func isClass(_ number: Int, _ text: Value) throws(KeyedArchiveError) -> Bool {
    guard number >= Names.first else { return number >= Name.stringClass.rawValue }
    // A shorter one is looked at more closely (`BinaryPropertyList.text(of:)`).
    guard text.kind == .ascii, text.count >= 15 else { return false }
    try list.chargeCopy(of: text)
    let name = names.text(number)
    note(text.index, ObjectNote.text, Array(name.utf8)[...])
    return true
  }

  /// The index of the first name in a class record.
  private mutating func firstName(in record: Value) throws(KeyedArchiveError) -> Int {
    if let name = try reference(.className, of: record) { return name }
    guard let names = try value(.classNames, of: record), names.count > 0 else {
      throw KeyedArchiveError(.notAKeyedArchive, at: record.offset)
    }
    return try list.reference(0, of: names)
  }

  /// The place of `key`'s value in the dictionary `object`; nil if it has no such key.
  mutating func reference(
    _ key: Name, of object: Value
  ) throws(KeyedArchiveError) -> Int? {
    guard object.kind == .dictionary else { return nil }
    try list.charge(BinaryPropertyList.costOfReference &* object.count, at: object.offset)
    var place = object.start
    for _ in 0..<object.count {
      if try name(at: try list.reference(at: place)) == key.rawValue {
        return try list.reference(at: place &+ object.count &* list.referenceWidth)
      }
      place &+= list.referenceWidth
    }
    return nil
  }

  /// The number of the name that the key at `index` is.
  ///
  /// - Throws: only errors that end all reading.
  @inline(__always)
  mutating func name(at index: Int) throws(KeyedArchiveError) -> Int {
    let name = Int(notes[index].name)
    return name == Names.unknown ? try findName(at: index) : name
  }

  @inline(never)
  private mutating func findName(at index: Int) throws(KeyedArchiveError) -> Int {
    try list.charge(BinaryPropertyList.costOfKey, at: list.tableStart)
    var name = Names.damaged
    do {
      if let (spelling, offset, length) = try list.spelling(at: index) {
        if let number = names.number(of: spelling) {
          name = number
        } else {
          try list.charge(length, at: offset)
          if spelling.isASCII { name = Names.other }
        }
      } else {
        let key = try list.read(at: index)
        if let number = try number(of: key) {
          name = number
        } else if key.isText, try list.isSound(key) {
          name = Names.other
        }
      }
    } catch {
      if error.isFinal { throw error }
    }
    notes[index].name = UInt8(truncatingIfNeeded: name)
    return name
  }

  /// The number of the name in `string`; nil if it is another text or not a string.
  @inline(__always)
  private func number(of string: Value) throws(KeyedArchiveError) -> Int? {
    switch string.kind {
    case .ascii:
      try Spelling(list.reader, at: string.start, length: string.length).flatMap(names.number)
    case .utf16: Spelling(list.reader.letters(of: string)).flatMap(names.number)
    default: nil
    }
  }

  mutating func value(
    _ key: Name, of object: Value
  ) throws(KeyedArchiveError) -> Value? {
    guard let index = try reference(key, of: object) else { return nil }
    return try list.object(at: index)
  }

  /// The text of the string at `index`; nil when that is damaged or no string.
  mutating func keyName(at index: Int) throws(KeyedArchiveError) -> String? {
    do {
      return try list.text(of: try list.object(at: index))
    } catch {
      guard !error.isFinal else { throw error }
      return nil
    }
  }
}
