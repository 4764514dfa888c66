// SPDX-License-Identifier: MIT
import ADALCache
import ArchiveBytes
import KeychainItems
import Testing

/// A damaged reference makes a token the value of a field that reports show. Then nothing is shown.
@Suite struct SharedTextTests {
  private func item(_ field: String, _ token: String, isShared: Bool) -> LegacyItem {
    var archive = ArchiveBytes(width: 1)
    let secret = archive.uid(archive.string("synthetic-token"))
    let other = archive.uid(archive.string("some-other-text"))
    let root = archive.object(
      "ADTokenCacheItem", [(token, secret), (field, isShared ? secret : other)])
    return LegacyItem(archive: archive.bytes(root: root))
  }

  @Test(
    arguments: [
      "resource", "clientId", "authority", "familyId", "accessTokenType", "homeAccountId",
      "enrollmentId", "applicationIdentifier",
    ],
    ["accessToken", "refreshToken"])
  func aTokenIsNothingElse(field: String, token: String) {
    guard case .token = item(field, token, isShared: false) else {
      Issue.record("another text is refused, too")
      return
    }
    guard case .unreadable(let row) = item(field, token, isShared: true) else {
      Issue.record("the token is the \(field)")
      return
    }
    #expect(row.code == .undecodable && row.archiveError == "malformed-string")
  }

  /// Two rows of a macOS cache, of which the second says `shared` where the first has its token.
  private func blob(_ shared: String, in place: Place) throws -> LegacyBlob {
    var archive = ArchiveBytes(width: 1)
    func text(_ text: String) -> Int { archive.uid(archive.string(text)) }
    func field(_ name: String, _ usual: String, at other: Place) -> (String, Int) {
      (name, text(place == other ? shared : usual))
    }
    let record = archive.record("ADTokenCacheKey")
    let key = archive.uid(
      archive.object(
        record: record,
        [
          field("authority", "https://login.windows.net/common", at: .keyAuthority),
          field("resource", "https://graph.windows.net", at: .keyResource),
          field("clientId", "client", at: .keyClient),
        ]))
    let firstKey = archive.uid(archive.object(record: record, [("clientId", text("client"))]))
    let first = archive.uid(
      archive.object("ADTokenCacheItem", [("refreshToken", text("synthetic-token"))]))
    let second = archive.uid(
      archive.object(
        place == .className ? shared : "ADTokenCacheItem",
        [field("resource", "https://graph.windows.net", at: .resource)]))
    let entries = archive.uid(archive.dictionary(keys: [firstKey], values: [first]))
    let others = archive.uid(archive.dictionary(keys: [key], values: [second]))
    let users = archive.dictionary(
      keys: [text("adele@contoso.com"), field("", "megan@contoso.com", at: .user).1],
      values: [entries, others])
    let root = archive.dictionary(keys: [text("tokens")], values: [archive.uid(users)])
    return try LegacyBlob(archive.bytes(root: root))
  }

  enum Place: CaseIterable {
    case user, keyAuthority, keyResource, keyClient, className, resource
  }

  @Test(arguments: Place.allCases)
  func aTokenIsNothingOfAnotherRow(place: Place) throws {
    let damaged = try blob("synthetic-token", in: place)
    #expect(damaged.tokens.map(\.refreshToken) == [TokenSecret("synthetic-token")])
    #expect(damaged.unreadable.count == 1)
    #expect(!"\(damaged.unreadable)".contains("synthetic-token"))
    let other = try blob("ADTokenCacheStoreItem", in: place)
    #expect(other.tokens.count == 2 && other.unreadable.isEmpty)
  }
}
