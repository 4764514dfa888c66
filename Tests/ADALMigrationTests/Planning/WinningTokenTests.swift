// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Which of several tokens wins, and what is said of the others (mapping-rules §4.c, §4.i; D2, D26).
@Suite struct WinningTokenTests {
  private static let day = 86_400.0
  private let ann = World.ann
  private let tenant = World.tenant(World.contoso)

  private func run(_ rows: [SyntheticRow], _ entries: [KeychainItem] = []) throws -> FoundRun {
    try FoundRun.inPlace(rows.map(\.item) + entries)
  }

  private func refresh(
    _ secret: String, at authority: String = World.common, modified: Double? = nil,
    _ change: SyntheticRow.Change = { _ in }
  ) -> SyntheticRow {
    .refresh(secret, ann.upn, ann.token(), at: authority) {
      $0.modified = modified
      change(&$0)
    }
  }

  /// The reasons about the refresh token of each of ADAL's rows, in row order.
  private func said(_ report: Report) -> [[String]] {
    let kinds: [Report.RowKind] = [
      .multiResourceRefreshToken, .singleResourceToken, .familyRefreshToken,
    ]
    return report.entries.filter { kinds.contains($0.kind) }.map { entry in
      entry.reasons.map(\.code).filter { code in
        ["rt.", "ok.mrrt", "ok.frt"].contains { code.hasPrefix($0) }
      }.sorted()
    }
  }

  // MARK: Beside the target's

