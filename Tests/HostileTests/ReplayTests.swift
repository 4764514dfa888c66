// SPDX-License-Identifier: MIT
import Foundation
import HostileInput
import Testing

/// Reads again the inputs that fuzzing once found, and those that it keeps because they reach code of their own.
@Suite struct ReplayTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../Fuzz").standardized

  /// The paths below one of the folders, each `TARGET/NAME`.
  private static func cases(_ name: String) -> [String] {
    let found = FileManager.default.enumerator(atPath: folder.appendingPathComponent(name).path)
    return (found?.compactMap { $0 as? String } ?? []).filter { $0.contains("/") }.sorted()
  }

  private static func targets(_ cases: [String]) -> Set<String> {
    Set(cases.compactMap { $0.split(separator: "/").first.map(String.init) })
  }

  private static func read(_ name: String, in folder: String) throws {
    let target = name.split(separator: "/").first.flatMap { HostileInput(rawValue: String($0)) }
    let bytes = try Data(contentsOf: Self.folder.appendingPathComponent("\(folder)/\(name)"))
    try #require(target, "\(name)").read(Array(bytes))
  }

  @Test func everyFolderIsATarget() throws {
    let all = Set(HostileInput.allCases.map(\.rawValue))
    let (kept, found) = (
      Self.targets(Self.cases("Corpus")), Self.targets(Self.cases("FailCases"))
    )
    #expect(kept.isSubset(of: all) && kept.contains("archive"))
    #expect(found.isSubset(of: all) && found.contains("snapshot"))
  }

  @Test("keeps its promises", arguments: cases("FailCases"))
  func found(name: String) throws { try Self.read(name, in: "FailCases") }

  @Test(
    "keeps its promises on all that fuzzing keeps of a target", arguments: HostileInput.allCases)
  func kept(target: HostileInput) throws {
    for name in Self.cases("Corpus") where name.hasPrefix("\(target.rawValue)/") {
      try Self.read(name, in: "Corpus")
    }
  }

  /// Inputs that every reader must survive, found or not.
  @Test(
    arguments: HostileInput.allCases, ["", "\0", "bplist00", "{", "[]", "{}", "SQLite format 3\0"])
  func almostNothing(target: HostileInput, text: String) throws {
    try target.read(Array(text.utf8))
  }
}
