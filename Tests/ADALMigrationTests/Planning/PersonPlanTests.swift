// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The parts of the plan for one account, each by what it is given and what it decides (D24).
@Suite struct PersonPlanTests {
  private let ann = World.ann

  private var rows: [SyntheticRow] {
    [
      .refresh("rt", ann.upn, ann.token()), .refresh("other", ann.upn, ann.token()),
      .access("at", ann.upn, ann.token(), at: World.tenant(World.contoso)),
    ]
  }

  private func person(_ rows: [SyntheticRow]) throws -> Person {
    let home = try #require(ann.homeAccountID)
    return Person(
      group: World.group, account: ann.key, home: home,
      spelling: MSALIndex().spelling(of: ann.key, form: .keychainItems),
      rows: try PlannerRows.of(home, rows))
  }

  private func context(
    _ person: Person, _ records: [MSALEntry] = [], _ policy: Policy = Policy()
  ) -> PlanContext {
    var existing = MSALIndex()
    for record in records { existing.insert(record) }
    let legacy = person.rows.map(\.row)
    return PlanContext(
      existing: existing,
      families: ClientFamilies(legacy, existing: existing, form: .keychainItems),
      ages: TokenAges(legacy, now: World.now), policy: policy, now: World.now,
      form: .keychainItems, group: World.group, rowsInPlace: [], exclusions: Exclusions())
  }

  /// A part of the plan for a cache of which nothing is taken.
  private func alone<Part>(_ part: (inout MSALIndex) -> Part) -> Part {
    var cache = MSALIndex()
    return part(&cache)
  }

  /// What a part says of each row.
  private func codes(_ decisions: DecisionLog) -> [[String]] {
    let decided = RowDecisions(decisions, count: 3)
    return (0..<3).map { row in
      [decided[row].outcome.rawValue] + decided[row].reasons.map(\.code).sorted()
    }
  }

  private func types(_ decisions: DecisionLog) -> [EntryType] {
    RowDecisions(decisions, count: 0).additions.map(\.record.write.type)
  }

