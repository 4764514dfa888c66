// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import ADALCache

/// The only two public archives that an Apple system made, and keys of ADAL's own tests. They belong
/// to others, so they lie beside this repository, or nowhere.
@Suite struct RecordedTests {
  private static func data(_ name: String) -> Data? {
    let file = Vectors.recorded.appendingPathComponent(name)
    guard let data = try? Data(contentsOf: file) else {
      print("not checked: shared/vectors/recorded/\(name) is not beside this repository")
      return nil
    }
    return data
  }

  @Test("items of ADAL 1.x", arguments: ["v1-item-with-idtoken-A", "v1-item-keychain-B"])
  func items(name: String) throws {
    guard let bytes = Self.data(name + ".bplist"), let json = Self.data(name + ".expected.json")
    else { return }
    let document = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    let root = try #require(document?["root"] as? [String: Any])
    let user = try #require(root["userInformation"] as? [String: Any])
    let expected = LegacyToken(
      authority: root["authority"] as? String, resource: root["resource"] as? String,
      clientID: root["clientId"] as? String,
      archivedUserID: (user["userId"] as? [String: Any])?["NS.string"] as? String,
      rawIDToken: (user["rawIdToken"] as? String).map { TokenSecret($0) },
      accessToken: TokenSecret("<access token>"), refreshToken: TokenSecret("<refresh token>"),
      accessTokenType: "Bearer", expiresOn: 979_307_200, place: .archive(index: 0))
    try #require(expected.archivedUserID == "myfakeuser@contoso.com")
    #expect(LegacyItem(archive: [UInt8](bytes)) == .token(expected))
  }

  @Test func keychainAttributes() throws {
    guard let json = Self.data("keychain-attributes.json"),
      let archive = Self.data("v1-item-keychain-B.bplist")
    else { return }
    let cases = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
    #expect(cases.count == 5)
    for attributes in cases {
      func text(_ name: String) -> String? { attributes[name] as? String }
      var item = KeychainItem(
        account: try #require(text("kSecAttrAccount_iOS")),
        service: try #require(text("kSecAttrService")),
        generic: try #require(text("kSecAttrGeneric_utf8")).utf8.map { $0 },
        data: TokenSecret([UInt8](archive)))
      guard case .token(let token) = LegacyItem(item) else {
        Issue.record("\(attributes)")
        continue
      }
      #expect(token.userID == text("userId")?.lowercased())
      // Without data, the key is all there is to say.
      item.data = nil
      guard case .unreadable(let row) = LegacyItem(item) else {
        Issue.record("\(attributes)")
        continue
      }
      #expect(row.code == .malformed)
      #expect(row.userID == text("userId")?.lowercased())
      #expect(row.authority == text("authority")?.lowercased())
      #expect(row.resource == text("resource")?.lowercased())
      #expect(row.clientID == text("clientId")?.lowercased())
    }
  }
}
