// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup
import Testing

/// The parts of an authority that MSAL uses. `NSURL` splits it.
@Suite struct AddressTests {
  @Test("a path is decoded where it is percent-encoded, and a host has no port 443")
  func addresses() throws {
    func segments(_ path: String) -> [String]? {
      WebAddress(likeNSURL: "https://login.windows.net/\(path)")?.decodedSegments
    }
    #expect(segments("a%2fb%4C/c") == ["a/bL", "c"])
    #expect(segments("%/%4/%zz/%%41/é%C3%A9") == ["%", "%4", "%zz", "%A", "éé"])
    #expect(segments("a b") == nil && segments("a\u{1F}") == nil && segments("a\u{A0}b") == nil)
    func host(_ host: String) -> String? {
      WebAddress(likeNSURL: "https://\(host)/x")?.hostWithPort
    }
    #expect(host("LOGIN.windows.net:443") == "login.windows.net")
    #expect(host("login.windows.net:8443") == "login.windows.net:8443")
    #expect(host("ann@login.windows.net") == "login.windows.net")
    #expect(host("") == nil)
  }
}
