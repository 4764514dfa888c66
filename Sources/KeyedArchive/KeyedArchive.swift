// SPDX-License-Identifier: MIT

/// An archive that NSKeyedArchiver wrote, read lazily from untrusted bytes.
///
/// An archive is a property list of four keys: `$archiver`, `$version`, `$top` (names of roots) and
/// `$objects`, in which everything is stored once and referred to by UID. What is in it is handed out
/// as a ``Reference``; ``content(of:)`` says what that is, looking through UIDs and Foundation's classes.
/// Classes are told by their first name alone: archives whose classes were renamed have no `$classes`.
///
/// Nothing here follows more than one step, so depth and cycles are the caller's: see
/// ``Limits/depth``. Work and memory are counted here, so whatever a caller does ends.
public struct KeyedArchive: Sendable {
  /// An undecoded object of the underlying property list: a slice, not a copy.
  public typealias Value = BinaryPropertyList.Object

  /// A pointer to a value that has not been looked at.
  public struct Reference: Sendable, Hashable {
    /// The value's index in the underlying property list.
    public let index: Int
  }

  /// One key of an archived object, such as `authority`, with its value.
  public struct Field: Sendable, Hashable {
    /// Nil when the name itself is damaged.
    public let name: String?
    /// What the field refers to.
    public let value: Reference
  }

  /// An archived dictionary: two arrays of one length.
  public struct Dictionary: Sendable, Hashable {
    /// The object itself, which tells one dictionary from another.
    public let object: Value
    /// Whether the class is NSMutableDictionary.
    public let isMutable: Bool
    let keys: Value
    let values: Value
    /// How many pairs there are.
    public var count: Int { keys.count }
  }

  /// What a value is, after following its UID. Text, data and containers are still undecoded.
  public enum Content: Sendable, Hashable {
    /// `$null`, NSNull, or a null of the property list.
    case null
    case boolean(Bool)
    /// Read with ``KeyedArchive/integer(of:)``.
    case integer(Value)
    case real(Double)
    /// Seconds since 2001-01-01 00:00 UTC, as archived; may be not finite.
    case date(Double)
    /// Read with ``KeyedArchive/text(of:)``.
    case string(Value)
    /// Read with ``KeyedArchive/bytes(of:)``.
    case data(Value)
    /// Two strings; the base is `$null` for most.
    case url(relative: Reference, base: Reference?)
    /// Elements with ``KeyedArchive/element(_:of:)``.
    case array(Value)
    /// Elements with ``KeyedArchive/element(_:of:)``.
    case set(Value)
    /// Pairs with ``KeyedArchive/pair(_:of:)``.
    case dictionary(Dictionary)
    /// An object of a class that is none of Foundation's; keys with ``KeyedArchive/fields(of:)``.
    case object(Value, className: String)
  }

  private var list: BinaryPropertyList
  private var objects: Value
  private var top: Value
  // Class records and keys are shared by many objects: their texts are made once, by index, and a key
  // is first looked for where it was last found.
  private var classNames: [Int: String] = [:]
  private var keyNames: [Int: String] = [:]
  private var keyIndexes: [String: Int] = [:]

  /// Checks that `bytes` are a property list with the keys of an archive.
  ///
  /// - Throws: ``KeyedArchiveError`` for what is no archive as a whole.
  public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(KeyedArchiveError) {
    list = try BinaryPropertyList(bytes, limits: limits)
    let outermost = try list.object(at: list.topIndex)
    // Until the two are found there is nothing that they could be mistaken for.
    (objects, top) = (outermost, outermost)
    guard let objects = try value("$objects", of: outermost), objects.kind == .array,
      let top = try value("$top", of: outermost), top.kind == .dictionary
    else { throw KeyedArchiveError(.notAKeyedArchive, at: outermost.offset) }
    (self.objects, self.top) = (objects, top)
  }

  /// How deep a caller may follow containers.
  public var maximumDepth: Int { list.limits.depth }

  /// The object that `archivedData(withRootObject:)` was given.
  ///
  /// - Throws: ``KeyedArchiveError/Code/notAKeyedArchive`` when `$top` has no `root`.
  public mutating func root() throws(KeyedArchiveError) -> Reference {
    guard let root = try reference("root", of: top) else {
      throw KeyedArchiveError(.notAKeyedArchive, at: top.offset)
    }
    return Reference(index: root)
  }

