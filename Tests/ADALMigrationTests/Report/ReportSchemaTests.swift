// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ADALMigration

/// The published schema and the code say the same words. Whether reports are as the schema says is
/// judged by Tests/Judges/test_reports.py.
@Suite struct ReportSchemaTests {
  private let definitions: [String: Any]

  init() throws {
    let data = try Data(contentsOf: Golden.package("Schemas/report.schema.json"))
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    definitions = try #require(schema["$defs"] as? [String: Any])
  }

  private func words(_ definition: String, _ property: String) throws -> Set<String> {
    let definition = try #require(definitions[definition] as? [String: Any])
    let properties = try #require(definition["properties"] as? [String: Any])
    let property = try #require(properties[property] as? [String: Any])
    return Set(try #require(property["enum"] as? [String]))
  }

  @Test func enumerations() throws {
    #expect(try words("entry", "kind") == Set(Report.RowKind.allCases.map(\.rawValue)))
    #expect(try words("entry", "outcome") == Set(Report.Outcome.allCases.map(\.rawValue)))
    #expect(try words("account", "confidence") == Set(Report.Confidence.allCases.map(\.rawValue)))
    #expect(try words("account", "signedIn") == Set(Report.SignedIn.allCases.map(\.rawValue)))
    #expect(try words("finding", "severity") == Set(Report.Severity.allCases.map(\.rawValue)))
  }

  @Test("every reason has the form that the schema asks for")
  func reasons() throws {
    let reason = try #require(definitions["reason"] as? [String: Any])
    let pattern = try Regex(try #require(reason["pattern"] as? String))
    for reason in Reason.allCases {
      #expect(reason.code.wholeMatch(of: pattern) != nil)
    }
  }

  @Test("reports name the address that README gives, and the version that it plans")
  func homepage() throws {
    let readme = try String(contentsOf: Golden.package("README.md"), encoding: .utf8)
    #expect(readme.contains("(url: \"\(Report.homepage)\", branch: \"main\")"))
    #expect(readme.contains("adal2msal_\(Report.toolVersion)_amd64.deb"))
  }
}
