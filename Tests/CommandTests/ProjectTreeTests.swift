// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `doctor` on projects that mean harm, and on large ones.
@Suite(.serialized) struct ProjectTreeTests {
  /// The resources that a measured run used.
  private struct Usage {
    var seconds: Double
    var megabytes: Int
  }

  private func usage(_ workshop: Workshop) throws -> Usage {
    let text = String(decoding: try #require(workshop.bytes(of: "usage")), as: UTF8.self)
    let numbers = text.split(whereSeparator: \.isWhitespace)
    return Usage(
      seconds: try #require(numbers.first.flatMap { Double($0) }),
      megabytes: try #require(numbers.last.flatMap { Int($0) }))
  }

  /// Runs the command, for two minutes at most, and measures it.
  private static let measured = "python3 \"$TOOLS/project_tree.py\" measure usage timeout 120"

  @Test func aHostileProjectEndsInFindingsAndSkips() throws {
    let workshop = try Workshop()
    // Beside the folder, whose files are compared after every step.
    let make = "python3 \"$TOOLS/project_tree.py\""
    let made = try workshop.run("\(make) hostile \"$TMPDIR/evil\" \"$TMPDIR/canary\"")
    #expect(made.status == 0, "\(made.errors)")
    let digest = try workshop.run("\(make) digest \"$TMPDIR/evil\"").output

    let open = try workshop.run(
      "\(Self.measured) adal2msal doctor \"$TMPDIR/evil\" --format json --plan plan.md")
    #expect(open.status == 1 && !open.wasKilled, "\(open.errors)")
    // For a debug build. A release build takes a tenth.
    let used = try usage(workshop)
    #expect(used.seconds < 25 && used.megabytes < 300, "\(used)")
    try expectFindings(open.output)

    // Nothing may be written, nobody may be asked, and permissions bind.
    let shut = try workshop.run(
      """
      chmod -R a-w "$TMPDIR/evil"
      if unshare -n true 2>/dev/null; then OFFLINE="unshare -n"; fi
      unprivileged adal2msal doctor "$TMPDIR/evil" --format json
      status=$?; chmod -R u+w "$TMPDIR/evil"; exit $status
      """)
    #expect(shut.status == 1 && !shut.wasKilled, "\(shut.errors)")
    #expect(shut.output == open.output)

    for format in ["text", "markdown", "sarif", "junit", "github", "azure"] {
      let result = try workshop.run(
        """
        timeout 120 adal2msal doctor "$TMPDIR/evil" --exclude sizes --exclude nested \
          --fail-on never --format \(format)
        """)
      #expect(result.status == 0 && !result.wasKilled, "\(format) \(result.errors)")
      for word in ["\u{1B}", "\u{202E}", "##vso[task.setvariable]"] {
        #expect(!result.output.contains(word), "\(format)")
      }
    }
    let after = try workshop.run(
      "\(make) digest \"$TMPDIR/evil\"; ls \"$TMPDIR\" | grep canary; true")
    #expect(after.output == digest)
  }

  private struct Diagnosis: Decodable {
    struct Skipped: Decodable {
      var path: String
      var why: String
    }
    struct Finding: Decodable {
      struct Place: Decodable {
        var file: String
        var fingerprint: String
      }
      var rule: String
      var places: [Place]
    }
    var skipped: [Skipped]
    var findings: [Finding]
  }

  private func expectFindings(_ json: String) throws {
    let diagnosis = try JSONDecoder().decode(Diagnosis.self, from: Data(json.utf8))
    let imports = Set(
      diagnosis.findings.filter { $0.rule == "import.adal" }.flatMap(\.places).map(\.file))
    for name in ["b\nc.m", "##vso[task.setvariable]x.m", "$(id).m", "nested/a.m", "nested/b.swift"]
    {
      #expect(imports.contains(name), "\(name)")
    }
    #expect(!imports.contains { $0.contains("out") || $0.contains("secret") })
    let skipped = Dictionary(grouping: diagnosis.skipped, by: \.path).mapValues { $0.map(\.why) }
    for (path, why) in [
      "out.m": "symbolic link", "out": "symbolic link", "root": "symbolic link",
      "loop": "symbolic link", "zero.m": "symbolic link", "pipe.swift": "special file",
      "Cartfile": "special file", "sizes/a.swift": "larger than 4 MiB",
      "sizes/a.plist": "larger than 4 MiB", "sizes/Podfile.lock": "larger than 64 MiB",
      "sizes/larger.plist": "larger than 4 MiB", "nested/a.plist": "not a property list",
      "nested/e.xcodeproj/project.pbxproj": "not a project",
    ] {
      #expect(skipped[path] == [why], "\(path)")
    }
    #expect(diagnosis.skipped.contains { $0.path.hasPrefix("deep/d/d") && $0.why.contains("deep") })
    #if os(Linux)
      #expect(diagnosis.skipped.contains { $0.why == "name is not UTF-8" })
    #endif
    let prints = diagnosis.findings.flatMap(\.places).map(\.fingerprint)
    #expect(Set(prints).count == prints.count)
  }

  @Test func aLargeProjectTakesLittle() throws {
    let workshop = try Workshop()
    let made = try workshop.run(
      "python3 \"$TOOLS/project_tree.py\" large \"$TMPDIR/large\" 1100")
    #expect(made.status == 0, "\(made.errors)")
    let result = try workshop.run("\(Self.measured) adal2msal doctor \"$TMPDIR/large\"")
    #expect(
      result.output.hasPrefix("1 blocking problem; 148 places in the code need to change.\n"))
    #expect(result.output.contains("ADAL: 771 source files, 329 property lists in "))
    let used = try usage(workshop)
    // A debug build is about ten times as slow as a release build, which takes less than 1 s.
    #expect(used.seconds < 15 && used.megabytes < 200, "\(used)")
  }
}
