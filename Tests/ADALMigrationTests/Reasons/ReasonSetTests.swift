// SPDX-License-Identifier: MIT
import Testing

@testable import ADALMigration

/// Reasons as a set.
@Suite struct ReasonSetTests {
  @Test func casesHaveTheNumbersOfTheirOrder() {
    #expect(Reason.allCases.map(\.number) == Array(Reason.allCases.indices))
    #expect(Reason.allCases.count <= 128)
  }

  @Test func aSetTellsItsReasonsInTheOrderOfReports() {
    var all = ReasonSet()
    for reason in Reason.allCases.shuffled() {
      #expect(!all.contains(reason))
      all.insert(reason)
      #expect(all.contains(reason))
    }
    #expect(
      all.reasons
        == Reason.allCases.sorted {
          ($0.facts.rank.rawValue, $0.code) < ($1.facts.rank.rawValue, $1.code)
        })
    all.subtract(all)
    #expect(all.isEmpty && all.reasons.isEmpty)
  }

  @Test func eachReasonIsThereOnce() {
    let set = ReasonSet(.okMRRT, .rtDuplicate, .okMRRT)
    #expect(set.reasons == [.okMRRT, .rtDuplicate])
  }
}
