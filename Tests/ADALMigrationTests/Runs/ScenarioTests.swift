// SPDX-License-Identifier: MIT
import Testing

@testable import ADALMigration

/// The report of every vector: kind, outcome and reasons of each row, its account, and the findings.
@Suite struct ScenarioTests {
  @Test("every row of every vector has its reasons") func reasons() throws {
    var lines: [String] = []
    for vector in Vectors.adal {
      let (migration, _) = try vector.migration()
      let report = try migration.run()
      lines.append("# \(vector.name)")
      lines += report.entries.map { entry in
        "\(entry.kind.rawValue) \(entry.outcome.rawValue): "
          + entry.reasons.map(\.code).joined(separator: " ")
      }
      lines += report.accounts.map { account in
        "account \(account.userID ?? "-") \(account.confidence.rawValue) \(account.signedIn.rawValue)"
      }
      lines += report.findings.map { "\($0.severity.rawValue) \($0.reason.code) \($0.rows)" }
    }
    try Golden.check(lines.joined(separator: "\n") + "\n", "vector-reports.txt")
  }

  @Test("conservation, idempotence and a true dry run on every vector", arguments: Vectors.adal)
  func laws(vector: ADALVector) throws {
    let (migration, store) = try vector.migration()
    let before = try store.items()
    let planned = try migration.plan()
    #expect(try store.items() == before)

    var applied = try migration.run()
    applied.kind = .dryRun
    #expect(applied == planned)
    #expect(
      planned.summary.converted + planned.summary.alreadyThere + planned.summary.notConverted
        == planned.summary.rows)
    #expect(planned.entries.map(\.row) == Array(0..<planned.summary.rows))
    #expect(planned.entries.allSatisfy { !$0.reasons.isEmpty })

    let after = try store.items()
    #expect(after.count == before.count + planned.summary.written)
    #expect(before.allSatisfy(Set(after).contains))

    let again = try migration.run()
    #expect(again.summary.written == 0)
    #expect(try store.items() == after)
    for (first, second) in zip(planned.entries, again.entries.filter { !$0.isOurs(planned) })
    where first.outcome == .converted {
      #expect(second.outcome == .alreadyThere)
    }
  }
}

extension Report.Entry {
  /// Whether the row is one that the first run has written.
  fileprivate func isOurs(_ first: Report) -> Bool {
    !first.entries.contains {
      $0.place.service == place.service && $0.place.account == place.account
    }
  }
}
