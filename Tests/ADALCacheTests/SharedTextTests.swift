// SPDX-License-Identifier: MIT
import ADALCache
import ArchiveBytes
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
    arguments: ["resource", "clientId", "authority", "familyId", "accessTokenType"],
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
}
