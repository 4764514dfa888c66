// SPDX-License-Identifier: MIT
import KeychainItems
import Testing

@Suite struct TokenSecretTests {
  private let secret = TokenSecret("synthetic-rt-one")

  @Test func showsNothingInAnyDescription() {
    let item = KeychainItem(account: "a", data: secret)
    var dumped = ""
    dump(item, to: &dumped)
    dump(secret, to: &dumped)
    let shown = [
      "\(secret)", String(reflecting: secret), "\(item)", String(reflecting: item), dumped,
      "\([secret])", "\(Optional(secret) as Any)", "\(["k": secret])",
    ]
    for text in shown {
      #expect(!text.contains("synthetic"))
      // The bytes as a list of numbers would be a leak too.
      #expect(!text.contains("115, 121"))
    }
    #expect("\(secret)" == "[redacted, 16 bytes]")
    #expect(String(reflecting: secret) == "[redacted, 16 bytes]")
  }

  @Test func comparesInFull() {
    #expect(secret == TokenSecret("synthetic-rt-one"))
    for other in ["synthetic-rt-two", "synthetic-rt-on", "synthetic-rt-one.", ""] {
      #expect(secret != TokenSecret(other) && TokenSecret(other) != secret)
    }
    #expect(TokenSecret("\u{E9}") != TokenSecret("e\u{301}"))
    #expect(Set([secret, TokenSecret("synthetic-rt-one"), TokenSecret([])]).count == 2)
  }

  @Test("every bit and the length of a secret count in its hash")
  func hash() {
    var secrets: [TokenSecret] = []
    for length in 0...40 {
      let bytes = [UInt8](repeating: 0x61, count: length)
      secrets.append(TokenSecret(bytes))
      for place in bytes.indices {
        for bit in 0..<8 {
          var other = bytes
          other[place] ^= 1 << bit
          secrets.append(TokenSecret(other))
        }
      }
    }
    #expect(Set(secrets.map(\.hashValue)).count == secrets.count)
    let key = { KeychainItem.Key(accessGroup: $0, account: $1, service: $2).hashValue }
    #expect(Set([key("ab", "c", ""), key("a", "bc", ""), key("a", "b", "c")]).count == 3)
    #expect(key("é", "", "") == key("é", "", "") && key("é", "", "") != key("e\u{301}", "", ""))
  }

  @Test("a part of other bytes is a secret like any other, and shows nothing of either")
  func part() {
    let whole = Array("before synthetic-rt-one after".utf8)
    let part = TokenSecret(partOf: whole[7..<23])
    #expect(part == secret && part.hashValue == secret.hashValue)
    #expect(part.count == 16 && part.reveal() == Array("synthetic-rt-one".utf8))
    #expect(part.revealText() == "synthetic-rt-one")
    #expect(
      TokenSecret(partOf: whole[3..<3]).isEmpty && TokenSecret(partOf: whole[...]).reveal() == whole
    )
    var dumped = ""
    dump(part, to: &dumped)
    dump([Optional(part)], to: &dumped)
    for text in ["\(part)", String(reflecting: part), dumped] {
      #expect(!text.contains("synthetic") && !text.contains("before") && !text.contains("115, 121"))
    }
    #expect("\(part)" == "[redacted, 16 bytes]")
  }

  @Test func isTextOnlyWhenItIsUTF8() {
    #expect(secret.revealText() == "synthetic-rt-one")
    #expect(TokenSecret([0xFF]).revealText() == nil)
    #expect(TokenSecret([0xED, 0xA0, 0x80]).revealText() == nil)
    #expect(TokenSecret([0xEF, 0xBF, 0xBD]).revealText() == "\u{FFFD}")
    #expect(TokenSecret([]).revealText() == "")
    #expect(TokenSecret([]).isEmpty)
    #expect(secret.count == 16)
  }
}
