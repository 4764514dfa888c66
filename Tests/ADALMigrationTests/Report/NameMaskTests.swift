// SPDX-License-Identifier: MIT
import Testing

@testable import ADALMigration
@testable import MigrationReports

/// The masked forms of user names, with a key and without.
@Suite struct NameMaskTests {
  private let key = TokenSecret("a key of the team's, not a guess")

  @Test("with a key it is the HMAC of the whole name in lower case")
  func salted() throws {
    let mask = try #require(NameMask.salted(key))
    // printf %s test@contoso.com | openssl dgst -sha256 -hmac "a key of the team's, not a guess"
    #expect(mask("test@contoso.com") == "user-2f56774a79e61b20")
    #expect(mask("TEST@Contoso.com") == mask("test@contoso.com"))
    #expect(mask("test@fabrikam.com") != mask("test@contoso.com"))
    #expect(mask("") == "")
    let other = try #require(NameMask.salted(TokenSecret("another key of another team's")))
    #expect(other("test@contoso.com") != mask("test@contoso.com"))
    #expect(NameMask.msal("test@contoso.com") == Report.mask("test@contoso.com"))
  }

  @Test("a key that could be guessed is none")
  func shortKeys() {
    #expect(NameMask.salted(TokenSecret([UInt8](repeating: 7, count: 15))) == nil)
    #expect(NameMask.salted(TokenSecret([UInt8](repeating: 7, count: 16))) != nil)
    #expect(!"\(NameMask.salted(key) as Any)".contains("team"))
  }

  @Test("no name, and no hash of it, is in any format", arguments: ReportFormat.allCases)
  func nothingLeaks(format: ReportFormat) throws {
    let mask = try #require(NameMask.salted(key))
    for sample in [ReportSample.mixed, .names, .everybody, .inspection] {
      var report = sample.report
      // Domains are those of authorities too, which are no names.
      for index in report.entries.indices { report.entries[index].authority = nil }
      let text = format.render(report.masked(mask), style: TextStyle(width: 120))
      for name in report.accounts.compactMap(\.userID) {
        #expect(!text.contains(name.prefix { $0 != "@" }), "\(sample)")
        let unsalted = Report.mask(name).drop { $0 != "-" }.dropFirst().prefix(8)
        #expect(!text.contains(unsalted), "\(sample)")
      }
      #expect(!text.contains("contoso.com\"") && !text.contains("fabrikam.com"))
    }
  }
}
