// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments

/// The portable document as a target and as a source.
@Suite struct DocumentTests {
  /// Rows that ADAL archived, entries that ADAL 2.7 wrote beside them, a row of 1.x without families, a blob.
  static let names = [
    "ios-1.2.10-single-mrrt", "ios-2.6.6-foci-family", "ios-2.7.18-dual-write-foci",
    "ios-2.7.18-single-mrrt-novalidation", "mac-2.6.6-mrrt-many-resources",
  ]

  private func source(_ vector: ADALVector) throws -> Source {
    vector.isMac ? .blob(try vector.blob()) : .items(MemoryStore(try vector.items()))
  }

  @Test("every entry is as the five libraries read it", arguments: names)
  func entries(name: String) throws {
    let vector = try #require(Vectors.adal.first { $0.name == name })
    let document = MemoryDocument()
    let migration = Migration(
      from: try source(vector), into: .document(document), now: vector.clock)
    let report = try migration.run()
    #expect(report.accounts.allSatisfy { $0.signedIn == .yes })
    try Golden.check(String(decoding: document.bytes, as: UTF8.self), "documents/\(name).json")

    let before = document.bytes
    #expect(try migration.run().summary.written == 0)
    #expect(document.bytes == before)
  }

  @Test("an account's environment is that of the document that it is carried into")
  func environment() throws {
    let host = "login.microsoftonline.com"
    var there = CacheDocument()
    _ = there.add(
      MSALEntry(
        kind: .refreshToken, homeAccountID: World.eve.home, environment: host,
        clientID: World.client, secret: TokenSecret("rt-eve")))
    _ = there.add(
      MSALEntry(
        accountOf: World.eve.home, environment: host, realm: World.fabrikam,
        localAccountID: World.eve.oid, username: World.eve.upn))
    let ann = World.ann.written("rt-ann", World.ann.token()).map {
      $0.item(accessGroup: World.group, at: World.now)
    }
    let document = MemoryDocument(there.encoded())
    let migration = Migration(
      from: .items(MemoryStore(ann)), into: .document(document),
      now: { Date(timeIntervalSince1970: World.now) })
    #expect(try migration.plan().accounts.map(\.environment) == [host])
    let report = try migration.run()
    #expect(report.accounts.map(\.environment) == [host])
    #expect(report.accounts.map(\.signedIn) == [.yes])
    let written = try CacheDocument(document.bytes)
    #expect(Set(written.accounts.map(\.value.environment)) == [host])
    let inspection = try Migration.inspect([.document(document.bytes)])
    #expect(inspection.report.accounts.map(\.environment) == [host, host])
  }

