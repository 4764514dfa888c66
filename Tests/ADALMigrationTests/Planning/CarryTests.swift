// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import MigrationDocuments
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Which of several entries in MSAL's form is carried, and what becomes of the others (D17, D30).
@Suite struct CarryTests {
  private let ann = World.ann
  private let eve = World.eve

  private func secret(_ row: Inventory.Row) -> String {
    guard case .unified(let unified) = row.content,
      let credential = unified.record
    else { return "" }
    return credential.secret.revealText() ?? ""
  }

  /// The secrets in the order in which they are carried, however they come.
  private func order(_ records: [MSALEntry], modified: [Double?] = []) -> Set<[String]> {
    let rows = PlannerRows.unified(records, modified: modified)
    return Set(PlannerRows.orders(rows).map { CarryOrder.winnersFirst($0).map(secret) })
  }

  private func access(_ secret: String, _ target: String, until end: Int) -> MSALEntry {
    ann.credential(.accessToken, secret) {
      $0.target = target
      $0.realm = World.contoso
      $0.expiresOn = String(end)
    }
  }

  @Test func theAccessTokenThatLastsLongestIsFirstWhateverItsScope() {
    let tokens = [
      access("short", "User.Read", until: 10), access("long", "User.Read Mail.Read", until: 30),
      access("middle", "Mail.Read", until: 20),
    ]
    #expect(order(tokens, modified: [3, 1, 2]) == [["long", "middle", "short"]])
  }

  @Test func theRefreshTokenThatWasStoredLastIsFirst() {
    let tokens = ["old", "new", "middle"].map { ann.credential(.refreshToken, $0) }
    #expect(order(tokens, modified: [1, 3, 2]) == [["new", "middle", "old"]])
  }

  @Test func theIDTokenThatWasIssuedLastIsFirst() {
    let tokens = [100, 300, 200].map { issued in
      ann.credential(.idToken, ann.token(["iat": issued])) { $0.realm = World.contoso }
    }
    let expected = [300, 200, 100].map { ann.token(["iat": $0]) }
    #expect(order(tokens, modified: [3, 1, 2]) == [expected])
  }

  @Test func tiesAreBrokenByTheSecretAndNotByTheOrder() {
    let tokens = ["a", "b", "c", "d"].map { ann.credential(.refreshToken, $0) }
    #expect(order(tokens, modified: [1, 1, 1, 1]).count == 1)
  }

  @Test func nothingIsLostOrAddedByOrdering() {
    let records =
      [ann.record(), eve.record(), access("at", "a b", until: 1)]
      + ["x", "y"].flatMap {
        [ann.credential(.refreshToken, $0), eve.credential(.refreshToken, $0)]
      }
    let rows = PlannerRows.unified(records)
    #expect(CarryOrder.winnersFirst(rows).map(\.number).sorted() == Array(rows.indices))
  }

  // MARK: The plan

  /// The result of carrying records from one keychain into another.
  private func plan(
    _ records: [MSALEntry], into target: [MSALEntry] = [], _ policy: Policy = Policy()
  ) throws -> (plan: CarryPlan, rows: [Inventory.Row]) {
    func store(_ records: [MSALEntry]) -> MemoryStore {
      MemoryStore(records.map { $0.item(accessGroup: World.group, at: World.now) })
    }
    let inventory = try Inventory(of: [.items(store(records))], into: .items(store(target)))
    var symbols = Symbols()
    let plan = CarryPlan(
      inventory, inventory.target.indexes, signedIn: [], form: .keychainItems, policy: policy,
      now: World.now, &symbols)
    return (plan, inventory.rows)
  }

  /// The outcome and reasons of every row, by what it is.
  private func outcomes(
    _ records: [MSALEntry], into target: [MSALEntry] = [], _ policy: Policy = Policy()
  ) throws -> Set<[String]> {
    let (plan, rows) = try plan(records, into: target, policy)
    let decided = plan.decisions
    return Set(
      rows.map { row in
        let decision = decided[row.number]
        return [secret(row), decision.outcome.rawValue] + decision.reasons.reasons.map(\.code)
      })
  }

  @Test func whatTheTargetDoesNotHaveIsCarried() throws {
    let (plan, rows) = try plan([ann.record(), ann.credential(.refreshToken, "rt")])
    let decided = plan.decisions
    #expect(rows.map { decided[$0.number].outcome } == [.converted, .converted])
    #expect(plan.decisions.additions.count == 2)
    #expect(plan.caches[World.group]?.spelled(ann.key)?.refreshTokenHosts.isEmpty == false)
    #expect(plan.accountsLeftBehind.isEmpty)
  }

