// SPDX-License-Identifier: MIT
import ADALCache
import CacheFiles
import Foundation
import KeychainItems
import MSALCache
import Testing

@testable import ADALMigration
import MigrationDocuments

/// Every cache that ADAL for .NET, Python and Node, Azure CLI and MSAL.NET wrote, from end to end: what is
/// written belongs to whom the service says, and whoever the cache proves is reached.
@Suite struct OtherADALTests {
  /// The user of a refresh token.
  struct Grant: Hashable {
    var home: String
    var client: String
  }

  private static func grant(_ token: MSALEntry) throws -> Grant {
    Grant(
      home: try #require(token.homeAccountID), client: try #require(token.clientID).lowercased())
  }

  @Test(
    "each written entry belongs to the account that the service names",
    arguments: OtherADALVector.all)
  func truth(vector: OtherADALVector) throws {
    let (report, document) = try vector.migrate()
    #expect(report.summary.rows == vector.rowCount + vector.servicePrincipals)
    let people = Set(vector.rows.compactMap(\.home))
    for account in document.accounts { #expect(people.contains(account.value.homeAccountID ?? "")) }
    for token in document.credentials where token.value.isRefreshToken {
      let grant = try Self.grant(token.value)
      #expect(vector.grants[token.value.secret.revealText() ?? ""] == [grant])
    }
    // Each unconverted row has a reason, and only users whom the vector calls lost are lost.
    let written = try document.credentials.filter { $0.value.isRefreshToken }
      .map { try Self.grant($0.value) }
    let missing = Set(vector.grants.values.flatMap { $0 }).subtracting(written)
    #expect(missing.count == vector.unreachable)
    #expect(report.entries.allSatisfy { !$0.reasons.isEmpty })
    #expect(report.entries.count(where: { $0.library == nil }) == vector.servicePrincipals)
  }

  @Test("a second run changes nothing", arguments: OtherADALVector.all)
  func again(vector: OtherADALVector) throws {
    let document = MemoryDocument()
    let migration = try vector.migration(into: .document(document))
    let first = try migration.run()
    let bytes = document.bytes
    let second = try migration.run()
    #expect(document.bytes == bytes)
    #expect(second.summary.written == 0)
    #expect(second.summary.alreadyThere >= first.summary.converted)
    #expect(second.accounts.map(\.signedIn) == first.accounts.map(\.signedIn))
  }

  @Test("no access token is written that is not alive and the row's own")
  func accessTokens() throws {
    var count = 0
    for vector in OtherADALVector.all {
      let (_, document) = try vector.migrate()
      for token in document.credentials where token.value.kind == .accessToken {
        count += 1
        let row = vector.rows.first { $0.accessToken == token.value.secret.revealText() }
        #expect(row?.home == token.value.homeAccountID)
        #expect(token.value.target == row?.resource.map { "\($0)/.default" })
        #expect(Double(token.value.expiresOn ?? "") ?? 0 > vector.now)
      }
    }
    #expect(count > 50)
  }

  @Test("rows that an answer without a user overwrote are left")
  func overwritten() throws {
    let vector = try #require(
      OtherADALVector.all.first { $0.name == "adal-python-1.2.7/nameless-after-named" })
    let (report, document) = try vector.migrate()
    #expect(document.credentials.isEmpty && document.accounts.isEmpty)
    #expect(
      Set(report.entries.map(\.reasons)) == [
        [.rtOverwritten], [.homeEmptyUser],
      ])
    #expect(report.findings.first { $0.reason == .rtOverwritten }?.severity == .error)
  }
}

/// One of the caches.
struct OtherADALVector: Sendable, CustomTestStringConvertible {
  struct Row: Sendable {
    var home: String?
    var client: String
    var resource: String?
    var refreshToken: String?
    var accessToken: String?
  }

  let name: String
  let now: Double
  let rows: [Row]
  let rowCount: Int
  let servicePrincipals: Int
  private let folder: URL
  private let timeZone: TimeZone

