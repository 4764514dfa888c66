// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import ADALCache

/// Archives that were built from the format by another hand than our own maker's.
@Suite struct BuiltVectorTests {
  private static let client = "27AD83C9-FC05-4A6C-AF01-36EDA42ED18F"
  private static let authority = "https://login.windows.net/common"
  private static let user = "myfakeuser@contoso.com"
  private static let home =
    "53c6acf2-2742-4538-918d-e78257ec8516.6fd1f5cd-a94c-4335-889b-6c598e6d8048"

  /// The ID token that most of the archives share: 672 characters, checked by its digest of claims.
  private static func idToken() throws -> TokenSecret {
    guard
      case .token(let token) = LegacyItem(archive: try Vectors.bytes("built/ios-2.6.10-at.bplist"))
    else { throw CocoaError(.fileReadCorruptFile) }
    let raw = try #require(token.rawIDToken)
    let parts = try #require(raw.revealText()).split(separator: ".")
    try #require(raw.count == 672 && parts.count == 2)
    return raw
  }

  private static func item(
    _ version: String, _ change: (inout LegacyToken) -> Void = { _ in }
  ) throws -> LegacyToken {
    var token = LegacyToken(
      authority: authority, resource: "https://graph.windows.net", clientID: client,
      archivedUserID: user, rawIDToken: try idToken(), accessToken: TokenSecret("fake-at"),
      accessTokenType: "Bearer", expiresOn: 1_578_310_800.75, knowsFamilyID: true,
      place: .archive(index: 0))
    if version.hasPrefix("2.7") {
      token.expiresOn = 1_578_310_800
      token.cachedAt = 1_578_297_200
      token.homeAccountID = home
    } else if version >= "2.4" {
      token.familyID = "1"
      token.extendedExpiresOn = 1_578_307_200.25
    }
    change(&token)
    return token
  }

  private static func refresh(_ token: inout LegacyToken) {
    token.resource = nil
    token.accessToken = nil
    token.expiresOn = nil
    token.cachedAt = nil
    token.refreshToken = TokenSecret("fake-mrrt")
    token.familyID = "1"
  }

  private static func adfs(_ token: inout LegacyToken) {
    token.authority = "https://adfs.contoso.com/adfs"
    token.refreshToken = TokenSecret("fake-rt")
    token.rawIDToken = nil
    token.archivedUserID = nil
    token.familyID = nil
    token.extendedExpiresOn = nil
  }

  private static func all() throws -> [String: LegacyToken] {
    [
      "ios-0.5-alpha-at-rt": try item("0.5") {
        $0.refreshToken = TokenSecret("fake-rt")
        $0.rawIDToken = nil
        $0.knowsFamilyID = false
      },
      "ios-2.0.2-at-rt-sessionkey-nouser": try item("2.0.2") {
        adfs(&$0)
        $0.sessionKey = TokenSecret("0123456789abcdef0123456789abcdef")
        $0.knowsFamilyID = false
      },
      "ios-2.1.0beta4-unmapped-classname-at": try item("2.1") {
        $0.archivedUserID = nil
        $0.className = "ADTokenCacheItem"
      },
      "ios-2.4.1-tombstone-mrrt": try item("2.4.1") {
        refresh(&$0)
        $0.refreshToken = TokenSecret("<tombstone>")
        $0.expiresOn = 1_580_899_200
        $0.isTombstone = true
      },
      "ios-2.4.1-tombstone-with-at": try item("2.4.1") {
        $0.accessToken = TokenSecret("fake-at-of-a-dead-item")
        $0.refreshToken = TokenSecret("<tombstone>")
        $0.expiresOn = 1_580_899_200
        $0.isTombstone = true
      },
      "ios-2.6.10-adfs-nouser-at-rt": try item("2.6.10", adfs),
      "ios-2.6.10-at": try item("2.6.10"),
      "ios-2.6.10-frt": try item("2.6.10") {
        refresh(&$0)
        $0.clientID = "foci-1"
      },
      "ios-2.6.10-mrrt": try item("2.6.10", refresh),
      "ios-2.7.0-at": try item("2.7.0") {
        let info =
          #"{"uid": "53c6acf2-2742-4538-918d-e78257ec8516", "#
          + #""utid": "6fd1f5cd-a94c-4335-889b-6c598e6d8048"}"#
        $0.clientInfo = Data(info.utf8).base64EncodedString().replacingOccurrences(
          of: "=", with: "")
        $0.extendedExpiresOn = 1_578_314_400
      },
      "ios-2.7.18-at": try item("2.7.18") {
        $0.extendedExpiresOn = 1_578_314_400
      },
      "ios-2.7.18-frt": try item("2.7.18") {
        refresh(&$0)
        $0.clientID = "foci-1"
      },
      "ios-2.7.18-mrrt": try item("2.7.18", refresh),
    ]
  }

  @Test func itemsAlone() throws {
    for (name, token) in try Self.all() {
      let actual = LegacyItem(archive: try Vectors.bytes("built/\(name).bplist"))
      #expect(actual == .token(token), "\(name)")
    }
  }

  @Test("archives that are no items", arguments: ["2.1-tombstone-clean-time", "2.6-wipe-record"])
  func noItems(name: String) throws {
    let bytes = try Vectors.bytes("built/ios-\(name).bplist")
    guard case .unreadable(let row) = LegacyItem(archive: bytes) else {
      Issue.record("\(name) was read")
      return
    }
    #expect(row.code == .unknownClass)
    #expect(throws: (any Error).self) { try LegacyBlob(bytes) }
  }

  @Test func blobs() throws {
    func place(_ resource: String?, _ client: String = Self.client.lowercased()) -> LegacyPlace {
      .blob(
        LegacyPlace.BlobKey(
          user: Self.user, authority: Self.authority, resource: resource, client: client))
    }
    func mac(_ token: LegacyToken, _ place: LegacyPlace) -> LegacyToken {
      var token = token
      token.userID = Self.user
      token.archivedUserID = nil
      token.place = place
      return token
    }
    let resource = "https://graph.windows.net"
    let all = try Self.all()
    var blob = try LegacyBlob(Vectors.bytes("built/mac-2.6.10-blob.bplist"))
    #expect(
      blob.tokens == [
        mac(try #require(all["ios-2.6.10-at"]), place(resource)),
        mac(try #require(all["ios-2.6.10-mrrt"]), place(nil)),
        mac(try #require(all["ios-2.6.10-frt"]), place(nil, "foci-1")),
      ])
    #expect(blob.unreadable == [] && blob.version == 1)

    blob = try LegacyBlob(Vectors.bytes("built/mac-2.7.18-blob.bplist"))
    let at = try Self.item("2.7.18")
    let mrrt = try Self.item("2.7.18") {
      Self.refresh(&$0)
      $0.familyID = nil
    }
    #expect(blob.tokens == [mac(at, place(resource)), mac(mrrt, place(nil))])
    #expect(blob.unreadable == [] && blob.version == 1)

    blob = try LegacyBlob(Vectors.bytes("built/mac-empty-2.7-blob.bplist"))
    #expect(blob.tokens == [] && blob.unreadable == [] && blob.version == 1)
  }
}