  @Test func twinsUnderAliasHostsAreOneEntry() throws {
    let here = ann.credential(.refreshToken, "rt")
    let same = ann.credential(.refreshToken, "rt", host: "login.microsoftonline.com")
    let other = ann.credential(.refreshToken, "other", host: "login.microsoftonline.com")
    #expect(try outcomes([here, same]) == [["rt", "converted", "unified.carried"]])
    #expect(try plan([here, same]).plan.decisions.additions.count == 1)
    // One of two is kept, and the other one says why not.
    let outcomes = try outcomes([here, other])
    #expect(
      Set(outcomes.map { $0.dropFirst() }) == [
        ["converted", "unified.carried"], ["not-converted", "rt.duplicate"],
      ])
  }

  /// The items of an empty group after a carry. A second run adds nothing.
  private func carried(_ items: [KeychainItem]) throws -> Set<TokenSecret?> {
    let target = MemoryStore()
    let migration = Migration(
      from: .items(MemoryStore(items)), into: .items(target, accessGroup: World.group),
      now: { Date(timeIntervalSince1970: World.now) })
    _ = try migration.run()
    #expect(try migration.run().summary.written == 0)
    return Set(try target.items().map(\.data))
  }

  /// Filed under what it does not say, the newer token is found by nobody.
  @Test func whatMSALDoesNotFindKeepsNothingAway() throws {
    var stray = ann.credential(.refreshToken, "stray").item(accessGroup: World.group, at: 2)
    stray.service = World.contoso
    let token = ann.credential(.refreshToken, "rt", host: "login.microsoftonline.com")
      .item(accessGroup: World.group, at: 1)
    #expect(try carried([stray, token]) == [stray.data, token.data])
    #expect(try carried([token, stray]) == [stray.data, token.data])
    // The same twice is one entry, wherever it is filed.
    var same = stray
    same.accessGroup = "ABCDE12345.com.contoso.other"
    #expect(try carried([stray, same]) == [stray.data])
    // An older one is not missed.
    stray.modified = 0
    #expect(try carried([stray, token]) == [token.data])
  }

  @Test func primaryRefreshTokensAreTheBrokers() throws {
    let token = ann.credential(.primaryRefreshToken, "prt")
    #expect(try outcomes([token]) == [["prt", "not-converted", "rt.prt"]])
  }

  @Test func whatIsCarriedIsReadableAsMSALsOwn() throws {
    var item = ann.credential(.refreshToken, "rt").item(accessGroup: World.group, at: 1)
    let own = item.accessibility
    item.accessibility = "ak"
    let target = MemoryStore()
    _ = try Migration(
      from: .items(MemoryStore([item])), into: .items(target),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    #expect(own == "cku")
    #expect(try target.items().map(\.accessibility) == ["cku"])
    #expect(try target.items().map(\.data) == [item.data])
  }

  @Test func aTwinIsAsMuchThereAsTheEntryThatIsCarried() throws {
    let twins = ["login.windows.net", "login.microsoftonline.com"].map {
      ann.credential(.refreshToken, "rt", host: $0)
    }
    let (plan, rows) = try plan(twins)
    var decided = plan.decisions
    decided.sortAdditions(Symbols())
    #expect(rows.map { decided.additions(of: $0.number).count } == [1, 1])
    #expect(decided.additions.count == 1)
  }

  @Test func whatTheTargetHasStays() throws {
    let token = ann.credential(.refreshToken, "rt")
    let newer = ann.credential(.refreshToken, "newer", host: "login.microsoftonline.com")
    #expect(try outcomes([token], into: [token]) == [["rt", "already-there", "keep.identical"]])
    #expect(try outcomes([token], into: [newer]) == [["rt", "already-there", "keep.target-newer"]])
    #expect(try plan([token], into: [newer]).plan.decisions.additions.isEmpty)
  }

  @Test func anAccountStaysBehindWithItsRefreshTokens() throws {
    let policy = Policy(clientIDs: [World.otherClient])
    let records = [ann.record(), ann.credential(.refreshToken, "rt")]
    #expect(
      try outcomes(records, policy) == [
        ["rt", "not-converted", "client.not-in-set"], ["", "not-converted", "client.not-in-set"],
      ])
    let accountsLeftBehind = try plan(records, policy).plan.accountsLeftBehind
    #expect(accountsLeftBehind == [Grouped(group: World.group, key: ann.key)])
    // With a token of a client that is asked for it comes along.
    let more = records + [ann.credential(.refreshToken, "mine", client: World.otherClient)]
    #expect(try outcomes(more, policy).contains(["", "converted", "unified.carried"]))
  }

  @Test func anAccountComesAlongWhereARowOfADALsGivesItARefreshToken() throws {
    let entries = [ann.record(), ann.credential(.refreshToken, "rt")].map {
      $0.item(accessGroup: World.group, at: 1)
    }
    let row = SyntheticRow.refresh("rt-adal", ann.upn, ann.token()) {
      $0.clientID = World.otherClient
    }
    let run = try FoundRun.intoNew(
      [row.item] + entries, policy: Policy(clientIDs: [World.otherClient]))
    let account = try #require(run.report.entries.first { $0.kind == .unifiedAccount })
    #expect(account.outcome == .converted && account.reasons == [.unifiedCarried])
    #expect(try run.refreshTokens(of: World.otherClient) == ["rt-adal"])
    #expect(try run.refreshTokens(of: World.client) == [])
  }

  @Test func anAccountSaysWhyTheFirstOfItsRefreshTokensStayed() throws {
    // Which of two clients comes first their ids say.
    #expect(World.client < World.otherClient)
    func said(signedOut: String, state: String = "signed_out") throws -> [Reason] {
      let tokens = [World.client, World.otherClient].map {
        ann.credential(.refreshToken, "rt of \($0)", client: $0)
      }
      let items = (tokens + [ann.record()]).map { $0.item(accessGroup: World.group, at: 1) }
      let note = SyntheticEntry.accountMetadata(
        [ann.home: state], client: signedOut, accessGroup: World.group)
      let inventory = try Inventory(
        of: [.items(MemoryStore(items))], into: .items(MemoryStore([note])))
      var symbols = Symbols()
      let plan = CarryPlan(
        inventory, inventory.target.indexes, signedIn: [], form: .keychainItems,
        policy: Policy(clientIDs: [signedOut]), now: World.now, &symbols)
      let decided = plan.decisions
      return inventory.rows.filter(\.isAccount).flatMap { decided[$0.number].reasons.reasons }
    }
    #expect(try said(signedOut: World.client) == [.accountSignedOut])
    #expect(try said(signedOut: World.otherClient) == [.clientNotInSet])
    for state in ["signed_in", "unknown"] {
      #expect(try said(signedOut: World.client, state: state) == [.unifiedCarried])
    }
  }

  private func outcomes(_ records: [MSALEntry], _ policy: Policy) throws -> Set<[String]> {
    try outcomes(records, into: [], policy)
  }

  private func plan(
    _ records: [MSALEntry], _ policy: Policy
  ) throws -> (plan: CarryPlan, rows: [Inventory.Row]) {
    try plan(records, into: [], policy)
  }

  @Test func accessTokensStayWhereThePolicySaysSo() throws {
    let token = access("at", "User.Read", until: 2_000_000_000)
    #expect(
      try outcomes([token], Policy(accessTokens: false)) == [
        ["at", "not-converted", "at.not-carried"]
      ])
    #expect(try outcomes([token]) == [["at", "converted", "unified.carried"]])
  }

  @Test(
    "a token under `organizations` in a document is moved to the tenant that its ID token names")
  func tenantOfADocument() throws {
    let (eve, client) = (World.eve, World.client)
    func entry(_ type: String, _ fields: [String: String]) -> [String: [String: String]] {
      let common = [
        "credential_type": type, "home_account_id": eve.home, "environment": "login.windows.net",
        "client_id": client,
      ]
      return ["\(type)-of-eve": common.merging(fields) { $1 }]
    }
    func realms(_ idToken: String) throws -> [String] {
      let document: [String: Any] = [
        "IdToken": entry("IdToken", ["secret": idToken, "realm": "organizations"]),
        "AccessToken": entry(
          "AccessToken",
          [
            "secret": "at", "realm": "organizations", "target": "s", "token_type": "Bearer",
            "cached_at": "1699990000", "expires_on": "1700003600",
          ]),
        "RefreshToken": entry("RefreshToken", ["secret": "rt"]),
      ]
      let store = MemoryStore()
      _ = try Migration(
        from: [.document(Array(try JSONSerialization.data(withJSONObject: document)))],
        into: .items(store, accessGroup: World.group),
        now: { Date(timeIntervalSince1970: World.now) }
      ).run()
      return try store.items().compactMap { SyntheticEntry($0) }
        .map { "\($0["credential_type"] ?? "") \($0["realm"] ?? "-")" }.sorted()
    }
    #expect(
      try realms(eve.token()) == [
        "AccessToken \(eve.tid)", "IdToken \(eve.tid)", "RefreshToken -",
      ])
    // Without a tenant MSAL could not use them there.
    #expect(try realms(eve.token(["tid": nil])) == ["RefreshToken -"])
  }
}
