// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The sign-ins of a plan: for every account and client (D25).
@Suite struct SignInsTests {
  private let ann = World.ann
  private let eve = World.eve

  private struct Case {
    let rows: [Inventory.Row]
    /// The result for each account with each client.
    let states: [SignIn: Report.SignedIn]
    /// The account of each row.
    let identities: [Identity?]
    /// The result for each row's user, by the user's name.
    let statesOfNames: [String: Report.SignedIn]
    let listedRows: Set<Int>
    let hiddenRows: [Int]
    let namelessRows: [Int]

    init(_ inventory: borrowing Inventory, _ table: RowTable, _ signIns: borrowing SignIns) {
      rows = inventory.rows
      var states: [SignIn: Report.SignedIn] = [:]
      for (number, account) in signIns.accounts.enumerated() {
        for (client, state) in account.states {
          let client = ExactText(signIns.table.symbols[client])
          states[SignIn(identity: signIns.identity(of: number), client: client)] = state
        }
      }
      self.states = states
      identities = signIns.accountOfRow.map { $0.map { signIns.identity(of: $0) } }
      var statesOfNames: [String: Report.SignedIn] = [:]
      for row in table.rows {
        statesOfNames[table.symbols[row.userName]] = signIns.state(of: row)
      }
      self.statesOfNames = statesOfNames
      listedRows = signIns.listedRows
      hiddenRows = signIns.hiddenRows
      namelessRows = signIns.namelessRows
    }
  }

  /// One account with one client, in the world's access group.
  fileprivate struct SignIn: Hashable {
    var identity: Identity
    var client: ExactText
  }

  private func signIns(
    _ items: [KeychainItem], into target: MemoryStore? = nil, _ policy: Policy = Policy(),
    unfound: Set<PlanCheck.SignIn> = []
  ) throws -> Case {
    let store = MemoryStore(items)
    let inventory = try Inventory(of: [.items(store)], into: .items(target ?? store))
    let plan = Plan(inventory, form: .keychainItems, policy: policy, now: World.now)
    let check = PlanCheck(inventory, plan, form: .keychainItems, now: World.now)
    return Case(
      inventory, plan.table,
      SignIns(inventory, plan, unfound: unfound, lookups: check.lookups))
  }

  private func signIn(_ identity: Identity, client: String = World.client) -> SignIn {
    SignIn(identity: identity, client: ExactText(client))
  }

  private func person(_ person: GoldenPerson, client: String = World.client) -> SignIn {
    signIn(.account(person.key), client: client)
  }

  private var annsRow: SyntheticRow { .refresh("rt-ann", ann.upn, ann.token()) }
  /// A guest whose home nothing names.
  private var guestsRow: SyntheticRow {
    .refresh(
      "rt-eve", eve.upn, eve.guestToken(of: World.contoso, as: World.eveInContoso),
      at: World.tenant(World.contoso))
  }
  private var guest: SignIn {
    let object = ObjectID(tid: World.contoso, oid: World.eveInContoso)
    return signIn(
      object.map { .object(cloud: "login.windows.net", $0) } ?? .unnamed(cloud: ""))
  }

  @Test func whoeverHasARefreshTokenStaysSignedIn() throws {
    let found = try signIns([annsRow.item])
    #expect(found.states == [person(ann): .yes])
    #expect(found.identities == [.account(ann.key)])
  }

  @Test func anAccessTokenAloneIsNoSignIn() throws {
    let row = SyntheticRow.access("at", ann.upn, ann.token())
    let found = try signIns([row.item])
    #expect(found.states == [:])
    #expect(found.identities == [.account(ann.key)])
  }

  @Test func eachClientIsASignInOfItsOwn() throws {
    let other = SyntheticRow.refresh("rt-other", ann.upn, ann.token()) {
      $0.clientID = World.otherClient
    }
    let found = try signIns([annsRow.item, other.item])
    #expect(found.states == [person(ann): .yes, person(ann, client: World.otherClient): .yes])
  }

  @Test func aGuestIsFoundByNameAsLongAsTheRowStays() throws {
    let there = try signIns([guestsRow.item])
    #expect(there.states == [guest: .byUserName])
    #expect(there.listedRows == [0])
    let elsewhere = try signIns([guestsRow.item], into: MemoryStore())
    #expect(elsewhere.states == [guest: .no])
    #expect(elsewhere.listedRows == [])
  }

