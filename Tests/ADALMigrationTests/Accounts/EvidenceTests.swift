// SPDX-License-Identifier: MIT
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The evidence of rows and entries for each other's home account ID. If it contradicts itself, no ID is certain
/// (mapping-rules §2.3).
@Suite struct EvidenceTests {
  private let ann = World.ann
  private let eve = World.eve
  private let contoso = World.tenant(World.contoso)
  private var guestToken: String { eve.guestToken(of: World.contoso, as: World.eveInContoso) }

  /// Eve's row as a guest, of which her claims do not say where she is at home.
  private func guest(_ secret: String, client: String = World.client) -> SyntheticRow {
    .refresh(secret, eve.upn, guestToken, at: contoso) { $0.clientID = client }
  }

  /// The report's facts about the rows of a user, by their clients.
  private func entries(
    _ rows: [SyntheticRow], _ entries: [SyntheticEntry] = [], _ policy: Policy = Policy()
  ) throws -> [Report.Entry] {
    let items = rows.map(\.item) + entries.map { $0.item(accessGroup: World.group, at: 1) }
    return try FoundRun.inPlace(items, policy: policy).report.entries
      .filter { $0.kind == .multiResourceRefreshToken || $0.kind == .b2c }
      .sorted { ($0.clientID ?? "", $0.userID ?? "") < ($1.clientID ?? "", $1.userID ?? "") }
  }

  @Test("two users with one refresh token are neither of them")
  func oneRefreshTokenOfTwoUsers() throws {
    let sam = World.firstSam
    let found = try entries([
      .refresh("rt", ann.upn, ann.token()), .refresh("rt", sam.upn, sam.token()), guest("rt"),
    ])
    #expect(found.map(\.userID) == [ann.upn, eve.upn, sam.upn])
    for entry in found {
      #expect(entry.homeAccountID == nil && entry.outcome == .notConverted)
      #expect(entry.reasons.contains(.conflictHomeID))
      #expect(entry.evidence == ["derived.home-account-ids"])
    }
  }

  @Test("where stored ids contradict each other, a row's own word counts if it is one of them")
  func contradictingStoredIDs() throws {
    func said(storing other: String) throws -> Report.Entry {
      let rows: [SyntheticRow] = [
        .refresh("rt", ann.upn, ann.token()) { $0.clientID = "1" },
        .stored(eve.home, .refresh("rt", ann.upn, ann.token()) { $0.clientID = "2" }),
        .stored(other, .refresh("rt", ann.upn, ann.token()) { $0.clientID = "3" }),
      ]
      return try #require(try entries(rows).first { $0.clientID == "1" })
    }
    let own = try said(storing: ann.home)
    #expect(own.homeAccountID == ann.home && own.outcome == .converted)
    let other = try said(storing: World.firstSam.home)
    #expect(other.homeAccountID == nil && other.outcome == .notConverted)
    #expect(other.reasons.contains(.conflictHomeID))
    #expect(other.evidence == ["stored.home-account-ids"])
  }

  @Test("a map does not override what the service stored in another row of the user")
  func mapBesideStoredID() throws {
    let line = AccountMap.Entry(
      homeOID: ann.oid, homeTID: World.fabrikam, tid: World.contoso, oid: World.eveInContoso)
    let rows = [guest("rt-1", client: "1"), .stored(eve.home, guest("rt-2", client: "2"))]
    let found = try entries(rows, [], .map([line]))
    #expect(found.map(\.homeAccountID) == [eve.home, eve.home])
    #expect(found.allSatisfy { $0.reasons.contains(.mapContradictsStored) })
    #expect(found.map(\.evidence.first) == ["join.oid+tid", "row.homeAccountId"])
  }

  @Test("a user of B2C is another account than the user of Entra ID who is the same object")
  func objectOfB2C() throws {
    let ofB2C = SyntheticRow.stored(
      "\(ann.oid)-b2c_1_signin.\(ann.tid)",
      .refresh(
        "rt-b2c", ann.upn, ann.token(), at: "https://login.windows.net/tfp/contoso/b2c_1_signin"))
    let found = try entries([.refresh("rt", ann.upn, ann.token()), ofB2C])
    let ofEntraID = try #require(found.first { $0.kind == .multiResourceRefreshToken })
    #expect(ofEntraID.homeAccountID == ann.home && ofEntraID.outcome == .converted)
    #expect(ofEntraID.evidence == ["idtoken.oid+tid", "authority.common"])
  }

  // MARK: Guests by name (D32)

  private func joined(_ there: [SyntheticEntry]) throws -> Report.Entry {
    try #require(try entries([guest("rt")], there, Policy(joinsGuests: true)).first)
  }

  @Test("a guest is matched to the only account of the name that MSAL has in the home tenant")
  func guestOfAnAccount() throws {
    let found = try joined([eve.account()])
    #expect(found.homeAccountID == eve.home && found.reasons.contains(.homeGuestJoinedByName))
    #expect(found.evidence.last == "join.user-name")
    #expect(try entries([guest("rt")], [eve.account()]).first?.homeAccountID == nil)
  }

  @Test("a guest is not matched to one of two, nor to a user of another tenant or of B2C")
  func guestOfNobody() throws {
    func account(_ oid: String, in tid: String) -> SyntheticEntry {
      GoldenPerson(eve.upn, oid, tid, "Eve", "Ray").account()
    }
    let second = account(World.firstSam.oid, in: World.fabrikam)
    for there in [
      [eve.account(), second], [account(eve.oid, in: World.tailspin)],
      [account("\(eve.oid)-b2c_1_signin", in: World.fabrikam)],
    ] {
      let found = try joined(there)
      #expect(found.homeAccountID == nil && found.reasons.contains(.homeGuestUnresolved))
    }
    // Beside the one, the user of B2C does not count.
    let ofB2C = account("\(eve.oid)-b2c_1_signin", in: World.fabrikam)
    #expect(try joined([eve.account(), ofB2C]).homeAccountID == eve.home)
  }
}
