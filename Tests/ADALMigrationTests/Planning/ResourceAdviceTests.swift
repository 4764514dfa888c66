// SPDX-License-Identifier: MIT
import Testing

@testable import ADALMigration

/// What is said about a resource as a scope (mapping-rules §3.1).
@Suite struct ResourceAdviceTests {
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
    let advice = ResourceAdvice(resource, client: World.client)
    #expect(advice.reasons == reasons)
    #expect(!advice.isNeverCarried)
  }

  @Test(
    arguments: [
      (World.client, [.resourceIsClient]), (World.client.uppercased(), [.resourceIsClient]),
      ("urn:ms-drs:enterpriseregistration.windows.net", [.resourceDRS]),
      ("URN:ms-drs:EnterpriseRegistration.windows.net", [.resourceDRS]),
    ] as [(String, [Reason])])
  func adviceThatNoTokenIsCarriedWith(resource: String, reasons: [Reason]) {
    let advice = ResourceAdvice(resource, client: World.client)
    #expect(advice.reasons == reasons)
    #expect(advice.isNeverCarried)
  }

  @Test func anotherClientsIDIsAnApp() {
    #expect(ResourceAdvice(World.otherClient, client: World.client).reasons == [])
  }
}
