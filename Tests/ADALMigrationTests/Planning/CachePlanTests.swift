// SPDX-License-Identifier: MIT
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The parts of the plan for one account, each by what it is given and what it decides (D24).
@Suite struct CachePlanTests {
  private let ann = World.ann

  private var rows: [SyntheticRow] {
    [
      .refresh("rt", ann.upn, ann.token()), .refresh("other", ann.upn, ann.token()),
      .access("at", ann.upn, ann.token(), at: World.tenant(World.contoso)),
    ]
  }

  /// An account, and the table of its rows.
  private func account(
    _ rows: [SyntheticRow]
  ) throws -> (account: PlannedAccount, table: RowTable) {
    let home = try #require(ann.homeAccountID)
    var table = try PlannerRows.table(of: home, rows)
    let account = PlannedAccount(
      group: World.group, number: 0, key: ann.key, home: home,
      spelling: MSALIndex().spelling(of: ann.key, form: .keychainItems),
      rows: table.rows, &table.symbols)
    return (account, table)
  }

  /// A plan for a cache of some entries.
  private func plan(
    _ table: RowTable, _ records: [MSALEntry] = [], _ exclusions: Exclusions = Exclusions()
  ) -> CachePlan {
    var existing = MSALIndex()
    for record in records { existing.insert(record) }
    return CachePlan(
      World.group, table.rows, table, existing, Decisions(count: 3), exclusions: exclusions,
      form: .keychainItems, policy: Policy(), now: World.now)
  }

  /// The reasons of each row in a plan.
  private func codes(_ plan: borrowing CachePlan) -> [[String]] {
    (0..<3).map { row in
      [plan.decisions[row].outcome.rawValue]
        + plan.decisions[row].reasons.reasons.map(\.code).sorted()
    }
  }

  private func types(_ plan: borrowing CachePlan) -> [EntryType] {
    var decisions = plan.decisions
    decisions.sortAdditions(plan.table.symbols)
    return decisions.additions.map(\.type)
  }

