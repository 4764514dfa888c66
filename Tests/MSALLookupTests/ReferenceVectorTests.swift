// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation
import KeychainItems
import Testing
import UnifiedVectors

@testable import LookupAnswers
@testable import MSALCache
@testable import MSALLookup

/// The entries that MSAL's own code wrote, and its answers about them.
@Suite struct ReferenceVectorTests {
  @Test("every recorded answer is given")
  func recorded() throws {
    var agreeing = 0
    for folder in try Vectors.files(in: Vectors.own("msal-reference")) {
      for version in ["v1", "v2"] {
        let items = folder.appendingPathComponent("msal-items-\(version).json")
        let answers = folder.appendingPathComponent("msal-answers-\(version).json")
        guard FileManager.default.fileExists(atPath: answers.path) else { continue }
        let lookup = Lookup(
          MSALIndex(items: try Vectors.json(items).elements.map { KeychainItem(vector: $0) }),
          now: 1_700_000_000)
        for recorded in try Vectors.json(answers).elements {
          let query = try #require(recorded["query"])
          let answer = lookup.answer(try LookupQuery(query)).json { secret in
            ("secret", secret.revealText() ?? "?")
          }
          let expected = JSONValue.object(["answer": Self.expected(recorded)])
          if RecordedAnswer(expected).agrees(with: answer) {
            agreeing += 1
          } else {
            Issue.record(
              "\(folder.lastPathComponent) \(version): \(query.text) is answered \(answer.text)")
          }
        }
      }
    }
    #expect(agreeing == 164)
  }

  /// The recorded answer in the fields that are asked for.
  private static func expected(_ recorded: JSONValue) -> JSONValue {
    if let tokens = recorded["tokens"]?.elements {
      let fields = tokens.map { token -> JSONValue in
        .object([
          "type": token["credentialType"] ?? .null, "clientId": token["clientId"] ?? .null,
          "secret": token["accessToken"] ?? token["refreshToken"] ?? token["idToken"] ?? .null,
        ])
      }
      return .object(["found": .bool(!tokens.isEmpty), "tokens": .array(fields)])
    }
    let accounts = recorded["accounts"]?.elements ?? []
    let isListed = recorded["query"]?["op"] == .string("msalAccounts")
    let fields = accounts.map { isListed ? listed($0) : account($0) }
    return .object(["found": .bool(!accounts.isEmpty), "accounts": .array(fields)])
  }

  private static func account(_ account: JSONValue) -> JSONValue {
    .object([
      "identifier": account["homeAccountId"] ?? .null, "username": account["username"] ?? .null,
      "environment": account["environment"] ?? .null, "realm": account["realm"] ?? .null,
      "localAccountId": account["localAccountId"] ?? .null,
    ])
  }

  private static func listed(_ account: JSONValue) -> JSONValue {
    let profiles = (account["tenantProfiles"]?.elements ?? []).map { profile -> JSONValue in
      .object([
        "tenantId": profile["tenantId"] ?? .null, "identifier": profile["identifier"] ?? .null,
        "home": profile["isHomeTenantProfile"] ?? .null, "hasClaims": isPresent(profile["claims"]),
      ])
    }
    return .object([
      "identifier": account["identifier"] ?? .null, "username": account["username"] ?? .null,
      "environment": account["environment"] ?? .null,
      "hasClaims": isPresent(account["accountClaims"]), "tenantProfiles": .array(profiles),
    ])
  }

  private static func isPresent(_ value: JSONValue?) -> JSONValue {
    .bool(value != nil && value != .null)
  }
}
