// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import KeyedArchive

func readArchive(_ bytes: [UInt8]) throws {
  do {
    var list = try BinaryPropertyList(bytes)
    for index in 0..<list.objectCount {
      do { try readObject(index, of: &list) } catch let error as KeyedArchiveError {
        if error.code == .tooMuchWork { break }
      }
    }
    var archive = try KeyedArchiveReader(bytes)
    let root = try archive.root()
    try readReachable(from: root, of: &archive)
  } catch is KeyedArchiveError {}
}

private func readObject(_ index: Int, of list: inout BinaryPropertyList) throws {
  let object = try list.object(at: index)
  switch object.kind {
  case .null, .boolean: break
  case .integer, .uid:
    let (high, low) = try list.wideInteger(of: object)
    let narrow = try? list.integer(of: object)
    try promise(
      narrow == nil || high == (narrow == low.signed ? low.signed >> 63 : 0),
      "an integer is not its halves")
  case .real, .date: _ = try list.real(of: object)
  case .data:
    try promise(try list.slice(of: object).count == object.count, "data is of another length")
  case .ascii, .utf16:
    try promise(try list.text(of: object).utf16.count == object.count, "text of another length")
  case .array, .set:
    for position in 0..<object.count { _ = try list.reference(position, of: object) }
  case .dictionary:
    for position in 0..<2 * object.count { _ = try list.reference(position, of: object) }
  }
}

extension UInt64 {
  fileprivate var signed: Int64 { Int64(bitPattern: self) }
}

/// Reads everything that `root` leads to, each value once; the damaged ones do not end it.
private func readReachable(
  from root: KeyedArchiveReader.Reference, of archive: inout KeyedArchiveReader
) throws {
  var pending = [root]
  var seen: Set = [root]
  while let next = pending.popLast() {
    do {
      for reference in try read(next, of: &archive) where seen.insert(reference).inserted {
        pending.append(reference)
      }
    } catch let error as KeyedArchiveError {
      guard error.code != .tooMuchWork else { return }
    }
  }
}

/// Decodes a value and returns what it refers to.
private func read(
  _ reference: KeyedArchiveReader.Reference, of archive: inout KeyedArchiveReader
) throws -> [KeyedArchiveReader.Reference] {
  switch try archive.content(of: reference) {
  case .null, .boolean, .real, .date: return []
  case .integer(let value):
    _ = try archive.integer(of: value)
    return []
  case .string(let value):
    _ = try archive.text(of: value)
    return []
  case .data(let value):
    _ = try archive.slice(of: value)
    return []
  case .url(let relative, let base): return [relative] + (base.map { [$0] } ?? [])
  case .array(let container), .set(let container):
    return try (0..<container.count).map { try archive.element($0, of: container) }
  case .dictionary(let dictionary):
    return try (0..<dictionary.count).flatMap { position in
      let pair = try archive.pair(position, of: dictionary)
      return [pair.key, pair.value]
    }
  case .object(let object, _): return try archive.fields(of: object).map { $0.value }
  }
}

func readItem(_ bytes: [UInt8]) {
  let item = ItemBytes.item(bytes)
  _ = LegacyItem(item)
  if let data = item.data { _ = LegacyItem(archive: data.reveal()) }
}

func readBlob(_ bytes: [UInt8]) throws {
  do {
    _ = try LegacyBlob(bytes)
  } catch is KeyedArchiveError {}
}
