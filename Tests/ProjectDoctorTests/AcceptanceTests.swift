// SPDX-License-Identifier: MIT
import Foundation
import ProjectFiles
import Testing

@testable import ProjectDoctor

/// Ten real projects and what must be found in them: facts, without a line of their sources.
///
/// The projects are not in this repository. To test with them, each at the commit that its file names, run
/// `DOCTOR_PROJECTS=FOLDER swift test`, with a folder for each project's name.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["DOCTOR_PROJECTS"] != nil))
struct AcceptanceTests {
  struct Expected: Decodable {
    struct Place: Decodable {
      var file: String
      var lines: [Int]
    }
    var name: String
    var path: String
    var library: String
    var exit: Int
    var findings: [String: [Place]]
  }

  static func projects() throws -> [Expected] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Projects")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .map { try Data(contentsOf: folder.appendingPathComponent($0)) }
      .map { try JSONDecoder().decode(Expected.self, from: $0) }
      .sorted { $0.name < $1.name }
  }

  @Test func everyProjectIsThere() throws {
    #expect(try Self.projects().count == 10)
  }

  @Test func everyProjectIsExact() throws {
    let folder = ProcessInfo.processInfo.environment["DOCTOR_PROJECTS"] ?? ""
    for project in try Self.projects() {
      let disk = DiskFolder(path: "\(folder)/\(project.name)/\(project.path)")
      let diagnosis = Doctor.ofTests.diagnose(project.name, ProjectFolder(disk), disk)
      var found: [String: Set<String>] = [:]
      for finding in diagnosis.findings {
        found[finding.check.code, default: []].formUnion(
          finding.places.map { "\($0.file):\($0.span?.start.line ?? 0)" })
      }
      let expected = project.findings.mapValues { places in
        Set(places.flatMap { place in place.lines.map { "\(place.file):\($0)" } })
      }
      #expect(found == expected, "\(project.name)")
      #expect(diagnosis.library.rawValue == project.library, "\(project.name)")
      #expect(diagnosis.reaches(.error) == (project.exit == 1), "\(project.name)")
      let plan = MigrationChecklist(diagnosis)
      #expect(PlanReading(plan.text).contradictions(diagnosis) == [], "\(project.name)")
    }
  }
}
