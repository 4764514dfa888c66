// SPDX-License-Identifier: MIT

// Keys, compared where they stand.
extension BinaryPropertyList {
  /// The string at `index`; nil when it is damaged or no string. Its letters have not been looked at.
  @inline(__always)
  mutating func key(at index: Int) throws(KeyedArchiveError) -> Object? {
    try charge(Cost.key, at: tableStart)
    do {
      let object = try read(at: index)
      if starts != nil { try checkStarts(in: object) }
      return object.kind == .ascii || object.kind == .utf16 ? object : nil
    } catch {
      if error.isFinal { throw error }
      return nil
    }
  }

  /// Whether the string `object` is `name`, which is ASCII.
  @inline(__always)
  mutating func isSpelled(_ object: Object, _ name: StaticString) -> Bool {
    guard object.count == name.utf8CodeUnitCount else { return false }
    guard object.kind == .utf16 else { return reader.isSpelled(name, at: object.start) }
    let letters = name.description.utf8.flatMap { letter -> [UInt8] in [0, letter] }
    let units = try? reader.slice(at: object.start, count: object.length)
    return units.map { $0.elementsEqual(letters) } ?? false
  }

  /// Whether the object at `index` is the string `name`. What is damaged is not.
  mutating func isString(_ index: Int, _ name: StaticString) throws(KeyedArchiveError) -> Bool {
    guard let object = try key(at: index) else { return false }
    return isSpelled(object, name)
  }

  /// The position among `names` of the string at `index`; nil for a sound one that is not among them.
  ///
  /// - Throws: only what ends everything. A damaged string says so in `isDamaged`.
  @inline(__always)
  mutating func name(
    at index: Int, among names: Names, isDamaged: inout Bool
  ) throws(KeyedArchiveError) -> Int? {
    guard let key = try key(at: index) else {
      isDamaged = true
      return nil
    }
    for position in names.positions(length: key.count) where isSpelled(key, names[position]) {
      return position
    }
    if try !isSound(key) { isDamaged = true }
    return nil
  }

  /// Whether the letters of a key are those that its kind asks for.
  mutating func isSound(_ key: Object) throws(KeyedArchiveError) -> Bool {
    guard key.kind == .utf16 else {
      try charge(key.length, at: key.offset)
      return try reader.slice(at: key.start, count: key.length).isASCII
    }
    do { _ = try text(of: key) } catch {
      if error.isFinal { throw error }
      return false
    }
    return true
  }

  /// The number of the UID at `index`; nil when what is there is none that can be read so.
  @inline(__always)
  mutating func uid(at index: Int) throws(KeyedArchiveError) -> Int? {
    try charge(Cost.object, at: tableStart)
    guard let object = quickRead(at: index), object.kind == .uid, object.length < 8,
      let word = reader.word(at: object.start)
    else {
      remainingWork += Cost.object
      return nil
    }
    return Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: 64 &- 8 &* object.length))
  }

  /// The position of `index` among the first `count` references of `container`, or nil.
  mutating func position(
    of index: Int, in container: Object, _ count: Int
  ) throws(KeyedArchiveError) -> Int? {
    try charge(Cost.reference &* count, at: container.offset)
    var place = container.start
    for position in 0..<count {
      if try reference(at: place) == index { return position }
      place &+= referenceWidth
    }
    return nil
  }
}
