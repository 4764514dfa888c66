// SPDX-License-Identifier: MIT
import Foundation
import HostileInput
import Testing

/// What fuzzing found once, read again.
@Suite struct ReplayTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../Fuzz/FailCases").standardized

  /// The paths below the folder of what was found, each `TARGET/NAME`.
  private static var cases: [String] {
    let found = FileManager.default.enumerator(atPath: folder.path)
    return (found?.compactMap { $0 as? String } ?? []).filter { $0.contains("/") }.sorted()
  }

  @Test func everyFolderIsATarget() throws {
    let folders = Set(Self.cases.compactMap { $0.split(separator: "/").first.map(String.init) })
    #expect(folders.isSubset(of: HostileInput.allCases.map(\.rawValue)))
    #expect(folders.contains("snapshot"))
  }

  @Test("keeps its promises", arguments: cases)
  func replay(name: String) throws {
    let target = name.split(separator: "/").first.flatMap { HostileInput(rawValue: String($0)) }
    let bytes = try Data(contentsOf: Self.folder.appendingPathComponent(name))
    try #require(target).read(Array(bytes))
  }

  /// What every reader must bear, found or not.
  @Test(
    arguments: HostileInput.allCases, ["", "\0", "bplist00", "{", "[]", "{}", "SQLite format 3\0"])
  func almostNothing(target: HostileInput, text: String) throws {
    try target.read(Array(text.utf8))
  }
}
