// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The result for a user whose account entry cannot be written because its place is taken (D18, D24).
@Suite struct BlockedAccountTests {
  private let ann = World.ann

  /// An item under the key of Ann's account.
  private func blocker(type: Int) -> KeychainItem {
    var item = ann.account().item(accessGroup: World.group, at: 1)
    item.type = type
    item.data = TokenSecret("another program's")
    return item
  }

  private func run(_ rows: [SyntheticRow], beside type: Int) throws -> FoundRun {
    try FoundRun.inPlace(rows.map(\.item) + [blocker(type: type)])
  }

  @Test("an item of another type in the account's place is named, one of its own type is damage")
  func reason() throws {
    let row = SyntheticRow.refresh("rt", ann.upn, ann.token())
    for (type, reason) in [(7, Reason.targetTypeClash), (1003, .targetCorrupt)] {
      let run = try run([row], beside: type)
      let entry = try #require(
        run.report.entries.first { $0.kind == .multiResourceRefreshToken })
      #expect(entry.outcome == .notConverted)
      #expect(
        entry.reasons.filter { [.targetTypeClash, .targetCorrupt].contains($0) } == [reason])
      #expect(try run.added.isEmpty)
    }
  }

  @Test("a family's refresh token is taken back too, and its row is all that is left")
  func family() throws {
    let run = try run(
      [
        .refresh("frt", ann.upn, ann.token()) {
          $0.clientID = "foci-1"
          $0.familyID = "1"
        },
        .access("at", ann.upn, ann.token()) { $0.familyID = "1" },
      ], beside: 7)
    #expect(try run.added.isEmpty)
    // MSAL reads the row that stays.
    #expect(run.accounts == [GoldenAccount(ann.upn, ann.home, .homeAuthority, .byUserName)])
  }
}
