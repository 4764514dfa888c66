// SPDX-License-Identifier: MIT
import Testing

@testable import ADALMigration

/// The advice about a resource as a scope (mapping-rules §3.1).
@Suite struct ResourceAdviceTests {
  private func advice(_ resource: String) -> (reasons: [Reason], isNeverCarried: Bool) {
    var symbols = Symbols()
    let client = RowClient(World.client, Policy(), &symbols)
    let found = RowResource(resource, &symbols)
    let isClient = found.lowerCase == client.id
    return (
      found.advice.reasons(isClient: isClient).reasons,
      found.advice.isNeverCarried(isClient: isClient)
    )
  }

  @Test(
    arguments: [
      ("https://graph.microsoft.com", []),
      ("https://graph.microsoft.com/", [.resourceTrailingSlash]),
      ("HTTPS://Graph.Microsoft.com", []), ("api://contoso/app", []),
      ("00000003-0000-0000-c000-000000000000", []),
      ("https://graph.windows.net", [.resourceAADGraphRetired]),
      ("https://graph.windows.net/", [.resourceAADGraphRetired, .resourceTrailingSlash]),
      ("00000002-0000-0000-C000-000000000000", [.resourceAADGraphRetired]),
      ("https://graph.windows.net//", [.resourceTrailingSlash]),
      ("http://contoso.com", [.resourceUnusual]), ("contoso", [.resourceUnusual]),
      ("spn:00000003-0000-0000-c000-000000000000", [.resourceUnusual]),
      ("https://contoso.com?a=b", [.resourceUnusual]),
      ("https://contoso.com#a", [.resourceUnusual]), ("", [.resourceUnusual]),
    ] as [(String, [Reason])])
  func adviceThatLeavesTheToken(resource: String, reasons: [Reason]) {
    let (said, isNeverCarried) = advice(resource)
    #expect(Set(said) == Set(reasons))
    #expect(!isNeverCarried)
  }

  @Test(
    arguments: [
      (World.client, [.resourceIsClient]), (World.client.uppercased(), [.resourceIsClient]),
      ("urn:ms-drs:enterpriseregistration.windows.net", [.resourceDRS]),
      ("URN:ms-drs:EnterpriseRegistration.windows.net", [.resourceDRS]),
    ] as [(String, [Reason])])
  func adviceThatNoTokenIsCarriedWith(resource: String, reasons: [Reason]) {
    let (said, isNeverCarried) = advice(resource)
    #expect(said == reasons)
    #expect(isNeverCarried)
  }

  @Test func anotherClientsIDIsAnApp() {
    #expect(advice(World.otherClient).reasons == [])
  }
}
