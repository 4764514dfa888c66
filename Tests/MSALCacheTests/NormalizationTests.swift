// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import MSALCache

@Suite struct NormalizationTests {
  @Test(
    "trimming and lower-casing are NSString's",
    arguments: [
      ("", ""), ("  ", ""), (" Ab\t", "ab"), ("\u{200B}A\u{A0}\u{3000}", "a"), ("A B", "a b"),
      ("ÄÖÜ", "äöü"), ("STRASSE", "strasse"), ("straße", "straße"), ("İ", "i\u{307}"),
      ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"), ("Σ", "σ"), ("ΑΣ Β", "ας β"), ("用户😀", "用户😀"),
    ])
  func normalized(text: String, expected: String) {
    #expect(text.normalized.isExactly(expected))
  }

  @Test func equalityIsByteByByte() {
    #expect("e\u{301}" == "\u{E9}")
    #expect(!"e\u{301}".isExactly("\u{E9}"))
    #expect(ExactText("e\u{301}") != ExactText("\u{E9}"))
    #expect(ExactText("e\u{301}").hashValue == ExactText("e\u{301}").hashValue)
  }

  @Test(
    "times are read as doubleValue reads them",
    arguments: [
      ("1700000000", 1_700_000_000), (" 1700000000.5 ", 1_700_000_000.5), ("1.7e9", 1.7e9),
      ("+5", 5), ("-5", -5), ("", 0), ("soon", 0), ("2030-01-01T00:00:00Z", 2030), (".5", 0.5),
      ("5.", 5), ("1e", 1), ("1e+", 1), ("1E2x", 100), ("\t\n7", 7), ("-", 0), (".", 0),
      ("0x10", 0), ("inf", 0), ("nan", 0), ("1e999", .infinity), ("-.5e1", -5),
      (".e5", 0), ("e5", 0), ("-.", 0), ("999999999999999", 999_999_999_999_999),
      ("99999999999999999999", 1e20), ("17000000000000000x", 1.7e16), ("１", 0),
    ])
  func timestamps(text: String, expected: Double) {
    #expect(text.doubleValue == expected)
  }

  @Test(
    "whole seconds",
    arguments: [
      ("1700000000", "1700000000"), ("1700000000.9", "1700000000"), ("", "0"), ("-1", "0"),
      ("1e999", "0"), ("1.7e9", "1700000000"),
    ])
  func wholeSeconds(text: String, expected: String) {
    #expect(text.inWholeSeconds == expected)
  }

  @Test("requested claims are named by the first digits of their SHA-256")
  func claimsHash() {
    #expect(MSALEntry.claimsHash("") == "e3b0c44")
    #expect(MSALEntry.claimsHash("abc") == "ba7816b")
  }

  @Test("a target is a set of words, up to the length that a request can have")
  func scopes() {
    #expect("  User.Read openid  USER.READ\t ".scopeWords == ["user.read", "openid", "user.read"])
    let long = "A b" + String(repeating: " ", count: (1 << 16) - 3)
    #expect(long.scopeWords == ["a", "b"])
    #expect((long + " ").scopeWords == [long + " "])
  }
}