  /// What `reference` points at.
  public mutating func content(
    of reference: Reference
  ) throws(KeyedArchiveError) -> Content {
    guard let value = try resolve(reference) else { return .null }
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

  /// The keys of an archived object, `$class` among them, in the archive's order.
  public mutating func fields(of object: Value) throws(KeyedArchiveError) -> [Field] {
    guard object.kind == .dictionary else {
      throw KeyedArchiveError(.wrongKind, at: object.offset)
    }
    guard object.count <= list.limits.fields else {
      throw KeyedArchiveError(.tooManyFields, at: object.offset)
    }
    var fields: [Field] = []
    fields.reserveCapacity(object.count)
    for position in 0..<object.count {
      let key = try list.reference(position, of: object)
      let value = try list.reference(object.count + position, of: object)
      fields.append(Field(name: try keyName(at: key), value: Reference(index: value)))
    }
    return fields
  }

  /// The element at `position` of an array or a set.
  ///
  /// - Throws: ``KeyedArchiveError/Code/wrongKind`` when there is none at that position.
  public mutating func element(
    _ position: Int, of container: Value
  ) throws(KeyedArchiveError) -> Reference {
    Reference(index: try list.reference(position, of: container))
  }

  /// The key and the value at `position` of a dictionary.
  ///
  /// - Throws: ``KeyedArchiveError/Code/wrongKind`` when there is none at that position.
  public mutating func pair(
    _ position: Int, of dictionary: Dictionary
  ) throws(KeyedArchiveError) -> (key: Reference, value: Reference) {
    (
      try element(position, of: dictionary.keys), try element(position, of: dictionary.values)
    )
  }

  /// The text of a string's content.
  public mutating func text(of value: Value) throws(KeyedArchiveError) -> String {
    // Data stands for a string that was archived as UTF-8 (`NS.bytes`).
    guard value.kind == .data else { return try list.text(of: value) }
    let bytes = try list.bytes(of: value)
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else {
      throw KeyedArchiveError(.malformedString, at: value.offset)
    }
    return text
  }

  /// A copy of the bytes of a data content.
  public mutating func bytes(of value: Value) throws(KeyedArchiveError) -> [UInt8] {
    try list.bytes(of: value)
  }

  /// The number of an integer's content.
  ///
  /// - Throws: ``KeyedArchiveError/Code/integerOutOfRange`` for what 64 bits with a sign cannot hold.
  public func integer(of value: Value) throws(KeyedArchiveError) -> Int64 {
    try list.integer(of: value)
  }

  /// Counts bytes that a caller keeps for this archive, such as a decoded entry's.
  public mutating func keep(_ bytes: Int, at offset: Int) throws(KeyedArchiveError) {
    try list.keep(bytes, at: offset)
  }
}

extension KeyedArchive {
  /// The value that `reference` points at, through one UID; nil for `$null`.
  private mutating func resolve(
    _ reference: Reference
  ) throws(KeyedArchiveError) -> Value? {
    let value = try list.object(at: reference.index)
    guard value.kind == .uid else { return value }
    guard let uid = Int(exactly: try list.integer(of: value)), uid >= 0, uid < objects.count else {
      throw KeyedArchiveError(.referenceOutOfRange, at: value.offset)
    }
    let target = try list.object(at: try list.reference(uid, of: objects))
    guard uid == 0 else { return target }
    return try keyName(at: target.index) == "$null" ? nil : target
  }