  @Test func ofAClientsRefreshTokensOneIsWritten() throws {
    let (account, table) = try account(rows)
    var plan = plan(table)
    let clients = plan.planRefreshTokens(of: account, account.rows)
    #expect(clients.map { plan.table.symbols[$0] } == [World.client])
    #expect(types(plan) == [.refreshToken])
    #expect(
      Set(codes(plan)) == [
        ["converted", "ok.mrrt"], ["not-converted", "rt.duplicate"], ["not-converted"],
      ])
  }

  @Test("the place that is reserved for an entry is that of the written item")
  func claimsAndItems() throws {
    var (account, table) = try account(
      rows + [
        .refresh("family", ann.upn, ann.token()) { $0.familyID = "1" },
        .refresh("own", ann.upn, ann.token()) { $0.clientID = World.otherClient },
        .access("bound", ann.upn, ann.token()) { $0.applicationIdentifier = "com.contoso.App" },
      ])
    var whole = plan(table)
    whole.plan(&account)
    var kinds: Set<EntryType> = []
    for addition in whole.decisions.additions {
      let entry = whole.table.entry(
        of: addition, among: whole.decisions.entries, form: .keychainItems, at: World.now)
      let slot = MSALEntry.Slot(entry.item(accessGroup: World.group, at: World.now))
      #expect(whole.cache.occupant(of: slot) == .claimed, "\(entry.attributes.service)")
      kinds.insert(addition.type)
    }
    #expect(kinds == [.refreshToken, .idToken, .accessToken, .account])
    #expect(whole.decisions.additions.count == 8)
    #expect(whole.cache.mark == whole.decisions.additions.count)
  }

  @Test func aTakenKeyIsGivenToNobodyElse() throws {
    let (account, table) = try account(rows)
    var plan = plan(table)
    _ = plan.planRefreshTokens(of: account, account.rows)
    #expect(plan.cache.mark == 1 && types(plan) == [.refreshToken])
    plan.decisions = Decisions(count: 3)
    #expect(plan.planRefreshTokens(of: account, account.rows) == [])
    #expect(plan.cache.mark == 1)
    #expect(types(plan) == [])
    let refused = ["not-converted", "target.corrupt"]
    #expect(codes(plan) == [refused, refused, ["not-converted"]])
  }

  @Test func theTargetsRefreshTokenStays() throws {
    let (account, table) = try account(rows)
    var plan = plan(table, [ann.credential(.refreshToken, "rt")])
    let clients = plan.planRefreshTokens(of: account, account.rows)
    #expect(clients.map { plan.table.symbols[$0] } == [World.client])
    #expect(types(plan) == [])
    #expect(
      codes(plan) == [
        ["already-there", "keep.identical"], ["already-there", "keep.target-newer"],
        ["not-converted"],
      ])
  }

  @Test func aFamilysTokenIsWrittenForAMember() throws {
    let member = SyntheticRow.refresh("rt", ann.upn, ann.token()) { $0.familyID = "1" }
    let (account, table) = try account([member])
    var plan = plan(table)
    #expect(
      plan.planFamilies(of: account, account.rows).map { plan.table.symbols[$0] } == ["1"])
    let credential = plan.table.entry(
      of: try #require(plan.decisions.additions.first), among: [], form: .keychainItems,
      at: World.now)
    #expect(credential.familyID == "1" && credential.clientID == World.client)
    let (none, tableOfNone) = try self.account(rows)
    var other = self.plan(tableOfNone)
    #expect(other.planFamilies(of: none, none.rows) == [])
  }

  @Test func aFamilysTokenDivergesFromItsMembersTokensAlone() throws {
    let family = SyntheticRow.refresh("frt", ann.upn, ann.token()) { $0.clientID = "foci-1" }
    func said(beside secret: String?) throws -> [String] {
      var member = SyntheticRow.access("at", ann.upn, ann.token()) { $0.familyID = "1" }
      if let secret {
        member = .refresh(secret, ann.upn, ann.token()) { $0.familyID = "1" }
      }
      let (account, table) = try account([family, member])
      var plan = plan(table)
      _ = plan.planFamilies(of: account, account.rows)
      return try #require(codes(plan).first)
    }
    #expect(try said(beside: nil) == ["converted", "ok.frt"])
    #expect(try said(beside: "frt") == ["converted", "ok.frt"])
    #expect(try said(beside: "rt") == ["converted", "ok.frt", "rt.frt-diverged"])
  }

  @Test func aTenantHasAnAccountAndAnIDToken() throws {
    let (account, table) = try account(rows)
    var plan = plan(table)
    let tenants = plan.planTenants(of: account, account.rows)
    let symbols = plan.table.symbols
    #expect(tenants.accounts.keys.map { symbols[$0] } == [World.contoso])
    #expect(
      tenants.idTokens.map { [symbols[$0.client], symbols[$0.realm]] } == [
        [World.client, World.contoso]
      ])
    #expect(types(plan) == [.idToken, .account])
  }

  @Test func anAccessTokenNeedsAnIDTokenBesideIt() throws {
    let (account, table) = try account(rows)
    var first = plan(table)
    let tenants = first.planTenants(of: account, account.rows)
    let nobody = first.planTenants(of: account, account.rows)
    func tokens(
      _ tenants: TenantEntries, _ records: [MSALEntry] = [], isExcluded: Bool = false
    ) -> CachePlan {
      var plan = plan(table, records)
      plan.planAccessTokens(of: account, account.rows, tenants, isExcluded: isExcluded)
      return plan
    }
    #expect(types(tokens(tenants)) == [.accessToken])
    #expect(codes(tokens(tenants)).last == ["converted", "ok.at"])
    #expect(types(tokens(nobody)) == [])
    #expect(codes(tokens(nobody)).last == ["not-converted", "at.no-idtoken"])
    #expect(
      codes(tokens(tenants, isExcluded: true)).last == ["not-converted", "check.not-found"])
    // An account must be there too.
    let idToken = ann.credential(.idToken, ann.token()) { $0.realm = World.contoso }
    #expect(codes(tokens(nobody, [idToken])).last == ["not-converted", "target.type-clash"])
  }

  @Test func nothingIsWrittenForAnAccountThatCannotBe() throws {
    var (account, table) = try account(rows)
    var whole = plan(table)
    whole.plan(&account)
    #expect(types(whole) == [.idToken, .accessToken, .refreshToken, .account])
    (account, table) = try self.account(rows)
    var none = plan(table)
    _ = none.planTenants(of: account, account.rows)
    none.decisions = Decisions(count: 3)
    let mark = none.cache.mark
    none.plan(&account)
    #expect(none.cache.mark == mark)
    #expect(types(none) == [])
    #expect(account.clients == [])
    #expect(codes(none).allSatisfy { $0.first == "not-converted" })
    #expect(codes(none).allSatisfy { $0.contains("target.corrupt") })
  }

  /// Dashes are parts of ids and hosts, and between them.
  @Test func twoPeopleWithOneKeyAreNotWrittenOverEachOther() throws {
    let host = "login.windows.net"
    let (part, client) = ("x-\(host)-refreshtoken-c", "c")
    let reader = try PlannerRows.reader([
      .refresh("rt", ann.upn, ann.token()) { $0.clientID = part },
      .refresh("other", ann.upn, ann.token()) { $0.clientID = client },
    ])
    let table = reader.table(
      of: HomeAccountID(uid: "u", utid: "t"),
      HomeAccountID(uid: "u", utid: "t-\(host)-refreshtoken-x"))
    var plan = CachePlan(
      "", table.rows, table, MSALIndex(), Decisions(count: 2), form: .document, policy: Policy(),
      now: World.now)
    plan.plan(table.rows)
    let decided = plan.decisions
    let keys = decided.additions.map {
      plan.table.entry(of: $0, among: decided.entries, form: .document, at: World.now)
        .slot(in: .document, group: World.group)
    }
    #expect(Set(keys).count == keys.count)
    #expect([decided[0].outcome, decided[1].outcome] == [.converted, .notConverted])
    #expect(decided[1].reasons.contains(.targetCorrupt))
  }

  @Test func theBetterOfTwoOutcomesCounts() {
    var decisions = Decisions(count: 2)
    for outcome in [Report.Outcome.alreadyThere, .converted, .notConverted, .alreadyThere] {
      decisions.settle(outcome, row: 0)
    }
    decisions.settle(.notConverted, row: 1)
    decisions.settle(.alreadyThere, row: 1)
    decisions.settle(.notConverted, row: 1)
    #expect([decisions[0].outcome, decisions[1].outcome] == [.converted, .alreadyThere])
  }

  @Test func rowsAreTiedToTheirAdditions() throws {
    let (account, table) = try account(rows)
    var plan = plan(table)
    _ = plan.planRefreshTokens(of: account, account.rows)
    let mark = plan.decisions.mark
    _ = plan.planTenants(of: account, account.rows)
    func additions(_ decisions: Decisions) -> [[EntryType]] {
      var decisions = decisions
      decisions.sortAdditions(plan.table.symbols)
      return (0..<4).map { decisions.additions(of: $0).map(\.type) }
    }
    let tied = additions(plan.decisions)
    #expect(Set(tied.prefix(2)) == [[.idToken, .refreshToken, .account], [.idToken, .account]])
    #expect(tied.suffix(2) == [[.idToken, .account], []])
    #expect(plan.decisions[3] == RowDecision())
    // The additions are withdrawn. The reasons stay, and so do earlier additions.
    plan.decisions.withdraw(backTo: mark, [])
    #expect(types(plan) == [.refreshToken])
    #expect(Set(additions(plan.decisions)) == [[.refreshToken], []])
    #expect(plan.decisions[2].reasons.contains(.okAccount))
    plan.decisions.withdraw(backTo: Decisions(count: 3).mark, account.rows)
    #expect(plan.decisions.additions.isEmpty)
    #expect(additions(plan.decisions) == [[], [], [], []])
    #expect((0..<3).allSatisfy { plan.decisions[$0].outcome == .notConverted })
    #expect(plan.decisions[0].reasons.contains(.okAccount))
  }

  @Test("an account that is left out stays so, whatever else of it is not found")
  func leftOut() throws {
    let account = try account(rows).account
    func miss(_ question: PlanCheck.Question) -> PlanCheck.Miss {
      PlanCheck.Miss(
        signIn: PlanCheck.SignIn(account: Grouped(account), client: ExactText(World.client)),
        question: question)
    }
    var exclusions = Exclusions()
    #expect(exclusions.part(of: account) == nil)
    for (questions, part) in [
      ([.accessToken], .accessTokens), ([.accounts], .everything), ([.idToken], .everything),
    ] as [(Set<PlanCheck.Question>, Exclusions.Part)] {
      let misses = Set(questions.map(miss))
      let isNew = exclusions.insert(misses)
      let isNewAgain = exclusions.insert(misses)
      #expect(isNew && !isNewAgain && exclusions.part(of: account) == part)
    }
    #expect(exclusions.misses.count == 3)
  }
}
