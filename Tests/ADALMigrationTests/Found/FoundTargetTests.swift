// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments

/// Found cases about what is in the target, or gets there first.
@Suite struct FoundTargetTests {
  private static let zoe =
    "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb.11111111-1111-4111-8111-111111111111"
  private static let gus =
    "cccccccc-cccc-4ccc-8ccc-cccccccccccc.22222222-2222-4222-8222-222222222222"
  private let clock: @Sendable () -> Date = { Date(timeIntervalSince1970: FoundRun.now) }

  /// A document of a case.
  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Vectors.folder.appendingPathComponent("found/\(name).json")))
  }

  private func run(_ name: String, into store: MemoryStore) throws -> Report {
    try Migration(
      from: .items(MemoryStore(try FoundRun.items("\(name)"))), into: .items(store),
      now: clock
    ).run()
  }

  private func run(_ name: String, into document: MemoryDocument) throws -> Report {
    try Migration(
      from: .items(MemoryStore(try FoundRun.items("\(name)"))), into: .document(document),
      now: clock
    ).run()
  }

  private func entries(_ bytes: [UInt8]) throws -> Int {
    let document = try CacheDocument(bytes)
    return document.accounts.count + document.credentials.count + document.appMetadata.count
  }

  @Test("01: a client that denies its family in one cloud does not sign in by it in another")
  func familyInTwoClouds() throws {
    let store = MemoryStore()
    let report = try run("01", into: store)
    #expect(report.accounts.map(\.homeAccountID) == [FoundRun.home, Self.gus, Self.zoe])
    #expect(report.accounts.map(\.signedIn) == [.yes, .yes, .yes])
    let token = try #require(report.entries.first { $0.kind == .accessToken })
    #expect(token.outcome == .notConverted && token.reasons.first == .rtMissing)
    #expect(report.worstSeverity != .error)
  }

  @Test("02: a damaged entry of a document stops its own account alone")
  func damagedAccount() throws {
    let document = MemoryDocument(try bytes("02.target"))
    let report = try run("02", into: document)
    #expect(report.accounts.map(\.homeAccountID) == [FoundRun.home, Self.zoe])
    #expect(report.accounts.map(\.signedIn) == [.no, .yes])
    #expect(report.entries.map { $0.reasons.first } == [.targetCorrupt, .okMRRT])
    #expect(report.findings.contains { $0.reason == .targetCorrupt && $0.severity == .error })
    #expect(report.summary.written == 4)
    #expect(try entries(document.bytes) == 4)
  }

  @Test("02: a token that is there signs no account in while the account's entry is damaged")
  func damagedAccountOfAToken() throws {
    let ann = World.ann
    let key = "\(ann.home)-login.windows.net-"
    let document = MemoryDocument(
      Array(
        """
        {"RefreshToken": {"\(key)refreshtoken-\(World.client)--": {"credential_type": "RefreshToken",
         "home_account_id": "\(ann.home)", "environment": "login.windows.net",
         "client_id": "\(World.client)", "secret": "rt-there"}},
         "Account": {"\(key)\(ann.tid)": {"home_account_id": "\(ann.home)", "environment": 7,
         "realm": "\(ann.tid)", "username": "\(ann.upn)", "authority_type": "MSSTS"}}}
        """.utf8))
    let row = SyntheticRow.refresh("rt", ann.upn, ann.token(), at: World.tenant(ann.tid))
    let report = try Migration(
      from: .items(MemoryStore([row.item])), into: .document(document), now: clock
    ).run()
    #expect(report.entries.map(\.outcome) == [.alreadyThere])
    #expect(report.accounts.map(\.signedIn) == [.no])
    let errors = report.findings.filter { $0.severity == .error }
    #expect(errors.map(\.reason) == [.targetCorrupt] && errors.map(\.rows) == [[0]])
  }

  @Test(
    "02b: a key that is taken is taken, whatever is there",
    arguments: [
      "5", "null", #""text""#, "[]", "{}", #"{"secret": 5}"#,
      #"{"credential_type": "AccessToken", "secret": "s", "home_account_id": "x.y", "#
        + #""environment": "login.windows.net", "client_id": "c", "realm": "r", "target": "t"}"#,
    ])
  func takenKey(value: String) throws {
    var text = String(decoding: try bytes("02b.target"), as: UTF8.self)
    text.replace(": 5}", with: ": \(value)}")
    let document = MemoryDocument(Array(text.utf8))
    let before = try entries(document.bytes)
    let report = try run("02b", into: document)
    #expect(report.summary.converted == 1 && report.summary.notConverted == 1)
    #expect(report.entries.map { $0.reasons.first } == [.okMRRT, .targetCorrupt])
    #expect(report.accounts.map(\.signedIn) == [.yes])
    #expect(report.summary.written == 4)
    #expect(try entries(document.bytes) == before + 4)
    let again = try run("02b", into: document)
    #expect(again.summary.converted == 0 && again.summary.written == 0)
  }

  @Test("13: MSAL for Python keeps a family's refresh token under the client's key")
  func familyUnderClient() throws {
    let before = try bytes("13.target")
    let document = MemoryDocument(before)
    let report = try run("13", into: document)
    #expect(report.entries.map(\.outcome) == [.alreadyThere])
    #expect(report.entries.first?.reasons.contains(.keepTargetNewer) ?? false)
    #expect(report.accounts.map(\.signedIn) == [.yes])
    #expect(report.summary.written == 0)
    #expect(document.bytes == before)
  }

  @Test("14: an access token signs no account in, and none is written beside a bad ID token")
  func unusableIDToken() throws {
    let store = MemoryStore(try FoundRun.items("14.target"))
    let report = try run("14", into: store)
    #expect(report.accounts.map(\.signedIn) == [.yes])
    let token = try #require(report.entries.first { $0.kind == .accessToken })
    #expect(token.outcome == .notConverted)
    #expect(token.reasons.contains(.atNoIDToken) && token.reasons.contains(.targetCorrupt))
    #expect(try !store.items().contains { $0.type == 2001 })
    let again = try run("14", into: store)
    #expect(again.accounts == report.accounts && again.summary.written == 0)
  }

  @Test("16: an item that is carried takes its key, in a dry run too") func carriedKey() throws {
    let store = MemoryStore()
    let migration = Migration(
      from: .items(MemoryStore(try FoundRun.items("16"))), into: .items(store),
      now: clock)
    var planned = try migration.plan()
    let report = try migration.run()
    planned.kind = .applied
    #expect(planned == report)
    #expect(report.summary.rows == 3 && report.summary.converted == 2)
    let row = try #require(report.entries.first { $0.kind == .multiResourceRefreshToken })
    #expect(row.reasons.first == .targetCorrupt)
    // The item does not have the key that MSAL asks for.
    #expect(report.accounts.map(\.signedIn) == [.no, .no])
    #expect(try store.items().count == report.summary.written)
  }

  @Test("a refresh token that MSAL does not find does not keep another from being written")
  func strayRefreshToken() throws {
    let ann = World.ann
    let row = SyntheticRow.refresh("rt", ann.upn, ann.token()).item
    for change in [
      { (item: inout KeychainItem) in item.service = "refreshtoken-other--" },
      { item in
        item.account = "elsewhere"; item.generic = Array("refreshtoken-other-".utf8)
      },
    ] {
      var stray = ann.refreshToken("rt-stray").item(accessGroup: World.group, at: 1)
      change(&stray)
      let store = MemoryStore([row, stray])
      let report = try Migration(from: .items(store), into: .items(store), now: clock).run()
      #expect(report.accounts.map(\.signedIn) == [.yes])
      let entry = try #require(report.entries.first { $0.kind == .multiResourceRefreshToken })
      #expect(entry.outcome == .converted)
      #expect(try store.items().contains(stray))
    }
    var own = ann.refreshToken("rt-stray").item(accessGroup: World.group, at: 1)
    own.generic = nil
    let store = MemoryStore([row, own])
    let report = try Migration(from: .items(store), into: .items(store), now: clock).run()
    #expect(report.accounts.map(\.signedIn) == [.byUserName])
    #expect(report.entries.contains { $0.reasons.first == .targetCorrupt })
  }

  // MARK: - Keys

  @Test("two entries can have one key, since its parts have dashes as those between them have")
  func oneKeyForTwo() throws {
    func row(_ client: String, _ tenant: String) -> KeychainItem {
      let token = SyntheticRow.idToken([
        "ver": "1.0", "oid": "o", "tid": tenant, "upn": "ann@contoso.com", "iat": 1_699_990_000,
      ])
      return SyntheticRow.stored(
        World.ann.home,
        .refresh("rt-\(client)", "ann@contoso.com", token) { $0.clientID = client }
      ).item
    }
    let source = MemoryStore([row("app-1", "tenant"), row("app", "1-tenant")])
    let store = MemoryStore()
    let migration = Migration(from: .items(source), into: .items(store), now: clock)
    var planned = try migration.plan()
    let report = try migration.run()
    planned.kind = .applied
    #expect(planned == report)
    #expect(report.summary.converted == 2)
    #expect(report.entries.count { $0.reasons.contains(.targetCorrupt) } == 1)
    // Two refresh tokens, accounts and app metadata, and one ID token.
    #expect(report.summary.written == 7)
    #expect(try store.items().count == 7)
  }

  @Test("losers, copies and app metadata say why they are not there, too") func typeClash() throws {
    let ann = World.ann
    func taken(_ entry: SyntheticEntry) -> KeychainItem {
      var item = entry.item(accessGroup: World.group, at: 1)
      item.type = 7
      item.data = TokenSecret("another program's")
      return item
    }
    let rows = [
      SyntheticRow.refresh("rt-new", ann.upn, ann.token()) { $0.modified = 1_699_000_000 },
      .refresh("rt-old", ann.upn, ann.token(), at: World.tenant(World.contoso)) {
        $0.modified = 1_698_000_000
      },
    ].map(\.item)
    func reasons(_ blocker: KeychainItem) throws -> [[Reason]] {
      let store = MemoryStore(rows + [blocker])
      return try Migration(from: .items(store), into: .items(store), now: clock).run()
        .entries.filter { $0.kind == .multiResourceRefreshToken }.map(\.reasons)
    }
    for reasons in try reasons(taken(ann.refreshToken("x"))) {
      #expect(reasons.first == .targetTypeClash)
    }
    let metadata = SyntheticEntry.appMetadata(client: World.client, family: "")
    for reasons in try reasons(taken(metadata)) { #expect(reasons.contains(.targetTypeClash)) }
  }
}
