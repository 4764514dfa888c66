// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments
@testable import MigrationPolicies

/// The account of another ADAL's row: the guards of other-adals §8.2, one by one.
@Suite struct OtherADALRuleTests {
  static let now = 1_700_000_000.0
  static let contoso = "d42d0063-125b-5c94-8aa2-60829eb263a2"
  static let fabrikam = "7ef07497-8ed9-53f1-9f73-9dcb67e7aaa8"
  static let megan = "f3d86d04-186e-59e6-b8d0-d66fb30e3d61"
  static let guest = "0792d57c-bc44-5ef0-9dbb-27ee28a0507c"
  static let client = "d2ccf621-1a22-514f-b438-01ed6749a666"
  static let home = "\(megan).\(contoso)"

  typealias Row = [String: Any]

  /// A member's row; nil takes a field away.
  func row(
    _ token: String = "rt-megan", in tenant: String = contoso, _ changes: [String: Any?] = [:]
  ) -> [String: Any] {
    var row: [String: Any] = [
      "tokenType": "Bearer", "expiresIn": 3600, "expiresOn": "2023-11-14T23:00:00.000Z",
      "accessToken": "at-\(token)", "refreshToken": token,
      "resource": "https://graph.microsoft.com", "isMRRT": true, "oid": Self.megan,
      "userId": "Megan.Bowen@contoso.com", "tenantId": tenant, "_clientId": Self.client,
      "_authority": "https://login.microsoftonline.com/\(tenant)",
    ]
    for (name, value) in changes { row[name] = value }
    return row
  }

  func guest(_ token: String, of provider: String, _ changes: [String: Any?] = [:])
    -> [String: Any]
  {
    let own: [String: Any?] = ["oid": Self.guest, "identityProvider": provider]
    return row(token, in: Self.fabrikam, own.merging(changes) { $1 })
  }

  static func provider(_ tenant: String) -> String { "https://sts.windows.net/\(tenant)/" }

  func migrate(
    _ rows: [[String: Any]], _ policy: Policy = Policy(), timeZone: TimeZone = .gmt,
    into document: MemoryDocument = MemoryDocument()
  ) throws -> (report: Report, tokens: [String: String]) {
    let data = try JSONSerialization.data(withJSONObject: rows)
    let report = try Migration(
      from: .list([UInt8](data), timeZone: timeZone), into: .document(document), policy: policy,
      now: { Date(timeIntervalSince1970: Self.now) }
    ).run()
    let tokens = try CacheDocument(document.bytes).credentials.map(\.value)
      .filter(\.isRefreshToken)
    return (
      report,
      Dictionary(tokens.map { ($0.homeAccountID ?? "", $0.secret.revealText() ?? "") }) {
        min($0, $1)
      }
    )
  }

  func reasons(_ rows: [[String: Any]], _ policy: Policy = Policy()) throws -> [Reason] {
    let (report, tokens) = try migrate(rows, policy)
    #expect(tokens.isEmpty && report.summary.written == 0)
    return report.entries.flatMap(\.reasons)
  }

  // MARK: - E4

