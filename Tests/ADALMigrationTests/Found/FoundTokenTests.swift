// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments

/// Which tokens are carried, on caches on which it was wrong (`Tests/Vectors/found`).
@Suite struct FoundTokenTests {
  private typealias Run = FoundRun
  private let carried = "converted unified.carried"
  private let duplicate = "not-converted rt.duplicate"

  @Test("04: of two refresh tokens under alias hosts the newest is carried")
  func newestOfAliases() throws {
    let run = try Run.into(nil, "04")
    // Rows are in key order: login.microsoftonline.com comes first.
    run.expectRows([duplicate, carried, carried])
    run.expectFindings([.note(.rtDuplicate)])
    #expect(try run.refreshTokens() == ["rt.new"])
    #expect(try run.listed() == [Run.ann])
  }

  @Test("R2: of two files the newest refresh token is carried, whatever they are called")
  func newestOfFiles() throws {
    let run = try Run.into(nil, "R2/2023-01", "R2/2023-06")
    run.expectRows([carried, duplicate, carried, carried])
    #expect(try run.refreshTokens() == ["rt.june"])
  }

  @Test("R2b: the same of ADAL's rows")
  func newestOfArchives() throws {
    let run = try Run.into(nil, "R2b/2023-01", "R2b/2023-06")
    #expect(run.report.entries.map(\.outcome) == [.notConverted, .converted])
    #expect(run.report.entries.map { $0.reasons.first } == [.rtDuplicate, .okMRRT])
    #expect(try run.refreshTokens() == ["rt.june"])
  }

