// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration
@testable import MigrationPolicies

/// The account map in a migration: whom it speaks for, and what it never overrules.
@Suite struct AccountMapUseTests {
  private let ann = World.ann
  private let eve = World.eve
  private let contoso = World.tenant(World.contoso)
  private var guestToken: String { eve.guestToken(of: World.contoso, as: World.eveInContoso) }
  private var guest: SyntheticRow { .refresh("rt", eve.upn, guestToken, at: contoso) }

  private func run(_ rows: [SyntheticRow], _ entries: [AccountMap.Entry]) throws -> Report {
    let store = MemoryStore(rows.map(\.item))
    return try Migration(
      from: [.items(store)], into: .items(store),
      policy: Policy(accountMap: try AccountMap(entries)),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
  }

  private func entry(
    _ person: GoldenPerson, of object: String? = World.eveInContoso, upn: String? = nil,
    named name: String? = nil, in environment: String? = nil
  ) -> AccountMap.Entry {
    AccountMap.Entry(
      homeOID: person.oid, homeTID: person.tid, tid: object.map { _ in World.contoso },
      oid: object, upn: upn, usernameOverride: name, environment: environment)
  }

  private func homes(_ report: Report) -> [String?] { report.entries.map(\.homeAccountID) }

  @Test("the object of a tenant speaks before the user name") func objectFirst() throws {
    let report = try run([guest], [entry(ann, of: nil, upn: eve.upn), entry(eve)])
    #expect(homes(report) == [eve.home])
    #expect(report.entries.map(\.evidence) == [["map.tid+oid"]])
    #expect(report.accounts.map(\.confidence) == [.exact])
  }

  @Test("one map is asked before another, of which no unused line is told") func before() throws {
    let many = try AccountMap([entry(ann), entry(ann, of: nil, upn: "somebody@contoso.com")])
    func run(_ map: AccountMap) throws -> Report {
      let store = MemoryStore([guest.item])
      return try Migration(
        from: [.items(store)], into: .items(store), policy: Policy(accountMap: map),
        now: { Date(timeIntervalSince1970: World.now) }
      ).run()
    }
    let own = try run(AccountMap([entry(eve)]).before(many))
    #expect(homes(own) == [eve.home])
    let theirs = try run(AccountMap().before(many))
    #expect(homes(theirs) == [ann.home])
    #expect(theirs.findings == [])
    // A line of its own is told when it is of no use.
    let unused = try run(AccountMap([entry(eve, of: nil, upn: "nobody@contoso.com")]).before(many))
    #expect(homes(unused) == [ann.home])
    #expect(unused.findings.count == 1)
  }

  @Test("a user name alone is level 2") func userName() throws {
    let report = try run([guest], [entry(eve, of: nil, upn: "EVE@fabrikam.com")])
    #expect(homes(report) == [eve.home])
    #expect(report.entries.map(\.evidence) == [["map.upn"]])
    #expect(report.accounts.map(\.confidence) == [.joined])
    #expect(report.findings.map(\.reason) == [.homeJoined])
    #expect(report.findings.map(\.severity) == [.warning])
    // MSAL finds what is converted by its identifier, with any authority.
    #expect(
      report.findings.map(\.message)
        == ["home account id inferred from another row or from the account map"])
  }

  @Test("a name that it gives counts for the other rows of the object")
  func nameOfObject() throws {
    let name = "before@fabrikam.com"
    let before = eve.guestToken(
      of: World.contoso, as: World.eveInContoso, ["email": name, "unique_name": name])
    let renamed = SyntheticRow.refresh("rt-2", name, before, at: contoso) {
      $0.clientID = World.otherClient
    }
    let report = try run([guest, renamed], [entry(eve, of: nil, upn: eve.upn)])
    #expect(homes(report) == [eve.home, eve.home])
    #expect(Set(report.entries.flatMap(\.evidence)).isSuperset(of: ["map.upn", "join.oid+tid"]))
    // Two lines that make one object two users.
    let both = try run(
      [guest, renamed], [entry(eve, of: nil, upn: eve.upn), entry(ann, of: nil, upn: name)])
    #expect(homes(both) == [nil, nil])
    #expect(both.entries.map(\.reasons) == [[.conflictHomeID], [.conflictHomeID]])
  }

