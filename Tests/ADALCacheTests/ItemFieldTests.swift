// SPDX-License-Identifier: MIT
import ADALCache
import ArchiveBytes
import KeychainItems
import Testing

/// The consequences of a line of the table of fields.
@Suite struct ItemFieldTests {
  @Test func secretsAndDates() {
    #expect(
      ItemField.secrets.map(\.name) == ["accessToken", "refreshToken", "sessionKey", "rawIdToken"])
    #expect(ItemField.dates.map(\.name) == ["expiresOn", "cachedAt"])
  }

  /// A text that is a token, too, is not shown; one that no report shows may be.
  @Test(arguments: ItemField.allCases.map(\.name))
  func whatIsShownIsNoToken(name: String) {
    var archive = ArchiveBytes(width: 1)
    let secret = archive.uid(archive.string("synthetic-token"))
    let token = name == "refreshToken" ? "accessToken" : "refreshToken"
    let root = archive.object("ADTokenCacheItem", [(token, secret), (name, secret)])
    let isShown = [
      "authority", "resource", "clientId", "accessTokenType", "familyId", "homeAccountId",
      "enrollmentId", "applicationIdentifier",
    ].contains(name)
    if case .token = LegacyItem(archive: archive.bytes(root: root)) {
      #expect(!isShown)
    } else {
      #expect(isShown)
    }
  }
}
