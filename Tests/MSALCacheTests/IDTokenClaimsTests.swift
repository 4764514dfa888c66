// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import Testing
import UnifiedVectors

@testable import MSALCache

@Suite struct IDTokenClaimsTests {
  private func part(_ json: String) -> String { Base64.text(of: Array(json.utf8), .url) }

  private func claims(_ parts: String...) -> IDTokenClaims? {
    IDTokenClaims(TokenSecret(parts.map { part($0) }.joined(separator: ".")))
  }

  @Test("parts are merged, the last wins, any number of them")
  func merging() {
    #expect(claims(#"{"sub":"a","oid":"o"}"#, #"{"sub":"b"}"#)?.sub == "b")
    #expect(claims(#"{"sub":"a","oid":"o"}"#, #"{"sub":"b"}"#)?.oid == "o")
    #expect(claims(#"{"sub":"a"}"#)?.sub == "a")
    let signature = Base64.text(of: [0xFF, 0xC0], .url)
    let signed = part("{}") + "." + part(#"{"sub":"a"}"#) + "." + signature
    #expect(IDTokenClaims(TokenSecret(signed))?.sub == "a")
    #expect(IDTokenClaims(TokenSecret(part(#"{"sub":"a"}"#) + "."))?.sub == "a")
    #expect(claims("{\"sub\":\"a\"}\u{0}")?.sub == "a")
  }

  @Test("a part that is text but no JSON object spoils the token, and so do no claims")
  func refusal() {
    #expect(IDTokenClaims(TokenSecret("")) == nil)
    #expect(IDTokenClaims(TokenSecret("  ")) == nil)
    #expect(claims("{}") == nil)
    #expect(claims(#"{"sub":"a"}"#, "[]") == nil)
    #expect(claims(#"{"sub":"a"}"#, "text") == nil)
    #expect(IDTokenClaims(TokenSecret("!")) == nil)
    #expect(IDTokenClaims(TokenSecret([0xFF])) == nil)
  }

  @Test("a token that is no text has no claims, whichever part is none")
  func noText() {
    let sound = Array(part(#"{"sub":"a"}"#).utf8) + [UInt8(ascii: ".")]
    #expect(IDTokenClaims(TokenSecret(sound + [0x41])) != nil)
    #expect(IDTokenClaims(TokenSecret(sound + [0xFF])) == nil)
    #expect(claims("{\"sub\":\"a\"}\u{0}x")?.sub == nil)
    #expect(claims("{\"sub\":\"a\"}\u{0}x\u{0}")?.sub == "a")
  }

  @Test("outside of iOS and macOS the second part counts, whatever the others are")
  func payload() {
    func claims(_ token: String) -> IDTokenClaims? { .ofPayload(TokenSecret(token)) }
    let (header, sound) = (part(#"{"sub":"h"}"#), part(#"{"sub":"a","ver":"2.0"}"#))
    #expect(claims("\(header).\(sound).s")?.sub == "a")
    #expect(claims("\(header).\(sound).s")?.rules == .v2)
    #expect(claims("!.\(sound)")?.sub == "a")
    #expect(claims(".\(sound).\(header).\(header)")?.sub == "a")
    let (none, list) = (part("{}"), part("[]"))
    for token in ["", sound, "\(sound).", "a.!", "a.\(none)", "a.\(list)", "a.\(sound)!"] {
      #expect(claims(token) == nil, "\(token)")
    }
  }

  @Test("the version of the token decides which claim is the user name")
  func userID() {
    let v1 = #""ver":"1.0","upn":" ","email":"","sub":"S","oid":"O","unique_name":"U""#
    #expect(claims("{\(v1)}")?.userID == "s")
    #expect(claims("{\(v1)}")?.localAccountID == "o")
    #expect(claims(#"{"ver":"1.0","upn":" A@B ","sub":"s"}"#)?.userID == "a@b")
    #expect(claims(#"{"ver":"2.0","upn":"u","preferred_username":"P","sub":"s"}"#)?.userID == "p")
    #expect(claims(#"{"ver":"2.0","upn":"u","sub":"s"}"#)?.userID == "s")
    #expect(claims(#"{"upn":"u","sub":"s"}"#)?.userID == "u")
    #expect(claims(#"{"unique_name":"n"}"#)?.userID == "n")
    #expect(claims(#"{"preferred_username":"p","sub":"s","oid":"o"}"#)?.userID == "s")
    #expect(claims(#"{"preferred_username":"p","sub":"s","oid":"o"}"#)?.localAccountID == "s")
    #expect(claims(#"{"ver":"3.0","upn":"u","sub":"s"}"#)?.userID == "u")
    #expect(claims(#"{"ver":1.0,"preferred_username":"p","sub":"s"}"#)?.rules == .base)
    #expect(claims(#"{"ver":"1","preferred_username":"p","sub":"s"}"#)?.rules == .v1)
    #expect(claims(#"{"ver":"02.00","upn":"u"}"#)?.rules == .v2)
    #expect(claims(#"{"ver":" ","upn":"u"}"#)?.rules == .v1)
    #expect(claims(#"{"ver":"","sub":"s"}"#)?.rules == .base)
    #expect(claims(#"{"ver":"1.0","altsecid":"1:live"}"#)?.userID == "1:live")
    #expect(claims(#"{"ver":"1.0","aud":"x"}"#)?.rules == .v1)
    #expect(claims(#"{"ver":"1.0","aud":"x"}"#)?.userID == nil)
  }

  @Test("of a claim that comes twice the last counts, of whatever kind")
  func lastOfTwo() {
    #expect(claims(#"{"sub":"a","sub":"b","s\u0075b":"c"}"#)?.sub == "c")
    #expect(claims(#"{"sub":"a","sub":["b"]}"#)?.sub == nil)
    #expect(claims(#"{"sub":"a"}"#, #"{"sub":null,"x":{"sub":"y"}}"#)?.sub == nil)
    #expect(claims(#"{"iat":true}"#)?.issuedAt == nil)
    #expect(claims(#"{"sub":"a"}"#) == claims(#"{ "sub" : "\u0061" }"#))
    #expect(claims(#"{"sub":"a"}"#) != claims(#"{"sub":"b"}"#))
  }

  @Test("an unread claim must be JSON all the same, and not too deep")
  func unreadClaims() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(claims(#"{"sub":"a","amr":\#(nested(127))}"#)?.sub == "a")
    #expect(claims(#"{"sub":"a","amr":\#(nested(128))}"#) == nil)
    #expect(claims(#"{"sub":\#(nested(127))}"#) != nil)
    #expect(claims(#"{"sub":\#(nested(128))}"#) == nil)
    #expect(claims(#"{"sub":"a","amr":01}"#) == nil)
    #expect(claims(#"{"sub":"a"} x"#) == nil)
    #expect(claims("\u{FEFF}{\"sub\":\"a\"}")?.sub == "a")
  }

  @Test("times and numbers")
  func values() {
    #expect(claims(#"{"iat":1700000000,"acct":1}"#)?.issuedAt == 1_700_000_000)
    #expect(claims(#"{"iat":"1700000000","acct":1}"#)?.acct == "1")
    #expect(claims(#"{"iat":"1700000000","acct":1}"#)?.issuedAt == 1_700_000_000)
    let odd = claims(#"{"iat":"x","oid":5}"#)
    #expect(odd != nil)
    #expect(odd?.issuedAt == nil)
    #expect(odd?.oid == nil)
  }
}
