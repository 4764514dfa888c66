// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import Testing
import UnifiedVectors

@testable import MSALCache

/// The test data of MSAL's libraries, read from beside the package and never copied.
@Suite struct LibraryVectorTests {
  @Test(
    "whole documents are read and written again with nothing lost",
    arguments: [
      ("dotnet/SingleCloudTokenCache.json", [2, 6, 1, 0]),
      ("dotnet/MultiCloudTokenCache.json", [3, 9, 1, 0]),
      ("dotnet/MultiTenantTokenCache.json", [3, 8, 1, 0]),
      ("dotnet/MultiTenantOBOTokenCache.json", [3, 7, 1, 0]),
      ("dotnet/TokenCacheWithWamId.json", [3, 6, 1, 0]),
      ("dotnet/token_cache_adfs.json", [1, 3, 1, 0]),
      ("dotnet/token_cache_one_acc_seed.json", [1, 3, 1, 0]),
      ("go/internal_base_storage_testdata_test_serialized_cache.json", [1, 3, 1, 1]),
      ("go/internal_base_storage_testdata_v1.0_cache.json", [1, 3, 1, 0]),
      ("go/internal_base_storage_testdata_v1.0_v1.1_cache.json", [2, 6, 2, 0]),
      ("go/tests_devapps_serialized_cache.json", [1, 3, 1, 0]),
      ("go/tests_integration_serialized_cache_1.1.1.json", [1, 3, 1, 0]),
      ("java/AAD_cache_data_full_cache.json", [0, 3, 0, 1]),
      ("java/cache_data_multi-cloud-account-cache.json", [2, 6, 0, 0]),
      ("java/cache_data_multi-tenant-account-cache.json", [5, 5, 0, 0]),
      ("java/cache_data_serialized_cache.json", [1, 3, 1, 1]),
      ("java/sample_cache.json", [1, 3, 1, 0]),
      ("js/msal-node_cache.json", [1, 5, 1, 0]),
      ("js/msal-node_test_cache_cache-test-files_cache-unrecognized-entities.json", [1, 5, 1, 0]),
      ("js/msal-node_test_cache_cache-test-files_default-cache.json", [1, 6, 1, 0]),
      ("js/msal-node_test_cache_serializer_cache.json", [1, 6, 1, 0]),
    ])
  /// `counts`: accounts, credentials, app metadata, entries that cannot be read.
  func wholeDocuments(path: String, counts: [Int]) throws {
    guard let bytes = Vectors.theirs(path) else { return }
    let document = try CacheDocument(bytes)
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let text = hasMark ? Array(bytes.dropFirst(3)) : bytes
    #expect(try JSONValue(document.encoded()) == JSONValue(text))
    let found = [
      document.accounts.count, document.credentials.count, document.appMetadata.count,
      document.unreadable.count,
    ]
    #expect(found == counts)
  }

