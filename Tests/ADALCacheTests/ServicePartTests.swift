// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import Testing

/// The facts that an unreadable row still gives by its service, with any number of parts (adal-cache-format §1.1,
/// §8.2).
@Suite struct ServicePartTests {
  // "a", "r", "c" and "x" in base64url.
  @Test(
    arguments: [
      ("MSOpenTech.ADAL.1", "- - -"), ("MSOpenTech.ADAL.1|YQ", "- - -"), ("YQ|cg|Yw", "a r c"),
      ("MSOpenTech.ADAL.1|YQ|cg|Yw", "a r c"), ("MSOpenTech.ADAL.1|YQ|cg|Yw|eA", "a r c"),
      ("MSOpenTech.ADAL.1|YQ|cg|Yw|eA|eA", "- - -"),
      ("MSOpenTech.ADAL.1|YQ|cg|Yw|eA|eA|eA", "- - -"), ("YQ||Yw", "a - c"), ("||", "- - -"),
      ("MSOpenTech.ADAL.1|YQ|\(LegacyItem.noResource)|(null)", "a - -"),
    ])
  func parts(service: String, expected: String) throws {
    let item = KeychainItem(
      accessGroup: "g", account: "u@contoso.com", service: service,
      generic: Array(LegacyItem.library.utf8), data: nil)
    guard case .unreadable(let row) = LegacyItem(item) else {
      Issue.record("a row without data is read")
      return
    }
    let parts = [row.authority, row.resource, row.clientID].map { $0 ?? "-" }
    #expect(parts.joined(separator: " ") == expected)
    #expect(row.code == .malformed && row.userID == "u@contoso.com")
  }
}
