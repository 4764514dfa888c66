// SPDX-License-Identifier: MIT
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationPolicies

/// Hosts beside Microsoft's own: a refresh token goes to the host that it is stored under, so only a host that is
/// allowed by name gets one (D31).
@Suite struct AllowedHostTests {
  private func report(_ authorities: [String], allowing hosts: [String]) throws -> Report {
    let rows = authorities.enumerated().map { number, authority in
      SyntheticRow.refresh("rt\(number)", World.ann.upn, World.ann.token(), at: authority)
    }
    return try FoundRun.inPlace(rows.map(\.item), policy: Policy(allowedHosts: hosts)).report
  }

  @Test(
    "a host is allowed by its name, with any port or with one",
    arguments: [
      ("login.contoso.example", "https://login.contoso.example/common", true),
      (" LOGIN.Contoso.Example", "https://login.contoso.example/common", true),
      ("login.contoso.example", "https://login.contoso.example:8443/common", true),
      ("login.contoso.example:8443", "https://login.contoso.example:8443/common", true),
      ("login.contoso.example:8443", "https://login.contoso.example/common", false),
      ("login.contoso.example:8444", "https://login.contoso.example:8443/common", false),
      ("contoso.example", "https://login.contoso.example/common", false),
      ("login.fabrikam.example", "https://login.contoso.example/common", false),
    ])
  func allowed(host: String, authority: String, isAllowed: Bool) throws {
    let entry = try #require(try report([authority], allowing: [host]).entries.first)
    #expect(entry.outcome == (isAllowed ? .converted : .notConverted))
    #expect(entry.reasons.contains(.envUnknownHost) == !isAllowed)
  }

  @Test("the report names the hosts that are not allowed") func named() throws {
    let report = try report(
      [
        "https://login.contoso.example/common", "https://login.contoso.example:8443/common",
        "https://login.fabrikam.example/common", "https://login.woodgrove.example/common",
      ], allowing: ["login.fabrikam.example"])
    let finding = try #require(report.findings.first { $0.reason == .envUnknownHost })
    #expect(
      finding.message
        == "\(Reason.envUnknownHost.summary): login.contoso.example, login.contoso.example:8443, "
        + "login.woodgrove.example")
  }

  @Test("a policy file allows hosts and nothing else")
  func policyFile() throws {
    func hosts(_ host: String) throws -> [String] {
      try Policy(json: Array(#"{"allowedHosts": ["login.contoso.example", "\#(host)"]}"#.utf8))
        .allowedHosts
    }
    for host in ["login.fabrikam.example", " LOGIN.Fabrikam.Example", "localhost:8443"] {
      #expect(try hosts(host) == ["login.contoso.example", host])
    }
    for host in [
      "", "https://login.fabrikam.example", "login.fabrikam.example/common", "login fabrikam",
      "login.fabrikam.example:443", "login.fabrikam.example:", "ann@login.fabrikam.example",
    ] {
      #expect(
        throws: MigrationError.invalidPolicy(
          "the policy's allowedHosts must be hosts, such as login.contoso.example; "
            + "\"\(host)\" is none")
      ) { try hosts(host) }
    }
  }
}
