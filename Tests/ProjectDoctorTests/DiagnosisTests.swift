// SPDX-License-Identifier: MIT
import Foundation
import ProjectFiles
import Testing

@testable import ProjectDoctor

/// Headlines, suppression, baseline, reports.
@Suite struct DiagnosisTests {
  private let doctor = Doctor.ofTests

  @Test func headlinesSayWhatItComesTo() {
    func headline(_ files: [String: String]) -> String {
      doctor.diagnose(files).headline
    }
    #expect(headline(["a.m": "int a;"]) == "No trace of ADAL or MSAL in this folder.")
    #expect(headline(["a.swift": "import MSAL"]) == "MSAL only: nothing to migrate.")
    #expect(
      headline(["Podfile": "pod 'MSAL'"])
        == "MSAL is a dependency that no code uses: nothing to migrate.")
    #expect(
      headline(["a.podspec": "s.dependency 'ADAL', '~> 2.6'"])
        == "No blocking problems; 0 places in the code need to change.")
    #expect(
      headline(["Podfile.lock": "PODS:\n  - B (1):\n    - ADAL (~> 2)\n"])
        == "ADAL comes with B only.")
    #expect(
      headline(["a.swift": "import ADAL"])
        == "No blocking problems; 1 place in the code needs to change.")
    #expect(
      headline(SampleProject.signingIn { $0.info = SampleProject.info(queries: []) })
        == "1 blocking problem; 2 places in the code need to change.")
  }

  @Test func aProjectThatOthersBringADALIntoNeedsNoState() {
    var project = SampleProject()
    project.info = SampleProject.info(schemes: [], queries: [])
    project.delegate = "@interface AppDelegate : UIResponder <UIApplicationDelegate>\n@end"
    project.more["Podfile.lock"] = "PODS:\n  - B (1):\n    - ADAL (~> 2)\n"
    #expect(doctor.diagnose(project.files).findings.map(\.check) == [.adalTransitive])
  }

  @Test func commentsSuppressWithRuleAndReason() {
    func count(_ text: String) -> (Int, Int) {
      let diagnosis = doctor.diagnose(["a.swift": text])
      return (diagnosis.counted.count, diagnosis.idleSuppressions.count)
    }
    #expect(count("import ADAL // adal2msal:ignore import.adal last one") == (0, 0))
    #expect(count("// adal2msal:ignore import.adal last one\nimport ADAL") == (0, 0))
    #expect(count("import ADAL // adal2msal:ignore import.adal") == (1, 1))
    #expect(count("import ADAL // adal2msal:ignore import.* all") == (1, 1))
    #expect(count("// adal2msal:ignore import.adal far\n\nimport ADAL") == (1, 1))
    let podfile = doctor.diagnose(["Podfile": "pod 'ADAL' # adal2msal:ignore deps.adal-declared x"])
    #expect(podfile.counted.isEmpty)
    #expect(podfile.findings.flatMap(\.places).map(\.justification) == ["x"])
  }

  @Test func aBaselineOutlivesLinesAbove() throws {
    let before = doctor.diagnose(["a.swift": "import ADAL\nlet a: ADAuthenticationError"])
    let baseline = Baseline(before)
    #expect(try Baseline(json: Array(baseline.json.utf8)) == baseline)
    #expect(!baseline.json.contains("\"line"))
    var later = doctor
    later.baseline = baseline
    let after = later.diagnose(["a.swift": "\n\n  import ADAL\nlet b: ADAuthenticationError"])
    #expect(after.counted.map(\.check) == [.type])
    #expect(after.baselineStale == 1)
    #expect(throws: Baseline.Refusal.notABaseline) { try Baseline(json: Array("{}".utf8)) }
    #expect(throws: Baseline.Refusal.otherVersion(2)) {
      try Baseline(json: Array(#"{"format":"adal2msal-baseline","version":2,"findings":[]}"#.utf8))
    }
  }

  @Test func fingerprintsTellEqualLinesApart() {
    let diagnosis = doctor.diagnose(["a.m": "ADAuthenticationError *e;\nADAuthenticationError *e;"])
    let prints = diagnosis.findings.flatMap(\.places).map(\.fingerprint)
    #expect(Set(prints).count == 2)
    #expect(prints.allSatisfy { $0.count == 32 })
  }

  @Test func fingerprintsTellPlacesOnALineApart() throws {
    let files = ["a.m": "ADAuthenticationError *e = (ADAuthenticationError *)f;"]
    let diagnosis = doctor.diagnose(files)
    #expect(Set(diagnosis.findings.flatMap(\.places).map(\.fingerprint)).count == 2)
    // A baseline counts: one of two known places leaves the other.
    let known = Baseline(diagnosis).entries.sorted()
    #expect(known.count == 2)
    var later = doctor
    later.baseline = Baseline(entries: Set(known.prefix(1)))
    #expect(later.diagnose(files).counted.flatMap(\.places).count == 1)
    later.baseline = Baseline(entries: Set(known))
    #expect(later.diagnose(files).counted.isEmpty)
  }

  @Test func onlySomeRulesAreApplied() {
    var some = doctor
    some.rules = Set(Check.named("import"))
    let diagnosis = some.diagnose(["a.swift": "import ADAL\nlet a: ADAuthenticationError"])
    #expect(diagnosis.findings.map(\.check) == [.importADAL])
    #expect(Check.named("api.type") == [.type])
    #expect(Check.named("nothing") == [])
  }

  /// Names that steer terminals, build logs, Markdown and XML.
  private static let hostile = "a\u{1B}[31m\n##vso[x]::error|`<b>]]>&\u{202E}.m"

  @Test(arguments: DiagnosisFormat.allCases) func nothingOfANameActs(_ format: DiagnosisFormat) {
    let diagnosis = doctor.diagnose([Self.hostile: "#import <ADAL/ADAL.h>\n"])
    let text = format.render(diagnosis, root: "file:///x/")
    #expect(diagnosis.counted.count == 1)
    #expect(!text.contains("\u{1B}"))
    #expect(!text.contains("\u{202E}"))
    #expect(!text.contains("##vso[x]"))
    if format == .markdown || format == .junit { #expect(!text.contains("<b>")) }
    #expect(text.hasSuffix("\n"))
  }

  @Test func sarifHasARegionForEachPlace() throws {
    let diagnosis = doctor.diagnose(["a b.swift": "import ADAL // 😀\nlet a: ADAuthenticationError"])
    let log = try JSONSerialization.jsonObject(
      with: Data(DiagnosisFormat.sarif.render(diagnosis, root: "file:///x/").utf8))
    let runs = (log as? [String: Any])?["runs"] as? [[String: Any]]
    let results = runs?.first?["results"] as? [[String: Any]]
    let locations = results?.compactMap { ($0["locations"] as? [[String: Any]])?.first }
    let physical = locations?.compactMap { $0["physicalLocation"] as? [String: Any] }
    let regions = physical?.compactMap { $0["region"] as? [String: Int] }
    #expect(
      regions == [
        ["startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 29],
        ["startLine": 1, "startColumn": 8, "endLine": 1, "endColumn": 12],
      ])
    let artifact = physical?.first?["artifactLocation"] as? [String: String]
    #expect(artifact == ["uri": "a%20b.swift", "uriBaseId": "SRCROOT"])
    #expect(runs?.first?["columnKind"] as? String == "unicodeCodePoints")
  }

  @Test func suppressedPlacesAreShownOnDemandOnly() {
    let diagnosis = doctor.diagnose(["a.swift": "import ADAL // adal2msal:ignore import.adal why"])
    let format = DiagnosisFormat.sarif
    #expect(!format.render(diagnosis, root: "file:///x/").contains("import.adal"))
    #expect(
      format.render(diagnosis, root: "file:///x/", showingSuppressed: true)
        .contains("\"inSource\""))
  }

  @Test func noOtherStringIsQuoted() {
    var project = SampleProject()
    project.more["App/SignIn.m"] = "#import <ADAL/ADAL.h>\nNSString *s = @\"SuperSecret1\";\n"
    project.info = SampleProject.info(more: "<key>Password</key><string>SuperSecret2</string>")
    let diagnosis = doctor.diagnose(project.files)
    for format in DiagnosisFormat.allCases {
      #expect(!format.render(diagnosis, root: "file:///x/").contains("SuperSecret"))
    }
    #expect(!MigrationChecklist(diagnosis).text.contains("SuperSecret"))
  }
}
