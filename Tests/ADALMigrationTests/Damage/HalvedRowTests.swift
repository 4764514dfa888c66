// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import KeychainItems
import MigrationDocuments
import SyntheticCaches
import Testing

@testable import ADALMigration

/// D42: a row that cannot be read may be a user's only sign-in, so no dry run calls it fine unless another row
/// or entry keeps that user of that client signed in.
@Suite struct HalvedRowTests {
  @Test("each row of each vector, cut in half")
  func vectors() throws {
    var counts = HalvedRows()
    for vector in Vectors.adal where !vector.isMac {
      try counts.cut(try vector.items(), now: vector.now, vector.name)
    }
    #expect(counts == HalvedRows(errors: 109, kept: 265))
  }

  @Test("each row of each cache that was found, cut in half")
  func found() throws {
    let root = Vectors.folder.appendingPathComponent("found")
    let names = (FileManager.default.enumerator(atPath: root.path)?.allObjects ?? [])
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".items.json") }.sorted()
    #expect(names.count == 55)
    var counts = HalvedRows()
    for name in names {
      let items = try ItemFile(path: root.appendingPathComponent(name).path).items()
      try counts.cut(items, now: FoundRun.now, name)
    }
    #expect(counts == HalvedRows(errors: 46, kept: 18, ofBroker: 1))
  }

  // MARK: One user

  private let person = World.eve

  private func damaged(_ row: SyntheticRow, by count: Int = 40) -> KeychainItem {
    var item = row.item
    item.data = TokenSecret(Array(row.archive.prefix(count)))
    return item
  }

  private var row: SyntheticRow {
    SyntheticRow.stored(person.home, .refresh("rt", person.upn, person.token()))
  }

  private func plan(_ items: [KeychainItem], policy: Policy = Policy()) throws -> Report {
    let store = MemoryStore(items)
    return try Migration(
      from: [.items(store)], into: .items(store), policy: policy,
      now: { Date(timeIntervalSince1970: World.now) }
    ).plan()
  }

  private func findings(_ report: Report) -> [String] {
    report.findings.filter { $0.reason == .rowUndecodable || $0.reason == .targetCorrupt }
      .map { "\($0.severity) \($0.reason.code) \($0.rows)" }
  }

  @Test("an only row: its user is listed, and must sign in")
  func onlyRow() throws {
    let report = try plan([damaged(row)])
    #expect(findings(report) == ["error row.undecodable [0]"])
    #expect(report.accounts.map(\.userID) == [person.upn])
    #expect(report.accounts.map(\.signedIn) == [.no])
    #expect(report.accounts.map(\.clients) == [[World.client]])
    #expect(report.summary.accountsToSignIn == 1)
    #expect(report.entries[0].account == 0)
    #expect(
      report.findings[0].fragments == [.text("row cannot be decoded; 1 account must sign in again")]
    )
  }

  @Test("beside another row of the same client it is a note")
  func beside() throws {
    var other = row
    other.resource = "https://graph.microsoft.com"
    other.accessToken = "at"
    other.refreshToken = nil
    let report = try plan([row.item, damaged(other)])
    #expect(findings(report) == ["note row.undecodable [1]"])
    #expect(report.accounts.map(\.signedIn) == [.yes])
    #expect(report.entries.map(\.account) == [0, 0])
  }

  @Test("a row of another client keeps no account signed in to this one")
  func otherClient() throws {
    var other = row
    other.clientID = "0000000b-0000-4000-8000-00000000000b"
    let report = try plan([row.item, damaged(other)])
    #expect(report.worstSeverity == .error)
    #expect(report.accounts.map(\.signedIn) == [.no])
    #expect(report.accounts[0].clients == ["0000000b-0000-4000-8000-00000000000b", World.client])
    // Another app's row is that app's own to move (D36).
    let asked = try plan([row.item, damaged(other)], policy: Policy(clientIDs: [World.client]))
    #expect(asked.worstSeverity != .error)
    #expect(asked.accounts.map(\.signedIn) == [.yes])
  }

  @Test("users that no place names are one line")
  func unknownUsers() throws {
    var first = damaged(row)
    first.account = ""
    var second = first
    second.service += "Yg"
    let report = try plan([row.item, first, second])
    #expect(report.accounts.map(\.userID) == [nil, person.upn])
    #expect(report.accounts.map(\.isUnknownUsers) == [true, false])
    #expect(report.accounts.map(\.signedIn) == [.no, .yes])
    #expect(report.entries.count { $0.account == 0 } == 2)
    #expect(
      report.findings[0].fragments == [
        .text("row cannot be decoded; unknown users must sign in again")
      ])
  }

  @Test("a family's damaged row")
  func family() throws {
    var member = row
    member.familyID = "1"
    var familys = row
    familys.clientID = "foci-1"
    familys.clientSlot = nil
    let kept = try plan([member.item, damaged(familys)])
    #expect(findings(kept) == ["note row.undecodable [1]"])
    let lost = try plan([damaged(familys)])
    #expect(findings(lost) == ["error row.undecodable [0]"])
    // ADAL files a family's token under an ID that is not a client.
    #expect(lost.accounts.map(\.clients) == [[]])
    // The client's own row is damaged, and its family signs it in.
    familys.refreshToken = "family"
    var ofClient = row
    ofClient.familyID = "1"
    ofClient.resource = "https://graph.microsoft.com"
    ofClient.accessToken = "at"
    ofClient.refreshToken = nil
    ofClient.expiresOn = World.now + 3600
    let byFamily = try plan([damaged(member), familys.item, ofClient.item])
    #expect(byFamily.worstSeverity != .error)
  }

  @Test("the name of a damaged entry gives its account and its client or family")
  func names() throws {
    func damaged(_ entry: SyntheticEntry) -> KeychainItem {
      var item = entry.item(accessGroup: World.group, at: 1)
      item.data = TokenSecret(Array("{".utf8))
      return item
    }
    func lost(_ entry: SyntheticEntry) throws -> [Report.Account] {
      try plan([damaged(entry)]).accounts
    }
    for (token, clients) in [
      (person.refreshToken("x"), [World.client]), (person.refreshToken("x", family: "1"), []),
      (person.refreshToken("x", client: "an-app"), []),
    ] {
      let accounts = try lost(token)
      #expect(accounts.map(\.homeAccountID) == [person.home])
      #expect(accounts.map(\.environment) == ["login.windows.net"])
      #expect(accounts.map(\.clients) == [clients] && accounts.map(\.signedIn) == [.no])
    }
  }

  @Test(
    "the key of a damaged account in a document ends with its tenant, which is no part of its host")
  func accountOfDocument() throws {
    let key = "\(person.home)-login.windows.net-\(person.tid)"
    let document = Array(#"{"Account": {"\#(key)": 5}}"#.utf8)
    let report = try Migration(
      from: [.document(document)], into: .items(MemoryStore()),
      now: { Date(timeIntervalSince1970: World.now) }
    ).plan()
    #expect(report.accounts.map(\.homeAccountID) == [person.home])
    #expect(report.accounts.map(\.environment) == ["login.windows.net"])
  }

  @Test("entries in MSAL's form", arguments: [true, false])
  func entries(hasRow: Bool) throws {
    let home = person.home
    let host = "login.windows.net"
    let entries: [SyntheticEntry] = [
      .refreshToken("x", home: home, client: World.client, environment: host),
      .account(person.upn, home: home, realm: person.tid, localID: person.oid, environment: host),
      .idToken(
        person.token(), home: home, client: World.client, realm: person.tid, environment: host),
      .accessToken(
        "at", home: home, client: World.client, realm: person.tid, target: "a",
        expiresOn: World.now + 3000, cachedAt: World.now - 10, environment: host),
      .appMetadata(client: World.client, family: "", environment: host),
    ]
    var severities: [Report.Severity?] = []
    for entry in entries {
      var item = entry.item(accessGroup: World.group, at: World.now)
      item.data = item.data.map { secret in
        // Reveal: the test cuts the entry in half.
        let bytes = secret.reveal()
        return TokenSecret(Array(bytes.prefix(bytes.count / 2)))
      }
      // The row is another client's, so that no entry is in the way of what is made of it.
      var other = row
      other.clientID = "0000000b-0000-4000-8000-00000000000b"
      let report = try plan([item] + (hasRow ? [other.item] : []))
      let row = report.entries.first { $0.kind.rawValue.hasPrefix("unified") }?.row
      let finding = report.findings.first {
        $0.reason == .targetCorrupt && $0.rows.contains(row ?? 0)
      }
      severities.append(finding?.severity)
    }
    // Without its account the person's other client is found by user name.
    #expect(severities == [.error, hasRow ? .note : .error, .error, .note, .note])
  }
}
