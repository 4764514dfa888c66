// SPDX-License-Identifier: MIT
import KeyedArchive

/// Reads the service's answer as a whole. Only this reader follows containers.
struct ValueReader {
  /// A value that a row uses: its text, or its date in Unix seconds. Any other value, and any nested value, only has to
  /// be readable.
  typealias Leaf = (text: String?, date: Double?)

  /// The kept entries of the outermost dictionary. If two have one name, the last counts.
  private(set) var kept: [String: Leaf] = [:]
  /// Names of the entries of the outermost dictionary that could not be read in full.
  private(set) var dropped: [String] = []
  /// Whether any value is of a class that MSAL's decoder does not accept in the service's answer. It accepts
  /// dictionaries, dates, texts, URLs and numbers (`MSIDLegacyTokenCacheItem.m`, initWithCoder).
  private(set) var failsSecureCoding = false
  /// Whether the error that was thrown is about the key of an entry alone. A key that is a number, a date or a
  /// URL is no name of ours, but MSAL lets its decoder make keys of these classes.
  private(set) var isOfKey = false
  // The containers around the current value, by index; the same one again is a cycle. The outermost dictionary
  // stands for itself, since most have no other.
  private var outermost: Int?
  private var path: [Int] = []

  /// Bytes of a value without its text, in a dictionary that grows.
  private static let valueSize = 96

  /// Reads the entries of a dictionary. One with a part that cannot be read is left out.
  ///
  /// - Parameter names: the names of the entries to keep.
  mutating func read(
    _ dictionary: KeyedArchiveReader.Dictionary, in archive: inout KeyedArchiveReader,
    keeping names: [String] = []
  ) throws(KeyedArchiveError) {
    let isOutermost = outermost == nil
    if isOutermost {
      outermost = dictionary.object.index
    } else {
      try enter(dictionary.object, maximumDepth: archive.maximumDepth)
    }
    var hasOtherKey = false
    for position in 0..<dictionary.count {
      let (key, value) = try archive.pair(position, of: dictionary)
      guard let text = try archive.string(of: key) else {
        hasOtherKey = true
        _ = try read(key, in: &archive)
        _ = try read(value, in: &archive)
        continue
      }
      guard isOutermost else {
        try archive.check(text)
        _ = try read(value, in: &archive)
        continue
      }
      let name = try archive.text(of: text)
      do {
        let isKept = names.contains { name.isSpelled($0) }
        let leaf = try read(value, in: &archive, isKept: isKept)
        if isKept { kept[name] = leaf }
      } catch {
        guard !error.isFinal else { throw error }
        if !isOfKey { failsSecureCoding = true }
        isOfKey = false
        path.removeAll()
        dropped.append(name)
      }
    }
    if hasOtherKey {
      isOfKey = true
      throw KeyedArchiveError(.wrongKind, at: dictionary.object.offset)
    }
    if !isOutermost { path.removeLast() }
  }

  private mutating func read(
    _ reference: KeyedArchiveReader.Reference, in archive: inout KeyedArchiveReader,
    isKept: Bool = false
  ) throws(KeyedArchiveError) -> Leaf {
    try archive.keep(Self.valueSize, at: 0)
    guard let value = try archive.value(of: reference) else {
      failsSecureCoding = true
      return (nil, nil)
    }
    if value.isText { return try leaf(of: value, in: &archive, isKept: isKept) }
    let content = try archive.content(of: value)
    switch content {
    case .null, .data, .array, .set, .object: failsSecureCoding = true
    case .boolean, .integer, .real, .date, .string, .url, .dictionary: break
    }
    switch content {
    case .null, .boolean, .real: break
    case .integer(let value): _ = try archive.integer(of: value)
    case .date(let seconds) where seconds.isFinite:
      return (nil, seconds + ItemReader.referenceDate)
    case .date: break
    case .string(let value): return try leaf(of: value, in: &archive, isKept: isKept)
    case .data(let value): _ = try archive.slice(of: value)
    case .url(let relative, let base):
      try read(part: base, in: &archive)
      try read(part: relative, in: &archive)
    case .array(let elements), .set(let elements):
      try enter(elements, maximumDepth: archive.maximumDepth)
      for position in 0..<elements.count {
        _ = try read(try archive.element(position, of: elements), in: &archive)
      }
      path.removeLast()
    case .dictionary(let dictionary): try read(dictionary, in: &archive)
    case .object(let object, _): throw KeyedArchiveError(.wrongKind, at: object.offset)
    }
    return (nil, nil)
  }

  private func leaf(
    of text: KeyedArchiveReader.Value, in archive: inout KeyedArchiveReader, isKept: Bool
  ) throws(KeyedArchiveError) -> Leaf {
    if isKept { return (try archive.text(of: text), nil) }
    try archive.check(text)
    return (nil, nil)
  }

  /// A URL's part; a base can be a URL with a base of its own.
  private mutating func read(
    part reference: KeyedArchiveReader.Reference?, in archive: inout KeyedArchiveReader
  ) throws(KeyedArchiveError) {
    var next = reference
    for _ in 0..<archive.maximumDepth {
      guard let part = next else { return }
      switch try archive.content(of: part) {
      case .string(let value):
        try archive.check(value)
        return
      case .url(let relative, let base):
        guard case .string(let value) = try archive.content(of: relative) else { return }
        try archive.check(value)
        next = base
      default: return
      }
    }
  }

  private mutating func enter(
    _ container: KeyedArchiveReader.Value, maximumDepth: Int
  ) throws(KeyedArchiveError) {
    guard container.index != outermost, !path.contains(container.index) else {
      throw KeyedArchiveError(.cycle, at: container.offset)
    }
    guard path.count + 1 < maximumDepth else {
      throw KeyedArchiveError(.tooDeep, at: container.offset)
    }
    path.append(container.index)
  }
}
