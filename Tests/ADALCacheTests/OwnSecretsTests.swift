// SPDX-License-Identifier: MIT
import KeychainItems
import Testing

@testable import ADALCache

@Suite struct OwnSecretsTests {
  private func part(_ text: String) -> Secret {
    let archive = Array("xxxx\(text)yyyy".utf8)
    return Secret(partOf: archive[4..<archive.count - 4])
  }

  @Test func aTokenHasTheSameSecretsAsBefore() {
    let token = LegacyToken(
      rawIDToken: part("id"), accessToken: part("at"), refreshToken: part("rt"),
      sessionKey: part("key"), place: .archive(index: 0))
    var secrets = OwnSecrets()
    var own = token
    secrets.separate(&own)
    #expect(own == token)
  }

  @Test func whatIsNotThereIsStillNotThere() {
    let token = LegacyToken(place: .archive(index: 0))
    var secrets = OwnSecrets()
    var own = token
    secrets.separate(&own)
    #expect(own == token)
  }

  /// An ID token is kept from one row to the next, and only where it is the same.
  @Test func rowsKeepTheirOwnIDTokens() {
    var secrets = OwnSecrets()
    let tokens = ["a", "a", nil, "a", "b", "a"].map { text in
      var token = LegacyToken(rawIDToken: text.map(part), place: .archive(index: 0))
      secrets.separate(&token)
      return token.rawIDToken
    }
    #expect(tokens == ["a", "a", nil, "a", "b", "a"].map { $0.map { Secret($0) } })
  }
}
