// SPDX-License-Identifier: MIT
import Testing

@testable import ADALMigration

/// The meaning of an authority's text (mapping-rules §3).
@Suite struct AuthorityTests {
  @Test(
    "texts that are not authorities",
    arguments: [
      "", "login.windows.net/common", "http://login.windows.net/common",
      "https://login.windows.net", "https://login.windows.net/", "https://login.windows.net/ ",
      "https:///common", "https://:8443/common", "https://login windows.net/common",
      "https://user@login.windows.net/common", "https://login.windows.net:/common",
      "https://login.windows.net:84a3/common", "https://login.windows.net:-1/common",
      "https://login.windows.net:65536/common", "https://login.windows.net/dstsv2/common",
    ])
  func noAuthority(text: String) { #expect(Authority(text) == nil) }

  @Test(
    "host, port and cloud",
    arguments: [
      ("https://login.windows.net/common", "login.windows.net", nil, "login.windows.net"),
      ("HTTPS://STS.Windows.net/common", "sts.windows.net", nil, "login.windows.net"),
      ("https://login.windows.net:443/common", "login.windows.net", nil, "login.windows.net"),
      (
        "https://login.windows.net:65535/common", "login.windows.net", "65535",
        "login.windows.net:65535"
      ),
      ("https://bücher.example/common", "bücher.example", nil, "bücher.example"),
    ] as [(String, String, String?, String)])
  func places(text: String, host: String, port: String?, cloud: String) throws {
    let authority = try #require(Authority(text))
    #expect(authority.host == host && authority.port == port && authority.cloud == cloud)
    #expect(authority.environment == host + (port.map { ":\($0)" } ?? ""))
  }

  @Test(
    "kind and tenant",
    arguments: [
      ("https://login.windows.net/Common/", .aad, .common),
      ("https://login.windows.net/organizations", .aad, .organizations),
      ("https://login.windows.net/consumers", .aad, .consumers),
      ("https://login.windows.net/contoso.com", .aad, .domain("contoso.com")),
      ("https://login.windows.net/\(World.contoso)/oauth2", .aad, .id(World.contoso)),
      ("https://fs.contoso.com/adfs", .adfs, .domain("adfs")),
      ("https://contoso.b2clogin.com/contoso.com/b2c_1_in", .b2c, .domain("contoso.com")),
      ("https://login.windows.net/tfp/contoso.com/b2c_1_in", .b2c, .domain("tfp")),
    ] as [(String, Authority.Kind, Authority.Tenant)])
  func kinds(text: String, kind: Authority.Kind, tenant: Authority.Tenant) throws {
    let authority = try #require(Authority(text))
    #expect(authority.kind == kind && authority.tenant == tenant)
  }
}
