// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Which clients belong to a family (D4).
@Suite struct ClientFamilyTests {
  private let ann = World.ann
  private static let cloud = "login.windows.net"
  private static let china = "login.partner.microsoftonline.cn"
  private let client = ClientKey(cloud: Self.cloud, client: World.client)

  private func refresh(
    _ secret: String = "rt", _ change: SyntheticRow.Change = { _ in }
  ) -> SyntheticRow {
    .refresh(secret, ann.upn, ann.token(), change)
  }

  /// The known families, asked in texts.
  private struct Families {
    let families: ClientFamilies
    let symbols: Symbols

    func membership(of client: ClientKey) -> ClientFamilies.Membership {
      families.membership(of: client, symbols)
    }

    func familySignIn(of client: ClientKey) -> String? {
      families.familySignIn(of: client, symbols)
    }

    func ofTokens(_ client: ClientKey) -> ClientFamilies.Membership {
      families.ofTokens(client, symbols)
    }
  }

  private func families(
    _ rows: [SyntheticRow], metadata: [MSALEntry] = [], form: CacheForm = .keychainItems
  ) throws -> Families {
    var state = MSALIndex()
    for metadata in metadata { state.insert(metadata) }
    let table = try PlannerRows.table(rows)
    return Families(
      families: ClientFamilies(table.rows, existing: state, form: form, table.symbols),
      symbols: table.symbols)
  }

  private func metadata(_ family: String?, host: String = Self.cloud) -> MSALEntry {
    MSALEntry(metadataOf: World.client, environment: host, familyID: family)
  }

