// SPDX-License-Identifier: MIT
import KeychainItems
import KeyedArchive

/// Reads what a token service sent, whole: the one place where containers are followed.
struct ValueReader {
  /// Names of the entries of the outermost dictionary that could not be read in full.
  private(set) var dropped: [String] = []
  /// Whether some value is of a class that MSAL does not let its decoder make of what the service sent:
  /// dictionaries, dates, texts, URLs and numbers (`MSIDLegacyTokenCacheItem.m`, initWithCoder).
  private(set) var failsSecureCoding = false
  /// Whether the error that was thrown is about the key of an entry alone. A key that is a number, a date or a
  /// URL is no name of ours, but MSAL lets its decoder make keys of these classes.
  private(set) var isOfKey = false
  // The containers around the current value, by index; the same one again is a cycle.
  private var path: [Int] = []

  /// Bytes of a value without its text, in a dictionary that grows.
  private static let valueSize = 96
  private static let referenceDate = 978_307_200.0

  /// The readable entries of a dictionary. An entry with a part that cannot be read is left out.
  mutating func dictionary(
    _ dictionary: KeyedArchiveReader.Dictionary, in archive: inout KeyedArchiveReader
  ) throws(KeyedArchiveError) -> [String: LegacyValue] {
    try enter(dictionary.object, maximumDepth: archive.maximumDepth)
    // What is announced is in the input: two references for each entry.
    var entries = [String: LegacyValue](minimumCapacity: dictionary.count)
    var hasOtherKey = false
    for position in 0..<dictionary.count {
      let (key, value) = try archive.pair(position, of: dictionary)
      guard let text = try archive.string(of: key) else {
        hasOtherKey = true
        _ = try self.value(key, in: &archive)
        _ = try self.value(value, in: &archive)
        continue
      }
      let name = try archive.text(of: text)
      guard path.count == 1 else {
        entries[name] = try self.value(value, in: &archive)
        continue
      }
      do {
        entries[name] = try self.value(value, in: &archive)
      } catch {
        guard !error.isFinal else { throw error }
        if !isOfKey { failsSecureCoding = true }
        isOfKey = false
        path.removeLast(path.count - 1)
        dropped.append(name)
      }
    }
    if hasOtherKey {
      isOfKey = true
      throw KeyedArchiveError(.wrongKind, at: dictionary.object.offset)
    }
    path.removeLast()
    return entries
  }

  private mutating func value(
    _ reference: KeyedArchiveReader.Reference, in archive: inout KeyedArchiveReader
  ) throws(KeyedArchiveError) -> LegacyValue {
    try archive.keep(Self.valueSize, at: 0)
    guard let value = try archive.value(of: reference) else {
      failsSecureCoding = true
      return .null
    }
    if value.isText { return .string(try archive.text(of: value)) }
    let content = try archive.content(of: value)
    switch content {
    case .null, .data, .array, .set, .object: failsSecureCoding = true
    case .boolean, .integer, .real, .date, .string, .url, .dictionary: break
    }
    switch content {
    case .null: return .null
    case .boolean(let value): return .bool(value)
    case .integer(let value): return .integer(try archive.integer(of: value))
    case .real(let value) where value.isFinite: return .real(value)
    case .date(let seconds) where seconds.isFinite: return .date(seconds + Self.referenceDate)
    case .real, .date: return .null
    case .string(let value): return .string(try archive.text(of: value))
    case .data(let value): return .data(Secret(partOf: try archive.slice(of: value)))
    case .url(let relative, let base):
      return .url(try text(base, in: &archive) + text(relative, in: &archive))
    case .array(let elements), .set(let elements): return try array(elements, in: &archive)
    case .dictionary(let dictionary):
      return .dictionary(try self.dictionary(dictionary, in: &archive))
    case .object(let object, _): throw KeyedArchiveError(.wrongKind, at: object.offset)
    }
  }

  private mutating func array(
    _ elements: KeyedArchiveReader.Value, in archive: inout KeyedArchiveReader
  ) throws(KeyedArchiveError) -> LegacyValue {
    try enter(elements, maximumDepth: archive.maximumDepth)
    var values: [LegacyValue] = []
    for position in 0..<elements.count {
      values.append(try value(try archive.element(position, of: elements), in: &archive))
    }
    path.removeLast()
    return .array(values)
  }

  /// A URL's part; a base can be a URL with a base of its own.
  private mutating func text(
    _ reference: KeyedArchiveReader.Reference?, in archive: inout KeyedArchiveReader
  ) throws(KeyedArchiveError) -> String {
    var text = ""
    var next = reference
    for _ in 0..<archive.maximumDepth {
      guard let part = next else { return text }
      switch try archive.content(of: part) {
      case .string(let value):
        return try archive.text(of: value) + text
      case .url(let relative, let base):
        guard case .string(let value) = try archive.content(of: relative) else { return text }
        text = try archive.text(of: value) + text
        next = base
      default: return text
      }
    }
    return text
  }

  private mutating func enter(
    _ container: KeyedArchiveReader.Value, maximumDepth: Int
  ) throws(KeyedArchiveError) {
    guard !path.contains(container.index) else {
      throw KeyedArchiveError(.cycle, at: container.offset)
    }
    guard path.count < maximumDepth else {
      throw KeyedArchiveError(.tooDeep, at: container.offset)
    }
    path.append(container.index)
  }
}
