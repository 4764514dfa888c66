// SPDX-License-Identifier: MIT
import Testing

@testable import ProjectDoctor

/// Each rule on a sample of its own: it fires at these places, and not where something looks like it.
@Suite struct RuleTests {
  private static let all =
    RuleSample.dependencies + RuleSample.imports + RuleSample.calls + RuleSample.state

  @Test(arguments: RuleSample.dependencies + RuleSample.imports) func dependencies(
    sample: RuleSample
  ) { check(sample) }

  @Test(arguments: RuleSample.calls) func calls(sample: RuleSample) { check(sample) }

  @Test(arguments: RuleSample.state) func state(sample: RuleSample) { check(sample) }

  private func check(_ sample: RuleSample) {
    let diagnosis = Doctor.ofTests.diagnose(sample.hit)
    #expect(diagnosis.places(sample.check) == sample.places)
    let plan = MigrationChecklist(diagnosis).text
    for finding in diagnosis.counted where finding.severity != .note {
      for place in finding.places {
        #expect(plan.contains("`\(place.shown)`"), "\(finding.check.code) is in no step")
      }
    }
    #expect(Doctor.ofTests.diagnose(sample.miss).places(sample.check) == [], "\(sample.check.code)")
  }

  @Test func everyRuleHasASample() {
    let evidence: Set<Check> = [.clientUnseen, .clientUnlisted, .groupDiffers, .resourceUnlisted]
    #expect(Set(Self.all.map(\.check)).union(evidence) == Set(Check.allCases))
    #expect(Check.allCases.count == 71)
  }

  private static let project = SampleProject.signingIn {
    $0.more["App/SignIn.m"] = """
      #import <ADAL/ADAL.h>
      [c acquireTokenWithResource:@"https://a.com" clientId:@"aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"];
      """
  }

  private func evidence(_ cache: CacheEvidence, _ check: Check) -> [String] {
    var doctor = Doctor.ofTests
    doctor.evidence = [cache]
    return doctor.diagnose(Self.project).places(check)
  }

  @Test func aCacheIsComparedWithTheProject() {
    let same = CacheEvidence(
      place: "c.sqlite", clients: ["aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee": 2],
      groups: ["ABCDE12345.com.microsoft.adalcache": 2], resources: ["https://a.com/": 1])
    for check in [Check.clientUnseen, .clientUnlisted, .groupDiffers, .resourceUnlisted] {
      #expect(evidence(same, check) == [])
    }
    let other = CacheEvidence(
      place: "c.sqlite", clients: ["x": 2], groups: ["ABCDE12345.com.contoso.app": 2],
      resources: ["https://b.com": 1])
    #expect(evidence(other, .clientUnseen) == ["App/SignIn.m:2"])
    #expect(evidence(other, .clientUnlisted) == ["c.sqlite"])
    #expect(evidence(other, .groupDiffers) == ["c.sqlite"])
    #expect(evidence(other, .resourceUnlisted) == ["c.sqlite"])
    var both = other
    both.groups["ABCDE12345.com.microsoft.adalcache"] = 1
    #expect(evidence(both, .groupDiffers) == ["c.sqlite warning"])
  }
}