  @Test func aRowSaysIt() throws {
    #expect(
      try families([refresh { $0.familyID = "1" }]).membership(of: client) == .member(of: "1"))
    #expect(try families([refresh { $0.familyID = nil }]).membership(of: client) == .none)
    #expect(try families([]).membership(of: client) == .unknown)
  }

  @Test func whatTheArchiveDoesNotKnowDeniesNothing() throws {
    // 1.2 had no families; 2.7 names none beside an access token.
    let old = refresh { $0.generation = .one }
    let token = SyntheticRow.access("at", ann.upn, ann.token()) {
      $0.generation = .twoSeven
      $0.cachedAt = World.now
    }
    #expect(try families([old]).membership(of: client) == .unknown)
    #expect(try families([token]).membership(of: client) == .unknown)
  }

  @Test func theSameSecretAsAFamilysMakesAMember() throws {
    let family = refresh("shared") { $0.clientID = "foci-1" }
    #expect(
      try families([family, refresh("shared")]).membership(of: client) == .member(of: "1"))
    #expect(try families([family, refresh("own")]).membership(of: client) == .none)
    #expect(try families([family]).membership(of: client) == .unknown)
  }

  @Test func aMemberStaysOneWhateverAnotherRowDenies() throws {
    let rows = [refresh { $0.familyID = "2" }, refresh(), refresh { $0.familyID = "1" }]
    for rows in PlannerRows.orders(rows) {
      #expect(try families(rows).membership(of: client) == .member(of: "1"))
    }
  }

  @Test func theTargetsAppMetadataCountsMore() throws {
    let member = refresh { $0.familyID = "1" }
    #expect(try families([member], metadata: [metadata("")]).membership(of: client) == .none)
    #expect(
      try families([refresh()], metadata: [metadata("1")]).membership(of: client)
        == .member(of: "1"))
    // Under an alias host it is the same cloud, and the rows' own word is still to be had.
    let alias = try families([member], metadata: [metadata(nil, host: "login.microsoftonline.com")])
    #expect(alias.membership(of: client) == .none)
    #expect(alias.ofTokens(client) == .member(of: "1"))
  }

  @Test func whoeverIsUnknownIsTriedWithTheFamilyThatThereIs() throws {
    #expect(try families([]).familySignIn(of: client) == "1")
    #expect(try families([refresh()]).familySignIn(of: client) == nil)
    #expect(try families([refresh { $0.familyID = "1" }]).familySignIn(of: client) == "1")
  }

  @Test func anotherCloudsWordCountsInAKeychainAlone() throws {
    let member = refresh { $0.familyID = "1" }
    let denied = [metadata("", host: Self.china)]
    #expect(try families([member], metadata: denied).familySignIn(of: client) == nil)
    #expect(
      try families([member], metadata: denied, form: .document).familySignIn(of: client) == "1")
    let agreed = [metadata("1", host: Self.china)]
    #expect(try families([member], metadata: agreed).familySignIn(of: client) == "1")
  }

  @Test(
    "in a document a client is in the family that a token in MSAL's form names, at once",
    arguments: ["1", nil])
  func familyOfATokenInMSALsForm(family: String?) throws {
    let eve = World.eve
    let there = [
      ann.refreshToken("rt-ann", family: family), ann.account(), ann.idToken(ann.token()),
    ]
    let ofFamily = SyntheticRow.stored(
      eve.home,
      .refresh("rt-eve", eve.upn, eve.token()) {
        $0.clientID = "foci-1"
        $0.familyID = "1"
      })
    let ofClient = SyntheticRow.stored(eve.home, .access("at", eve.upn, eve.token()))
    var cached = ofClient
    cached.cachedAt = World.now
    // A row that says that its client is in no family says less than a token that the client got as a member.
    for rows in [[ofFamily], [ofFamily, cached], [ofFamily, ofClient]] {
      let document = MemoryDocument()
      let items = rows.map(\.item) + there.map { $0.item(accessGroup: World.group, at: 1) }
      let migration = Migration(
        from: .items(MemoryStore(items)), into: .document(document),
        policy: Policy(clientIDs: [World.client]),
        now: { Date(timeIntervalSince1970: World.now) })
      let first = try migration.run()
      let signedIn = first.accounts.filter { $0.signedIn == .yes }.map(\.userID)
      #expect(signedIn == (family == nil ? [ann.upn] : [ann.upn, eve.upn]))
      let again = try migration.run()
      #expect(again.summary.written == 0 && again.accounts == first.accounts)
      let metadata = try LawsCase.sections(document.read())["AppMetadata"]?.values
      let families = metadata?.compactMap { ($0 as? [String: String])?["family_id"] }
      #expect(families?.filter { !$0.isEmpty } == [family].compactMap { $0 })
    }
  }

  @Test("of a family's tokens in two access groups one is carried, and signs both clients in")
  func oneTokenForTwoClients() throws {
    let eve = World.eve
    let items = [World.client, World.otherClient].enumerated().flatMap { number, client in
      [
        eve.refreshToken("rt-\(number)", client: client, family: "1"), eve.account(),
        .appMetadata(client: client, family: "1", environment: Self.cloud),
      ].map { $0.item(accessGroup: "ABCDE12345.com.contoso.\(number)", at: 1) }
    }
    let document = MemoryDocument()
    let migration = Migration(
      from: .items(MemoryStore(items)), into: .document(document),
      now: { Date(timeIntervalSince1970: World.now) })
    let first = try migration.run()
    #expect(first.accounts.map(\.signedIn) == [.yes])
    #expect(first.accounts.map(\.clients) == [[World.client, World.otherClient]])
    let tokens = first.entries.filter { $0.kind == .unifiedRefreshToken }
    #expect(Set(tokens.map(\.outcome)) == [.converted, .notConverted])
    #expect(try migration.run().accounts == first.accounts)
  }

  /// Tied to each, such rows would make work and a report of the square of their number.
  @Test("of the rows with the token of several families, all but one belong to the first")
  func tokenOfSeveralFamilies() throws {
    let rows = ["foci-2", "foci-1", World.client, World.otherClient].map { client in
      refresh("shared") { $0.clientID = client }
    }
    let report = try FoundRun.inPlace(rows.map(\.item)).report
    let tokens = report.entries.map { entry in
      [entry.clientID ?? ""] + entry.writes.map(\.type.rawValue).filter { $0 == "RefreshToken" }
    }
    #expect(report.entries.allSatisfy { $0.outcome == .converted })
    // The one with the smaller id is the client that both families' tokens are written for.
    #expect(
      Set(tokens) == [
        [World.client, "RefreshToken", "RefreshToken", "RefreshToken"],
        [World.otherClient, "RefreshToken", "RefreshToken"], ["foci-1", "RefreshToken"],
        ["foci-2", "RefreshToken"],
      ])
  }

  @Test("a token that yields to one that MSAL does not find signs no account in")
  func placeOfAMisfiledToken() throws {
    let eve = World.eve
    func item(_ entry: SyntheticEntry, _ number: Int) -> KeychainItem {
      entry.item(accessGroup: "ABCDE12345.com.contoso.\(number)", at: 1)
    }
    let good = item(eve.refreshToken("rt-good"), 1)
    let other = item(eve.refreshToken("rt-other", client: World.otherClient), 1)
    // Filed where the good one belongs, for the other client.
    var misfiled = item(eve.refreshToken("rt-misfiled", client: World.otherClient), 0)
    misfiled.service = good.service
    misfiled.generic = good.generic
    let report = try Migration(
      from: .items(MemoryStore([misfiled, good, other, item(eve.account(), 1)])),
      into: .items(MemoryStore(), accessGroup: World.group),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    let tokens = report.entries.filter { $0.kind == .unifiedRefreshToken }
    #expect(tokens.first { $0.clientID == World.client }?.reasons == [.rtDuplicate])
    #expect(
      tokens.filter { $0.clientID == World.otherClient }.map(\.outcome) == [.converted, .converted])
    #expect(report.accounts.map(\.signedIn) == [.no])
  }
}
