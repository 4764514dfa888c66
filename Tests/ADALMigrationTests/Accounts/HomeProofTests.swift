// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
@testable import MigrationPolicies

/// The proof of a row for its home account ID, and the reasons that leave it open (mapping-rules §2.4).
@Suite struct HomeProofTests {
  private let ann = World.ann
  private let eve = World.eve
  private let contoso = World.tenant(World.contoso)
  private let strange = "https://login.contoso.example/common"
  private var guestToken: String { eve.guestToken(of: World.contoso, as: World.eveInContoso) }

  private func report(
    _ rows: [SyntheticRow], _ entries: [SyntheticEntry] = [], _ policy: Policy = Policy()
  ) throws -> Report {
    let items = entries.map { $0.item(accessGroup: World.group, at: 1) }
    return try FoundRun.inPlace(rows.map(\.item) + items, policy: policy).report
  }

  private func entry(_ row: SyntheticRow) throws -> Report.Entry {
    try #require(try report([row]).entries.first)
  }

  // MARK: The row's own ID token

  @Test("a personal account's object is its own only if it is a padded CID")
  func personalAccounts() throws {
    func row(_ oid: String) -> SyntheticRow {
      let kim = GoldenPerson("kim@outlook.com", oid, World.personal, "Kim", "Fox")
      return .refresh("rt", kim.upn, kim.token())
    }
    let own = try entry(row("00000000-0000-0000-1234-123456789abc"))
    #expect(own.homeAccountID == "00000000-0000-0000-1234-123456789abc.\(World.personal)")
    #expect(own.evidence == ["idtoken.oid+tid", "idtoken.microsoft-account"])
    for oid in [ann.oid, "00000000-0000-0001-1234-123456789abc"] {
      let other = try entry(row(oid))
      #expect(other.homeAccountID == nil && other.outcome == .notConverted)
      #expect(other.reasons == [.homeMSAUnknown])
    }
  }

  @Test("under a tenant's authority a user without UPN may be a guest, and is none under common")
  func withoutUPN() throws {
    let token = ann.token([
      "ver": "2.0", "upn": nil, "unique_name": nil, "preferred_username": ann.upn,
    ])
    for authority in [contoso, World.tenant("contoso.com")] {
      let entry = try entry(.refresh("rt", ann.upn, token, at: authority))
      #expect(entry.homeAccountID == nil && entry.reasons == [.homeGuestUnresolved])
    }
    let entry = try entry(.refresh("rt", ann.upn, token))
    #expect(entry.homeAccountID == ann.home)
    #expect(entry.evidence == ["idtoken.oid+tid", "authority.common"])
  }

  @Test("a row without a name has no confidence, one with a name alone the lowest")
  func confidence() throws {
    func confidences(_ row: SyntheticRow) throws -> [Report.Confidence] {
      try report([row]).accounts.map(\.confidence)
    }
    #expect(try confidences(.refresh("rt", nil, nil)) == [.none])
    #expect(try confidences(.refresh("rt", ann.upn, nil)) == [.usernameOnly])
    #expect(try confidences(.refresh("rt", eve.upn, guestToken, at: contoso)) == [.usernameOnly])
  }

  // MARK: The service's ID

  @Test("a stored id wins over another one that the row's claims derive, and that is said")
  func storedAndDerived() throws {
    func said(_ home: String, _ row: SyntheticRow) throws -> [String] {
      let entry = try entry(.stored(home, row))
      #expect(entry.homeAccountID == home && entry.evidence == ["row.homeAccountId"])
      return entry.reasons.map(\.code).filter { $0.hasPrefix("home.") }
    }
    let member = SyntheticRow.refresh("rt", ann.upn, ann.token())
    #expect(try said(ann.home, member) == ["home.exact"])
    #expect(try said(eve.home, member) == ["home.exact", "home.claims-disagree"])
    // A guest's claims derive nothing that could differ.
    #expect(try said(eve.home, .refresh("rt", eve.upn, guestToken, at: contoso)) == ["home.exact"])
  }

  @Test("a map that contradicts what the service stored does not name the user, either")
  func contradictingMap() throws {
    let line = AccountMap.Entry(
      homeOID: ann.oid, homeTID: World.fabrikam, tid: World.contoso, oid: World.eveInContoso,
      usernameOverride: "other@contoso.com")
    let row = SyntheticRow.stored(eve.home, .refresh("rt", eve.upn, guestToken, at: contoso))
    let found = try report([row], [], .map([line]))
    #expect(found.entries.map(\.homeAccountID) == [eve.home])
    #expect(found.entries.allSatisfy { $0.reasons.contains(.mapContradictsStored) })
    #expect(found.accounts.map(\.userID) == [eve.upn])
  }

  // MARK: Evidence for other rows

  /// Eve at home and as a guest, with one refresh token.
  private func joined(at authority: String) -> [SyntheticRow] {
    [
      .refresh("rt", eve.upn, eve.token(), at: authority),
      .refresh(
        "rt", eve.upn, guestToken,
        at: authority.replacing("common", with: World.contoso)),
    ]
  }

  @Test("rows of an unknown host prove nothing of other rows, until the host is allowed")
  func unknownHost() throws {
    func homes(_ authority: String, _ policy: Policy = Policy()) throws -> Set<String?> {
      Set(try report(joined(at: authority), [], policy).entries.map(\.homeAccountID))
    }
    #expect(try homes(World.common) == [eve.home])
    #expect(try homes(strange, .allowing("login.contoso.example")) == [eve.home])
    // The member's row says whose it is, and nothing says it of the guest's.
    #expect(try homes(strange) == [eve.home, nil])
  }

  @Test(
    "MSAL's entries identify the account of a row under the hosts of Entra ID and the allowed ones")
  func entriesOfAllowedHosts() throws {
    let host = "login.contoso.example"
    let guest = SyntheticRow.refresh(
      "rt", eve.upn, guestToken, at: strange.replacing("common", with: World.contoso))
    let there = eve.account(in: World.contoso, as: World.eveInContoso, at: host)
    func home(_ policy: Policy) throws -> [String?] {
      try report([guest], [there], policy).entries
        .filter { $0.kind == .multiResourceRefreshToken }.map(\.homeAccountID)
    }
    #expect(try home(.allowing(host)) == [eve.home])
    #expect(try home(Policy()) == [nil])
  }

  @Test(
    "an ID token of MSAL's identifies the account of a row unless it is filed under another tenant")
  func idTokenOfAnotherTenant() throws {
    let guest = SyntheticRow.refresh("rt", eve.upn, guestToken, at: contoso)
    func home(filedUnder realm: String) throws -> [String?] {
      try report([guest], [eve.idToken(guestToken, realm: realm)]).entries
        .filter { $0.kind == .multiResourceRefreshToken }.map(\.homeAccountID)
    }
    #expect(try home(filedUnder: World.contoso) == [eve.home])
    #expect(try home(filedUnder: World.fabrikam) == [nil])
    // A text that is not a tenant's ID does not contradict it.
    #expect(try home(filedUnder: "organizations") == [eve.home])
  }
}

extension Policy {
  fileprivate static func allowing(_ host: String) -> Policy { Policy(allowedHosts: [host]) }
}