  @Test("04: of other tokens the one that ends or was issued last; equal ones share its fate")
  func otherDuplicates() throws {
    let ann = World.ann
    func item(_ entry: SyntheticEntry, at time: Double) -> KeychainItem {
      entry.item(accessGroup: World.group, at: time)
    }
    func access(_ secret: String, _ host: String, until end: Double) -> SyntheticEntry {
      .accessToken(
        secret, home: ann.home, client: World.client, realm: ann.tid, target: "User.Read",
        expiresOn: end, cachedAt: nil, environment: host)
    }
    let (host, alias) = ("login.windows.net", "login.microsoftonline.com")
    let old = ann.token(["iat": Int(World.issued) - 60])
    let run = try Run.intoNew([
      item(ann.refreshToken("rt"), at: 1), item(ann.refreshToken("rt", at: alias), at: 2),
      item(ann.account(), at: 1), item(ann.account(at: alias), at: 2),
      item(access("at-long", host, until: Run.now + 7200), at: 1),
      item(access("at-short", alias, until: Run.now + 3600), at: 2),
      item(ann.idToken(ann.token()), at: 1), item(ann.idToken(old, at: alias), at: 2),
    ])
    // Under the alias: access token, ID token, refresh token, account; then the same.
    run.expectRows([
      carried, "not-converted at.superseded", "not-converted idtoken.superseded", carried,
      carried, carried, carried, carried,
    ])
    #expect(
      try run.added == [
        access("at-long", host, until: Run.now + 7200), ann.idToken(ann.token()),
        ann.refreshToken("rt", at: alias), ann.account(at: alias),
      ])
  }

  @Test("05: a new document has app metadata for every client that has a token in it")
  func appMetadataOfDocuments() throws {
    let document = MemoryDocument()
    let migration = Migration(
      from: .items(MemoryStore(try Run.items("05"))), into: .document(document),
      now: { Date(timeIntervalSince1970: Run.now) })
    let report = try migration.run()
    let writes = report.entries.map { $0.writes.map(\.type) }
    #expect(writes == [[.account], [.appMetadata, .refreshToken]])
    #expect(report.entries.map(\.reasons) == [[.unifiedCarried], [.unifiedCarried, .okAppMeta]])
    #expect(report.summary.written == 3)
    let metadata = try CacheDocument(document.read()).appMetadata.map(\.value)
    #expect(metadata.map(\.clientID) == [Run.client])
    #expect(metadata.map(\.environment) == ["login.windows.net"])
    #expect(metadata.map(\.familyID) == [nil])
    #expect(try migration.run().summary.written == 0)
  }

  @Test("05: a family's token makes its client a member")
  func appMetadataOfFamilies() throws {
    let ann = World.ann
    let entries = [
      ann.account(), ann.refreshToken("rt"), ann.refreshToken("rt-f", family: "1"),
      ann.refreshToken("rt-2", client: World.otherClient),
      .appMetadata(client: World.otherClient, family: ""),
    ]
    let document = MemoryDocument()
    _ = try Migration(
      from: .items(MemoryStore(entries.map { $0.item(accessGroup: World.group, at: nil) })),
      into: .document(document), now: { Date(timeIntervalSince1970: Run.now) }
    ).run()
    let metadata = try CacheDocument(document.read()).appMetadata.map(\.value)
    #expect(
      Dictionary(uniqueKeysWithValues: metadata.map { ($0.clientID, $0.familyID) })
        == [World.client: "1", World.otherClient: ""])
  }

  @Test("11: a user who signed out of a client stays signed out, also by the token of its family")
  func signedOutFamily() throws {
    let row = "not-converted account.signed-out home.common-authority"
    for policy in [Policy(), Policy(clientIDs: [Run.client])] {
      let run = try Run.into(nil, "11", policy: policy)
      run.expectRows([row, row])
      #expect(try run.added == [])
      #expect(
        run.accounts == [GoldenAccount(Run.ann, Run.home, .homeAuthority, .no)])
      run.expectFindings([.note(.accountSignedOut, 2)])
    }
  }

  @Test(
    "12: an access token is carried beside a refresh token in MSAL's form",
    arguments: ["12", "R13b"])
  func accessTokenBesideMSALs(name: String) throws {
    let run = try Run.inPlace(name)
    let access = try #require(run.report.entries.first { $0.kind == .accessToken })
    #expect(access.outcome == .converted)
    #expect(
      access.reasons == [
        .okAT, .homeCommonAuthority, .keepAccount, .okAppMeta, .okIDTokenV1,
      ])
    #expect(access.writes.map(\.type) == [.appMetadata, .idToken, .accessToken])
    #expect(
      Set(try run.added.map { $0["credential_type"] ?? "AppMetadata" }) == [
        "AppMetadata", "IdToken", "AccessToken",
      ])
    #expect(run.accounts == [GoldenAccount(Run.ann, Run.home, .exact, .yes)])
  }

  @Test("12: also where the refresh token is the family's")
  func accessTokenBesideFamilys() throws {
    let ann = World.ann
    let items = [
      ann.account(), ann.refreshToken("rt", client: World.otherClient, family: "1"),
      .appMetadata(client: World.client, family: "1"),
    ].map { (entry: SyntheticEntry) in entry.item(accessGroup: World.group, at: nil) }
    let row = SyntheticRow.access("at", ann.upn, ann.token(), lasting: 7200)
    let run = try Run.inPlace(items + [row.item])
    #expect(
      try run.added == [
        ann.idToken(ann.token()), ann.accessToken("at", lasting: 7200),
      ])
  }

  @Test("19: the entries in a broker's group are the broker's")
  func broker() throws {
    let run = try Run.into(nil, "19")
    run.expectRows(["not-converted rt.broker"])
    run.expectFindings([.note(.rtBroker)])
    #expect(try run.added == [])
    let ann = World.ann
    let entries = [ann.account(), ann.refreshToken("rt")].map {
      $0.item(accessGroup: "ABCDE12345.com.microsoft.workplacejoin", at: nil)
    }
    let unified = try Run.intoNew(entries)
    unified.expectRows(["not-converted rt.broker", "not-converted rt.broker"])
  }
}
