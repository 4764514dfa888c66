// SPDX-License-Identifier: MIT
import Testing

@testable import ADALCache

/// Places sort as the keys of what they name.
@Suite struct PlaceTests {
  private static func keychain(_ parts: String...) -> LegacyPlace {
    .keychain(
      LegacyPlace.KeychainKey(accessGroup: parts[0], account: parts[1], service: parts[2]))
  }

  private static func blob(
    _ user: String, _ authority: String, _ resource: String?, _ client: String
  ) -> LegacyPlace {
    .blob(
      LegacyPlace.BlobKey(user: user, authority: authority, resource: resource, client: client))
  }

  private static func row(
    in service: String? = nil, user: String = "", authority: String = "", resource: String? = nil,
    client: String = "", _ index: Int
  ) -> LegacyPlace {
    .row(
      LegacyPlace.RowKey(
        item: service.map {
          LegacyPlace.KeychainKey(accessGroup: "a", account: "b", service: $0)
        }, user: user, authority: authority, resource: resource, client: client, index: index))
  }

  private static let sorted = [
    keychain("a", "b", "c"), row(in: "c", 0), row(in: "c", 1), row(in: "c", user: "u", 0),
    keychain("a", "b", "d"), keychain("a", "c", "a"),
    keychain("b", "", ""),
    // Byte by byte: the composed letter comes after the decomposed one, though they are equal text.
    keychain("e\u{301}", "", ""), keychain("\u{E9}", "", ""),
    blob("", "", nil, ""), blob("", "", nil, "b"), blob("", "", "a", "a"), blob("", "b", nil, ""),
    blob("u", "", nil, ""), .archive(index: 0), .archive(index: 1), .archive(index: .max),
    row(0), row(1), row(client: "c", 0), row(resource: "r", 0), row(authority: "a", 0),
    row(user: "u", .max),
  ]

  @Test func order() {
    #expect(Self.sorted.shuffled().sorted() == Self.sorted)
    for (index, place) in Self.sorted.enumerated() {
      for (other, next) in Self.sorted.enumerated() {
        #expect((place < next) == (index < other))
      }
    }
  }
}