  @Test(
    "trailing commas are refused, by name",
    arguments: ["dotnet/ExpectedTokenCache.json", "dotnet/CacheFromTheFuture.json"])
  func trailingCommas(path: String) {
    guard let bytes = Vectors.theirs(path) else { return }
    #expect {
      try CacheDocument(bytes)
    } throws: { error in
      "\(error)".contains("a comma before a closing bracket")
    }
  }

  @Test("the attributes of the libraries' own expectations follow from their payloads")
  func schema() throws {
    guard let bytes = Vectors.theirs("objc/schema_validation.json") else { return }
    let expectations = try JSONValue(bytes)["expected"]?.elements ?? []
    #expect(expectations.count == 25)
    for expected in expectations {
      let payload = try #require(expected["payload"])
      let type = try #require(expected["type"]?.stringOrNumber.flatMap { Int($0) })
      let written = KeychainItem(type: type, data: TokenSecret(payload.encoded()))
      let item: KeychainItem
      switch MSALItem(written) {
      case .entry(let entry):
        item = entry.item(accessGroup: "g", at: nil)
        #expect(MSALItem(item)?.entry == entry)
      default:
        Issue.record("not recognised: \(expected.text)")
        continue
      }
      #expect(item.account == expected["account"]?.string)
      // The upstream test leaves the token type out of the key that it builds; what saves does not
      // (MSIDAccountCredentialCache.m, saveCredential:).
      let tokenType = payload["token_type"]?.string.map { "-\($0.lowercased())" } ?? ""
      #expect(item.service == (expected["service"]?.string ?? "") + tokenType)
      #expect(item.generic == expected["generic"]?.string.map { Array($0.utf8) })
      #expect(item.type == type)
      #expect(item.data == written.data)
    }
  }

  @Test("keys agree with the libraries' own key tests")
  func keys() throws {
    guard let bytes = Vectors.theirs("objc/cache_key_cases.json") else { return }
    var checked = 0
    for test in try JSONValue(bytes)["cases"]?.elements ?? [] {
      let pairs = { (name: String) in
        (test[name]?.elements ?? []).map { ($0.elements[0].string ?? "", $0.elements[1].string) }
      }
      let input = Dictionary(pairs("inputs"), uniquingKeysWith: { $1 })
      guard let item = item(of: test["file"]?.string, input, test["credentialType"]) else {
        continue
      }
      checked += 1
      for (attribute, value) in pairs("expect") {
        switch attribute {
        case "account": #expect(item.account == value)
        case "service": #expect(item.service == value)
        case "type": #expect(item.type.map { String($0) } == value)
        case "generic":
          #expect(
            item.generic == test["expectedData"]?.elements.first?.string.map { Array($0.utf8) })
        default: Issue.record("unknown attribute \(attribute)")
        }
      }
      if test["nil"]?.elements.first?.string == "generic" { #expect(item.generic == nil) }
    }
    #expect(checked == 13)
  }

  private func item(
    of file: String?, _ input: [String: String?], _ type: JSONValue?
  ) -> KeychainItem? {
    let value = { (name: String) in input[name] ?? nil }
    switch file {
    case "MSIDDefaultCredentialCacheKeyTests.m":
      let kinds: [String: MSALEntry.Kind] = [
        "MSIDAccessTokenType": .accessToken, "MSIDIDTokenType": .idToken,
        "MSIDAccessTokenWithAuthSchemeType": .accessTokenWithAuthScheme,
        "MSIDRefreshTokenType": .refreshToken,
      ]
      return MSALEntry(
        kind: type?.elements.first?.string.flatMap { kinds[$0] } ?? .boundRefreshToken,
        homeAccountID: value("initWithHomeAccountId") ?? "",
        environment: value("environment") ?? "",
        clientID: value("clientId") ?? "", secret: TokenSecret("s"), realm: value("realm"),
        target: value("target"), familyID: value("familyId"), tokenType: value("tokenType"),
        applicationIdentifier: value("applicationIdentifier")
      ).item(accessGroup: "g", at: nil)
    case "MSIDDefaultAccountCacheKeyTests.m":
      return MSALEntry(
        accountOf: value("initWithHomeAccountId") ?? "",
        environment: value("environment") ?? "",
        realm: value("realm"), username: value("username")
      ).item(accessGroup: "g", at: nil)
    case "MSIDAppMetadataCacheKeyTests.m":
      return MSALEntry(
        metadataOf: value("initWithClientId") ?? "", environment: value("environment") ?? "",
        familyID: value("familyId")
      ).item(accessGroup: "g", at: nil)
    default: return nil
    }
  }

  @Test("account metadata is read with its misspelled map left aside")
  func accountMetadata() throws {
    guard let bytes = Vectors.theirs("objc/account_metadata.json") else { return }
    let payload = try #require(try JSONValue(bytes)["account_metadata_item"])
    let metadata = try AccountMetadata(
      item: KeychainItem(
        account: "authority_map", service: "clientId", type: 5001,
        data: TokenSecret(payload.encoded())))
    #expect(metadata.clientID == "clientId")
    #expect(
      metadata.accounts.mapValues(\.signInState)
        == ["homeAccountId": .signedIn, "homeAccountId2": .signedIn])
  }
}
