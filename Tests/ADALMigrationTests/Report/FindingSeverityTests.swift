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
}
