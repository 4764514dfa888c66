// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import LookupAnswers
@testable import MSALLookup

/// Before and after: what a plan claims and adds, and what is there without it.
@Suite struct MSALIndexTests {
  private static let home = "ann.tenant"
  private static let token = MSALEntry(
    kind: .refreshToken, homeAccountID: home, environment: "login.windows.net", clientID: "client",
    secret: TokenSecret("rt"))
  private static let account = MSALEntry(
    accountOf: home, environment: "login.windows.net", realm: "tenant", username: "ann@contoso.com")

  private static func slot(_ entry: MSALEntry) -> MSALEntry.Slot {
    MSALEntry.Slot(entry.attributes, in: "g")
  }

  @Test func claimsAreGivenBackToTheirMark() {
    let (token, account) = (Self.slot(Self.token), Self.slot(Self.account))
    var index = MSALIndex()
    #expect(index.claim(token) == nil)
    let mark = index.mark
    #expect(index.claim(account) == nil)
    #expect(index.occupant(of: account) == .claimed)
    index.release(backTo: mark)
    #expect(index.occupant(of: account) == nil)
    #expect(index.occupant(of: token) == .claimed)
    #expect(index.claim(account) == nil)
  }

  @Test func claimsThatAreKeptAreNotGivenBack() {
    let (token, account) = (Self.slot(Self.token), Self.slot(Self.account))
    var index = MSALIndex()
    #expect(index.claim(token) == nil)
    index.keepClaims()
    #expect(index.mark == 0)
    #expect(index.claim(account) == nil)
    index.release(backTo: 0)
    #expect(index.occupant(of: account) == nil)
    #expect(index.occupant(of: token) == .claimed)
    #expect(index.claim(token) == .claimed)
  }

  @Test func whatIsThereKeepsItsPlace() {
    var index = MSALIndex()
    let item = Self.token.item(accessGroup: "g", at: nil)
    index.insert(item, as: MSALItem(item))
    let slot = Self.slot(Self.token)
    for _ in 0..<2 { #expect(index.claim(slot) == .existing(type: 2002)) }
    #expect(index.mark == 0)
    index.release(backTo: 0)
    #expect(index.occupant(of: slot) == .existing(type: 2002))
  }

  @Test func aCopyIsTheCacheAsItWas() {
    var index = MSALIndex()
    let item = Self.token.item(accessGroup: "g", at: nil)
    index.insert(item, as: MSALItem(item))
    let before = index
    index.addRow(Self.account, Self.account.attributes, accessGroup: "g")
    func listed(_ index: MSALIndex) -> [String?] {
      Lookup(index, now: 0).listedAccounts(LookupQuery(.listedAccounts, clientID: "client"))
        .map(\.username)
    }
    #expect(listed(before) == [])
    #expect(listed(index) == ["ann@contoso.com"])
  }

  @Test func entriesOfOneKeyComeInOneOrder() {
    var other = Self.account.moved(to: "login.microsoftonline.com")
    other.username = "ann.old@contoso.com"
    let key = Self.account.key(of: Self.account.account)
    for entries in [[Self.account, other], [other, Self.account]] {
      var index = MSALIndex()
      for entry in entries { index.insert(entry) }
      #expect(index.entries(key).map(\.username) == ["ann.old@contoso.com", "ann@contoso.com"])
      #expect(index.first(of: [key])?.username == "ann.old@contoso.com")
    }
  }

  @Test func anItemSaysWhatItsHomeAccountIDIsCalledWhereverItIs() {
    var index = MSALIndex()
    let hosts = ["login.windows.net", "login.microsoftonline.de"]
    for (host, name) in zip(hosts, ["ann@contoso.com", "Ann@contoso.com"]) {
      var account = Self.account.moved(to: host)
      account.username = name
      let item = account.item(accessGroup: "g", at: nil)
      index.insert(item, as: MSALItem(item))
    }
    let entries = index.items(ofHome: Self.home)
    #expect(entries?.names == ["ann@contoso.com", "Ann@contoso.com"])
    #expect(entries?.realm == "tenant")
    #expect(index.items(ofHome: "eve.tenant") == nil)
  }

  @Test("each spelling of an account's access tokens counts, whichever token comes before it")
  func spellings() {
    let hosts = ["login.windows.net", "login.microsoftonline.com"]
    // The second realm is the first one to Unicode, and not to MSAL.
    let realms = ["tenant\u{E9}", "tenante\u{301}"]
    let homes = [Self.home, Self.home.uppercased()]
    var index = MSALIndex()
    var account: AccountKey?
    for (home, host, realm) in [(0, 0, 0), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 0), (0, 0, 0)] {
      let entry = MSALEntry(
        kind: .accessToken, homeAccountID: homes[home], environment: hosts[host],
        clientID: "client", secret: TokenSecret("at"), realm: realms[realm], target: "scope")
      index.insert(entry)
      account = entry.account
    }
    let spelled = account.flatMap { index.spelled($0) }
    #expect(spelled?.tokenHosts == Set(hosts))
    #expect(spelled?.tokenIDs == Set(homes))
    #expect(spelled.map { Set($0.realms.keys) } == Set(realms.map { ExactText($0) }))
    #expect(spelled?.accountHosts == [])
  }
}