  @Test func anAccountThatIsListedByTheSameNameHidesNoGuest() throws {
    let home = SyntheticRow.refresh("rt-home", eve.upn, eve.token())
    let beside = try signIns([home.item, guestsRow.item])
    #expect(beside.states == [person(eve): .yes, guest: .byUserName])
    #expect(beside.hiddenRows == [])
    // One that is listed for other clients alone does.
    var other = home
    other.clientID = World.otherClient
    let hidden = try signIns([other.item, guestsRow.item])
    #expect(
      hidden.states == [person(eve, client: World.otherClient): .yes, guest: .no])
    #expect(hidden.hiddenRows.count == 1)
  }

  @Test("a guest's row that MSAL takes for the same as an account that it lists is found")
  func sameAccount() throws {
    // Without an object the account does not say whose the row is.
    let entries = [
      MSALEntry(
        accountOf: eve.home, environment: "login.windows.net", realm: World.contoso,
        username: eve.upn),
      eve.credential(.refreshToken, "rt-msal"),
    ].map { $0.item(accessGroup: World.group, at: 1) }
    let found = try signIns([guestsRow.item] + entries)
    #expect(found.states == [person(eve): .yes, guest: .byUserName])
    #expect(found.listedRows.count == 1)
    #expect(found.hiddenRows == [] && found.namelessRows == [])
  }

  @Test func whomTheCheckDoesNotFindIsNotSignedIn() throws {
    let signIn = PlanCheck.SignIn(
      account: Grouped(group: World.group, key: ann.key), client: ExactText(World.client))
    let found = try signIns([annsRow.item], unfound: [signIn])
    #expect(found.states == [person(ann): .no])
  }

  @Test func whoSignedOutOfAClientIsNotSignedInToIt() throws {
    let note = SyntheticEntry.signedOut(
      home: ann.home, client: World.client, accessGroup: World.group)
    let elsewhere = try signIns([annsRow.item], into: MemoryStore([note]))
    #expect(elsewhere.states == [person(ann): .no])
    // By the name of the row MSAL finds even her, since it does not know who that is.
    #expect(try signIns([annsRow.item, note]).states == [person(ann): .byUserName])
  }

  @Test func whoIsKnownByAStoredIDAndSignedOutIsNotFoundByName() throws {
    let note = SyntheticEntry.signedOut(
      home: ann.home, client: World.client, accessGroup: World.group)
    let row = SyntheticRow.stored(ann.home, annsRow)
    #expect(try signIns([row.item, note]).states == [person(ann): .no])
    #expect(try signIns([row.item]).states == [person(ann): .yes])
  }

  @Test func aBrokersRowIsNoSignIn() throws {
    var row = annsRow
    row.accessGroup = "ABCDE12345.com.microsoft.workplacejoin"
    let found = try signIns([row.item])
    #expect(found.rows.count == 1)
    #expect(found.states == [:])
    // Nor is a primary refresh token, whichever group it is in.
    let primary = SyntheticRow.refresh("prt", ann.upn, ann.token()) {
      $0.clientSlot = SyntheticRow.nilPlaceholder
    }
    #expect(try signIns([primary.item]).states == [:])
  }

  @Test func anAccountWithoutTokensOfAnyClientStillCounts() throws {
    let account = ann.record().item(accessGroup: World.group, at: World.now)
    let policy = Policy(clientIDs: [World.client])
    #expect(try signIns([account], policy).identities == [.account(ann.key)])
    // With tokens of clients alone that were not asked for it is not.
    let token = ann.credential(.refreshToken, "rt", client: World.otherClient)
      .item(accessGroup: World.group, at: World.now)
    #expect(try signIns([account, token], policy).identities == [nil, nil])
  }

  @Test("an account does not count in an access group that has only other clients' tokens of it")
  func theAccountOfAnotherGroupDoesNotCount() throws {
    let others = [ann.record(), ann.credential(.refreshToken, "rt", client: World.otherClient)]
      .map { $0.item(accessGroup: "TEAM.other", at: World.now) }
    let policy = Policy(clientIDs: [World.client])
    let found = try signIns([annsRow.item] + others, policy)
    #expect(found.states == [person(ann): .yes])
    let groups = zip(found.rows, found.identities).map {
      $1 == nil ? nil : $0.group
    }
    #expect(groups == [World.group, nil, nil])
  }

  @Test func tokensInMSALsFormAreSignInsUnlessSomebodySignedOut() throws {
    let entries = [ann.record(), ann.credential(.refreshToken, "rt")]
      .map { $0.item(accessGroup: World.group, at: World.now) }
    let note = SyntheticEntry.signedOut(
      home: ann.home, client: World.client, accessGroup: World.group)
    #expect(try signIns(entries).states == [person(ann): .yes])
    #expect(try signIns(entries + [note]).states == [person(ann): .no])
    // Without an account MSAL lists nobody.
    #expect(try signIns([entries[1]]).states == [person(ann): .no])
  }

  @Test func clientsThatNobodyAskedForCountNowhere() throws {
    let policy = Policy(clientIDs: [World.otherClient])
    let found = try signIns([annsRow.item], policy)
    #expect(found.states == [:])
    #expect(found.identities == [nil])
  }

  private func signIns(_ items: [KeychainItem], _ policy: Policy) throws -> Case {
    try signIns(items, into: nil, policy)
  }

  @Test func aTombstoneIsNoSignIn() throws {
    let row = SyntheticRow.refresh("rt", ann.upn, ann.token()) {
      $0.generation = .twoTwo
      $0.isTombstone = true
    }
    #expect(try signIns([row.item]).states == [:])
  }

  @Test func theStateOfARowIsThatOfItsAccountWithItsClient() throws {
    let found = try signIns([annsRow.item, guestsRow.item])
    #expect(found.statesOfNames == [ann.upn: .yes, eve.upn: .byUserName])
  }

  @Test func theOrderOfItemsDoesNotMatter() throws {
    let items =
      [annsRow.item, guestsRow.item] + [ann.record().item(accessGroup: World.group, at: 1)]
    let states = try PlannerRows.orders(items).map { try signIns($0).states }
    #expect(Set(states).count == 1)
  }
}
