// SPDX-License-Identifier: MIT
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration

/// How bad what is said of a row is for its user, in the first run and in those after it (D25).
@Suite struct FindingSeverityTests {
  private let eve = World.eve

  @Test("an assumption is warned of when it is acted on, and noted from then on")
  func assumption() throws {
    let rows = [
      SyntheticRow.refresh("rt", eve.upn, eve.token()),
      .refresh(
        "rt", eve.upn, eve.guestToken(of: World.contoso, as: World.eveInContoso),
        at: World.tenant(World.contoso)),
    ].map(\.item)
    func joined(_ run: FoundRun) -> [GoldenFinding] {
      run.report.findings.filter { $0.reason == .homeJoined }.map(GoldenFinding.init)
    }
    let first = try FoundRun.inPlace(rows)
    #expect(joined(first) == [.warning(.homeJoined)])
    #expect(joined(try FoundRun.inPlace(first.target.items())) == [.note(.homeJoined)])
  }

  @Test("a client that has several accounts is said, and how many such clients there are")
  func severalAccounts() throws {
    func said(_ clients: [String], of people: [GoldenPerson]) throws -> [String] {
      let rows = clients.flatMap { client in
        people.map { person in
          SyntheticRow.refresh("rt-\(person.given)", person.upn, person.token()) {
            $0.clientID = client
          }
        }
      }
      return try FoundRun.intoNew(rows.map(\.item)).report.findings
        .filter { $0.reason == .multiAccountsCreated && $0.severity == .note }
        .map(\.message)
    }
    #expect(try said([World.client], of: [eve]) == [])
    #expect(try said([World.client, World.otherClient], of: [eve]) == [])
    #expect(try said([World.client], of: [eve, World.ann]) == ["1 client has several accounts"])
    #expect(
      try said([World.client, World.otherClient], of: [eve, World.ann]) == [
        "2 clients have several accounts"
      ])
  }
}
