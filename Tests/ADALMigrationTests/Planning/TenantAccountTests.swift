// SPDX-License-Identifier: MIT
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALCache
@testable import ADALMigration
import MigrationDocuments
@testable import MigrationPolicies

/// The accounts that a user gets in tenants, and what is said of them (mapping-rules §4.e, D27).
@Suite struct TenantAccountTests {
  private let ann = World.ann
  private let eve = World.eve

  private func accounts(_ rows: [SyntheticRow]) throws -> [SyntheticEntry] {
    try FoundRun.inPlace(rows.map(\.item)).added.filter { $0["authority_type"] != nil }
  }

  @Test("without an ID token the local account id is known in the home tenant alone")
  func minimalAccount() throws {
    func ids(_ authority: String) throws -> [[String?]] {
      try accounts([.stored(ann.home, .refresh("rt", ann.upn, nil, at: authority))]).map {
        [$0["realm"], $0["local_account_id"], $0["username"]]
      }
    }
    #expect(try ids(World.tenant(World.contoso)) == [[World.contoso, ann.oid, ann.upn]])
    #expect(try ids(World.common) == [[World.contoso, ann.oid, ann.upn]])
    #expect(try ids(World.tenant(World.fabrikam)) == [[World.fabrikam, nil, ann.upn]])
  }