  var testDescription: String { name }

  /// All of them, but for those in containers that were made by hand.
  static let all: [OtherADALVector] = {
    let root = Vectors.folder.appendingPathComponent("other-adals")
    let files = FileManager.default
    let libraries = (try? files.contentsOfDirectory(atPath: root.path)) ?? []
    return libraries.sorted().filter { !$0.hasPrefix("containers") && !$0.hasSuffix(".md") }
      .flatMap { library in
        let folder = root.appendingPathComponent(library)
        return ((try? files.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
          .compactMap {
            OtherADALVector("\(library)/\($0)", folder.appendingPathComponent($0))
          }
      }
  }()

  init?(_ name: String, _ folder: URL) {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent("expected.json")),
      let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let rows = json["rows"] as? [[String: Any]],
      let now = json["reader_now"] as? NSNumber
    else { return nil }
    self.name = name
    self.folder = folder
    self.now = now.doubleValue
    timeZone = (json["time_zone"] as? String).flatMap { TimeZone(identifier: $0) } ?? .gmt
    servicePrincipals = (json["service_principals"] as? [Any])?.count ?? 0
    rowCount = rows.count
    self.rows = rows.map { row in
      func text(_ names: String...) -> String? {
        names.lazy.compactMap { row[$0] as? String }.first
      }
      return Row(
        home: text("home_account_id"), client: text("client_id", "_clientId")?.lowercased() ?? "",
        resource: text("resource"), refreshToken: text("refresh_token", "refreshToken"),
        accessToken: text("access_token", "accessToken"))
    }
  }

  /// For whom each refresh token is; none for those whom no home account id was settled for.
  var grants: [String: Set<OtherADALTests.Grant>] {
    rows.reduce(into: [:]) { grants, row in
      guard let token = row.refreshToken, let home = row.home else { return }
      grants[token, default: []].insert(OtherADALTests.Grant(home: home, client: row.client))
    }
  }

  /// How many people of a client cannot be reached: the cache does not prove who they are.
  var unreachable: Int {
    let parts = name.split(separator: "/").map(String.init)
    let (library, scenario) = (parts[0], parts[1])
    let isList = !library.hasPrefix("adal-net") && !library.hasPrefix("msal-net")
    switch scenario {
    // The member of another tenant, whose home is not in the cache; ADAL.NET 4 and 5 know it.
    case "guests": return library >= "adal-net-4" && !isList ? 0 : 1
    case "msa": return library >= "adal-net-4" && !isList ? 0 : 2
    // Somebody without a name.
    case "no-id-token": return 1
    // The same, and in lists whoever had a name before; ADAL for Node keeps both tokens.
    case "nameless-after-named": return library.hasPrefix("adal-python") ? 2 : 1
    // On behalf of somebody; the first schema does not say so.
    case "mixed": return library.hasPrefix("adal-net-2.7") ? 0 : 1
    // `common` alone is no tenant, and Azure CLI keeps no other.
    case "common-authority": return library.hasPrefix("azure-cli") ? 2 : 0
    default: return 0
    }
  }

  var isBlob: Bool { name.contains("-net-") }

  var cache: [UInt8] {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let name = try #require(names.first { $0.hasPrefix("cache.") })
      return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }
  }

  var source: Source { get throws { source(of: try cache) } }

  /// A source as this one is, of other bytes.
  func source(of cache: [UInt8]) -> Source {
    isBlob ? .dotNet(cache) : .list(cache, timeZone: timeZone)
  }

  func migration(into target: Target, policy: Policy = Policy()) throws -> Migration {
    let now = now
    return Migration(
      from: try source, into: target, policy: policy,
      now: { Date(timeIntervalSince1970: now) })
  }

  func migrate(policy: Policy = Policy()) throws -> (Report, CacheDocument) {
    let document = MemoryDocument()
    let report = try migration(into: .document(document), policy: policy).run()
    return (report, try CacheDocument(document.bytes))
  }
}
