// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import SyntheticCaches
import Testing

@testable import LookupAnswers
@testable import MSALCache
@testable import MSALLookup

/// Lists of mixtures, held against a second opinion of what MSAL does: identifier, user name, environment and
/// claims of every account.
@Suite struct ListingModelTests {
  private static let tenant = "3dc1f4a5-fc50-50e9-a47a-f595cb41b813"
  private static let other = "0a1e2ef8-36f5-598b-ac1b-986a363df67c"
  private static let hosts = ["login.windows.net", "login.microsoftonline.com"]
  private static let names = ["ann@contoso.com", "Ann@contoso.com", "bob@contoso.com"]
  private static let homes = ["ann", "bob"].map { "\($0).\(tenant)" }
  private static let group = "g"

  private static func idToken(_ name: String, _ realm: String, _ localID: String) -> String {
    let claims = #"{"ver":"1.0","oid":"\#(localID)","tid":"\#(realm)","upn":"\#(name)"}"#
    return "e30.\(Base64.text(of: Array(claims.utf8), .url))."
  }

  /// A cache of a few entries and rows, and what MSAL finds in it for the client `client`.
  private struct Case {
    var items: [KeychainItem] = []
    var rows: [ADALFallbackRow] = []
    var model = ListingModel(accounts: [], rows: [], signedOut: [])

    init(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      var isListed: [String: Bool] = [:]
      for home in homes {
        isListed[home] = Bool.random(using: &random)
        if isListed[home] ?? false {
          let isFamilys = Bool.random(using: &random)
          items.append(
            SyntheticEntry.refreshToken(
              "rt", home: home, client: isFamilys ? "another" : "client",
              family: isFamilys ? "1" : nil
            ).item(accessGroup: group, at: nil))
        }
        if Int.random(in: 0..<6, using: &random) == 0 { model.signedOut.insert(home) }
      }
      if let home = model.signedOut.sorted().first, model.signedOut.count == 1 {
        items.append(SyntheticEntry.signedOut(home: home, client: "client", accessGroup: group))
      } else {
        model.signedOut = []
      }
      var taken: Set<[String]> = []
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        addAccount(isListed, &taken, &random)
      }
      for number in 0..<Int.random(in: 0...3, using: &random) { addRow(number, &random) }
    }

    private mutating func addAccount(
      _ isListed: [String: Bool], _ taken: inout Set<[String]>, _ random: inout SplitMix64
    ) {
      let home = homes.randomElement(using: &random) ?? ""
      let host = hosts.randomElement(using: &random) ?? ""
      let realm = Int.random(in: 0..<3, using: &random) == 0 ? other : tenant
      guard taken.insert([home, host, realm]).inserted else { return }
      let name = names.randomElement(using: &random) ?? ""
      let localID = "\(home.prefix(3))-\(realm.prefix(1))"
      items.append(
        SyntheticEntry.account(name, home: home, realm: realm, localID: localID, environment: host)
          .item(accessGroup: group, at: nil))
      let hasClaims = Bool.random(using: &random)
      if hasClaims {
        items.append(
          SyntheticEntry.idToken(
            idToken(name, realm, localID), home: home, client: "client", realm: realm,
            environment: host
          ).item(accessGroup: group, at: nil))
      }
      model.accounts.append(
        (
          ListingModel.Member(
            home: home, name: name, host: host, realm: realm, localID: localID,
            hasClaims: hasClaims),
          isListed[home] ?? false && !model.signedOut.contains(home)
        ))
    }

    private mutating func addRow(_ number: Int, _ random: inout SplitMix64) {
      let host = hosts.randomElement(using: &random) ?? ""
      let authority = "https://\(host)/common"
      let name = names.randomElement(using: &random) ?? ""
      let realm = Int.random(in: 0..<4, using: &random) == 0 ? other : tenant
      let localID = "\(name.lowercased().prefix(3))-\(realm.prefix(1))"
      let home =
        Int.random(in: 0..<3, using: &random) == 0 ? nil : homes.randomElement(using: &random)
      let isOwn = Bool.random(using: &random)
      rows.append(
        ADALFallbackRow(
          key: ADALFallbackRow.Key(
            userID: name.lowercased(), authority: authority, client: isOwn ? "client" : "foci-1"),
          place: KeychainItem.Key(accessGroup: group, account: name, service: "\(number)"),
          ADALFallbackToken(
            environment: ADALFallbackToken.environment(ofAuthority: authority),
            clientID: isOwn ? "client" : "another", familyID: isOwn ? nil : "1",
            homeAccountID: home, claims: IDTokenClaims(TokenSecret(idToken(name, realm, localID))),
            refreshToken: TokenSecret("rt"), hasAccessToken: false)))
      // MSAL takes the name of the ID token, in lower case.
      model.rows.append(
        ListingModel.Member(
          home: home, name: name.lowercased(), host: host, realm: realm, localID: localID,
          hasClaims: isOwn))
    }
  }

  @Test("the listed accounts are those that MSAL may list, without exception")
  func mixtures() throws {
    var (lists, undecided, complete) = (0, 0, 0)
    var (wrong, foreign, untold): ([UInt64], [UInt64], [UInt64]) = ([], [], [])
    for seed in 0..<4000 as Range<UInt64> {
      let tried = Case(seed: seed)
      let lookup = Lookup(
        MSALIndex(items: tried.items), fallbackRows: tried.rows, now: 1_700_000_000)
      let query = LookupQuery(.listedAccounts, clientID: "client", withLegacy: true)
      let usual = Set(lookup.listedAccounts(query).map(\.content))
      let others = lookup.possibleLists(query).dropFirst().map { Set($0.map(\.content)) }
      let possible = tried.model.listsInAnyOrder
      if !tried.model.lists.contains(usual) { wrong.append(seed) }
      if !possible.isSuperset(of: others) { foreign.append(seed) }
      if (possible.count > 1) != !others.isEmpty { untold.append(seed) }
      lists += usual.isEmpty ? 0 : 1
      undecided += others.isEmpty ? 0 : 1
      complete += Set([usual] + others) == possible ? 1 : 0
    }
    #expect(wrong == [], "lists that MSAL never gives for this order of the rows")
    #expect(foreign == [], "other lists that it gives for none")
    #expect(untold == [], "chance that decides and is not told, or does not and is")
    #expect([lists, undecided, complete] == [3097, 1470, 3705])
  }
}