  @Test func ofAClientsRefreshTokensOneIsWritten() throws {
    let person = try person(rows)
    let plan = alone { RefreshTokenPlan(person, person.rows, context(person), in: &$0) }
    #expect(plan.clients.map(\.text) == [World.client])
    #expect(types(plan.decisions) == [.refreshToken])
    #expect(
      Set(codes(plan.decisions)) == [
        ["converted", "ok.mrrt"], ["not-converted", "rt.duplicate"], ["not-converted"],
      ])
  }

  @Test func aTakenKeyIsGivenToNobodyElse() throws {
    let person = try person(rows)
    var cache = MSALIndex()
    let first = RefreshTokenPlan(person, person.rows, context(person), in: &cache)
    #expect(cache.mark == 1 && types(first.decisions) == [.refreshToken])
    let second = RefreshTokenPlan(person, person.rows, context(person), in: &cache)
    #expect(cache.mark == 1 && second.clients == [])
    #expect(types(second.decisions) == [])
    let refused = ["not-converted", "target.corrupt"]
    #expect(codes(second.decisions) == [refused, refused, ["not-converted"]])
  }

  @Test func theTargetsRefreshTokenStays() throws {
    let person = try person(rows)
    let there = ann.credential(.refreshToken, "rt")
    let plan = alone { RefreshTokenPlan(person, person.rows, context(person, [there]), in: &$0) }
    #expect(plan.clients.map(\.text) == [World.client])
    #expect(types(plan.decisions) == [])
    #expect(
      codes(plan.decisions) == [
        ["already-there", "keep.identical"], ["already-there", "keep.target-newer"],
        ["not-converted"],
      ])
  }

  @Test func aFamilysTokenIsWrittenForAMember() throws {
    let member = SyntheticRow.refresh("rt", ann.upn, ann.token()) { $0.familyID = "1" }
    let person = try person([member])
    let plan = alone { FamilyPlan(person, person.rows, context(person), in: &$0) }
    #expect(plan.families == ["1"])
    guard let credential = plan.decisions.additions.first?.record else {
      Issue.record("no credential")
      return
    }
    #expect(credential.familyID == "1" && credential.clientID == World.client)
    let none = try self.person(rows)
    #expect(alone { FamilyPlan(none, none.rows, context(none), in: &$0) }.families == [])
  }

  @Test func aFamilysTokenDivergesFromItsMembersTokensAlone() throws {
    let family = SyntheticRow.refresh("frt", ann.upn, ann.token()) { $0.clientID = "foci-1" }
    func said(beside secret: String?) throws -> [String] {
      var member = SyntheticRow.access("at", ann.upn, ann.token()) { $0.familyID = "1" }
      if let secret {
        member = .refresh(secret, ann.upn, ann.token()) { $0.familyID = "1" }
      }
      let person = try person([family, member])
      let plan = alone { FamilyPlan(person, person.rows, context(person), in: &$0) }
      return try #require(codes(plan.decisions).first)
    }
    #expect(try said(beside: nil) == ["converted", "ok.frt"])
    #expect(try said(beside: "frt") == ["converted", "ok.frt"])
    #expect(try said(beside: "rt") == ["converted", "ok.frt", "rt.frt-diverged"])
  }

  @Test func aTenantHasAnAccountAndAnIDToken() throws {
    let person = try person(rows)
    let plan = alone { TenantPlan(person, person.rows, context(person), in: &$0) }
    #expect(plan.hasAccount)
    #expect(plan.accounts == [person.key(.account, realm: World.contoso)])
    #expect(
      plan.idTokens == [person.key(.idToken, owner: World.client, realm: World.contoso)])
    #expect(types(plan.decisions) == [.idToken, .account])
  }

  @Test func anAccessTokenNeedsAnIDTokenBesideIt() throws {
    let person = try person(rows)
    var cache = MSALIndex()
    let tenants = TenantPlan(person, person.rows, context(person), in: &cache)
    func plan(_ tenants: TenantPlan, isExcluded: Bool = false) -> DecisionLog {
      alone {
        AccessTokenPlan(
          person, person.rows, tenants, context(person), isExcluded: isExcluded, in: &$0)
      }.decisions
    }
    #expect(types(plan(tenants)) == [.accessToken])
    #expect(codes(plan(tenants)).last == ["converted", "ok.at"])
    let nobody = TenantPlan(person, person.rows, context(person), in: &cache)
    #expect(types(plan(nobody)) == [])
    #expect(codes(plan(nobody)).last == ["not-converted", "at.no-idtoken"])
    #expect(codes(plan(tenants, isExcluded: true)).last == ["not-converted", "check.not-found"])
    // An account must be there too.
    let idToken = ann.credential(.idToken, ann.token()) { $0.realm = World.contoso }
    let withoutAccount = alone {
      AccessTokenPlan(
        person, person.rows, nobody, context(person, [idToken]), isExcluded: false, in: &$0)
    }
    #expect(codes(withoutAccount.decisions).last == ["not-converted", "target.type-clash"])
  }

  @Test func nothingIsWrittenForAnAccountThatCannotBe() throws {
    let person = try person(rows)
    let whole = alone { PersonPlan(person, context(person), in: &$0) }
    #expect(types(whole.decisions) == [.idToken, .accessToken, .refreshToken, .account])
    var cache = MSALIndex()
    _ = TenantPlan(person, person.rows, context(person), in: &cache)
    let mark = cache.mark
    let none = PersonPlan(person, context(person), in: &cache)
    #expect(cache.mark == mark)
    #expect(types(none.decisions) == [])
    #expect(none.person.clients == [])
    #expect(codes(none.decisions).allSatisfy { $0.first == "not-converted" })
    #expect(codes(none.decisions).allSatisfy { $0.contains("target.corrupt") })
  }

  /// Dashes are parts of ids and hosts, and between them.
  @Test func twoPeopleWithOneKeyAreNotWrittenOverEachOther() throws {
    let host = "login.windows.net"
    let (part, client) = ("x-\(host)-refreshtoken-c", "c")
    let rows = try PlannerRows.legacy([
      .refresh("rt", ann.upn, ann.token()) { $0.clientID = part },
      .refresh("other", ann.upn, ann.token()) { $0.clientID = client },
    ])
    let homes = [
      HomeAccountID(uid: "u", utid: "t"), HomeAccountID(uid: "u", utid: "t-\(host)-refreshtoken-x"),
    ]
    let resolved = zip(rows, homes).map { row, home in
      ResolvedRow(
        row,
        AccountResolution.Answer(
          homeAccountID: home, confidence: .exact, reasons: [.homeExact], evidence: []))
    }
    let plan = CachePlan(
      "", resolved, MSALIndex(), carried: [], rowsInPlace: [], exclusions: Exclusions(),
      form: .document, policy: Policy(), now: World.now)
    let decided = RowDecisions(plan.decisions, count: 2)
    let keys = decided.additions.map { $0.record.slot(in: .document, group: "") }
    #expect(Set(keys).count == keys.count)
    #expect([decided[0].outcome, decided[1].outcome] == [.converted, .notConverted])
    #expect(decided[1].reasons.contains(.targetCorrupt))
  }

  @Test func theBetterOfTwoOutcomesCounts() {
    var decisions = DecisionLog()
    for outcome in [Report.Outcome.alreadyThere, .converted, .notConverted, .alreadyThere] {
      decisions.settle(outcome, row: 0)
    }
    decisions.settle(.notConverted, row: 1)
    decisions.settle(.alreadyThere, row: 1)
    let decided = RowDecisions(decisions, count: 2)
    #expect([decided[0].outcome, decided[1].outcome] == [.converted, .alreadyThere])
  }

  @Test func partsAreJoinedWithTheirAdditions() throws {
    let person = try person(rows)
    let tokens = alone { RefreshTokenPlan(person, person.rows, context(person), in: &$0) }
    let tenants = alone { TenantPlan(person, person.rows, context(person), in: &$0) }
    var decisions = tokens.decisions
    decisions.merge(tenants.decisions)
    let decided = RowDecisions(decisions, count: 3)
    #expect(decided.additions.map(\.record.write.type) == [.idToken, .refreshToken, .account])
    #expect(decided[2].needs.sorted() == [0, 2])
    #expect([decided[0], decided[1]].contains { $0.needs.sorted() == [0, 1, 2] })
    #expect(decided[3] == RowDecision())
    // What is written is taken back, what was said stays.
    let without = RowDecisions(decisions.withoutAdditions(), count: 3)
    #expect(without.additions.isEmpty)
    #expect(without[0].needs == [] && without[0].outcome == .notConverted)
    #expect(without[0].reasons.contains(.okAccount))
  }
}
