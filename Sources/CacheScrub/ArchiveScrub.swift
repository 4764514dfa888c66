// SPDX-License-Identifier: MIT
import KeyedArchive

// Anonymizes an archive. Texts and data are replaced in place, so every object stays where the offset table says.
extension CacheScrub {
  mutating func archive(_ bytes: [UInt8]) -> [UInt8] {
    let rest = bytes.dropFirst(BinaryPropertyList.headerSize)
    // A table with a wrong early start could contain tokens.
    guard let list = try? BinaryPropertyList(bytes), list.isTableWhole else {
      // The trailer says why it cannot be read. Offsets of a table that is not found would look like letters.
      let size = BinaryPropertyList.trailerSize
      let body = names.secret(Array(rest.dropLast(size)))
      return bytes.prefix(BinaryPropertyList.headerSize) + body + noise(rest.suffix(size))
    }
    guard let walk = ArchiveWalk(list) else {
      return bytes.prefix(BinaryPropertyList.headerSize) + noise(rest)
    }
    var result = bytes
    var covered: [Range<Int>] = []
    let objects = walk.all.compactMap(\.self)
    // The starts of objects and of the table, and the ends of objects and of the header.
    let starts = Set(objects.map(\.range.lowerBound) + [list.tableRange.lowerBound])
    let ends = Set(objects.map(\.range.upperBound) + [BinaryPropertyList.headerSize])
    for object in objects {
      let range = object.contentRange
      let old = Array(bytes[range])
      guard let role = walk.role(of: object) else {
        // In a damaged archive a number or a list may be said to be in the middle of a token, or to be one.
        let range = object.range
        let isWhole = ends.contains(range.lowerBound) && starts.contains(range.upperBound)
        if isWhole, walk.isStructure(object, old) { covered.append(range) }
        continue
      }
      covered.append(object.range)
      let new = content(old, of: object.kind, role)
      // A part of another length was not understood, and objects cannot move.
      result.replaceSubrange(range, with: new.count == old.count ? new : noise(old))
    }
    for range in list.strayEntries(walk.all) {
      result.replaceSubrange(range, with: noise(bytes[range]))
    }
    // Bytes outside all objects: nothing reads them, and they may contain secrets.
    for gap in list.gaps(between: covered) {
      result.replaceSubrange(gap, with: names.secret(Array(bytes[gap])))
    }
    return result
  }

  private mutating func content(
    _ old: [UInt8], of kind: BinaryPropertyList.Object.Kind, _ role: FieldRole
  ) -> [UInt8] {
    switch kind {
    case .data: return bytes(old)
    case .ascii:
      guard old.allSatisfy({ $0 < 0x80 }) else { return noise(old) }
      let made = text(old.map { Unicode.Scalar($0) }, role)
      return made.allSatisfy(\.isASCII)
        ? made.map { UInt8(truncatingIfNeeded: $0.value) } : Array(String(made).utf8)
    default:
      let text = String(decoding: old[...].utf16, as: UTF16.self)
      guard text.utf16.elementsEqual(old[...].utf16) else { return names.secret(old) }
      return self.text(text, role).utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
  }

  /// Replaces letters and digits in some bytes, so that their content is gone and the reason why they cannot be read
  /// stays.
  private func noise(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let scalars = bytes.map { Unicode.Scalar($0) }
    let made = names.secret(scalars.map { $0.isASCII ? $0 : "\u{0}" })
    return zip(scalars, made).map { UInt8(truncatingIfNeeded: ($0.isASCII ? $1 : $0).value) }
  }
}

extension BinaryPropertyList {
  /// The objects, and nil for an entry of the table that leads to none. Each is asked for once, so this counts
  /// against no limit.
  var objects: [Object?] {
    (0..<objectCount).map {
      var list = self
      return try? list.object(at: $0)
    }
  }

  /// The entries of the offset table that lead to no object, and may be a part of a token.
  func strayEntries(_ objects: [Object?]) -> [Range<Int>] {
    let width = (tableRange.count - Self.trailerSize) / Swift.max(objectCount, 1)
    return objects.indices.reduce(into: []) { ranges, index in
      guard objects[index] == nil else { return }
      let start = tableRange.lowerBound + index * width
      if let last = ranges.last, last.upperBound == start {
        ranges[ranges.count - 1] = last.lowerBound..<(start + width)
      } else {
        ranges.append(start..<(start + width))
      }
    }
  }

  /// The gaps between the header, these objects and the offset table.
  func gaps(between covered: [Range<Int>]) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var place = Self.headerSize
    for range in covered.sorted(by: { $0.lowerBound < $1.lowerBound }) + [tableRange] {
      if range.lowerBound > place { gaps.append(place..<range.lowerBound) }
      place = max(place, range.upperBound)
    }
    return gaps
  }

  static let headerSize = 8
}

extension ArraySlice<UInt8> {
  /// Bytes of a text in UTF-16, the higher one of each unit first.
  var utf16: [UInt16] {
    stride(from: startIndex, to: endIndex - 1, by: 2).map {
      UInt16(self[$0]) << 8 | UInt16(self[$0 + 1])
    }
  }
}

private struct ArchiveWalk {
  private let list: BinaryPropertyList
  /// The objects by their numbers in the table, and nil for an entry that leads to none.
  let all: [BinaryPropertyList.Object?]
  /// The roles of objects, by the fields that refer to them. The most secret role counts.
  private var roles: [FieldRole?]
  /// The names of fields and classes, which stay.
  private var names: Set<Int> = []
  /// The values of dictionaries themselves, such as the list of `NS.keys`.
  private var values: Set<Int> = []
  /// The indices of the archive's `$objects`, which UIDs count in.
  private var objects: [Int] = []
  private var listed: Set<Int> = []
  /// The number of list elements that may still be read. A sound archive's lists are read three times at most.
  private var remainingSteps: Int