  /// What the archived object `value` is: one of Foundation's or another.
  private mutating func content(ofObject value: Value) throws(KeyedArchiveError) -> Content {
    let name = try className(of: value)
    switch name {
    case "NSString", "NSMutableString":
      guard try reference("NS.string", of: value) != nil else {
        return .string(try required(["NS.bytes"], of: value, [.data]))
      }
      return .string(try required(["NS.string"], of: value, [.ascii, .utf16]))
    case "NSData", "NSMutableData":
      return .data(try required(["NS.data", "NS.bytes"], of: value, [.data]))
    case "NSDate":
      let time = try required(["NS.time"], of: value, [.real, .integer])
      return .date(
        time.kind == .real ? try list.real(of: time) : Double(try list.integer(of: time)))
    case "NSDictionary", "NSMutableDictionary":
      let keys = try required(["NS.keys"], of: value, [.array])
      let values = try required(["NS.objects"], of: value, [.array])
      guard keys.count == values.count else {
        throw KeyedArchiveError(.wrongKind, at: value.offset)
      }
      return .dictionary(
        Dictionary(
          object: value, isMutable: name == "NSMutableDictionary", keys: keys, values: values))
    case "NSArray", "NSMutableArray":
      return .array(try required(["NS.objects"], of: value, [.array]))
    case "NSSet", "NSMutableSet":
      return .set(try required(["NS.objects"], of: value, [.array]))
    case "NSURL":
      guard let relative = try reference("NS.relative", of: value) else {
        throw KeyedArchiveError(.wrongKind, at: value.offset)
      }
      let base = try reference("NS.base", of: value)
      return .url(relative: Reference(index: relative), base: base.map(Reference.init(index:)))
    case "NSNumber":
      return try number(value)
    case "NSNull":
      return .null
    default:
      return .object(value, className: name)
    }
  }

  /// A number that was archived as an object: Foundation on Linux does so.
  private mutating func number(_ value: Value) throws(KeyedArchiveError) -> Content {
    let number = try required(
      ["NS.number", "NS.boolval", "NS.intval", "NS.dblval"], of: value,
      [.boolean, .integer, .real])
    switch number.kind {
    case .boolean: return .boolean(number.count == 1)
    case .integer: return .integer(number)
    default: return .real(try list.real(of: number))
    }
  }

  /// The value of the first of `names` that `object` has, which must be of one of `kinds`.
  private mutating func required(
    _ names: [String], of object: Value, _ kinds: Set<Value.Kind>
  ) throws(KeyedArchiveError) -> Value {
    for name in names {
      guard let index = try reference(name, of: object) else { continue }
      guard let value = try resolve(Reference(index: index)), kinds.contains(value.kind) else {
        break
      }
      return value
    }
    throw KeyedArchiveError(.wrongKind, at: object.offset)
  }

  /// The first class name in the class record of `object`.
  private mutating func className(of object: Value) throws(KeyedArchiveError) -> String {
    guard let index = try reference("$class", of: object),
      let record = try resolve(Reference(index: index)), record.kind == .dictionary
    else { throw KeyedArchiveError(.notAKeyedArchive, at: object.offset) }
    if let known = classNames[record.index] { return known }
    let name = try list.text(of: try firstName(in: record))
    classNames[record.index] = name
    return name
  }

  private mutating func firstName(in record: Value) throws(KeyedArchiveError) -> Value {
    if let name = try value("$classname", of: record) { return name }
    guard let names = try value("$classes", of: record), names.count > 0 else {
      throw KeyedArchiveError(.notAKeyedArchive, at: record.offset)
    }
    return try list.object(at: try list.reference(0, of: names))
  }

  /// Where the value of `key` is in the dictionary `object`; nil when it has no such key.
  private mutating func reference(
    _ key: String, of object: Value
  ) throws(KeyedArchiveError) -> Int? {
    guard object.kind == .dictionary else { return nil }
    if let known = keyIndexes[key] {
      for position in 0..<object.count where try list.reference(position, of: object) == known {
        return try list.reference(object.count + position, of: object)
      }
    }
    for position in 0..<object.count {
      let index = try list.reference(position, of: object)
      guard try keyName(at: index) == key else { continue }
      keyIndexes[key] = index
      return try list.reference(object.count + position, of: object)
    }
    return nil
  }

  /// The value of `key` in the dictionary `object`; nil when it has no such key.
  private mutating func value(
    _ key: String, of object: Value
  ) throws(KeyedArchiveError) -> Value? {
    guard let index = try reference(key, of: object) else { return nil }
    return try list.object(at: index)
  }

  /// The text of the string at `index`; nil when that is damaged or no string.
  private mutating func keyName(at index: Int) throws(KeyedArchiveError) -> String? {
    if let known = keyNames[index] { return known }
    do {
      let name = try list.text(of: try list.object(at: index))
      keyNames[index] = name
      return name
    } catch {
      guard !error.isFinal else { throw error }
      return nil
    }
  }
}