  @Test("a user name does not overrule what the row derives") func derivation() throws {
    let report = try run(
      [.refresh("rt", ann.upn, ann.token())], [entry(eve, of: nil, upn: ann.upn)])
    #expect(homes(report) == [ann.home])
  }

  @Test("an object does overrule it") func objectOverDerivation() throws {
    let entries = [
      AccountMap.Entry(homeOID: eve.oid, homeTID: eve.tid, tid: ann.tid, oid: ann.oid)
    ]
    let report = try run([.refresh("rt", ann.upn, ann.token())], entries)
    #expect(homes(report) == [eve.home])
    #expect(report.accounts.map(\.confidence) == [.exact])
  }

  @Test("an account that the map gives one row counts for the rows that are joined to it")
  func joinedRows() throws {
    let entries = [
      AccountMap.Entry(homeOID: eve.oid, homeTID: eve.tid, tid: ann.tid, oid: ann.oid)
    ]
    // The second row has no ID token of its own; it is Ann's by its refresh token.
    let report = try run(
      [
        .refresh("rt", ann.upn, ann.token()),
        .refresh("rt", ann.upn, nil, at: contoso),
      ], entries)
    #expect(homes(report) == [eve.home, eve.home])
    #expect(report.accounts.map(\.homeAccountID) == [eve.home])
  }

  @Test("a user name that two accounts of one tenant have identifies neither")
  func sharedName() throws {
    func row(_ object: String, _ secret: String, at authority: String) -> SyntheticRow {
      .refresh(
        secret, eve.upn, eve.guestToken(of: World.contoso, as: object), at: authority)
    }
    let report = try run(
      [
        row(World.eveInContoso, "rt-1", at: contoso),
        row(World.eveInTailspin, "rt-2", at: World.tenant("contoso.com")),
      ], [entry(eve, of: nil, upn: eve.upn)])
    #expect(homes(report) == [nil, nil])
    #expect(report.entries.allSatisfy { $0.reasons.first == .homeGuestUnresolved })
  }

  @Test("a line of another cloud identifies no account here") func otherCloud() throws {
    let report = try run([guest], [entry(eve, in: "login.chinacloudapi.cn")])
    #expect(homes(report) == [nil])
    #expect(report.findings.map(\.reason) == [.homeGuestUnresolved, .mapUnused])
    let here = try run([guest], [entry(eve, in: "login.microsoftonline.com")])
    #expect(homes(here) == [eve.home])
  }