  /// Finds the role of each text; nil for an archive whose dictionaries share lists so often that reading them all
  /// would take more steps than the archive has bytes.
  init?(_ list: BinaryPropertyList) {
    self.list = list
    all = list.objects
    roles = Array(repeating: nil, count: all.count)
    remainingSteps = 3 * list.tableRange.upperBound
    if let top = object(list.topIndex) { readRoles(from: top) }
    if remainingSteps <= 0 { return nil }
  }

  /// The role of an object to replace; nil for an object that stays.
  func role(of object: BinaryPropertyList.Object) -> FieldRole? {
    switch object.kind {
    case .ascii, .utf16: role(ofText: object.index)
    case .data: .secret
    default: nil
    }
  }

  /// Whether an object that stays is where an archiver has its like: it makes lists only as values of
  /// dictionaries, and dictionaries only of named values. With its first byte damaged a token is a list, a
  /// dictionary or a number of the same length.
  func isStructure(_ object: BinaryPropertyList.Object, _ content: [UInt8]) -> Bool {
    switch object.kind {
    case .ascii, .utf16, .data: true
    case .array:
      values.contains(object.index) && !listed.contains(object.index)
        && (0..<object.count).allSatisfy { reference($0, of: object) != nil }
    case .dictionary:
      pairs(of: object).count == object.count
        && pairs(of: object).allSatisfy { self.object($0.0)?.isText ?? false }
    case .set: false
    case .date, .real: content.count < 8 || Self.isInstant(content) || !Self.hasText(content)
    default: content.count < 8 || !Self.hasText(content)
    }
  }

  /// Whether eight bytes are an instant of the years 2004 to 2127, in seconds since 2001: the second byte of such a
  /// number is no letter.
  private static func isInstant(_ bytes: [UInt8]) -> Bool {
    let bits = bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return (1e8..<4e9).contains(Double(bitPattern: bits))
  }

  /// Whether a number has so many letters in a row that, with those beside it, they can be eight of a token.
  private static func hasText(_ bytes: [UInt8]) -> Bool {
    bytes.split { !(0x21...0x7E).contains($0) }.contains { $0.count >= mostLetters }
  }

  /// With as many in the next number, and its marker, they are seven.
  private static let mostLetters = 4

  /// Nil for the name of a field or a class. A damaged archive may say of any text that it is one, so only
  /// the names of the archiver, ADAL and MSAL stay.
  private func role(ofText index: Int) -> FieldRole? {
    if names.contains(index), let text = text(index), Vocabulary.isOfArchive(text) {
      return nil
    }
    return roles[index] ?? .text
  }

  private func object(_ index: Int) -> BinaryPropertyList.Object? {
    all.indices.contains(index) ? all[index] : nil
  }

  private mutating func readRoles(from top: BinaryPropertyList.Object) {
    for (key, value) in pairs(of: top) where text(key) == "$objects" {
      objects = elements(value)
      listed.formUnion(objects)
    }
    for case let object? in all where object.kind == .dictionary { read(object) }
    // The text that stands for nil.
    if let null = objects.first, text(null) == "$null" { names.insert(null) }
  }

  private mutating func read(_ dictionary: BinaryPropertyList.Object) {
    var keys: [Int] = []
    var values: [Int] = []
    for (key, value) in pairs(of: dictionary) {
      names.insert(key)
      self.values.insert(value)
      let name = text(key) ?? ""
      switch name {
      case "$classname", "$archiver": names.insert(value)
      case "$classes": names.formUnion(elements(value))
      case "NS.keys", "NS.objects":
        let found = elements(value).compactMap(target)
        if name == "NS.keys" { keys = found } else { values = found }
      default:
        if let target = target(value) { mark(target, FieldRole(named: name)) }
        mark(value, FieldRole(named: name))
      }
    }
    for (key, value) in zip(keys, values) {
      let name = text(key) ?? ""
      if Vocabulary.isOfArchive(name) { names.insert(key) }
      mark(value, FieldRole(named: name))
    }
  }

  private mutating func mark(_ index: Int, _ role: FieldRole) {
    roles[index] = max(roles[index] ?? .datum, role)
  }

  private func target(_ index: Int) -> Int? {
    guard let object = object(index), object.kind == .uid,
      let number = try? list.integer(of: object), let place = Int(exactly: number),
      objects.indices.contains(place)
    else { return nil }
    return objects[place]
  }

  private func text(_ index: Int) -> String? {
    guard let object = object(index), object.count <= Self.longestName else { return nil }
    var list = list
    return try? list.text(of: object)
  }

  /// A name of a field is no longer.
  private static let longestName = 256

  private func pairs(of object: BinaryPropertyList.Object) -> [(Int, Int)] {
    guard object.kind == .dictionary else { return [] }
    return (0..<object.count).compactMap { place in
      guard let key = reference(place, of: object),
        let value = reference(object.count + place, of: object)
      else { return nil }
      return (key, value)
    }
  }

  /// The index of an object that a list or a dictionary refers to; nil when there is no such object.
  private func reference(_ place: Int, of object: BinaryPropertyList.Object) -> Int? {
    var list = list
    return try? list.reference(place, of: object)
  }

  /// The elements of the array at an index; none where there is no array.
  private mutating func elements(_ index: Int) -> [Int] {
    guard let array = object(index), array.kind == .array, remainingSteps > 0 else { return [] }
    remainingSteps -= array.count
    return (0..<array.count).compactMap { reference($0, of: array) }
  }
}