  @Test("the fields of a member prove the account") func member() throws {
    let (report, tokens) = try migrate([row()])
    #expect(tokens == [Self.home: "rt-megan"])
    #expect(report.accounts.map(\.confidence) == [.joined])
    #expect(
      report.entries.first?.evidence == ["fields.oid+tenant", "fields.no-identity-provider"])
    #expect(report.findings.first { $0.reason == .homeMemberFields }?.severity == .note)
    #expect(report.accounts.map(\.signedIn) == [.yes])
  }

  @Test(
    "a provider that is the own tenant is no sign of a guest",
    arguments: ["https://sts.windows.net/\(contoso)/", "https://sts.chinacloudapi.cn/\(contoso)/"])
  func ownTenant(provider: String) throws {
    let (_, tokens) = try migrate([row("rt", in: Self.contoso, ["identityProvider": provider])])
    #expect(tokens == [Self.home: "rt"])
  }

  @Test(
    "a token that is no member's is left",
    arguments: [
      ("identityProvider", "https://sts.windows.net/\(fabrikam)/", Reason.homeGuestUnresolved),
      ("identityProvider", "google.com", .homeGuestUnresolved),
      ("identityProvider", "live.com", .homeMSAGuest),
      ("userId", "megan_contoso.com#EXT#@fabrikam.com", .homeGuestUnresolved),
      ("userId", "0792d57c-bc44-5ef0-9dbb-27ee28a0507c", .homeEmptyUser),
      ("oid", "not-a-guid", .homeUsernameOnly), ("oid", "", .homeUsernameOnly),
      ("tenantId", "7ef07497-8ed9-53f1-9f73-9dcb67e7aaa8", .tenantMismatch),
      ("tenantId", "9188040d-6c67-4c5b-b112-36a304b66dad", .homeMSAUnknown),
      ("_authority", "https://login.microsoftonline.com/consumers", .homeMSAUnknown),
    ])
  func noMember(field: String, value: String, reason: Reason) throws {
    #expect(try reasons([row("rt", in: Self.contoso, [field: value])]).first == reason)
  }

  @Test("a domain or `common` is no tenant, but other rows of the object tell it") func tenants()
    throws
  {
    let common = row(
      "rt-2", in: Self.contoso,
      ["tenantId": nil, "_authority": "https://login.microsoftonline.com/common"])
    #expect(try reasons([common]) == [.homeUsernameOnly, .tenantCommonNoIDToken])
    let other = row("rt-1", in: Self.contoso, ["_clientId": "another client"])
    let (report, _) = try migrate([common, other])
    #expect(report.summary.converted == 2)
    #expect(Set(report.accounts.compactMap(\.homeAccountID)) == [Self.home])
    // One object in two tenants proves nothing.
    let elsewhere = row("rt-3", in: Self.fabrikam, ["_clientId": "a third client"])
    #expect(
      try reasons([common, other, elsewhere])
        == [.conflictHomeID, .conflictHomeID, .conflictHomeID])
  }

  @Test("an account map overrides it, by name too") func map() throws {
    let other = "\(Self.guest).\(Self.fabrikam)"
    for entry in [
      AccountMap.Entry(
        homeOID: Self.guest, homeTID: Self.fabrikam, tid: Self.contoso, oid: Self.megan),
      AccountMap.Entry(
        homeOID: Self.guest, homeTID: Self.fabrikam, upn: "megan.bowen@contoso.com"),
    ] {
      let (_, tokens) = try migrate([row()], Policy(accountMap: try AccountMap([entry])))
      #expect(tokens == [other: "rt-megan"])
    }
  }

  @Test("a higher minimum confidence takes no account from fields alone") func strict() throws {
    let found = try reasons([row()], Policy(minimumConfidence: .tenantMember))
    #expect(found == [.homeBelowMinimum, .homeMemberFields])
  }

  // MARK: - Refresh tokens that were overwritten

  @Test("a guest's object is not at home where its provider stayed alone") func staleObject() throws
  {
    // A guest's row that was refreshed at home without an ID token: the object stayed.
    let stale = row(
      "rt", in: Self.contoso,
      ["oid": Self.guest, "identityProvider": Self.provider(Self.contoso), "tenantId": nil])
    let found = try reasons([guest("rt", of: Self.provider(Self.contoso)), stale])
    #expect(found == [.homeGuestUnresolved, .conflictHomeID])
    // The map says where.
    let entry = AccountMap.Entry(
      homeOID: Self.megan, homeTID: Self.contoso, tid: Self.contoso, oid: Self.guest)
    #expect(
      try migrate([stale], Policy(accountMap: try AccountMap([entry]))).tokens == [Self.home: "rt"])
  }

  @Test("an object is of one tenant, also where Azure CLI has copied its row for others")
  func copiedObject() throws {
    let common = "https://login.microsoftonline.com/common"
    // As `az login` writes them, with answers without an ID token for the tenants.
    let copies = [
      row("rt", ["tenantId": nil, "_authority": common]), row("rt", ["tenantId": nil]),
      row("rt", in: Self.fabrikam, ["tenantId": nil]),
    ]
    let (report, tokens) = try migrate(copies)
    #expect(tokens.isEmpty)
    #expect(report.entries.map(\.reasons) == Array(repeating: [.conflictHomeID], count: 3))
    #expect(report.accounts.map(\.signedIn) == [.no])
    // The map says of which, by the object or by the name.
    for (object, name) in [(Self.megan, nil), (nil, "Megan.Bowen@contoso.com")] {
      let entry = AccountMap.Entry(
        homeOID: Self.megan, homeTID: Self.contoso, tid: object.map { _ in Self.contoso },
        oid: object, upn: name)
      let policy = Policy(accountMap: try AccountMap([entry]))
      let document = MemoryDocument()
      #expect(try migrate(copies, policy, into: document).tokens == [Self.home: "rt"])
      // The object in the other tenant is unknown.
      let accounts = try CacheDocument(document.bytes).entries.map(\.value)
        .filter { $0.kind == .account }
      #expect(
        Dictionary(uniqueKeysWithValues: accounts.map { ($0.realm ?? "", $0.localAccountID) })
          == [Self.contoso: Self.megan, Self.fabrikam: nil])
    }
  }

  @Test("an object that a row kept without its tenant is the access token's, if that names one")
  func keptObject() throws {
    func row(_ object: String?, _ tenant: String?) -> Row {
      let access = SyntheticRow.idToken(["aud": "a", "oid": object ?? "", "tid": Self.contoso])
      return self.row("rt", in: Self.contoso, ["tenantId": tenant, "accessToken": access])
    }
    for object in [nil, Self.megan, Self.megan.uppercased()] {
      #expect(try migrate([row(object, nil)]).tokens == [Self.home: "rt"])
    }
    #expect(try reasons([row(Self.guest, nil)]) == [.homeUsernameOnly])
    // Another user of that name may have got the row's tokens, so other rows of the object do not help either.
    #expect(
      try migrate([row(Self.guest, nil), self.row("rt-2", in: Self.contoso)]).tokens == [
        Self.home: "rt-2"
      ])
    // A row with its tenant keeps both of one answer.
    #expect(try migrate([row(Self.guest, Self.contoso)]).tokens == [Self.home: "rt"])
  }

  @Test(
    "of one person's refresh tokens the one that was got last is taken, at home before elsewhere")
  func best() throws {
    let early = row("rt-1", in: Self.contoso, ["expiresOn": "2023-11-14T22:30:00.000Z"])
    let late = row("rt-2", in: Self.contoso, ["expiresOn": "2023-11-14T23:30:00.000Z"])
    for rows in [[early, late], [late, early]] {
      #expect(try migrate(rows).tokens == [Self.home: "rt-2"])
    }
    let guest = guest(
      "rt-1", of: Self.provider(Self.contoso), ["expiresOn": "2023-11-15T23:30:00.000Z"])
    let (report, tokens) = try migrate([guest, early, late])
    #expect(tokens == [Self.home: "rt-2"] && report.summary.written > 0)
  }

  @Test("a service principal is not a user's sign-in, and a warning") func servicePrincipal() throws
  {
    let principal: [String: Any] = [
      "servicePrincipalId": Self.client, "servicePrincipalTenant": Self.contoso,
      "accessToken": "a password",
    ]
    let (report, tokens) = try migrate([row(), principal])
    #expect(tokens == [Self.home: "rt-megan"])
    let findings = report.findings.filter { $0.reason == .rowServicePrincipal }
    #expect(findings.map(\.severity) == [.warning] && findings.map(\.rows.count) == [1])
    #expect(report.accounts.map(\.signedIn) == [.yes])
  }

  @Test("a map's name that two users of a tenant have overrides neither's fields")
  func sharedName() throws {
    let other = row("rt-2", in: Self.contoso, ["oid": Self.guest, "_clientId": "another client"])
    let entry = AccountMap.Entry(
      homeOID: Self.guest, homeTID: Self.fabrikam, upn: "megan.bowen@contoso.com")
    let policy = Policy(accountMap: try AccountMap([entry]))
    #expect(
      try migrate([row("rt-1"), other], policy).tokens == [
        Self.home: "rt-1", "\(Self.guest).\(Self.contoso)": "rt-2",
      ])
  }

  // MARK: - Guests by name

  @Test("a guest takes the home of the only member of that name, when asked") func joined() throws {
    let rows = [
      row("rt-home", in: Self.contoso, ["_clientId": "another client"]),
      guest("rt-guest", of: Self.provider(Self.contoso)),
    ]
    let plain = try migrate(rows)
    #expect(plain.tokens == [Self.home: "rt-home"] && plain.report.summary.converted == 1)
    let (report, _) = try migrate(rows, Policy(joinsGuests: true))
    #expect(report.summary.converted == 2)
    #expect(report.accounts.compactMap(\.homeAccountID) == [Self.home])
    #expect(report.findings.first { $0.reason == .homeGuestJoinedByName }?.severity == .warning)
    #expect(report.entries.contains { $0.evidence.contains("join.user-name") })
  }

  @Test("and only then") func notJoined() throws {
    let member = row("rt-home", in: Self.contoso, ["_clientId": "another client"])
    let policy = Policy(joinsGuests: true)
    let others: [[String: Any]] = [
      guest("rt", of: Self.provider("00000000-1111-2222-3333-444444444444")),
      guest("rt", of: "google.com"), guest("rt", of: "live.com"),
      guest("rt", of: Self.provider(Self.contoso), ["userId": "someone@contoso.com"]),
    ]
    for other in others {
      #expect(try migrate([member, other], policy).report.summary.converted == 1)
    }
    // Two of that name at home.
    let namesake = row("rt-3", in: Self.contoso, ["oid": Self.guest, "_clientId": "third"])
    let guest = guest("rt", of: Self.provider(Self.contoso))
    #expect(try migrate([member, namesake, guest], policy).report.summary.converted == 2)
  }

  @Test("other rows of the guest's object come along, at once") func joinedObject() throws {
    let policy = Policy(joinsGuests: true)
    let member = row("rt-home", in: Self.contoso, ["_clientId": "another client"])
    let named = guest("rt-1", of: Self.provider(Self.contoso))
    func renamed(_ name: String) -> [String: Any] {
      guest("rt-2", of: Self.provider(Self.contoso), ["userId": name, "_clientId": "third"])
    }
    let (report, _) = try migrate([member, named, renamed("before@contoso.com")], policy)
    #expect(report.summary.converted == 3)
    #expect(
      Set(report.entries.flatMap(\.evidence).filter { $0.hasPrefix("join.") })
        == ["join.user-name", "join.oid+tid"])
    // Alone, it has no name that somebody at home has.
    let alone = try migrate([member, renamed("before@contoso.com")], policy)
    #expect(alone.report.summary.converted == 1)

    // Two names of one object that lead to two accounts prove neither.
    let other = row(
      "rt-3", in: Self.contoso,
      ["oid": Self.fabrikam, "userId": "other@contoso.com", "_clientId": "fourth"])
    let (both, tokens) = try migrate([member, other, named, renamed("other@contoso.com")], policy)
    #expect(both.summary.converted == 2 && tokens.values.sorted() == ["rt-3", "rt-home"])
    #expect(both.entries.filter { $0.reasons.contains(.conflictHomeID) }.count == 2)
  }

  @Test("an archived guest's row is joined too") func archived() throws {
    // ADAL.NET's vectors have the ID tokens; those of iOS are read by the same rule.
    let vector = try #require(
      OtherADALVector.all.first { $0.name == "adal-net-3.19.8/no-client-info" })
    #expect(try vector.migrate().0.summary.converted == 1)
    let (report, _) = try vector.migrate(policy: Policy(joinsGuests: true))
    #expect(report.summary.converted == 2)
    #expect(Set(report.accounts.compactMap(\.homeAccountID)) == Set(vector.rows.compactMap(\.home)))
  }

  // MARK: - Times and targets

  @Test("local times are read in the zone of the machine that wrote them") func zones() throws {
    let local = row("rt", in: Self.contoso, ["expiresOn": "2023-11-14 23:00:00.123456"])
    let before = row("rt-2", in: Self.contoso, ["expiresOn": "2023-11-14 22:00:00.123456"])
    #expect(try migrate([local, before]).tokens == [Self.home: "rt"])
    // In UTC it is a quarter past ten, so that in Berlin's time the token has expired.
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let (report, _) = try migrate([local], timeZone: berlin)
    #expect(report.entries.first?.reasons.contains(.atExpired) == true)
    #expect(try migrate([local]).report.entries.first?.reasons.contains(.atExpired) == false)
  }

  @Test("a lifetime that no service gives moves no clock", arguments: [3_600, 10_000_000_000])
  func lifetimes(_ seconds: Int) throws {
    // A quarter past ten in UTC. Three hundred years before, Berlin's clocks were seven minutes behind.
    let local = row(
      "rt", in: Self.contoso, ["expiresOn": "2023-11-14 23:15:00", "expiresIn": seconds])
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let (report, _) = try migrate([local], timeZone: berlin)
    #expect(report.entries.first?.reasons.contains(.atExpired) == true)
  }

  @Test("the order of the rows does not matter") func order() throws {
    let rows = [
      row("rt-1"), row("rt-1"), row("rt-2"), guest("rt-3", of: Self.provider(Self.contoso)),
      row("rt-4", in: Self.contoso, ["userId": nil, "oid": nil]),
    ]
    let (report, tokens) = try migrate(rows)
    for count in 1..<rows.count {
      let (other, found) = try migrate(Array(rows[count...] + rows[..<count]))
      #expect(other == report && found == tokens)
    }
  }

  @Test("a fresh document of Python's rows has the host that apps sign in with") func host() throws
  {
    let local = row("rt", in: Self.contoso, ["expiresOn": "2023-11-14 23:00:00"])
    #expect(
      try migrate([local]).report.accounts.map(\.environment) == ["login.microsoftonline.com"])
    #expect(try migrate([row()]).report.accounts.map(\.environment) == ["login.windows.net"])
  }
}
