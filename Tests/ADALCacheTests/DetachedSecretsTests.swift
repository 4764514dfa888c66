// SPDX-License-Identifier: MIT
import KeychainItems
import Testing

@testable import ADALCache

@Suite struct DetachedSecretsTests {
  private func part(_ text: String) -> TokenSecret {
    let archive = Array("xxxx\(text)yyyy".utf8)
    return TokenSecret(partOf: archive[4..<archive.count - 4])
  }

  @Test func aTokenIsTheSameAsBefore() {
    let token = LegacyToken(
      authority: "a", clientID: "c", userID: "u", archivedUserID: "v", rawIDToken: part("id"),
      accessToken: part("at"), refreshToken: part("rt"), sessionKey: part("key"),
      place: .archive(index: 0))
    var parts = DetachedSecrets()
    for _ in 0..<2 {
      var kept = token
      parts.keep(of: &kept)
      #expect(kept == token)
    }
  }

  @Test func whatIsNotThereIsStillNotThere() {
    let token = LegacyToken(place: .archive(index: 0))
    var parts = DetachedSecrets()
    var kept = token
    parts.keep(of: &kept)
    #expect(kept == token)
  }

  /// Parts are kept from one row to the next, and only where they are the same to the byte.
  @Test func rowsKeepTheirOwn() {
    let texts = ["a", "a", nil, "a", "b", "a", "\u{E9}", "e\u{301}", "\u{E9}"]
    var parts = DetachedSecrets()
    let tokens = texts.map { text in
      var token = LegacyToken(
        authority: text, clientID: text, userID: text, archivedUserID: text,
        rawIDToken: text.map(part), place: .archive(index: 0))
      parts.keep(of: &token)
      return token
    }
    #expect(tokens.map(\.rawIDToken) == texts.map { $0.map { TokenSecret($0) } })
    let bytes = texts.map { $0.map { Array($0.utf8) } }
    for part in [\LegacyToken.authority, \.clientID, \.userID, \.archivedUserID] {
      #expect(tokens.map { $0[keyPath: part].map { Array($0.utf8) } } == bytes)
    }
  }
}
