// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import KeychainItems
import MigrationDocuments
import Testing

/// Every cache that ADAL for .NET, Python and Node, Azure CLI and MSAL.NET wrote, row by row and value by
/// value as the service that answered them has it.
@Suite struct OtherADALVectorTests {
  /// The facts of a row, by the names of the expected facts, without nulls.
  typealias Facts = [String: String]

  static let folder = Vectors.folder.appendingPathComponent("other-adals")

  /// The caches below the folders with this prefix, as `LIBRARY/SCENARIO`.
  static func caches(_ prefixes: String...) throws -> [String] {
    let files = FileManager.default
    let libraries = try files.contentsOfDirectory(atPath: folder.path)
      .filter { library in prefixes.contains { library.hasPrefix($0) } }
    return try libraries.sorted().flatMap { library in
      try files.contentsOfDirectory(atPath: folder.appendingPathComponent(library).path).sorted()
        .map { "\(library)/\($0)" }
    }
  }

  private static func cache(_ name: String) throws -> [UInt8] {
    let files = try FileManager.default
      .contentsOfDirectory(atPath: folder.appendingPathComponent(name).path)
    let file = try #require(files.first { $0.hasPrefix("cache.") })
    return try Vectors.bytes("other-adals/\(name)/\(file)")
  }

  private static func expected(_ name: String) throws -> [String: Any] {
    try #require(
      try Vectors.json("other-adals/\(name)/expected.json") as? [String: Any])
  }

  /// The rows that are expected, without what only the service knows.
  private static func rows(_ expected: [String: Any]) throws -> [Facts] {
    let rows = try #require(expected["rows"] as? [[String: Any]])
    return rows.map { row in
      var facts: Facts = [:]
      for (name, value) in row where name != "person" && name != "home_account_id" {
        if let user = value as? [String: Any] {
          for (name, value) in user { facts["user.\(name)"] = text(value) }
        } else {
          facts[name] = text(value)
        }
      }
      return facts
    }
  }

  private static func text(_ value: Any) -> String? {
    switch value {
    case is NSNull: nil
    case let text as String: text
    case let number as NSNumber:
      number.objCType.pointee == 0x63 ? (number.boolValue ? "true" : "false") : "\(number.intValue)"
    default: "\(value)"
    }
  }

  private static func text(_ secret: TokenSecret?) -> String? { secret?.revealText() }
  private static func text(_ bool: Bool?) -> String? { bool.map { "\($0)" } }
  private static func text(_ seconds: Double?) -> String? {
    seconds.map { "\(Int($0.rounded(.down)))" }
  }

  /// The facts of a row of a blob, under the names of ADAL.NET's vectors.
  static func dotNetFacts(_ token: LegacyToken) -> Facts {
    let facts: [String: String?] = [
      "authority": token.authority, "resource": token.resource, "client_id": token.clientID,
      "subject_type": token.subjectType.map { "\($0.rawValue)" },
      "access_token": text(token.accessToken), "access_token_type": token.accessTokenType,
      "expires_on": text(token.expiresOn), "refresh_token": text(token.refreshToken),
      "id_token": text(token.rawIDToken), "tenant_id": token.tenantID,
      "user.UniqueId": token.objectID, "user.DisplayableId": token.userID,
      "user.GivenName": token.givenName, "user.FamilyName": token.familyName,
      "user.IdentityProvider": token.identityProvider, "is_mrrt": text(token.isMultiResource),
      "resource_in_response": token.resourceInResponse, "user_assertion_hash": token.assertionHash,
      "extended_expires_on": text(token.extendedExpiresOn), "client_info": token.clientInfo,
    ]
    return facts.compactMapValues { $0 }
  }

  /// The same under the names of MSAL.NET's vectors, which say less.
  private static func msalNetFacts(_ token: LegacyToken) -> Facts {
    var facts = dotNetFacts(token)
    facts["unique_id"] = facts["user.UniqueId"]
    facts["displayable_id"] = facts["user.DisplayableId"]
    return facts.filter { !$0.key.hasPrefix("user.") && $0.key != "is_mrrt" }
  }

  /// The facts of a row of a list, under its own names.
  private static func listFacts(_ token: LegacyToken) -> Facts {
    let facts: [String: String?] = [
      "tokenType": token.accessTokenType, "expiresIn": token.expiresIn.map { "\($0)" },
      "expiresOn": text(token.expiresOn), "accessToken": text(token.accessToken),
      "refreshToken": text(token.refreshToken), "resource": token.resource,
      "tenantId": token.tenantID, "givenName": token.givenName, "familyName": token.familyName,
      "identityProvider": token.identityProvider, "oid": token.objectID, "userId": token.userID,
      "isUserIdDisplayable": text(token.hasDisplayableUserID),
      "isMRRT": text(token.isMultiResource),
      "_clientId": token.clientID, "_authority": token.authority,
    ]
    return facts.compactMapValues { $0 }
  }

  @Test func thereAreAsManyAsWereGiven() throws {
    #expect(
      try Self.caches("adal-", "azure-", "msal-net-", "containers-").count == 119)
  }

  @Test("every row of a blob", arguments: try caches("adal-net-"))
  func dotNet(name: String) throws {
    let expected = try Self.expected(name)
    let schema = try #require(expected["schema"] as? Int)
    let blob = try DotNetBlob(Self.cache(name))
    #expect(blob.unreadable == [])
    #expect(blob.schema == schema)
    #expect(blob.announced == blob.tokens.count)
    #expect(blob.tokens.map(Self.dotNetFacts).counts == (try Self.rows(expected)).counts)
    #expect(blob.tokens.allSatisfy { $0.origin == .dotNet(schema: schema) })
    #expect(blob.tokens.allSatisfy { $0.droppedFields.isEmpty })
    for (index, token) in blob.tokens.enumerated() {
      #expect(
        token.place
          == .row(
            LegacyPlace.RowKey(
              user: token.userID ?? "", authority: token.authority ?? "",
              resource: token.resource, client: token.clientID ?? "", index: index)))
    }
  }

  @Test("every row that MSAL.NET rewrote", arguments: try caches("msal-net-"))
  func msalNet(name: String) throws {
    let blob = try DotNetBlob(Self.cache(name))
    #expect(blob.unreadable == [])
    #expect(
      blob.tokens.map(Self.msalNetFacts).counts == (try Self.rows(try Self.expected(name))).counts)
    #expect(blob.tokens.allSatisfy { $0.origin == .msalNet && $0.isMultiResource == true })
  }

  @Test("every row of a list", arguments: try caches("adal-python-", "adal-node-", "azure-cli-"))
  func list(name: String) throws {
    let expected = try Self.expected(name)
    let zone = try (expected["time_zone"] as? String).map {
      try #require(TimeZone(identifier: $0))
    }
    let localTime = zone.map { zone in
      LocalTime { zone.secondsFromGMT(for: Date(timeIntervalSince1970: $0)) }
    }
    let list = try TokenList(Self.cache(name), localTime: localTime ?? .utc)
    #expect(list.tokens.map(Self.listFacts).counts == (try Self.rows(expected)).counts)
    #expect(list.tokens.allSatisfy { $0.origin == (zone == nil ? .node : .python) })
    #expect(list.tokens.allSatisfy { $0.droppedFields.isEmpty })
    let principals = expected["service_principals"] as? [[String: Any]] ?? []
    #expect(list.unreadable.allSatisfy { $0.code == .servicePrincipal })
    #expect(
      list.unreadable.map(\.clientID) == principals.map { $0["servicePrincipalId"] as? String })
  }

  @Test(
    "caches that cannot be opened",
    arguments: [
      ("refuse-dpapi", LegacyCacheError.Code.protectedByWindows, 4),
      ("refuse-machinekey", .notABlob, 0), ("refuse-schema-4", .unknownSchema, 0),
    ])
  func refused(name: String, code: LegacyCacheError.Code, offset: Int) throws {
    let bytes = try Self.cache("containers-adal-net/\(name)")
    let error = #expect(throws: LegacyCacheError.self) { try DotNetBlob(bytes) }
    #expect(error?.code == code)
    #expect(error?.offset == offset)
  }

  @Test func cutOffInTheMiddleOfARow() throws {
    let bytes = try Self.cache("containers-adal-net/refuse-cut-off")
    let blob = try DotNetBlob(bytes)
    let whole = try DotNetBlob(Self.cache("adal-net-5.2.9/members"))
    #expect(blob.announced == 5)
    #expect(!blob.tokens.isEmpty && blob.tokens.count < 5)
    #expect(blob.tokens == Array(whole.tokens.prefix(blob.tokens.count)))
    #expect(blob.unreadable.map(\.archiveError) == ["truncated"])
    #expect(blob.unreadable.map(\.offset) == [bytes.count])
    #expect(blob.unreadable.map(\.lostRows) == [5 - blob.tokens.count])
    #expect(
      blob.unreadable.map(\.place) == [
        .row(LegacyPlace.RowKey(index: blob.tokens.count))
      ])
  }

  @Test func xamarinsItemHoldsTheBlob() throws {
    let name = "containers-adal-net/xamarin-ios-keychain"
    let file = try #require(
      try Vectors.json("other-adals/\(name)/cache.items.json") as? [String: Any])
    let items = Vectors.items(file["items"])
    #expect(items.count == 1)
    let item = try #require(items.first)
    guard case .cache(let blob) = LegacyItem(item) else {
      Issue.record("no cache")
      return
    }
    #expect(
      blob.tokens.map(Self.dotNetFacts).counts == (try Self.rows(try Self.expected(name))).counts)
    let key = LegacyPlace.KeychainKey(
      accessGroup: "ABCDE12345.com.example.app", account: "ADAL.PCL.iOS cache",
      service: "ADAL.PCL.iOS Service", modified: item.modified)
    for token in blob.tokens {
      guard case .row(let place) = token.place else {
        Issue.record("\(token.place)")
        continue
      }
      #expect(place.item == key)
    }
    #expect(blob.unreadable == [])
  }
}
