// SPDX-License-Identifier: MIT
import Testing

@testable import ProjectDoctor

/// The tables of ADAL's names, of which a row with a word that is misspelled would say nothing.
@Suite struct ADALNamesTests {
  @Test(
    "every cell says something",
    arguments: [
      ("Types", ["names", "becomes"]), ("Constants", ["names", "rule"]),
      ("Error codes", ["names", "becomes"]), ("Members", ["names", "rule"]),
      ("Calls of a token cache", ["names", "rule"]),
    ])
  func cells(heading: String, required: [String]) {
    let rows = ADALNames.tables[heading]
    #expect(!rows.isEmpty)
    for row in rows {
      #expect(required.allSatisfy { row[$0] != nil }, "\(row)")
      if let rule = row["rule"] { #expect(Check(rawValue: rule) != nil, "\(rule)") }
      if let severity = row["severity"] { #expect(Severity(rawValue: severity) != nil) }
      if let owner = row["of"] { #expect(ADALNames.Counterpart.Owner(rawValue: owner) != nil) }
    }
    let names = rows.flatMap { $0["names"]?.split(separator: " ") ?? [] }
    #expect(Set(names).count == names.count, "\(heading)")
  }

  @Test func namesAreKnownInEverySpelling() {
    let context = "`MSALPublicClientApplication`"
    #expect(ADALNames.types["ADAuthenticationContext"] == context)
    #expect(ADALNames.types["ADALAuthenticationContext"] == context)
    #expect(ADALNames.types["ADTokenCacheStoring"] == "`MSALCacheConfig`")
    #expect(ADALNames.types["ADALTokenCacheStoring"] == nil)
    #expect(ADALNames.constants["AD_ERROR_SERVER_OAUTH"]?.check == .errorCode)
    #expect(ADALNames.error("ERROR_NEW") == ADALNames.error("ERROR_UNEXPECTED"))
    #expect(ADALNames.error("ERROR_NEW") != nil)
  }
}