  @Test("a client whose app metadata names no family is signed in by no family's token (D4)")
  func namesNoFamily() throws {
    let (ann, eve) = (World.ann, World.eve)
    // Archives that know no family, and a family's token of another client.
    let rows: [SyntheticRow] = [
      .refresh("rt-ann", ann.upn, ann.token()) { $0.generation = .one },
      .access("at-eve", eve.upn, eve.token()) { $0.generation = .one },
      .refresh("rt-family", eve.upn, eve.token()) { $0.clientID = "foci-1" },
      .refresh("rt-family", eve.upn, eve.token()) {
        $0.clientID = World.otherClient
        $0.familyID = "1"
      },
    ]
    func token(of report: Report) throws -> Report.Entry {
      try #require(report.entries.first { $0.kind == .accessToken })
    }
    let document = MemoryDocument()
    let migration = Migration(
      from: .items(MemoryStore(rows.map(\.item))), into: .document(document),
      now: { Date(timeIntervalSince1970: World.now) })
    let first = try migration.run()
    #expect(first.accounts.map(\.signedIn) == [.yes, .yes])
    #expect(try token(of: first).reasons.first == .rtMissing)
    let second = try migration.run()
    #expect(second.summary.written == 0 && second.accounts == first.accounts)
    #expect(try token(of: second).reasons == token(of: first).reasons)
    // Alone the client has no app metadata, and MSAL for Python tries the family.
    let alone = try Migration(
      from: .items(MemoryStore(rows.dropFirst().map(\.item))), into: .document(MemoryDocument()),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    #expect(try token(of: alone).outcome == .converted)
  }

  // MARK: - Whose document it is (D34)

  private static let network = "login.microsoftonline.com"
  private static let ann = World.ann
  private static let eve = World.eve

  private func migrate(
    _ rows: [SyntheticRow], into document: MemoryDocument, for reader: MSALLibrary?
  ) throws -> Report {
    let migration = Migration(
      from: .items(MemoryStore(rows.map(\.item))), into: .document(document, for: reader),
      now: { Date(timeIntervalSince1970: World.now) })
    var planned = try migration.plan()
    let report = try migration.run()
    planned.kind = .applied
    #expect(planned == report)
    return report
  }

  private func environments(_ document: MemoryDocument) throws -> Set<String> {
    let document = try CacheDocument(document.bytes)
    return Set(document.entries.compactMap(\.value.environment))
  }

  /// Whom MSAL for Python lists.
  private func listed(_ document: MemoryDocument) throws -> [String] {
    try PythonLookup(try CacheDocument(document.bytes), now: World.now)
      .accounts(LookupQuery(.accounts, authority: "https://\(Self.network)/organizations"))
      .compactMap(\.identifier)
  }

  private func there(_ people: [(GoldenPerson, String)]) -> MemoryDocument {
    var document = CacheDocument()
    for (person, host) in people {
      _ = document.add(
        MSALEntry(
          kind: .refreshToken, homeAccountID: person.home, environment: host,
          clientID: World.otherClient, secret: TokenSecret("rt-there-\(person.given)")))
      _ = document.add(
        MSALEntry(
          accountOf: person.home, environment: host, realm: person.tid,
          localAccountID: person.oid, username: person.upn))
    }
    return MemoryDocument(document.encoded())
  }

  private var row: SyntheticRow { .refresh("rt-ann", Self.ann.upn, Self.ann.token()) }

  @Test(
    "a fresh document is under the host that its reader looks for first",
    arguments: [nil] + MSALLibrary.allCases)
  func freshHost(reader: MSALLibrary?) throws {
    let document = MemoryDocument()
    let report = try migrate([row], into: document, for: reader)
    let host = reader == .python ? Self.network : "login.windows.net"
    #expect(try environments(document) == [host])
    #expect(report.accounts.map(\.environment) == [host])
    #expect(!report.findings.contains { $0.reason.code.hasPrefix("env.") })
    #expect(try listed(document) == [Self.ann.home])
    #expect(try migrate([row], into: document, for: reader).summary.written == 0)
  }

  /// The keys of tokens, from the client on.
  private func tokenKeys(_ document: MemoryDocument) throws -> [String] {
    try CacheDocument(document.bytes).entries.filter {
      $0.value.kind != .account && $0.value.kind != .appMetadata
    }
    .compactMap { $0.key.components(separatedBy: World.client).last }
  }

  @Test(
    "tokens have the keys of their reader, which may send the older of two refresh tokens",
    arguments: [
      (nil, ["-\(World.contoso)-", "--"]), (MSALLibrary?.some(.net), ["-\(World.contoso)-", "--"]),
      (.node, ["-\(World.contoso)---", "----"]), (.go, ["-\(World.contoso)", ""]),
    ])
  func keysOfTheReader(reader: MSALLibrary?, keys: [String]) throws {
    let document = MemoryDocument()
    _ = try migrate([row], into: document, for: reader)
    #expect(try tokenKeys(document) == keys)
    // Another account gets the same keys, even where no reader is named.
    let another = SyntheticRow.refresh("rt-eve", Self.eve.upn, Self.eve.token())
    _ = try migrate([row, another], into: document, for: nil)
    let tenants = keys.map { $0.replacingOccurrences(of: World.contoso, with: Self.eve.tid) }
    #expect(try tokenKeys(document).sorted() == (keys + tenants).sorted())
    #expect(try migrate([row, another], into: document, for: reader).summary.written == 0)
  }

  @Test(
    "without a reader, lists are for the successor of the library that wrote them",
    arguments: [
      ("2023-11-14T23:00:00.000Z", "login.windows.net", "----"),
      ("2023-11-14 23:00:00.000000", network, "--"),
    ])
  func readerOfLists(expiresOn: String, host: String, end: String) throws {
    let list = """
      [{"tokenType": "Bearer", "expiresIn": 3600, "expiresOn": "\(expiresOn)", "accessToken": "at",
        "refreshToken": "rt", "resource": "https://graph.microsoft.com", "isMRRT": true,
        "oid": "\(Self.ann.oid)", "userId": "\(Self.ann.upn)", "tenantId": "\(World.contoso)",
        "_clientId": "\(World.client)", "_authority": "https://\(Self.network)/\(World.contoso)"}]
      """
    let document = MemoryDocument()
    _ = try Migration(
      from: .list(Array(list.utf8), timeZone: .gmt), into: .document(document),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    #expect(try environments(document) == [host])
    #expect(try tokenKeys(document).last == end)
  }

  @Test("other clouds have one host for both") func otherClouds() throws {
    for host in ["login.microsoftonline.us", "login.partner.microsoftonline.cn"] {
      let document = MemoryDocument()
      var row = row
      row.authority = "https://\(host)/common"
      _ = try migrate([row], into: document, for: .python)
      #expect(try environments(document) == [host])
    }
  }

  @Test("a document that has entries keeps its host, which is said where it is not the reader's")
  func storedHost() throws {
    for (host, reader, isOther) in [
      ("login.windows.net", MSALLibrary?.some(.python), true), (Self.network, .python, false),
      (Self.network, .net, true), (Self.network, nil, false),
    ] {
      let document = there([(Self.eve, host)])
      let report = try migrate([row], into: document, for: reader)
      #expect(try environments(document) == [host])
      let finding = report.findings.first { $0.reason == .envOtherReader }
      #expect(
        finding?.severity == (isOther ? .note : nil) && finding?.rows == (isOther ? [0] : nil))
      #expect(try Set(listed(document)) == [Self.ann.home, Self.eve.home])
    }
  }

  @Test("of entries that are carried it is said, too") func carriedHost() throws {
    let entries = Self.eve.written("rt-eve", Self.eve.token()).map {
      $0.item(accessGroup: World.group, at: World.now)
    }
    func said(_ reader: MSALLibrary) throws -> Set<Bool> {
      let report = try Migration(
        from: .items(MemoryStore(entries)),
        into: .document(there([(Self.ann, "login.windows.net")]), for: reader),
        now: { Date(timeIntervalSince1970: World.now) }
      ).run()
      #expect(report.entries.filter { $0.outcome == .converted }.count == entries.count)
      return Set(
        report.entries.filter { $0.outcome == .converted }
          .map { $0.reasons.contains(.envOtherReader) })
    }
    #expect(try said(.python) == [true])
    #expect(try said(.net) == [false])
  }

  @Test("of two hosts the one of the account's refresh token is used, else the reader's")
  func twoHosts() throws {
    let sam = World.firstSam
    let hosts = [(Self.ann, "login.windows.net"), (sam, Self.network)]
    let rows = [
      row, SyntheticRow.refresh("rt-eve", Self.eve.upn, Self.eve.token()),
      .refresh("rt-sam", sam.upn, sam.token()),
    ]
    for (reader, host) in [
      (MSALLibrary?.some(.python), Self.network), (.java, "login.windows.net"),
      (nil, "login.windows.net"),
    ] {
      let document = there(hosts)
      let report = try migrate(rows, into: document, for: reader)
      var environments: [String?: String?] = [:]
      for account in report.accounts { environments[account.userID] = account.environment }
      #expect(
        environments == [
          Self.ann.upn: "login.windows.net", sam.upn: Self.network, Self.eve.upn: host,
        ])
      for entry in try CacheDocument(document.bytes).credentials {
        let wanted = [Self.ann.home: "login.windows.net", sam.home: Self.network]
        #expect(entry.value.environment == wanted[entry.value.homeAccountID ?? ""] ?? host)
      }
    }
  }

  @Test("a document becomes keychain items, and those the same document again", arguments: names)
  func roundTrip(name: String) throws {
    let vector = try #require(Vectors.adal.first { $0.name == name })
    let document = MemoryDocument()
    _ = try Migration(from: try source(vector), into: .document(document), now: vector.clock).run()
    let store = MemoryStore()
    let report = try Migration(
      from: .document(document.bytes),
      into: .items(store, accessGroup: ADALVector.macGroup), now: vector.clock
    ).run()
    #expect(report.summary.converted == report.summary.rows)
    #expect(try store.items().count == report.summary.rows)
    let again = MemoryDocument()
    _ = try Migration(from: .items(store), into: .document(again), now: vector.clock).run()
    #expect(try CacheDocument(again.bytes) == CacheDocument(document.bytes))
  }
}

extension CacheDocument {
  var accounts: [Entry] { entries.filter { $0.value.kind == .account } }
  var appMetadata: [Entry] { entries.filter { $0.value.kind == .appMetadata } }
  var credentials: [Entry] { entries.filter { $0.value.kind?.isToken ?? false } }
}
