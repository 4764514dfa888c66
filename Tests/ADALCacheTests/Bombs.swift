// SPDX-License-Identifier: MIT
import ArchiveBytes

/// Inputs that ask for more than they hold: what each limit is for.
enum Bombs {
  struct Bomb: Sendable {
    var make: @Sendable () -> [UInt8]
    /// The results of reading it as an item, and as a whole cache.
    var outcome: String
  }

  private static let dropped = #"dropped ["additionalServer.bomb"]; some []"#
  private static let memory = #"too-much-memory; none ["too-much-memory"]"#

  static let all: [String: Bomb] = [
    "nesting": Bomb(make: nesting, outcome: dropped),
    "shared references": Bomb(make: sharedReferences, outcome: memory),
    "2^60 elements": Bomb(make: { announced(0xA0, 1 << 60) }, outcome: dropped),
    "2^60 members": Bomb(make: { announced(0xC0, 1 << 60) }, outcome: dropped),
    "2^63 pairs": Bomb(make: { announced(0xD0, 1 << 63) }, outcome: dropped),
    "4 GB of ASCII": Bomb(make: { announced(0x50, 1 << 32) }, outcome: dropped),
    "8 GB of UTF-16": Bomb(make: { announced(0x60, 1 << 32) }, outcome: dropped),
    "2^64 - 1 bytes": Bomb(make: { announced(0x40, .max) }, outcome: dropped),
    "2^60 objects": Bomb(
      make: announcedObjects, outcome: "malformed-trailer; malformed-trailer at byte 13"),
    "table over objects": Bomb(
      make: tableOverObjects, outcome: "offset-out-of-range; offset-out-of-range at byte 9"),
    "table loop": Bomb(
      make: tableLoop, outcome: "overlapping-objects; overlapping-objects at byte 8"),
    "UID loop": Bomb(make: uidLoop, outcome: dropped),
    "URL loop": Bomb(make: urlLoop, outcome: "dropped []; some []"),
    "shared entries": Bomb(
      make: { sharedEntries(100_000) }, outcome: #"unknown-class; some ["too-much-memory"]"#),
    "shared string": Bomb(
      make: sharedString, outcome: #"unknown-class; some ["too-much-memory"]"#),
    "class names": Bomb(make: classNames, outcome: dropped),
    "fields": Bomb(make: fields, outcome: #"too-many-fields; none ["too-many-fields"]"#),
    "unsorted table": Bomb(
      make: unsortedTable, outcome: "overlapping-objects; overlapping-objects at byte 8"),
    "wide text": Bomb(make: wideText, outcome: memory),
  ]

  private typealias Plist = PropertyListBytes

  /// An item whose `additionalServer` has one entry, made by `body`.
  private static func item(_ body: (inout ArchiveBytes) -> Int) -> [UInt8] {
    var archive = ArchiveBytes()
    let value = body(&archive)
    let server = archive.dictionary(keys: [archive.string("bomb")], values: [archive.uid(value)])
    let root = archive.object("ADTokenCacheStoreItem", [("additionalServer", archive.uid(server))])
    return archive.bytes(root: root)
  }

  /// A macOS blob around a dictionary of users.
  private static func blob(_ body: (inout ArchiveBytes) -> Int) -> [UInt8] {
    var archive = ArchiveBytes()
    let users = body(&archive)
    let cache = archive.dictionary(keys: [archive.string("tokens")], values: [archive.uid(users)])
    let root = archive.dictionary(
      keys: [archive.string("tokenCache")], values: [archive.uid(cache)])
    return archive.bytes(root: root)
  }

  /// Arrays inside arrays, a million deep.
  static func nesting() -> [UInt8] {
    item { archive in
      let first = archive.objects.count
      archive.objects.reserveCapacity(1_000_100)
      for depth in 1...1_000_000 {
        archive.objects.append([0xA1] + Plist.integer(UInt64(first + depth), width: 4))
      }
      return first
    }
  }

  /// Every level names the next one twice: 2^40 leaves.
  static func sharedReferences() -> [UInt8] {
    item { archive in
      let first = archive.objects.count
      for level in 1...40 { _ = archive.container(0xA0, [first + level, first + level]) }
      return archive.add([0x09]) - 40
    }
  }

  /// Objects that announce `count` units of what they hold.
  static func announced(_ kind: UInt8, _ count: UInt64) -> [UInt8] {
    item { $0.add(Plist.head(kind, count)) }
  }

  /// A trailer that announces 2^60 objects.
  static func announcedObjects() -> [UInt8] {
    var list = Plist([[0x09]])
    list.count = 1 << 60
    return list.bytes
  }

  /// A trailer that announces objects of a table that lies over the objects.
  static func tableOverObjects() -> [UInt8] {
    var list = Plist(Array(repeating: [0x09], count: 400))
    list.table = 9
    return list.bytes
  }

  /// Every entry of the offset table leads to the same array of all objects.
  static func tableLoop() -> [UInt8] {
    var list = Plist(
      [Plist.container(0xD0, Array(repeating: 0, count: 20_000))]
        + Array(repeating: [0x09], count: 20_000))
    for index in 0..<20_000 { list.offsets[index] = 8 }
    return list.bytes
  }

  /// A UID that names itself.
  static func uidLoop() -> [UInt8] {
    item { archive in
      let uid = archive.uid(number: 1)
      archive.named.append(uid)
      return uid
    }
  }

  /// A URL that is its own base.
  static func urlLoop() -> [UInt8] {
    item { archive in
      let relative = archive.string("relative")
      let record = archive.record("NSURL")
      let number = archive.named.count
      let url = archive.object(
        record: record, [("NS.relative", relative), ("NS.base", archive.uid(number: number))])
      archive.named.append(url)
      return url
    }
  }

  /// A dictionary of `count` keys that is each user's, `count` times.
  static func sharedEntries(_ count: Int) -> [UInt8] {
    blob { archive in
      let item = archive.uid(archive.object("ADTokenCacheStoreItem", []))
      let key = archive.uid(archive.object("ADTokenCacheKey", []))
      let entries = archive.uid(
        archive.dictionary(
          keys: Array(repeating: key, count: count), values: Array(repeating: item, count: count)))
      return archive.dictionary(
        keys: Array(repeating: archive.string("user"), count: count),
        values: Array(repeating: entries, count: count))
    }
  }

  /// One token of ten megabytes in each of ten thousand items.
  static func sharedString() -> [UInt8] {
    blob { archive in
      let count = 10_000
      let token = archive.uid(archive.string(String(repeating: "t", count: 10_000_000)))
      let item = archive.uid(
        archive.object(
          "ADTokenCacheStoreItem", [("refreshToken", token), ("accessToken", token)]))
      let client = archive.uid(archive.string(String(repeating: "c", count: 10_000_000)))
      let key = archive.uid(archive.object("ADTokenCacheKey", [("clientId", client)]))
      let entries = archive.dictionary(
        keys: Array(repeating: key, count: count), values: Array(repeating: item, count: count))
      return archive.dictionary(keys: [archive.string("user")], values: [archive.uid(entries)])
    }
  }

  /// A class name of ten megabytes, in each of ten thousand class records.
  static func classNames() -> [UInt8] {
    item { archive in
      let name = archive.string(String(repeating: "C", count: 10_000_000))
      let key = archive.string("$classname")
      let elements = (0..<10_000).map { _ in
        let record = archive.uid(archive.container(0xD0, [key, name]))
        return archive.uid(archive.object(record: record, []))
      }
      return archive.container(0xA0, elements)
    }
  }

  /// An item with a million fields.
  static func fields() -> [UInt8] {
    var archive = ArchiveBytes()
    let name = archive.string("field")
    let record = archive.record("ADTokenCacheStoreItem")
    let references = Array(repeating: name, count: 1_000_000)
    let root = archive.container(
      0xD0, references + [archive.string("$class")] + references + [record])
    return archive.bytes(root: root)
  }

  /// A million objects in an offset table that does not ascend.
  static func unsortedTable() -> [UInt8] {
    var archive = ArchiveBytes()
    let root = archive.object("ADTokenCacheStoreItem", [])
    for _ in 0..<1_000_000 { _ = archive.add([0x09]) }
    var list = archive.list(root: root)
    list.offsets[list.objects.count - 1] = 9
    return list.bytes
  }

  /// A string of twenty megabytes in UTF-16.
  static func wideText() -> [UInt8] {
    item { archive in
      archive.add(Plist.head(0x60, 10_000_000) + Array(repeating: 0x20, count: 20_000_000))
    }
  }
}
