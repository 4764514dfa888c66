// SPDX-License-Identifier: MIT
import Testing

@testable import MSALCache

@Suite struct WebAddressTests {
  @Test(
    "a URL is taken apart at its signs, and each part is as it is spelled",
    arguments: [
      (
        "HTTPS://Login.Windows.net:443//Common/a%20b/?x=/y#?z",
        ["HTTPS", "Login.Windows.net:443", "//Common/a%20b/", "x=/y"], ["Common", "a%20b"]
      ),
      ("https://host", ["https", "host", "", ""], []),
      ("https:///tenant", ["https", "", "/tenant", ""], ["tenant"]),
      ("a://u@h?q/p", ["a", "u@h", "", "q/p"], []),
      ("a://h#f?q", ["a", "h", "", ""], []),
      ("a://h#f/q:r", ["a", "h", "", ""], []), ("://h/", ["", "h", "/", ""], []),
      ("a://", ["a", "", "", ""], []), ("a://h?", ["a", "h", "", ""], []),
      ("a://h/t?q?r/s", ["a", "h", "/t", "q?r/s"], ["t"]),
      // An accent after a slash belongs to no sign.
      ("a://h/\u{301}t/", ["a", "h", "/\u{301}t/", ""], ["\u{301}t"]),
    ])
  func parts(text: String, parts: [String], segments: [String]) throws {
    let address = try #require(WebAddress(text))
    let found = [address.scheme, address.hostAndPort, address.path, address.query]
    #expect(found.map { ExactText(String($0)) } == parts.map { ExactText($0) })
    #expect(address.segments.map { ExactText(String($0)) } == segments.map { ExactText($0) })
    #expect(ExactText(String(address.firstSegment)) == ExactText(segments.first ?? ""))
  }

  @Test(
    "a port begins after the first colon",
    arguments: [
      ("a://host:443/", "host", "443"), ("a://host", "host", nil), ("a://host:/", "host", ""),
      ("a://:1:2", "", "1:2"),
      // An accent after a colon does not hide it.
      ("a://host:\u{301}1", "host", "\u{301}1"),
    ])
  func ports(text: String, host: String, port: String?) throws {
    let (found, number) = try #require(WebAddress(text)).hostAndNumber
    #expect(ExactText(String(found)) == ExactText(host))
    #expect(number.map { ExactText(String($0)) } == port.map { ExactText($0) })
  }

  @Test(
    "texts that are not URLs",
    arguments: ["", "host/tenant", "urn:a:b", "https:/host", "a: //b", "a:", "a:/"])
  func none(text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test(
    "a family stands where a client does",
    arguments: [
      ("foci-1", "1"), (" FOCI-A ", "a"), ("foci-", nil), ("foci- ", nil), ("client", nil),
      (nil, nil),
    ])
  func families(client: String?, family: String?) {
    #expect(FamilyClient.family(of: client) == family)
    #expect(FamilyClient.isOne(client) == (family != nil))
    if let family { #expect(FamilyClient.id(of: family) == client?.normalized) }
  }
}