  @Test("a row is newer than the target's token only if it was stored later")
  func newerThanTheTarget() throws {
    func said(_ modified: Double, storedAt stored: String?) throws -> [String] {
      let there = ann.credential(.refreshToken, "rt-msal") {
        $0.cachedAt = stored
      }
      let items = [there, ann.record()].map { $0.item(accessGroup: World.group, at: 1) }
      let entry = try #require(
        try run([refresh("rt", modified: modified)], items).report.entries.first {
          $0.kind == .multiResourceRefreshToken
        })
      #expect(entry.outcome == .alreadyThere)
      return entry.reasons.map(\.code).filter { $0.hasPrefix("keep.target") }
    }
    let time = Int(World.now) - 100
    #expect(try said(Double(time), storedAt: "\(time)") == ["keep.target-newer"])
    #expect(try said(Double(time + 1), storedAt: "\(time)") == ["keep.target-older"])
    #expect(try said(Double(time - 1), storedAt: "\(time)") == ["keep.target-newer"])
    #expect(try said(Double(time + 1), storedAt: nil) == ["keep.target-newer"])
  }

  // MARK: One client

  @Test("a token of one resource is superseded by one for all, and a duplicate of another of one")
  func singleResource() throws {
    func single(_ secret: String, _ resource: String, modified: Double) -> SyntheticRow {
      .access("at-\(secret)", for: resource, ann.upn, ann.token()) {
        $0.refreshToken = secret
        $0.modified = modified
      }
    }
    let one = single("rt-1", "https://one.contoso.com", modified: World.now - 10)
    let two = single("rt-2", "https://two.contoso.com", modified: World.now - 20)
    #expect(
      Set(said(try run([one, two]).report)) == [["rt.single-resource"], ["rt.duplicate"]])
    #expect(
      Set(said(try run([one, two, refresh("rt", modified: 1_699_000_000)]).report)) == [
        ["rt.single-superseded"], ["ok.mrrt"],
      ])
  }

  @Test("a token may be stale from the second on that it is older than ninety days")
  func stale() throws {
    func isStale(_ age: Double) throws -> Bool {
      try run([refresh("rt", modified: FoundRun.now - age)]).report.entries
        .contains { $0.reasons.contains(.rtPossiblyStale) }
    }
    #expect(try !isStale(90 * Self.day))
    #expect(try isStale(90 * Self.day + 1))
  }

  @Test("of rows with one token the first is the one that is converted")
  func sameToken() throws {
    let rows = [
      refresh("rt", at: "https://login.windows.net/common"),
      refresh("rt", at: "https://login.microsoftonline.com/common"),
    ]
    for rows in [rows, rows.reversed()] {
      let run = try run(rows)
      #expect(said(run.report) == [["ok.mrrt"], ["rt.duplicate"]])
      #expect(run.report.entries.prefix(2).map(\.outcome) == [.converted, .converted])
    }
  }

  // MARK: Access tokens

  @Test("of access tokens that end at one time the one that was stored last is kept")
  func accessTokens() throws {
    func access(_ secret: String, at authority: String, modified: Double) -> SyntheticRow {
      .access(secret, ann.upn, ann.token(), at: authority) { $0.modified = modified }
    }
    // Whichever their hashes would prefer.
    for (old, new) in [("at-a", "at-b"), ("at-b", "at-a")] {
      let added = try run([
        refresh("rt"), access(old, at: World.common, modified: World.now - 60),
        access(new, at: tenant, modified: World.now - 30),
      ]).added
      #expect(
        added.filter { $0["credential_type"] == "AccessToken" }.map { $0["secret"] } == [new])
    }
  }

  // MARK: Families

  private func family(_ secret: String, _ number: String = "1") -> SyntheticRow {
    refresh(secret) {
      $0.clientID = "foci-\(number)"
      $0.familyID = number
    }
  }

  private func familyClients(_ run: FoundRun) throws -> [String?] {
    try run.added.filter { $0["family_id"] == "1" && $0["credential_type"] != nil }
      .map { $0["client_id"] }
  }

  @Test("a client that has the family's token is a member, though its row names no family")
  func memberBySecret() throws {
    let run = try run([family("frt"), refresh("frt") { $0.familyID = nil }])
    #expect(try familyClients(run) == [World.client])
    #expect(Set(said(run.report)) == [["ok.frt"], ["ok.frt-member", "ok.mrrt"]])
    // With another token it is none.
    let other = try self.run([family("frt"), refresh("rt") { $0.familyID = nil }])
    #expect(try familyClients(other) == [])
    #expect(Set(said(other.report)) == [["rt.frt-no-client"], ["ok.mrrt"]])
  }

  @Test("a family's token is the client's that has it too, be another member's newer")
  func clientOfFamilyToken() throws {
    func member(_ secret: String, _ client: String, _ modified: Double) -> SyntheticRow {
      refresh(secret, modified: modified) {
        $0.clientID = client
        $0.familyID = "1"
      }
    }
    for (holder, newer) in [
      (World.client, World.otherClient), (World.otherClient, World.client),
    ] {
      let same = try run([
        family("frt"), member("frt", holder, World.now - 60),
        member("rt", newer, World.now - 30),
      ])
      #expect(try familyClients(same) == [holder])
      let none = try run([
        family("frt"), member("rt-1", holder, World.now - 60),
        member("rt-2", newer, World.now - 30),
      ])
      #expect(try familyClients(none) == [newer])
    }
  }

  @Test("an unknown family is said of its token and of its members")
  func unknownFamily() throws {
    func unknown(_ number: String) throws -> [Bool] {
      let member = refresh("rt") { $0.familyID = number }
      return try run([family("frt", number), member]).report.entries.prefix(2).map {
        $0.reasons.contains(.familyUnknown)
      }
    }
    #expect(try unknown("1") == [false, false])
    #expect(try unknown("2") == [true, true])
  }

  @Test("no token is written for a family when all known members are signed out")
  func signedOutMembers() throws {
    func said(_ family: String?) throws -> Report.Entry {
      let member = SyntheticRow.access("at", ann.upn, ann.token()) { $0.familyID = family }
      let note = SyntheticEntry.signedOut(
        home: ann.home, client: World.client, accessGroup: World.group)
      return try #require(
        try run([self.family("frt"), member], [note]).report.entries.first {
          $0.kind == .familyRefreshToken
        })
    }
    #expect(try said("1").reasons.first == .accountSignedOut)
    #expect(try said(nil).reasons.first == .rtFRTNoClient)
    #expect(try said("1").outcome == .notConverted && said(nil).outcome == .notConverted)
  }

  @Test("a row does not call a user signed in who signed out of a member of its family")
  func signedOutByMetadata() throws {
    let stored = SyntheticRow.stored(ann.home, family("frt"))
    let note = SyntheticEntry.signedOut(
      home: ann.home, client: World.client, accessGroup: World.group)
    func report(_ family: String?) throws -> Report {
      let metadata = SyntheticEntry.appMetadata(client: World.client, family: family)
      return try run([stored], [note, metadata.item(accessGroup: World.group, at: 1)]).report
    }
    let member = try report("1")
    #expect(member.entries.first?.reasons.first == .accountSignedOut)
    #expect(member.accounts.map(\.signedIn) == [.no])
    #expect(member.summary.accountsSignedOut == 1 && member.worstSeverity != .error)
    // A client without a family has no reason here, because another client may see the row.
    let other = try report(nil)
    #expect(other.entries.first?.reasons.first == .rtFRTNoClient)
    #expect(other.accounts.map(\.signedIn) == [.byUserName])
    #expect(other.summary.accountsSignedOut == 0)
  }
}