  /// With all of them, what is written of such rows would grow with their number times that of the tenants.
  @Test("a row without an ID token needs the account of its authority's tenant, or of the home")
  func rowWithoutTenant() throws {
    let fabrikam = World.tenant(World.fabrikam)
    let rows: [SyntheticRow] = [
      .stored(ann.home, .refresh("home", ann.upn, ann.token())),
      .stored(
        ann.home,
        .refresh(
          "visited", ann.upn, ann.guestToken(of: World.fabrikam, as: World.eveInContoso),
          at: fabrikam)),
      .stored(ann.home, .access("1", for: "https://one.contoso.com", ann.upn, nil)),
      .stored(ann.home, .access("2", for: "https://two.contoso.com", ann.upn, nil, at: fabrikam)),
    ]
    let report = try FoundRun.inPlace(rows.map(\.item)).report
    let accounts = report.entries.filter { $0.kind == .accessToken }.map { entry in
      [entry.resource] + entry.writes.filter { $0.type == .account }.map(\.realm)
    }
    #expect(
      accounts == [
        ["https://two.contoso.com", World.fabrikam], ["https://one.contoso.com", World.contoso],
      ])
  }

  @Test("an ID token that MSAL for iOS cannot read goes where other libraries read it")
  func unreadableHeader() {
    var token = LegacyToken(
      authority: World.common, clientID: World.client, userID: ann.upn,
      // The header says "not JSON", and the payload what it says.
      rawIDToken: TokenSecret("bm90IEpTT04" + ann.token().drop { $0 != "." }),
      refreshToken: TokenSecret("rt"), place: .archive(index: 0))
    token.origin = .dotNet(schema: 3)
    token.isMultiResource = true
    var reader = RowReader(Policy())
    reader.add(SharedToken(token), number: 0, group: "")
    let table = reader.table(of: ann.homeAccountID)
    func types(_ form: CacheForm) -> [EntryType] {
      var plan = CachePlan(
        "", table.rows, table, MSALIndex(), Decisions(count: 1), form: form, policy: Policy(),
        now: World.now)
      plan.plan(table.rows)
      plan.decisions.sortAdditions(plan.table.symbols)
      return plan.decisions.additions.map(\.type)
    }
    #expect(types(.document) == [.appMetadata, .idToken, .refreshToken, .account])
    #expect(types(.keychainItems) == [.refreshToken, .account])
  }

  @Test("client info that no row stores is made up, and that is said of every row")
  func clientInfo() throws {
    func said(_ clientInfo: String?) throws -> [Bool] {
      let rows = [
        SyntheticRow.refresh("rt", ann.upn, ann.token()) { $0.clientInfo = clientInfo },
        .access("at", ann.upn, ann.token()),
      ]
      return try FoundRun.inPlace(rows.map(\.item)).report.entries.prefix(2).map {
        $0.reasons.contains(.clientInfoSynthesised)
      }
    }
    #expect(try said(nil) == [true, true])
    #expect(try said(SyntheticRow.clientInfo(uid: ann.oid, utid: ann.tid)) == [false, false])
  }

  @Test("a user whose name the map prescribes was not renamed")
  func prescribedName() throws {
    let guest = SyntheticRow.refresh(
      "rt", eve.upn, eve.guestToken(of: World.contoso, as: World.eveInContoso),
      at: World.tenant(World.contoso))
    let line = AccountMap.Entry(
      homeOID: eve.oid, homeTID: eve.tid, tid: World.contoso, oid: World.eveInContoso,
      usernameOverride: "eve.ray@fabrikam.com")
    let run = try FoundRun.inPlace([guest.item], policy: .map([line]))
    #expect(run.report.accounts.map(\.userID) == ["eve.ray@fabrikam.com"])
    #expect(run.report.entries.first?.reasons.contains(.accountRenamed) == false)
    // By the target she was.
    let there = eve.account(
      in: World.contoso, as: World.eveInContoso, named: "eve.ray@fabrikam.com"
    ).item(accessGroup: World.group, at: 1)
    let renamed = try FoundRun.inPlace([guest.item, there]).report.entries
      .filter { $0.reasons.contains(.accountRenamed) }
    #expect(renamed.map(\.kind) == [.multiResourceRefreshToken])
  }

  @Test("an account that MSAL has in another tenant under another name was renamed")
  func renamedElsewhere() throws {
    let row = SyntheticRow.refresh("rt", ann.upn, ann.token()).item
    func isSaid(_ name: String) throws -> Bool {
      let there = ann.account(in: World.fabrikam, as: World.eveInContoso, named: name)
      let run = try FoundRun.inPlace([row, there.item(accessGroup: World.group, at: 1)])
      #expect(try run.added.contains { $0["username"] == ann.upn })
      return run.report.findings.contains {
        $0.reason == .accountRenamed && $0.severity == .warning
      }
    }
    #expect(try isSaid("ann.lee@contoso.com"))
    #expect(try !isSaid(ann.upn.uppercased()))
  }

  @Test(
    "an authority of another tenant than the ID token's is said of a row whose account is known")
  func otherTenant() throws {
    func isSaid(at authority: String) throws -> Bool {
      let row = SyntheticRow.stored(
        ann.home, .refresh("rt", ann.upn, ann.token(), at: authority))
      let entry = try #require(try FoundRun.inPlace([row.item]).report.entries.first)
      #expect(entry.outcome == .converted)
      return entry.reasons.contains(.tenantMismatch)
    }
    #expect(try isSaid(at: World.tenant(World.fabrikam)))
    #expect(try !isSaid(at: World.tenant(World.contoso)))
    #expect(try !isSaid(at: World.common))
  }

  @Test("an access token is not filed under a tenant that its authority does not name")
  func accessTokenOfOtherTenant() throws {
    func reasons(at authority: String) throws -> [Reason] {
      let token = SyntheticRow.stored(
        ann.home, .access("at", ann.upn, ann.token(), at: authority))
      let row = SyntheticRow.stored(
        ann.home, .refresh("rt", ann.upn, ann.token(), at: World.tenant(World.contoso)))
      let entries = try FoundRun.inPlace([row.item, token.item]).report.entries
      return try #require(entries.first { $0.kind == .accessToken }).reasons
    }
    let other = try reasons(at: World.tenant(World.fabrikam))
    #expect(Set(other).isSuperset(of: [.atNotCarried, .tenantMismatch]) && !other.contains(.okAT))
    #expect(try reasons(at: World.tenant(World.contoso)).contains(.okAT))
  }

  @Test("of ID tokens that are as new, the one with the smaller hash names the account")
  func namesOfOneAge() throws {
    let tokens = ["Ann A", "Ann B"].map { (name: String) in
      (name: name, token: ann.token(["name": name]))
    }
    let first = tokens.min { TokenSecret($0.token).digest < TokenSecret($1.token).digest }
    for tokens in PlannerRows.orders(tokens) {
      let rows = zip(tokens, [World.client, World.otherClient]).map { told, client in
        SyntheticRow.refresh("rt of \(told.name)", ann.upn, told.token) { $0.clientID = client }
      }
      #expect(try accounts(rows).map { $0["name"] } == [first?.name])
    }
  }

  @Test("an account is copied to the host of a row that MSAL lists, and of no other")
  func copies() throws {
    let alias = "login.microsoftonline.com"
    func hosts(_ change: SyntheticRow.Change) throws -> Set<String> {
      let row = SyntheticRow.refresh("rt", ann.upn, ann.token(), at: "https://\(alias)/common") {
        change(&$0)
      }
      return Set(try accounts([row]).compactMap { $0["environment"] })
    }
    #expect(try hosts { _ in } == ["login.windows.net", alias])
    let single: SyntheticRow.Change = {
      $0.accessToken = "at"
      $0.resource = World.graph
      $0.expiresOn = World.now + 3600
    }
    #expect(try hosts(single) == ["login.windows.net"])
    #expect(try hosts { $0 = .stored(World.ann.home, $0) } == ["login.windows.net"])
  }
}
