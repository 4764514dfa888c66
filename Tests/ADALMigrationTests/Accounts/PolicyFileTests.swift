// SPDX-License-Identifier: MIT
import Testing

@testable import ADALMigration
@testable import MigrationPolicies

/// A policy as a file: what is read, and what is said of what cannot be.
@Suite struct PolicyFileTests {
  private static let ann = "11111111-aaaa-4000-8000-000000000001"
  private static let tenant = "6fd1f5cd-a94c-4335-889b-6c598e6d8048"

  private func policy(_ text: String) throws -> Policy { try Policy(json: Array(text.utf8)) }

  @Test func everyKey() throws {
    let read = try policy(
      """
      {"clientIds": ["c", "D"], "accessTokens": false, "allowedHosts": ["login.contoso.example"],
       "accountMap": [{"home_oid": "\(Self.ann)", "home_tid": "\(Self.tenant)", "upn": "ann@contoso.com"}],
       "minimumConfidence": "exact", "joinGuests": true}
      """)
    let line = AccountMap.Entry(homeOID: Self.ann, homeTID: Self.tenant, upn: "ann@contoso.com")
    #expect(
      read
        == Policy(
          clientIDs: ["c", "D"], accessTokens: false, accountMap: try AccountMap([line]),
          allowedHosts: ["login.contoso.example"], minimumConfidence: .exact, joinsGuests: true))
  }

  @Test func noKey() throws {
    #expect(try policy("{}") == Policy())
  }

  @Test(
    "a confidence below that of a join is none that a policy can require",
    arguments: [
      ("joined", .joined), ("tenant-member", .tenantMember), ("home-authority", .homeAuthority),
      ("exact", .exact), ("username-only", nil), ("none", nil), ("Exact", nil), ("", nil),
    ] as [(String, Confidence?)])
  func confidence(name: String, level: Confidence?) throws {
    let text = "{\"minimumConfidence\": \"\(name)\"}"
    guard let level else {
      #expect(
        throws: MigrationError.invalidPolicy(
          "the policy's minimumConfidence must be one of joined, tenant-member, home-authority, "
            + "exact")
      ) {
        try policy(text)
      }
      return
    }
    #expect(try policy(text).minimumConfidence == level)
  }

  @Test(arguments: [
    ("[]", "the policy's top level has the wrong type"),
    ("{\"clientIds\": \"c\"}", "the policy's clientIds has the wrong type"),
    ("{\"clientIds\": [null]}", "the policy's clientIds.Index 0 has the wrong type"),
    ("{", "the policy is not a JSON object"),
    (
      "{\"joinsGuests\": true, \"client\": 1}",
      "the policy has an unknown key \"client\"; known are clientIds, accessTokens, accountMap, "
        + "allowedHosts, minimumConfidence, joinGuests"
    ),
  ]) func fault(text: String, message: String) {
    #expect(throws: MigrationError.invalidPolicy(message)) { try policy(text) }
  }
}
