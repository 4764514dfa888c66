// SPDX-License-Identifier: MIT
import ADALCache
import ArchiveBytes
import Testing

/// Every change of one byte and every truncation of small archives: a value or an error, never a trap.
@Suite struct MutationTests {
  /// An item with these fields, as an archive.
  private static func item(
    _ fields: (inout ArchiveBytes) -> [(String, Int)]
  ) -> @Sendable () -> [UInt8] {
    var archive = ArchiveBytes(width: 1)
    let root = archive.object("ADTokenCacheItem", fields(&archive))
    let bytes = archive.bytes(root: root)
    return { bytes }
  }

  /// Which of the archives are read as whole caches.
  private static let caches: Set = ["blob", "store"]
  private static let date: [UInt8] = [0x23, 0x41, 0xC1, 0xE1, 0xA3, 0, 0xC0, 0, 0]

  private static let archives: [String: @Sendable () throws -> [UInt8]] = [
    "nothing in it": item { _ in [] },
    "tokens": item { archive in
      [
        ("refreshToken", archive.uid(archive.string("rt"))),
        ("accessToken", archive.uid(number: 0)), ("resource", archive.uid(archive.add([0x10, 7]))),
      ]
    },
    "mutable string": item { archive in
      let user = archive.object("NSMutableString", [("NS.string", archive.string("user"))])
      return [("clientId", archive.uid(user))]
    },
    "string of bytes": item { archive in
      let bytes = archive.add([0x43, 0xC3, 0xBC, 0x21])
      return [("clientId", archive.uid(archive.object("NSString", [("NS.bytes", bytes)])))]
    },
    "date": item { archive in
      [("expiresOn", archive.uid(archive.object("NSDate", [("NS.time", archive.add(date))])))]
    },
    "user": item { archive in
      let token = archive.uid(archive.add([0x62, 0, 0x65, 0xD8, 0x3D]))
      return [
        (
          "userInformation",
          archive.uid(archive.object("ADUserInformation", [("rawIdToken", token)]))
        )
      ]
    },
    "server": item { archive in
      let url = archive.object("NSURL", [("NS.relative", archive.string("r"))])
      let list = archive.container(0xC0, [archive.add([0x09])])
      let values = [archive.uid(url), archive.uid(list)]
      let keys = [archive.uid(archive.string("u")), archive.uid(archive.string("l"))]
      return [("additionalServer", archive.uid(archive.dictionary(keys: keys, values: values)))]
    },
    "session key": item { archive in
      let number = archive.object("NSNumber", [("NS.intval", archive.add([0x10, 1]))])
      return [
        ("sessionKey", archive.uid(archive.add([0x42, 1, 2]))), ("familyId", archive.uid(number)),
      ]
    },
    "blob": {
      var archive = ArchiveBytes(width: 1)
      let item = archive.object("ADTokenCacheItem", [])
      let key = archive.object("ADTokenCacheKey", [("clientId", archive.string("c"))])
      let user = archive.dictionary(keys: [archive.uid(key)], values: [archive.uid(item)])
      let users = archive.dictionary(keys: [archive.string("u")], values: [archive.uid(user)])
      let root = archive.dictionary(keys: [archive.string("tokens")], values: [archive.uid(users)])
      return archive.bytes(root: root)
    },
    "store": {
      var archive = ArchiveBytes(width: 1)
      let items = archive.container(0xA0, [archive.uid(archive.object("ADTokenCacheItem", []))])
      let list = archive.object("NSArray", [("NS.objects", items)])
      let root = archive.object(
        "ADDefaultTokenCacheStorePersistance", [("cacheItems", archive.uid(list))])
      return archive.bytes(root: root)
    },
    "timer": { try Vectors.bytes("built/ios-2.1-tombstone-clean-time.bplist") },
  ]

  /// The broken rule of reading `bytes`; nil if all hold.
  private static func complaint(about bytes: [UInt8], asItem: Bool) -> String? {
    var rows: [UnreadableToken] = []
    var tokens: [LegacyToken] = []
    if asItem {
      switch LegacyItem(archive: bytes) {
      case .token(let token): tokens.append(token)
      case .unreadable(let row): rows.append(row)
      case .foreign: return "foreign"
      case .cache: return "a cache"
      }
    } else if let blob = try? LegacyBlob(bytes) {
      tokens += blob.tokens
      rows += blob.unreadable
    }
    for token in tokens where !(token.expiresOn ?? 0).isFinite { return "a date without end" }
    for row in rows {
      if (row.archiveError != nil) != (row.code == .undecodable) { return "\(row)" }
      if !(0...bytes.count).contains(row.offset ?? 0) { return "\(row)" }
    }
    return nil
  }

  @Test("every byte as every other", arguments: archives.keys.sorted())
  func changes(name: String) throws {
    let bytes = try #require(try Self.archives[name]?())
    let asItem = !Self.caches.contains(name)
    var mutant = bytes
    for position in bytes.indices {
      for change in 1...255 as ClosedRange<UInt8> {
        mutant[position] = bytes[position] ^ change
        if let complaint = Self.complaint(about: mutant, asItem: asItem) {
          Issue.record("byte \(position) ^ \(change): \(complaint)")
        }
      }
      mutant[position] = bytes[position]
    }
  }

  @Test("every beginning", arguments: archives.keys.sorted())
  func truncations(name: String) throws {
    let bytes = try #require(try Self.archives[name]?())
    let asItem = !Self.caches.contains(name)
    #expect(Self.complaint(about: bytes, asItem: asItem) == nil)
    for count in bytes.indices {
      let beginning = Array(bytes.prefix(count))
      #expect(Self.complaint(about: beginning, asItem: asItem) == nil, "\(count) bytes")
      #expect(throws: (any Error).self, "\(count) bytes") { try LegacyBlob(beginning) }
    }
  }
}
