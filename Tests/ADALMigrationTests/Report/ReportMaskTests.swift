// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ADALMigration
@testable import MigrationReports

/// User names, masked as MSAL's log masks them.
@Suite struct ReportMaskTests {
  @Test(
    "a name becomes the text that MSAL's log shows",
    arguments: [
      ("test@contoso.com", "auth.placeholder-9f86d081__contoso.com"),
      ("TEST@contoso.com", "auth.placeholder-9f86d081__contoso.com"),
      ("Test@Contoso.com", "auth.placeholder-9f86d081__Contoso.com"),
      ("test@one@two", "auth.placeholder-9f86d081__one@two"),
      ("@contoso.com", "auth.placeholder-e3b0c442__contoso.com"),
      ("test@", "auth.placeholder-9f86d081__"),
      ("test", "9f86d081"),
      ("Test", "532eaabd"),
      ("", ""),
      // A mark on the sign is no part of it.
      ("test@\u{301}contoso.com", "auth.placeholder-9f86d081__\u{301}contoso.com"),
    ])
  func mask(name: String, masked: String) {
    #expect(Report.mask(name).utf8.elementsEqual(masked.utf8))
  }

  @Test("no format shows a name unless asked for", arguments: ReportFormat.allCases)
  func nothingLeaks(format: ReportFormat) {
    for sample in ReportSample.allCases where sample != .hostile {
      let report = sample.report
      let text = format.render(report.masked(), style: TextStyle(width: 120))
      let names =
        report.accounts.compactMap(\.userID) + report.entries.compactMap(\.userID)
        + report.entries.compactMap(\.place.account)
      for name in names where name != "acct" {
        let local = name.prefix { $0 != "@" }
        #expect(!text.contains(local), "\(sample): \(name)")
      }
      #expect(!text.contains("\"acct\""))
    }
  }

  @Test func messagesAreMasked() {
    let text = ReportFormat.text.render(ReportSample.mixed.report.masked())
    #expect(text.contains("home tenant unknown; auth.placeholder-4c26d907__fabrikam.com must"))
  }

  @Test("masking changes names and nothing else")
  func shape() {
    let report = ReportSample.mixed.report
    var masked = report.masked().content
    masked.accounts = report.accounts
    masked.findings = report.findings
    for index in masked.entries.indices {
      masked.entries[index].userID = report.entries[index].userID
      #expect(masked.entries[index].place.account == nil)
      masked.entries[index].place.account = report.entries[index].place.account
    }
    #expect(masked == report)
    #expect(report.unmasked().content == report)
  }

  @Test("real names and the keychain account appear when asked for")
  func unmasked() {
    let json = ReportFormat.json.render(ReportSample.mixed.report.unmasked())
    #expect(json.contains("alice@contoso.com"))
    #expect(json.contains("\"acct\" : \"acct\""))
    #expect(json.contains("carol@fabrikam.com must sign in again"))
  }
}
