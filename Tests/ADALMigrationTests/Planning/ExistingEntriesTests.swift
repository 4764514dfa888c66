// SPDX-License-Identifier: MIT
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Existing entries of a target, which a run must not change (D20, D23).
@Suite struct ExistingEntriesTests {
  private static let own = "login.windows.net"
  private static let alias = "login.microsoftonline.com"
  private let ann = World.ann
  private let eve = World.eve

  private func state(_ records: [MSALEntry], for reader: MSALLibrary? = nil) -> MSALIndex {
    var state = MSALIndex(for: reader)
    for record in records { state.insert(record) }
    return state
  }

  @Test func anEmptyOneHoldsNothing() {
    let state = MSALIndex()
    #expect(state.allEntries.isEmpty)
    #expect(!state.holdsAccount(ann) && state.holdsNoRefreshToken(of: ann))
    #expect(!state.isSignedOut(client: World.client, home: ann.home))
    #expect(state.environment(of: Self.own) == Self.own)
    #expect(state.reasons(for: Self.own, cloud: Self.own) == [])
    let spelling = state.spelling(of: ann.key, form: .keychainItems)
    #expect(spelling.homeAccountID == ann.home && spelling.environment == Self.own)
  }

  @Test func anEntryIsFoundUnderEveryAliasOfItsHost() {
    let token = ann.credential(.refreshToken, "rt", host: Self.alias)
    let state = state([token])
    for host in [Self.own, Self.alias, "LOGIN.Microsoft.com"] {
      let key = ann.credential(.refreshToken, "another", host: host).keys
      #expect(state.first(of: key) == token)
    }
    let china = ann.credential(.refreshToken, "rt", host: "login.chinacloudapi.cn")
    #expect(state.first(of: china.keys) == nil)
    #expect(!state.holdsNoRefreshToken(of: ann) && state.holdsNoRefreshToken(of: eve))
    #expect(!state.holdsAccount(ann))
  }

  @Test func anAccessTokenIsFoundByEachOfItsScopes() {
    let token = ann.credential(.accessToken, "at") {
      $0.realm = World.contoso
      $0.target = "User.Read Mail.Read"
    }
    let state = state([token])
    #expect(token.keys.count == 2 && token.keys.allSatisfy(state.holds))
    let other = ann.credential(.accessToken, "at") {
      $0.realm = World.contoso
      $0.target = "mail.read"
    }
    #expect(state.first(of: other.keys) == token)
  }

  @Test func anIDTokenIsOfItsClient() {
    let state = state([
      ann.credential(.idToken, ann.token()) { $0.realm = World.contoso }, ann.record(),
    ])
    #expect(state.holdsIDToken(of: ann, client: World.client))
    #expect(!state.holdsIDToken(of: ann, client: World.otherClient))
    #expect(state.holdsAccount(ann))
  }

  // MARK: Spelling

  @Test func additionsAreSpelledAsWhatIsThere() {
    var loud = MSALEntry(
      accountOf: ann.home.uppercased(), environment: Self.alias,
      realm: World.contoso.uppercased(), username: ann.upn)
    loud.localAccountID = ann.oid
    let state = state([loud])
    let spelling = state.spelling(of: ann.key, form: .keychainItems)
    #expect(spelling.homeAccountID == ann.home.uppercased())
    #expect(spelling.environment == Self.alias)
    #expect(spelling.realm(World.contoso) == World.contoso.uppercased())
    #expect(spelling.realm(World.fabrikam) == World.fabrikam)
    // Nobody else's entries tell how she is spelled; in a document they tell her host.
    #expect(state.spelling(of: eve.key, form: .keychainItems).environment == Self.own)
    #expect(state.spelling(of: eve.key, form: .document).environment == Self.alias)
  }

  @Test func tokensCountBeforeAccountsAndTheOwnHostBeforeAliases() {
    let token = ann.credential(.refreshToken, "rt", host: Self.alias)
    let copies = [ann.record(host: "sts.windows.net"), token]
    #expect(state(copies).spelling(of: ann.key, form: .keychainItems).environment == Self.alias)
    let both = copies + [ann.credential(.refreshToken, "rt", client: World.otherClient)]
    #expect(state(both).spelling(of: ann.key, form: .keychainItems).environment == Self.own)
  }

  @Test func inADocumentTheHostOfTheRefreshTokenIsTheAccounts() {
    let state = state([
      ann.record(), ann.credential(.idToken, ann.token()) { $0.realm = World.contoso },
      ann.credential(.refreshToken, "rt", host: Self.alias),
    ])
    #expect(state.spelling(of: ann.key, form: .document).environment == Self.alias)
    #expect(state.spelling(of: ann.key, form: .keychainItems).environment == Self.own)
  }

  @Test func theUsualSpellingOfAnIDIsTakenWhereItIsThere() {
    let loud = MSALEntry(
      accountOf: ann.home.uppercased(), environment: Self.alias, realm: World.contoso)
    #expect(ann.home.uppercased() < ann.home)
    let both = state([loud, ann.record()])
    #expect(both.spelling(of: ann.key, form: .keychainItems).homeAccountID == ann.home)
    let one = state([loud])
    #expect(one.spelling(of: ann.key, form: .keychainItems).homeAccountID == loud.homeAccountID)
  }

