// SPDX-License-Identifier: MIT
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The effect of an account in MSAL's form on ADAL's rows that stay beside it (D19, D27, D33).
@Suite struct CoexistenceTests {
  private let eve = World.eve
  private var home: SyntheticRow { .refresh("rt-home", eve.upn, eve.token()) }
  private var guest: SyntheticRow {
    .refresh(
      "rt-guest", eve.upn, eve.guestToken(of: World.contoso, as: World.eveInContoso),
      at: World.tenant(World.contoso))
  }

  private func findings(
    _ rows: [SyntheticRow], _ entries: [SyntheticEntry] = [], policy: Policy = Policy()
  ) throws -> [Report.Finding] {
    let items = rows.map(\.item) + entries.map { $0.item(accessGroup: World.group, at: nil) }
    return try FoundRun.inPlace(items, policy: policy).report.findings.filter {
      $0.reason == .coexistenceHiddenClient || $0.reason == .coexistenceNamelessListing
    }
  }

  @Test("D33: a guest's row beside the converted account may take its identifier away")
  func guestBesideAccount() throws {
    let findings = try findings([home, guest])
    #expect(findings.map(\.reason) == [.coexistenceNamelessListing])
    #expect(findings.map(\.severity) == [.warning])
    #expect(findings.map(\.rows) == [[0]])
    #expect(
      findings.map(\.fragments) == [[.text("MSAL may list the account without its identifier")]])
  }

  @Test("D33: MSAL lists such an account with or without identifier, as it finds the rows")
  func chance() throws {
    let items = [home.item, guest.item]
    let target = try FoundRun.inPlace(items).target.items()
    let query = LookupQuery(
      .listedAccounts, clientID: World.client, username: eve.upn, withLegacy: true)
    let lookup = Lookup(
      MSALIndex(items: target.filter { $0.type != nil }),
      fallbackRows: ADALFallbackRow.rows(of: target),
      now: FoundRun.now)
    // Both are in the set that is merged; by identifier there is no doubt.
    #expect(lookup.accounts(query).map(\.identifier) == [eve.home, nil])
    var byIdentifier = query
    byIdentifier.username = nil
    byIdentifier.identifier = eve.home
    #expect(lookup.listedAccounts(byIdentifier).map(\.identifier) == [eve.home])
  }

  @Test("D33: an app asks in the spelling that the policy has, which no note of a sign-out has")
  func otherSpelling() throws {
    let spelling = World.client.uppercased()
    let rows = ["foci-1", spelling].map { client in
      var row = guest
      row.clientID = client
      row.familyID = "1"
      return row
    }
    let there = [eve.refreshToken("rt-there", client: spelling), eve.account()]
    let note = SyntheticEntry.signedOut(
      home: eve.home, client: spelling, accessGroup: World.group)
    let items =
      rows.map(\.item) + there.map { $0.item(accessGroup: World.group, at: nil) } + [note]
    let run = try FoundRun.inPlace(items, policy: Policy(clientIDs: [World.client]))
    let told = run.report.findings.filter { $0.reason == .coexistenceNamelessListing }
    #expect(told.map(\.rows) == [[2, 3]])
    let lists = Contradictions(
      run.report, try run.target.items(), clients: [World.client, spelling], now: FoundRun.now)
    #expect(lists.sentences == [])
  }

  @Test("D33: an app asks in the spelling of its rows, whatever name they have")
  func spellingOfAnotherName() throws {
    let spelling = World.client.uppercased()
    var member = guest
    (member.clientID, member.familyID) = ("33333333-2222-4333-8444-555555555555", "1")
    let german = SyntheticRow.refresh(
      "rt-german", "eve@contoso.de", eve.token(["upn": "eve@contoso.de", "unique_name": nil]),
      at: "https://login.microsoftonline.de/common"
    ) { $0.clientID = spelling }
    let there = [
      eve.refreshToken("rt-there", client: World.otherClient), eve.account(),
      SyntheticEntry.appMetadata(client: World.otherClient, family: nil),
    ]
    let items =
      [member.item, german.item] + there.map { $0.item(accessGroup: World.group, at: nil) }
    let run = try FoundRun.inPlace(items, policy: Policy(clientIDs: [World.client]))
    let told = run.report.findings.filter { $0.reason == .coexistenceNamelessListing }
    #expect(told.flatMap(\.rows).map { run.report.entries[$0].clientID } == [member.clientID])
    let lists = Contradictions(
      run.report, try run.target.items(), clients: [spelling], now: FoundRun.now)
    #expect(lists.sentences == [])
  }

  @Test("D19: from a client that was not asked for the account hides the row")
  func otherClient() throws {
    var other = guest
    other.clientID = World.otherClient
    let findings = try findings([home, other], policy: Policy(clientIDs: [World.client]))
    #expect(findings.map(\.reason) == [.coexistenceHiddenClient])
    #expect(
      findings.map(\.fragments) == [
        [.text("\(Reason.coexistenceHiddenClient.summary): \(World.otherClient)")]
      ])
  }

  @Test(
    "a blank home account id, which MSAL does not list a row by, hides it no less",
    arguments: ["", " "])
  func blankIdentifier(_ id: String) throws {
    var other = guest
    other.clientID = World.otherClient
    other.generation = .twoSeven
    other.homeAccountID = id
    let findings = try findings([home, other], policy: Policy(clientIDs: [World.client]))
    #expect(findings.map(\.reason) == [.coexistenceHiddenClient])
  }

  @Test("a neighbour with a refresh token in MSAL's form still sees the account")
  func neighbour() throws {
    var other = home
    other.clientID = World.otherClient
    let findings = try findings(
      [home, other], [eve.refreshToken("rt-msal", client: World.otherClient), eve.account()],
      policy: Policy(clientIDs: [World.client]))
    #expect(findings == [])
  }

  @Test("the account hides the row of a neighbor that the user signed out of with MSAL")
  func signedOutNeighbour() throws {
    var other = home
    other.clientID = World.otherClient
    let entries = [eve.refreshToken("rt-msal", client: World.otherClient), eve.account()].map {
      $0.item(accessGroup: World.group, at: nil)
    }
    let note = SyntheticEntry.signedOut(
      home: eve.home, client: World.otherClient, accessGroup: World.group)
    let findings = try FoundRun.inPlace(
      [other.item] + entries + [note], policy: Policy(clientIDs: [World.client])
    ).report.findings.filter { $0.reason == .coexistenceHiddenClient }
    #expect(findings.map(\.severity) == [.warning])
    #expect(findings.map(\.rows.count) == [1])
  }

  @Test("a row that stores the id of a user who signed out may stand for one that does not")
  func signedOutStoredRow() throws {
    func signedIn(storedAt host: String) throws -> [Report.SignedIn] {
      let stored = SyntheticRow.refresh(
        "rt-stored", eve.upn, eve.token(), at: "https://\(host)/contoso.example")
      let note = SyntheticEntry.signedOut(
        home: eve.home, client: World.client, accessGroup: World.group)
      return try FoundRun.inPlace([SyntheticRow.stored(eve.home, stored).item, home.item, note])
        .report.accounts.map(\.signedIn)
    }
    #expect(try signedIn(storedAt: "login.windows.net") == [.no])
    // Under another host the two are not the same to MSAL.
    #expect(try signedIn(storedAt: "login.microsoftonline.com") == [.byUserName])
  }

  @Test("ADAL since 2.7, which is known by what it stores, signs out of its own rows alone")
  func separateSignOuts() throws {
    func said(_ row: SyntheticRow) throws -> [[Int]] {
      try FoundRun.inPlace([row.item]).report.findings
        .filter { $0.reason == .coexistenceLogout && $0.severity == .note }.map(\.rows)
    }
    #expect(try said(home) == [])
    #expect(try said(.stored(eve.home, home)) == [[0]])
    var cached = home
    cached.generation = .twoSeven
    cached.cachedAt = World.now - 10
    #expect(try said(cached) == [[0]])
    // Where the rows do not stay, no app signs out of them.
    let elsewhere = try FoundRun.intoNew([cached.item]).report.findings
    #expect(!elsewhere.contains { $0.reason == .coexistenceLogout })
  }

  @Test("rows that MSAL does not list are neither hidden nor in the way")
  func unlisted() throws {
    var single = guest
    single.resource = World.graph
    single.accessToken = "at"
    #expect(try findings([home, single]) == [])
    var stored = guest
    stored.generation = .twoSeven
    stored.homeAccountID = "not-an-id"
    #expect(try findings([home, stored]) == [])
  }

  @Test("a row that MSAL cannot read, one of AD FS and one of the broker hide no account")
  func notToHide() throws {
    func hidden(
      _ row: SyntheticRow, _ change: (inout KeychainItem) -> Void = { _ in }
    ) throws -> Int {
      var item = row.item
      change(&item)
      let there = [eve.refreshToken("rt-there"), eve.account()]
        .map { $0.item(accessGroup: row.accessGroup, at: nil) }
      return try FoundRun.inPlace([item] + there, policy: Policy(clientIDs: [World.client])).report
        .findings.count { $0.reason == .coexistenceHiddenClient }
    }
    var other = guest
    other.clientID = World.otherClient
    #expect(try hidden(other) == 1)
    var beta = other
    beta.isBeta = true
    #expect(try hidden(beta) == 0)
    // 0.5-alpha names no library in the service.
    #expect(try hidden(other) { $0.service.removeFirst("MSOpenTech.ADAL.1|".count) } == 0)
    var adfs = other
    adfs.authority = "https://fs.contoso.com/adfs"
    #expect(try hidden(adfs) == 0)
    var ofBroker = other
    ofBroker.accessGroup = "ABCDE12345.com.microsoft.azureauthenticator"
    #expect(try hidden(ofBroker) == 0)
  }
}