  @Test("a guest who stays signed in by name is told with which tenant's authority")
  func tenantOfGuest() throws {
    let finding = try #require(try run([guest], []).findings.first)
    #expect(finding.severity == .warning)
    #expect(
      finding.fragments == [
        .text(
          "guest with an unknown home account; MSAL finds the refresh token only with the authority of the "
            + "tenant \(World.contoso)")
      ])
    #expect(
      finding.remedy == "use that authority for silent requests, or add the home account to an "
        + "account map, or let the user sign in once")
  }

  @Test("lines that fit no row are listed") func unused() throws {
    let text = """
      home_oid,home_tid,tid,oid,upn
      \(eve.oid),\(eve.tid),\(World.contoso),\(World.eveInContoso),
      ,,\(World.contoso),\(World.eveInTailspin),

      \(ann.oid),\(ann.tid),,,nobody@contoso.com
      \(ann.oid),\(ann.tid),\(World.contoso),\(World.eveInTailspin),
      """
    let entries = try AccountMap(file: Array(text.utf8))
    let store = MemoryStore([guest.item])
    let report = try Migration(
      from: [.items(store)], into: .items(store), policy: Policy(accountMap: entries),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    let finding = try #require(report.findings.first { $0.reason == .mapUnused })
    #expect(finding.severity == .note)
    #expect(finding.fragments == ["no row matches 2 entries of the account map: line 5, line 6"])
    let unfilled = try #require(report.findings.first { $0.reason == .mapUnfilled })
    #expect(unfilled.severity == .note)
    #expect(
      unfilled.fragments == ["home account id missing in 1 entry of the account map: line 3"])
  }

  @Test("the user name that the map prescribes is what MSAL shows") func override() throws {
    let store = MemoryStore([guest.item])
    let report = try Migration(
      from: [.items(store)], into: .items(store),
      policy: .map([entry(eve, named: "Eve.Ray@fabrikam.com")]),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    let account = try #require(try store.items().first { $0.type == 1003 })
    #expect(SyntheticEntry(account)?["username"] == "Eve.Ray@fabrikam.com")
    #expect(account.generic == Array("eve.ray@fabrikam.com".utf8))
    #expect(report.accounts.map(\.userID) == ["Eve.Ray@fabrikam.com"])
  }

  @Test("nothing is written under a map that contradicts itself") func ambiguous() throws {
    let store = MemoryStore([guest.item])
    #expect(throws: MigrationError.self) {
      try Migration(
        from: [.items(store)], into: .items(store),
        policy: Policy(accountMap: try AccountMap([entry(eve), entry(ann)]))
      ).run()
    }
    #expect(try store.items().count == 1)
  }

  // MARK: The template

  @Test("a template, filled in, is a map that is used") func template() throws {
    let store = MemoryStore([
      guest.item, SyntheticRow.refresh("rt-ann", ann.upn, ann.token()).item,
      SyntheticRow.refresh("rt-x", "x@contoso.com", nil).item,
    ])
    let inspection = try Migration.inspect(
      [.items(store)], now: Date(timeIntervalSince1970: World.now))
    let template = inspection.accountMapTemplate(showsUserNames: true)
    #expect(
      template == """
        home_oid,home_tid,tid,oid,upn,username_override,environment
        ,,\(World.contoso),\(World.eveInContoso),\(eve.upn),,login.windows.net
        ,,,,x@contoso.com,,login.windows.net

        """)
    // As it is, it says nothing.
    #expect(try AccountMap(file: Array(template.utf8)).entries == [])

    let filled = template.replacingOccurrences(
      of: "\n,,\(World.contoso)", with: "\n\(eve.oid),\(eve.tid),\(World.contoso)")
    let report = try Migration(
      from: [.items(store)], into: .items(store),
      policy: Policy(accountMap: try AccountMap(file: Array(filled.utf8))),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    #expect(report.accounts.compactMap(\.homeAccountID).sorted() == [ann.home, eve.home])
    #expect(!report.findings.contains { $0.reason == .mapUnused })
  }

  @Test("a masked template keeps its keys, and a masked name is no key") func masked() throws {
    let store = MemoryStore([
      guest.item, SyntheticRow.refresh("rt-x", "x@contoso.com", nil).item,
    ])
    let template = try Migration.inspect([.items(store)]).accountMapTemplate(showsUserNames: false)
    #expect(!template.contains(eve.upn) && !template.contains("x@contoso.com"))
    let lines = template.split(separator: "\n").map { line in
      line.hasPrefix(",,") ? "\(eve.oid),\(eve.tid)" + line.dropFirst() : String(line)
    }
    let first = lines.prefix(2).joined(separator: "\n")
    #expect(
      try AccountMap(file: Array(first.utf8)).entries.map(\.object) == [
        ObjectID(tid: World.contoso, oid: World.eveInContoso)
      ])
    #expect(
      throws: MigrationError.invalidPolicy(
        "line 3: the upn is masked; replace it with the real user name")
    ) {
      try AccountMap(file: Array(lines.joined(separator: "\n").utf8))
    }
  }
}