  @Test func theOrderOfEntriesDoesNotMatter() {
    let records = [
      ann.record(host: Self.alias), ann.record(host: "sts.windows.net"),
      ann.credential(.refreshToken, "a", host: Self.alias),
      ann.credential(.idToken, ann.token(), host: "sts.windows.net") {
        $0.realm = World.contoso.uppercased()
      },
    ]
    let spellings = PlannerRows.orders(records).map { records in
      let spelling = state(records).spelling(of: ann.key, form: .document)
      return [spelling.homeAccountID, spelling.environment, spelling.realm(World.contoso)]
    }
    #expect(Set(spellings).count == 1)
  }

  @Test func aReadersHostIsThatOfAnEmptyDocument() {
    #expect(state([], for: .python).environment(of: Self.own) == Self.alias)
    #expect(state([], for: .net).environment(of: Self.own) == Self.own)
    let there = state([ann.record()], for: .python)
    #expect(there.environment(of: Self.own) == Self.own)
    #expect(
      there.reasons(for: Self.own, cloud: Self.own) == [.envReuseExisting, .envOtherReader])
    #expect(
      state([ann.record(host: Self.alias)]).reasons(for: Self.alias, cloud: Self.own)
        == [.envReuseExisting])
  }

  // MARK: Taken places

  @Test func aTakenKeyIsAClash() throws {
    let token = ann.credential(.refreshToken, "rt")
    let key = try #require(token.slot(in: .keychainItems, group: World.group))
    var item = token.item(accessGroup: World.group, at: nil)
    var state = MSALIndex()
    #expect(state.occupant(of: key)?.reason(against: key) == nil)
    item.data = TokenSecret("no JSON")
    state.insert(item, as: MSALItem(item))
    #expect(state.occupant(of: key)?.reason(against: key) == .targetCorrupt)
    #expect(!token.keys.contains(where: state.holds))
    item.type = 1003
    state.insert(item, as: MSALItem(item))
    #expect(state.occupant(of: key)?.reason(against: key) == .targetTypeClash)
    let elsewhere = try #require(token.slot(in: .keychainItems, group: "another"))
    #expect(state.occupant(of: elsewhere) == nil)
  }

  @Test func whatMSALDoesNotFindIsNoEntryAndItsKeyIsTaken() {
    let token = ann.credential(.refreshToken, "rt")
    var item = token.item(accessGroup: World.group, at: nil)
    item.generic = Array("something else".utf8)
    var state = MSALIndex()
    state.insert(item, as: MSALItem(item))
    #expect(!token.keys.contains(where: state.holds))
    #expect(state.holdsNoRefreshToken(of: ann))
    #expect(state.occupant(of: MSALEntry.Slot(item)) != nil)
    // As evidence of who somebody is it still counts.
    #expect(state.allEntries == [token])
  }

  @Test func aFamilysTokenIsFoundUnderItsFamilyAndUnderItsClient() {
    let token = ann.credential(.refreshToken, "frt")
    let family = ann.credential(.refreshToken, "frt") { $0.familyID = "1" }
    for place in [family, token] {
      var item = place.item(accessGroup: World.group, at: nil)
      item.data = family.item(accessGroup: World.group, at: nil).data
      var state = MSALIndex()
      state.insert(item, as: MSALItem(item))
      #expect(family.keys.allSatisfy(state.holds))
      #expect(!state.holdsNoRefreshToken(of: ann))
    }
  }

  @Test func aRefreshTokenThatNamesATenantIsFoundWhereOneWithoutIs() {
    let token = ann.credential(.refreshToken, "rt")
    let tenants = ann.credential(.refreshToken, "rt") { $0.realm = World.contoso }
    var item = token.item(accessGroup: World.group, at: nil)
    item.data = tenants.item(accessGroup: World.group, at: nil).data
    var state = MSALIndex()
    state.insert(item, as: MSALItem(item))
    #expect(token.keys.allSatisfy(state.holds))
  }

  @Test func whoSignedOutOfAClientIsKnown() {
    for client in [World.client, World.client.uppercased()] {
      var state = MSALIndex()
      let item = SyntheticEntry.signedOut(
        home: ann.home.uppercased(), client: client, accessGroup: World.group)
      state.insert(item, as: MSALItem(item))
      #expect(state.isSignedOut(client: World.client, home: ann.home))
      #expect(state.isSignedOut(client: World.client.uppercased(), home: ann.home))
      #expect(!state.isSignedOut(client: World.otherClient, home: ann.home))
      #expect(!state.isSignedOut(client: World.client, home: eve.home))
    }
  }
}

extension MSALIndex {
  fileprivate func holdsNoRefreshToken(of person: GoldenPerson) -> Bool {
    spelled(person.key)?.refreshTokenHosts.isEmpty ?? true
  }

  fileprivate func holdsAccount(_ person: GoldenPerson) -> Bool {
    spelled(person.key)?.accountIDs.isEmpty == false
  }

  fileprivate func holdsIDToken(of person: GoldenPerson, client: String) -> Bool {
    spelled(person.key)?.clientsWithClaims.contains(client) ?? false
  }
}
